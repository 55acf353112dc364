"""Similarity of actions: whether two flicks have the same target or the same destination."""

from __future__ import annotations

from math import cos, hypot, radians, sin

from flicksim.ai import ExecutionNoise
from flicksim.core.type_aliases import Action
from flicksim.core.units import GRAVITY
from flicksim.scene import Launch, Squidge

_SIMILARITY_SIGMAS = 2.0
"""Flicks are alike that would end no farther apart than so many errors of the hand."""
_SLANT_TOLERANCE = radians(6.0)
"""And launches whose nail comes up no more differently than that [rad]."""
_DECELERATION = 2.0
"""Deceleration of a flat piece on polished wood [m/s^2]."""


def is_similar_action(
    one: Action, other: Action, noise: ExecutionNoise, targets: tuple[str | None, str | None] = (None, None)
) -> bool:
    """Tell whether two flicks are one idea: by pieces, and by what they are aimed at (`targets`) or, where nobody says
    that, by where they would end with nothing in the way."""
    if type(one) is not type(other) or one.piece != other.piece:
        return False
    if isinstance(one, Launch) and abs(one.slant - other.slant) > _SLANT_TOLERANCE:
        return False
    if None not in targets:
        return targets[0] == targets[1]
    (x, y, way), (u, v, far) = _end_point(one), _end_point(other)
    return hypot(x - u, y - v) <= _SIMILARITY_SIGMAS * max(way, far) * hypot(noise.azimuth, 2.0 * noise.speed)


def _end_point(flick: Action) -> tuple[float, float, float]:
    """End on a bare table, and the way there [m]; only held against others of its kind."""
    at = getattr(flick, "start", None) or getattr(flick, "hold", None) or (0.0, 0.0)
    flies = isinstance(flick, Squidge)
    way = flick.speed**2 * (sin(2.0 * flick.elevation) / GRAVITY if flies else 1.0 / (2.0 * _DECELERATION))
    return at[0] + way * cos(flick.azimuth), at[1] + way * sin(flick.azimuth), way
