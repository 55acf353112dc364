"""Flicks that are one idea: aimed at one thing, or bound for one place."""

from __future__ import annotations

from math import cos, hypot, radians, sin

from flicksim.base.kinds import Action
from flicksim.base.units import GRAVITY
from flicksim.players import Hand
from flicksim.table import Launch, Squidge

_ALIKE = 2.0
"""Flicks are alike that would end no farther apart than so many errors of the hand."""
_STEEP = radians(6.0)
"""And launches whose nail comes up no more differently than that [rad]."""
_PULL = 2.0
"""Deceleration of a flat piece on polished wood [m/s^2]."""


def alike(one: Action, other: Action, hand: Hand, aims: tuple[str | None, str | None] = (None, None)) -> bool:
    """Tell whether two flicks are one idea: by pieces, and by what they are aimed at (`aims`) or, where nobody says
    that, by where they would end with nothing in the way."""
    if type(one) is not type(other) or one.piece != other.piece:
        return False
    if isinstance(one, Launch) and abs(one.slant - other.slant) > _STEEP:
        return False
    if None not in aims:
        return aims[0] == aims[1]
    (x, y, way), (u, v, far) = _reach(one), _reach(other)
    return hypot(x - u, y - v) <= _ALIKE * max(way, far) * hypot(hand.azimuth, 2.0 * hand.speed)


def _reach(flick: Action) -> tuple[float, float, float]:
    """End on a bare table, and the way there [m]; only held against others of its kind."""
    at = getattr(flick, "start", None) or getattr(flick, "hold", None) or (0.0, 0.0)
    flies = isinstance(flick, Squidge)
    way = flick.speed**2 * (sin(2.0 * flick.elevation) / GRAVITY if flies else 1.0 / (2.0 * _PULL))
    return at[0] + way * cos(flick.azimuth), at[1] + way * sin(flick.azimuth), way
