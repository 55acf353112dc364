"""The list of contacts of one step, and contacts with the mat or the pot's floor."""

import math
from typing import Final

import numpy as np

from flicksim.physics.flight.bodies import (
    CX,
    CY,
    CZ,
    FROM,
    HALF,
    NX,
    NY,
    NZ,
    POINTS,
    RADIUS,
    VX,
    VY,
    Ints,
)
from flicksim.physics.flight.jit import bare
from flicksim.physics.flight.params import Floats

FELT: Final = -1
"""In place of a second disc: the mat."""
POT: Final = -2
"""In place of a second disc: the pot, its floor included."""

SAMPLES: Final = 16
"""Points looked at round an edge circle before the closest are refined."""
_ANGLES: Final = 2.0 * np.pi * np.arange(SAMPLES) / SAMPLES
COS: Final = np.cos(_ANGLES)
SIN: Final = np.sin(_ANGLES)
SPACING: Final = 2.0 * math.pi / SAMPLES
HALF_TAN: Final = math.tan(math.pi / SAMPLES)
"""tan(spacing / 2): refining walks round the circle by tan(angle / 2), so that it needs no sines."""
APART: Final = 0.5 * math.sqrt(3.0)
GOLDEN: Final = 0.5 * (math.sqrt(5.0) - 1.0)


FIRST, SECOND, GAP, DEPTH, APPROACH, MU, PX, PY, PZ = range(9)
"""Columns of the contacts [C, WIDTH]: the disc pushed, and what pushes it (a disc, FELT or POT); distance, negative
where they overlap [m]; overlap the spring is allowed to feel [m]; normal velocity before the step's impulses [m/s];
friction; the point [m]."""
DX, DY, DZ = 9, 10, 11
"""The unit normal pushing the first disc; two tangents follow it. Row q of three is at + 3 q, here and below."""
TA, IA, TB, IB = 18, 27, 36, 45
"""Torque arms r x d of the three directions on the first disc [m], and the angular velocity they give it per impulse
over mass; the same on the second disc."""
GOAL, PUSH, GIVE = 54, 57, 60
"""Relative velocities aimed at [m/s]; impulses [N s]; 1 / k_n, the inverse friction matrix (11, 12, 22) and the inverse
of its larger eigenvalue [kg]."""
WIDTH: Final = 65

LOSS, RUB, ROLL, GAIN = range(4)
"""Columns of the materials [3, 4]: share of its velocity that a spring takes in a step, and of a slip that friction
takes at most; friction; resistance lever [m]; velocity a spring brings in a step, over its depth by the step."""


@bare
def kind_of(other: int) -> int:
    """The row of the materials for a contact with that: felt, pot, or a wink."""
    return 0 if other == FELT else (1 if other == POT else 2)


@bare
def add(
    k: Floats, m: int, a: int, b: int, px: float, py: float, pz: float, nx: float, ny: float, nz: float, gap: float
) -> int:
    """One contact more, if there is room: the new count."""
    if m >= len(k):
        return m
    k[m, FIRST], k[m, SECOND] = a, b
    k[m, PX], k[m, PY], k[m, PZ] = px, py, pz
    k[m, DX], k[m, DY], k[m, DZ] = nx, ny, nz
    k[m, GAP] = gap
    k[m, DEPTH] = -gap
    return m + 1


@bare
def slope(nx: float, ny: float, nz: float, tx: float, ty: float) -> tuple[float, float, float, float, float, float]:
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


@bare
def rest_on(b: Floats, i: int, level: float, against: int, k: Floats, m: int) -> int:
    """Contacts of disc `i` with a level plane: three points of each edge circle, the lowest and two a third round.

    They bear it; their friction is one for all (see `rub`). How many there are decides how often a wink that lands flat
    turns over in the clatter: landing at 45 degrees and 2 m/s, .18 of them with four or eight, .38 with three. The
    reference, which bears a cylinder on three, has .51.
    """
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    x, y, z, R, h = b[i, CX], b[i, CY], b[i, CZ], b[i, RADIUS], b[i, HALF]
    drop = R * math.sqrt(nx * nx + ny * ny)
    side = -1.0 if nz > 0.0 else 1.0
    if z - h * abs(nz) - drop > level:
        return m
    ux, uy, uz, sx, sy, sz = slope(nx, ny, nz, b[i, VX], b[i, VY])
    b[i, FROM] = m
    for _ in range(2):
        px, py, pz = x + side * h * nx, y + side * h * ny, z + side * h * nz
        if pz - drop <= level:
            for point in range(3):
                along, across = (R, 0.0) if point == 0 else (-0.5 * R, APART * R if point == 1 else -APART * R)
                gap = pz + along * uz + across * sz - level
                if gap <= 0.0:
                    m = add(k, m, i, against, px + along * ux + across * sx, py + along * uy + across * sy, gap + level,
                            0.0, 0.0, 1.0, gap)  # fmt: skip
        side = -side
    b[i, POINTS] = m - b[i, FROM]
    return m


@bare
def deepest_first(k: Floats, order: Ints, count: int) -> None:
    """Order the contacts by depth: the sweeps then visit them alike in a scene and in its mirror image."""
    for m in range(count):
        gap = k[m, GAP]
        at = m
        while at > 0 and k[order[at - 1], GAP] > gap:
            order[at] = order[at - 1]
            at -= 1
        order[at] = m
