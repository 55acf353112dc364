"""Supports, read off resting poses."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from flicksim.physics.flight.bodies import (
    CX,
    CY,
    GONE,
    NZ,
    RADIUS,
    STATE,
)
from flicksim.physics.flight.contacts import (
    DZ,
    PZ,
    SAMPLES,
    WIDTH,
)
from flicksim.physics.flight.pair import touch
from flicksim.physics.flight.params import Floats, Pot
from flicksim.physics.flight.search import TOGETHER
from flicksim.physics.flight.wall import touch_pot

LEAST_OVERLAP: Final = 0.01
"""Share of the upper disc that must cover the lower one, seen from above, to lie on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lying:
    """One wink lies on another.

    Attributes:
        upper: the one above.
        lower: the one it lies on.
        tilt: of the upper one from the level [rad].
        overlap: share of the upper disc over the lower, seen from above with both taken as level.
        height: of their highest contact [m].
    """

    upper: int
    lower: int
    tilt: float
    overlap: float
    height: float


def overlap(d: float, upper: float, lower: float) -> float:
    """Share of a disc of radius `upper` that covers one of radius `lower` at distance `d`."""
    if d >= upper + lower:
        return 0.0
    if d <= abs(upper - lower):
        return min(1.0, (lower / upper) ** 2)
    a = (d * d + upper * upper - lower * lower) / (2.0 * d)
    b = d - a
    corner = math.sqrt(max(0.0, upper * upper - a * a))
    lens = upper * upper * math.atan2(corner, a) + lower * lower * math.atan2(corner, b) - d * corner
    return lens / (math.pi * upper * upper)


def lies_on(b: Floats) -> tuple[Lying, ...]:
    """The winks that lie on others: pairs in contact along a normal steeper than 60 degrees that overlap in plan."""
    k, near, pairs = np.zeros((64, WIDTH)), np.zeros(SAMPLES), np.zeros((len(b), len(b), 4))
    found: list[Lying] = []
    x, y, R, there = b[:, CX], b[:, CY], b[:, RADIUS], b[:, STATE] != GONE
    over = np.hypot(x[:, None] - x, y[:, None] - y) < R[:, None] + R
    for i, j in np.argwhere(np.triu(over & there & there[:, None], 1)).tolist():
        count, _ = touch(b, i, j, pairs, k, 0, TOGETHER, near)
        steep = [m for m in range(count) if abs(k[m, DZ]) > 0.5]
        if not steep:
            continue
        up, low = (i, j) if sum(k[m, DZ] for m in steep) > 0.0 else (j, i)
        share = overlap(math.hypot(x[i] - x[j], y[i] - y[j]), float(R[up]), float(R[low]))
        if share > LEAST_OVERLAP:
            tilt = math.acos(min(1.0, abs(float(b[up, NZ]))))
            height = max(float(k[m, PZ]) for m in steep)
            found.append(Lying(upper=up, lower=low, tilt=tilt, overlap=share, height=height))
    return tuple(sorted(found, key=lambda one: (one.height, one.upper, one.lower)))


def at_pot(b: Floats, pot: Pot) -> list[bool]:
    """Winks that touch the pot's wall or rim."""
    k, near, cup = np.zeros((64, WIDTH)), np.zeros(SAMPLES), pot.numbers()
    return [b[i, STATE] != GONE and touch_pot(b, i, cup, k, 0, TOGETHER, near)[0] > 0 for i in range(len(b))]
