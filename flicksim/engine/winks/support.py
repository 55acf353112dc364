"""Support relations of winks, read from resting poses."""

import math
from dataclasses import dataclass
from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.broadphase import TOUCH_MARGIN
from flicksim.engine.winks.narrowphase_wink_wink import collide_winks
from flicksim.engine.winks.separation import SEPARATING_AXIS
from flicksim.engine.winks.shot_arrays import Workspace

MIN_OVERLAP: Final = 0.01
"""Least fraction of the upper disc over the lower one, seen from above, for it to lie on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StackedPair:
    """A wink lying on another.

    Attributes:
        upper, lower: indices of both.
        tilt: of the upper one [rad].
        overlap: fraction of the upper disc over the lower, seen from above with both taken as level.
        height: of their highest contact [m].
    """

    upper: int
    lower: int
    tilt: float
    overlap: float
    height: float


@njit_no_refcount
def overlap_fraction(d: float, upper: float, lower: float) -> float:
    """Fraction of a disc of radius `upper` that covers one of radius `lower` at distance `d`."""
    if d >= upper + lower:
        return 0.0
    if d <= abs(upper - lower):
        return min(1.0, (lower / upper) * (lower / upper))
    a = (d * d + upper * upper - lower * lower) / (2.0 * d)
    b = d - a
    corner = math.sqrt(max(0.0, upper * upper - a * a))
    lens = upper * upper * math.atan2(corner, a) + lower * lower * math.atan2(corner, b) - d * corner
    return lens / (math.pi * upper * upper)


@njit_no_refcount
def find_stacked_pairs(w: Workspace) -> None:
    """List the winks lying on others in `w.stacks`, from the lowest contact up: pairs in contact with a normal within
    60 degrees of the vertical that overlap in plan."""
    b, k, pairs = w.bodies, w.contacts, w.run.pairs
    w.stack_count[0] = 0
    for i in range(len(b)):
        for j in range(i + 1, len(b)):
            dx, dy = b[i, B.CX] - b[j, B.CX], b[i, B.CY] - b[j, B.CY]
            apart = math.sqrt(dx * dx + dy * dy)
            if apart >= b[i, W.RADIUS] + b[j, W.RADIUS] or B.REMOVED in (b[i, B.STATE], b[j, B.STATE]):
                continue
            for x in range(3):
                pairs[i, j, SEPARATING_AXIS + x] = 0.0
            count, _ = collide_winks(b, i, j, pairs, k, 0 * i, TOUCH_MARGIN, w.run.scratch)
            rise, height, steep = 0.0, -math.inf, False
            for m in range(count):
                if abs(k[m, C.NORMAL_Z]) > 0.5:
                    rise, height, steep = rise + k[m, C.NORMAL_Z], max(height, k[m, C.POINT_Z]), True
            if not steep:
                continue
            up, low = (i, j) if rise > 0.0 else (j, i)
            share = overlap_fraction(apart, b[up, W.RADIUS], b[low, W.RADIUS])
            if share > MIN_OVERLAP:
                _insert_pair(w, up, low, math.acos(min(1.0, abs(b[up, B.NZ]))), share, height)


@njit_no_refcount
def _insert_pair(w: Workspace, up: int, low: int, tilt: float, share: float, height: float) -> None:
    """Insert a pair into `w.stacks`, sorted by height, upper and lower wink."""
    s, at = w.stacks, w.stack_count[0]
    while at > 0 and (
        s[at - 1, 4] > height
        or (s[at - 1, 4] == height and (s[at - 1, 0] > up or (s[at - 1, 0] == up and s[at - 1, 1] > low)))
    ):
        for x in range(5):
            s[at, x] = s[at - 1, x]
        at -= 1
    s[at, 0], s[at, 1], s[at, 2], s[at, 3], s[at, 4] = up, low, tilt, share, height
    w.stack_count[0] += 1
