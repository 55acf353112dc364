"""Support relations of winks, read from resting poses."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.broadphase import TOUCH_MARGIN
from flicksim.engine.winks.contacts import RIM_SAMPLES
from flicksim.engine.winks.narrowphase_cup import collide_cup
from flicksim.engine.winks.narrowphase_wink_wink import collide_winks
from flicksim.engine.winks.params import Cup, Floats

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


def overlap_fraction(d: float, upper: float, lower: float) -> float:
    """Fraction of a disc of radius `upper` that covers one of radius `lower` at distance `d`."""
    if d >= upper + lower:
        return 0.0
    if d <= abs(upper - lower):
        return min(1.0, (lower / upper) ** 2)
    a = (d * d + upper * upper - lower * lower) / (2.0 * d)
    b = d - a
    corner = math.sqrt(max(0.0, upper * upper - a * a))
    lens = upper * upper * math.atan2(corner, a) + lower * lower * math.atan2(corner, b) - d * corner
    return lens / (math.pi * upper * upper)


def stacked_pairs(b: Floats) -> tuple[StackedPair, ...]:
    """Winks lying on others: pairs in contact with a normal within 60 degrees of the vertical that overlap in plan."""
    k, near, pairs = np.zeros((64, C.CONTACT_COLUMNS)), np.zeros(RIM_SAMPLES), np.zeros((len(b), len(b), 4))
    found: list[StackedPair] = []
    x, y, R, there = b[:, B.CX], b[:, B.CY], b[:, W.RADIUS], b[:, B.STATE] != B.REMOVED
    over = np.hypot(x[:, None] - x, y[:, None] - y) < R[:, None] + R
    for i, j in np.argwhere(np.triu(over & there & there[:, None], 1)).tolist():
        count, _ = collide_winks(b, i, j, pairs, k, 0, TOUCH_MARGIN, near)
        steep = [m for m in range(count) if abs(k[m, C.NORMAL_Z]) > 0.5]
        if not steep:
            continue
        up, low = (i, j) if sum(k[m, C.NORMAL_Z] for m in steep) > 0.0 else (j, i)
        share = overlap_fraction(math.hypot(x[i] - x[j], y[i] - y[j]), float(R[up]), float(R[low]))
        if share > MIN_OVERLAP:
            tilt = math.acos(min(1.0, abs(float(b[up, B.NZ]))))
            height = max(float(k[m, C.POINT_Z]) for m in steep)
            found.append(StackedPair(upper=up, lower=low, tilt=tilt, overlap=share, height=height))
    return tuple(sorted(found, key=lambda one: (one.height, one.upper, one.lower)))


def touches_pot(b: Floats, pot: Cup) -> list[bool]:
    """For each wink, whether it touches the pot's wall or rim."""
    k, near, cup = np.zeros((64, C.CONTACT_COLUMNS)), np.zeros(RIM_SAMPLES), pot.to_array()
    return [
        b[i, B.STATE] != B.REMOVED and collide_cup(b, i, cup, k, 0, TOUCH_MARGIN, near)[0] > 0 for i in range(len(b))
    ]
