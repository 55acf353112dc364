"""Handover of flat winks between the 3D simulation and the plane: conditions, and clearance of their paths.

A slide is straight and its end is known in advance, so a disc of the 3D simulation can only touch a sliding one near
the remaining segment of its path.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_entry, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import stop, update_angular_velocity
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import recorder as R
from flicksim.engine.winks.bodies import system_energy
from flicksim.engine.winks.params import Floats

MIN_FLAT_TIME: Final = 5e-3
"""Time a disc must have been flat, touching only the felt, before it may slide in the plane [s]."""
BLOCKED_DISTANCE: Final = 0.5e-3
"""Distance to a path below which a disc blocks it [m]; no disc moves as far in a step."""
LEVELLING_TRAVEL: Final = 1e-3
"""Bound on the travel of any point when a disc is levelled [m]."""
PATH_CLEARANCE: Final = 1e-3
"""Clearance of a path from awake discs at the start of a slide [m]."""


@njit_no_refcount
def distance_to_path(b: Floats, i: int, j: int) -> float:
    """Lower bound on the distance of disc `i` to the remaining path of sliding disc `j` [m]."""
    x, y = b[j, B.CX], b[j, B.CY]
    ex, ey = b[j, W.SLIDE_END_X] - x, b[j, W.SLIDE_END_Y] - y
    dx, dy, dz = b[i, B.CX] - x, b[i, B.CY] - y, b[i, B.CZ] - b[j, B.CZ]
    length = ex * ex + ey * ey
    if length > 0.0:
        share = min(1.0, max(0.0, (dx * ex + dy * ey) / length))
        dx, dy = dx - share * ex, dy - share * ey
    return float(math.sqrt(dx * dx + dy * dy + dz * dz) - b[i, B.BOUNDING_RADIUS] - b[j, B.BOUNDING_RADIUS])


@njit_entry
def nearest_to_path(b: Floats, j: int) -> float:
    """Lower bound on the distance of the path of disc `j` to the nearest other awake disc [m]."""
    near = math.inf
    for i in range(len(b)):
        if b[i, B.STATE] == B.AWAKE and i != j:
            near = min(near, distance_to_path(b, i, j))
    return near


@njit_no_refcount
def is_any_path_blocked(b: Floats) -> bool:
    """True if an awake disc is near the path of a sliding one."""
    near = False
    for j in range(len(b)):
        near = near or (b[j, B.STATE] == W.SLIDING and nearest_to_path(b, j) <= BLOCKED_DISTANCE)
    return near


@njit_no_refcount
def place_flat(
    b: Floats, i: int, x: float, y: float, vx: float, vy: float, spin: float, clock: Floats, gravity: float
) -> None:
    """Put disc `i` level on the felt with this motion, and correct the energy limiter's bound accordingly."""
    before = system_energy(b, gravity)
    b[i, B.TRAVEL_BOUND] += math.hypot(x - b[i, B.CX], y - b[i, B.CY]) + LEVELLING_TRAVEL
    b[i, B.CX], b[i, B.CY], b[i, B.CZ] = x, y, min(b[i, B.CZ], b[i, W.HALF_THICKNESS])
    b[i, B.NX], b[i, B.NY], b[i, B.NZ] = 0.0, 0.0, 1.0 if b[i, B.NZ] > 0.0 else -1.0
    stop(b, i)
    b[i, B.VX], b[i, B.VY], b[i, B.LZ] = vx, vy, 0.5 * (b[i, W.RADIUS] * b[i, W.RADIUS]) * spin
    update_angular_velocity(b, i)
    clock[R.MIN_ENERGY] += (system_energy(b, gravity) - before) / clock[R.MASS_UNIT]
