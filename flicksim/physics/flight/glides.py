"""Seam of the height layer and the plane: discs that lie flat glide in the plane, and their ways are kept clear.

A glide is straight and its end is known beforehand, so a disc of the height layer can only come to touch one that
glides by coming near the straight piece of felt that is left of its way.
"""

import math
from typing import Final

from flicksim.physics.flight.bodies import AWAKE, CX, CY, CZ, GLIDING, REACH, STATE, WAY_X, WAY_Y
from flicksim.physics.flight.jit import bare
from flicksim.physics.flight.params import Floats

FLAT_FOR: Final = 5e-3
"""A disc that was flat, and touched nothing but the felt, for so long may glide [s]."""
NEAR: Final = 0.5e-3
"""Nearer than this to a way, something is about to touch who glides there [m]; no disc goes so far in a step."""
CLEAR: Final = 1e-3
"""A way on which to begin a glide is clear of the height layer by this much [m]."""


@bare
def to_way(b: Floats, i: int, j: int) -> float:
    """No more than the distance of disc `i` to what the glide of disc `j` will pass over [m]."""
    x, y = b[j, CX], b[j, CY]
    ex, ey = b[j, WAY_X] - x, b[j, WAY_Y] - y
    dx, dy, dz = b[i, CX] - x, b[i, CY] - y, b[i, CZ] - b[j, CZ]
    length = ex * ex + ey * ey
    if length > 0.0:
        share = min(1.0, max(0.0, (dx * ex + dy * ey) / length))
        dx, dy = dx - share * ex, dy - share * ey
    return float(math.sqrt(dx * dx + dy * dy + dz * dz) - b[i, REACH] - b[j, REACH])


@bare
def nearest(b: Floats, j: int) -> float:
    """Distance, at least, of the way of disc `j` to the nearest awake disc but itself [m]."""
    near = math.inf
    for i in range(len(b)):
        if b[i, STATE] == AWAKE and i != j:
            near = min(near, to_way(b, i, j))
    return near


@bare
def met(b: Floats) -> bool:
    """True if an awake disc has come near the way of one that glides."""
    near = False
    for j in range(len(b)):
        near = near or (b[j, STATE] == GLIDING and nearest(b, j) <= NEAR)
    return near
