"""Contact list of one step, and contacts with the mat or the floor of the pot."""

import math
from typing import Final

import numpy as np

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.winks.bodies import (
    CONTACT_COUNT,
    CX,
    CY,
    CZ,
    FIRST_CONTACT,
    HALF_THICKNESS,
    NX,
    NY,
    NZ,
    RADIUS,
    VX,
    VY,
    Ints,
)
from flicksim.engine.winks.params import Floats

FELT: Final = -1
"""In place of a second disc: the mat."""
POT: Final = -2
"""In place of a second disc: the pot, its floor included."""

RIM_SAMPLES: Final = 16
"""Points looked at round an edge circle before the closest are refined."""
_SAMPLE_ANGLES: Final = 2.0 * np.pi * np.arange(RIM_SAMPLES) / RIM_SAMPLES
SAMPLE_COS: Final = np.cos(_SAMPLE_ANGLES)
SAMPLE_SIN: Final = np.sin(_SAMPLE_ANGLES)
SAMPLE_SPACING: Final = 2.0 * math.pi / RIM_SAMPLES
TAN_HALF_SPACING: Final = math.tan(math.pi / RIM_SAMPLES)
"""tan(spacing / 2): refining walks round the circle by tan(angle / 2), so that it needs no sines."""
SIN_60: Final = 0.5 * math.sqrt(3.0)
GOLDEN_RATIO: Final = 0.5 * (math.sqrt(5.0) - 1.0)


BODY_A, BODY_B, GAP, SPRING_DEPTH, NORMAL_VELOCITY, CONTACT_FRICTION, POINT_X, POINT_Y, POINT_Z = range(9)
"""Columns of the contacts [C, CONTACT_COLUMNS]: the disc pushed, and what pushes it (a disc, FELT or POT); distance,
negative where they overlap [m]; overlap the spring is allowed to feel [m]; normal velocity before the step's impulses
[m/s]; friction; the point [m]."""
NORMAL_X, NORMAL_Y, NORMAL_Z = 9, 10, 11
"""The unit normal pushing the first disc; two tangents follow it. Row q of three is at + 3 q, here and below."""
TORQUE_ARM_A, ANGULAR_RESPONSE_A, TORQUE_ARM_B, ANGULAR_RESPONSE_B = 18, 27, 36, 45
"""Torque arms r x d of the three directions on the first disc [m], and the angular velocity they give it per impulse
over mass; the same on the second disc."""
TARGET_VELOCITY, IMPULSE, EFFECTIVE_MASS = 54, 57, 60
"""Relative velocities aimed at [m/s]; impulses [N s]; 1 / k_n, the inverse friction matrix (11, 12, 22) and the inverse
of its larger eigenvalue [kg]."""
CONTACT_COLUMNS: Final = 65

DAMPING_GAIN, FRICTION, ROLLING_RESISTANCE, SPRING_GAIN = range(4)
"""Columns of the materials [3, 4]: share of its velocity that a spring takes in a step, and of a slip that friction
takes at most; friction; resistance lever [m]; velocity a spring brings in a step, over its depth by the step."""


@njit_no_refcount
def material_index(other: int) -> int:
    """The row of the materials for a contact with that: felt, pot, or a wink."""
    return 0 if other == FELT else (1 if other == POT else 2)


@njit_no_refcount
def add_contact(
    k: Floats, m: int, a: int, b: int, px: float, py: float, pz: float, nx: float, ny: float, nz: float, gap: float
) -> int:
    """One contact more, if there is room: the new count."""
    if m >= len(k):
        return m
    k[m, BODY_A], k[m, BODY_B] = a, b
    k[m, POINT_X], k[m, POINT_Y], k[m, POINT_Z] = px, py, pz
    k[m, NORMAL_X], k[m, NORMAL_Y], k[m, NORMAL_Z] = nx, ny, nz
    k[m, GAP] = gap
    k[m, SPRING_DEPTH] = -gap
    return m + 1


@njit_no_refcount
def in_plane_axes(
    nx: float, ny: float, nz: float, tx: float, ty: float
) -> tuple[float, float, float, float, float, float]:
    """Two directions in the disc's plane: down the slope, and across it; for a level disc, along (tx, ty) instead.

    Both come from the scene and not from fixed axes, so that a mirrored scene is sampled at mirrored points.
    """
    flat = math.sqrt(nx * nx + ny * ny)
    if flat > 1e-9:
        ux, uy, uz = nz * nx / flat, nz * ny / flat, -flat
    else:
        size = math.sqrt(tx * tx + ty * ty)
        ux, uy, uz = (tx / size, ty / size, 0.0) if size > 1e-9 else (1.0, 0.0, 0.0)
    return ux, uy, uz, ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux


@njit_no_refcount
def add_ground_contacts(b: Floats, i: int, ground_height: float, other: int, k: Floats, m: int) -> int:
    """Contacts of disc `i` with a level plane: three points of each edge circle, the lowest and two a third round.

    They bear it; their friction is one for all (see `patch_friction`). How many there are decides how often a wink that
    lands flat turns over in the clatter: landing at 45 degrees and 2 m/s, .18 of them with four or eight, .38 with
    three. The reference, which bears a cylinder on three, has .51.
    """
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    x, y, z, R, h = b[i, CX], b[i, CY], b[i, CZ], b[i, RADIUS], b[i, HALF_THICKNESS]
    drop = R * math.sqrt(nx * nx + ny * ny)
    side = -1.0 if nz > 0.0 else 1.0
    if z - h * abs(nz) - drop > ground_height:
        return m
    ux, uy, uz, sx, sy, sz = in_plane_axes(nx, ny, nz, b[i, VX], b[i, VY])
    b[i, FIRST_CONTACT] = m
    for _ in range(2):
        px, py, pz = x + side * h * nx, y + side * h * ny, z + side * h * nz
        if pz - drop <= ground_height:
            for point in range(3):
                along, across = (R, 0.0) if point == 0 else (-0.5 * R, SIN_60 * R if point == 1 else -SIN_60 * R)
                gap = pz + along * uz + across * sz - ground_height
                if gap <= 0.0:
                    m = add_contact(
                        k,
                        m,
                        i,
                        other,
                        px + along * ux + across * sx,
                        py + along * uy + across * sy,
                        gap + ground_height,
                        0.0,
                        0.0,
                        1.0,
                        gap,
                    )
        side = -side
    b[i, CONTACT_COUNT] = m - b[i, FIRST_CONTACT]
    return m


@njit_no_refcount
def sort_by_depth(k: Floats, order: Ints, count: int) -> None:
    """Order the contacts by depth: the iterations then visit them alike in a scene and in its mirror image."""
    for m in range(count):
        gap = k[m, GAP]
        at = m
        while at > 0 and k[order[at - 1], GAP] > gap:
            order[at] = order[at - 1]
            at -= 1
        order[at] = m
