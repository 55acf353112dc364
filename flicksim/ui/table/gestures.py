"""The ways of giving a flick, and how calm the hand is in each: values only. Judged, not measured, like `unrest`.

Pull back and let go: the aim is held still. To a rhythm: a meter swings, and one lets go near its top. A true flick:
the pointer's own way and speed as it passes the piece; by keys, the second of two beats. All err by the same grades.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, pow, remainder

import numpy as np

from flicksim.base.geometry import Point
from flicksim.base.units import degrees
from flicksim.players import unrest

CALMEST, WILDEST = 0.8, 1.5
"""Errors of a hand at its best and at its worst, over those of its grade, whatever the gesture."""
SWING = 1.2
"""Time that the meter takes to its top and back [s]."""
BEAT = 0.8
"""Time from the first beat to the second [s]."""
_LATE, _CROOKED = 0.2, 0.06
"""A beat so far off [s], and a stroke that strays by so much of its length, are worst."""
_SHARP = 6.0
"""Sharpness of the top of the meter."""
_LATELY = 0.12
"""Length of a stroke that counts: the last of it [s]."""
_FASTEST = 2600.0
"""A stroke so fast is the hardest flick [units/s]."""
_NEAR, _TIMES = degrees(25.0), 3.0
"""A stroke within that angle and so many times the strength of the aim set before is drawn to it."""
_WAY, _STRENGTH = 0.15, 0.06
"""So much of a stroke's own way and strength is left then: about as much as a club player errs."""
_LEAST = 12.0
"""A stroke shorter than this is none [units]."""


def swing(t: float) -> float:
    """Height of the meter, 0 to 1, so long after it has begun [s]."""
    return 0.5 * (1.0 - cos(2.0 * pi * t / SWING))


def rhythm(t: float) -> float:
    """Unsteadiness of a hand that lets go so long after the meter has begun [s]."""
    return WILDEST - (WILDEST - CALMEST) * pow(swing(t), _SHARP)


def beat(t: float) -> float:
    """Unsteadiness of a hand that strikes so long after the first beat [s]."""
    return float(np.interp(abs(t - BEAT), (0.0, _LATE), (CALMEST, WILDEST)))


def straight(crooked: float) -> float:
    """Unsteadiness of a hand whose stroke strays from straight by such a share of its length."""
    return float(np.interp(crooked, (0.0, _CROOKED), (CALMEST, WILDEST)))


def holding(held: float) -> float:
    """Unsteadiness of a hand that has held its aim so long [s]."""
    return unrest(held)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A true flick.

    Args:
        azimuth: where it goes on the screen [rad]. hard: how strong, 0 to 1. crooked: its straying over its length.
    """

    azimuth: float
    hard: float
    crooked: float


def stroke(path: Sequence[tuple[float, Point]], scale: float) -> Stroke | None:
    """The stroke that a pointer has made, from when and where it was on the screen; None: it is too short for one.

    Args:
        path: times [s] and places [pixels]. scale: pixels a unit.
    """
    if len(path) < 2:
        return None
    end = path[-1][0]
    last = [one for one in path if one[0] >= end - _LATELY]
    last = last if len(last) > 1 else list(path[-2:])
    (begin, a), (_, b) = last[0], last[-1]
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = hypot(dx, dy)
    if long < _LEAST * scale or end <= begin:
        return None
    aside = [((p[0] - a[0]) * dy - (p[1] - a[1]) * dx) / long for _, p in last[1:-1]]
    crooked = (sum(one * one for one in aside) / len(aside)) ** 0.5 / long if aside else 0.0
    return Stroke(atan2(-dy, dx), min(1.0, long / scale / (end - begin) / _FASTEST), crooked)


def drawn_to(azimuth: float, speed: float, aim: tuple[float, float]) -> tuple[float, float]:
    """A stroke's way [rad] and speed [m/s], drawn to the aim that was set before where it comes near to it."""
    way, meant = aim
    turn, times = remainder(azimuth - way, 2.0 * pi), speed / max(meant, 1e-6)
    if abs(turn) > _NEAR or not 1.0 / _TIMES <= times <= _TIMES:
        return azimuth, speed
    return remainder(way + _WAY * turn, 2.0 * pi), meant * float(times**_STRENGTH)


def passes(a: Point, b: Point, there: Point, reach: float) -> bool:
    """True where a pointer that moves from one place to another has passed a third within reach [pixels]."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = dx * dx + dy * dy
    share = ((there[0] - a[0]) * dx + (there[1] - a[1]) * dy) / long if long else 0.0
    near = (a[0] + min(max(share, 0.0), 1.0) * dx, a[1] + min(max(share, 0.0), 1.0) * dy)
    return share <= 1.0 and hypot(near[0] - there[0], near[1] - there[1]) <= reach
