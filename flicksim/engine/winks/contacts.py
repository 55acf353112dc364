"""Static partners of contacts, sampling of rim circles, and contacts with the mat or the floor of the pot."""

import math
from typing import Final

import numpy as np

from flicksim.engine.jit import njit_inline
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import Floats
from flicksim.engine.rigid_bodies.contacts import add_contact
from flicksim.engine.winks import bodies as W

FELT: Final = -1
"""In place of a second body: the mat."""
POT: Final = -2
"""In place of a second body: the pot, its floor included."""

RIM_SAMPLES: Final = 16
"""Samples of a rim circle, from which its closest points are refined."""
_SAMPLE_ANGLES: Final = 2.0 * np.pi * np.arange(RIM_SAMPLES) / RIM_SAMPLES
SAMPLE_COS: Final = np.cos(_SAMPLE_ANGLES)
SAMPLE_SIN: Final = np.sin(_SAMPLE_ANGLES)
SAMPLE_SPACING: Final = 2.0 * math.pi / RIM_SAMPLES
TAN_HALF_SPACING: Final = math.tan(math.pi / RIM_SAMPLES)
"""tan(spacing / 2): the refinement parametrises the circle by tan(angle / 2), which avoids sines."""
SIN_60: Final = 0.5 * math.sqrt(3.0)
GOLDEN_RATIO: Final = 0.5 * (math.sqrt(5.0) - 1.0)


@njit_inline
def narrow_bracket(
    low: float, high: float, t1: float, t2: float, f1: float, f2: float
) -> tuple[float, float, float, float, float, float, int]:
    """Narrow the bracket of a minimum by a step of the golden-section search.

    Args:
        low, high: the bracket. t1, t2: its inner points, f1, f2: the values there.

    Returns:
        The same after the step, and which of the inner points is new and to be evaluated: 0 or 1.
    """
    if f1 < f2:
        return low, t2, t2 - GOLDEN_RATIO * (t2 - low), t1, f1, f1, 0
    return t1, high, t2, t1 + GOLDEN_RATIO * (high - t1), f2, f2, 1


@njit_inline
def material_index(other: int) -> int:
    """Row of `WinkParams.material_table` for a contact with the felt, the pot or a wink."""
    return 0 if other == FELT else (1 if other == POT else 2)


@njit_inline
def in_plane_axes(
    nx: float, ny: float, nz: float, tx: float, ty: float
) -> tuple[float, float, float, float, float, float]:
    """Directions in the disc's plane: of steepest descent, and across it; for a level disc, along (tx, ty) instead.

    Both depend on the scene and not on fixed axes, so that a mirrored scene is sampled at mirrored points.
    """
    flat = math.sqrt(nx * nx + ny * ny)
    if flat > 1e-9:
        ux, uy, uz = nz * nx / flat, nz * ny / flat, -flat
    else:
        size = math.sqrt(tx * tx + ty * ty)
        ux, uy, uz = (tx / size, ty / size, 0.0) if size > 1e-9 else (1.0, 0.0, 0.0)
    return ux, uy, uz, ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux


@njit_inline
def add_ground_contacts(b: Floats, i: int, ground_height: float, other: int, k: Floats, m: int) -> int:
    """Add contacts of disc `i` with a level plane at three points of each rim: the lowest and two at 120 degrees.

    They are frictionless: `patch_friction` acts for all. Their number decides how often a wink that lands flat turns
    over: landing at 45 degrees and 2 m/s, .18 with four or eight, .38 with three. The reference, which uses three for a
    cylinder, has .51.
    """
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    x, y, z, R, h = b[i, B.CX], b[i, B.CY], b[i, B.CZ], b[i, W.RADIUS], b[i, W.HALF_THICKNESS]
    drop = R * math.sqrt(nx * nx + ny * ny)
    side = -1.0 if nz > 0.0 else 1.0
    if z - h * abs(nz) - drop > ground_height:
        return m
    ux, uy, uz, sx, sy, sz = in_plane_axes(nx, ny, nz, b[i, B.VX], b[i, B.VY])
    b[i, W.FIRST_CONTACT] = m
    for _ in range(2):
        px, py, pz = x + side * h * nx, y + side * h * ny, z + side * h * nz
        if pz - drop <= ground_height:
            for point in range(3):
                along, across = (R, 0.0) if point == 0 else (-0.5 * R, SIN_60 * R if point == 1 else -SIN_60 * R)
                gap = pz + along * uz + across * sz - ground_height
                if gap <= 0.0:
                    x0, y0 = px + along * ux + across * sx, py + along * uy + across * sy
                    m = add_contact(k, m, i, other, 0, x0, y0, gap + ground_height, 0.0, 0.0, 1.0, gap)
        side = -side
    b[i, W.CONTACT_COUNT] = m - b[i, W.FIRST_CONTACT]
    return m
