"""Similarity of actions: whether two flicks have the same target or the same destination."""

from math import cos, hypot, radians, sin

from flicksim.ai import ExecutionNoise
from flicksim.core.type_aliases import Action
from flicksim.core.units import GRAVITY
from flicksim.scene import Launch, Squidge

_SIMILARITY_SIGMAS = 2.0
"""Distance of the end points within which flicks are similar [standard deviations of the execution noise]."""
_SLANT_TOLERANCE = radians(6.0)
"""Largest difference of the slant of similar launches [rad]."""
_DECELERATION = 2.0
"""Deceleration of a flat piece on polished wood [m/s^2]."""


def is_similar_action(
    first: Action, other: Action, noise: ExecutionNoise, targets: tuple[str | None, str | None] = (None, None)
) -> bool:
    """Return True if two flicks of the same piece have the same target (`targets`) or, where that is unknown, similar
    end points on an empty table."""
    if type(first) is not type(other) or first.piece != other.piece:
        return False
    if isinstance(first, Launch) and abs(first.slant - other.slant) > _SLANT_TOLERANCE:
        return False
    if None not in targets:
        return targets[0] == targets[1]
    (x, y, distance), (u, v, other_distance) = _end_point(first), _end_point(other)
    return hypot(x - u, y - v) <= _SIMILARITY_SIGMAS * max(distance, other_distance) * hypot(
        noise.azimuth, 2.0 * noise.speed
    )


def _end_point(flick: Action) -> tuple[float, float, float]:
    """End point on an empty table and the distance to it [m]; a rough estimate, for comparison alone."""
    at = getattr(flick, "start", None) or getattr(flick, "hold", None) or (0.0, 0.0)
    flies = isinstance(flick, Squidge)
    distance = flick.speed**2 * (sin(2.0 * flick.elevation) / GRAVITY if flies else 1.0 / (2.0 * _DECELERATION))
    return at[0] + distance * cos(flick.azimuth), at[1] + distance * sin(flick.azimuth), distance
