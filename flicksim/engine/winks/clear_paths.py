"""Clearance of the paths of sliding winks from those awake in the 3D simulation."""

import math
from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.params import Floats

MIN_FLAT_TIME: Final = 5e-3
"""Time a disc must have been flat, touching only the felt, before it may slide in the plane [s]."""
BLOCKED_DISTANCE: Final = 0.5e-3
"""Distance to a path below which a disc blocks it [m]; no disc moves as far in a step."""


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


@njit_no_refcount
def nearest_to_path(b: Floats, j: int) -> float:
    """Lower bound on the distance of the path of disc `j` to the nearest other awake disc [m]."""
    near = math.inf
    for i in range(len(b)):
        if b[i, B.STATE] == B.AWAKE and i != j:
            near = min(near, distance_to_path(b, i, j))
    return near


@njit_no_refcount
def is_path_blocked(b: Floats, j: int) -> bool:
    """True if an awake disc is near the path of sliding disc `j`."""
    return nearest_to_path(b, j) <= BLOCKED_DISTANCE


@njit_no_refcount
def is_any_path_blocked(b: Floats) -> bool:
    """True if an awake disc is near the path of a sliding one."""
    near = False
    for j in range(len(b)):
        near = near or (b[j, B.STATE] == W.SLIDING and is_path_blocked(b, j))
    return near
