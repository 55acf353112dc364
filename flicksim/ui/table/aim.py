"""The aim of a flick: values only, changed by keys and by drags. No drawing."""

from __future__ import annotations

from math import atan2, hypot

from flicksim.base.geometry import Point, half_turn, inside, side
from flicksim.base.units import GRAVITY
from flicksim.referee import FlickRange
from flicksim.table import PAIRINGS, Flick, Piece, Surface, sliding

GENTLEST = 0.05
"""The slowest flick one can aim [m/s]; slower ones do not get a coin's length."""
OFFSET = 0.9
"""Largest offset of the nail from the middle [radii]."""
_DEAD, _FULL = 10.0, 300.0
"""A pull shorter than this is none, and one this long the hardest [units]."""


class Steered:
    """A way to shoot, and a place to begin from.

    Args:
        span: what may be flicked and how.
        start: where the piece is put first [m]; None when it goes from where it lies.
    """

    def __init__(self, span: FlickRange, start: Point | None) -> None:
        self.span, self.start = span, start
        self.azimuth = (span.azimuth[0] + span.azimuth[1]) / 2.0

    def turn(self, by: float) -> None:
        """Turn by an angle [rad], positive to the left."""
        self.azimuth = half_turn(self.azimuth + by)

    def shift(self, dx: float, dy: float) -> None:
        """Move the start [m], as far as its region goes."""
        if self.start is not None:
            self.put((self.start[0] + dx, self.start[1] + dy))

    def put(self, at: Point) -> None:
        """Set the start to the point of its region nearest to this one."""
        if self.start is not None:
            self.start = nearest(at, self.span.start)


class Aim(Steered):
    """A flick in the making.

    Args:
        span: what may be flicked and how.
        start: where the piece is put first [m]; None when it is flicked where it lies.
        here: where it lies then [m].
        speed: to begin with [m/s].
    """

    def __init__(self, span: FlickRange, start: Point | None, here: Point, speed: float) -> None:
        super().__init__(span, start)
        self._here = here
        self.speed = min(max(speed, GENTLEST), span.speed[1])
        self.offset = 0.0

    @property
    def at(self) -> Point:
        """Point at which the piece is struck [m]."""
        return self.start or self._here

    @property
    def flick(self) -> Flick:
        """The flick as it is aimed now."""
        start = None if self.start is None else (round(self.start[0], 9), round(self.start[1], 9))
        return Flick(
            piece=self.span.piece, speed=self.speed, azimuth=self.azimuth, offset=round(self.offset, 6), start=start
        )

    def push(self, by: float) -> None:
        """Flick harder by a speed [m/s]."""
        self.speed = min(max(round(self.speed + by, 6), GENTLEST), self.span.speed[1])

    def lean(self, by: float) -> None:
        """Set the nail farther to the left [radii]."""
        self.offset = min(max(round(self.offset + by, 6), -OFFSET), OFFSET)

    def at_point(self, target: Point, pull: float) -> None:
        """Aim so that the piece would come to rest there on a free surface that slows it by `pull` [m/s^2]."""
        dx, dy = target[0] - self.at[0], target[1] - self.at[1]
        if hypot(dx, dy) > 1e-6:
            self.azimuth = atan2(dy, dx)
            self.speed = min(max(sliding(hypot(dx, dy), pull), GENTLEST), self.span.speed[1])


def nearest(at: Point, polygon: tuple[Point, ...]) -> Point:
    """The point of a convex counter-clockwise polygon nearest to a point [m]."""
    if not polygon or inside(at, polygon):
        return at
    best, far = polygon[0], float("inf")
    for i in range(len(polygon)):
        a, b = polygon[i - 1], polygon[i]
        if side(at, a, b) >= 0.0:
            continue
        ex, ey = b[0] - a[0], b[1] - a[1]
        share = min(max(((at[0] - a[0]) * ex + (at[1] - a[1]) * ey) / (ex * ex + ey * ey), 0.0), 1.0)
        spot = (a[0] + share * ex, a[1] + share * ey)
        if hypot(spot[0] - at[0], spot[1] - at[1]) < far:
            best, far = spot, hypot(spot[0] - at[0], spot[1] - at[1])
    return best


def drawn_back(begin: Point, end: Point, scale: float, turned: float = 0.0) -> tuple[float, float] | None:
    """Direction [rad] and strength, from 0 to 1, of a pull of the mouse; None when it is too short to be one.

    Args:
        begin, end: on the screen [pixels]. scale: pixels a unit. turned: how far the table is seen turned [rad].
    """
    dx, dy = begin[0] - end[0], begin[1] - end[1]
    far = hypot(dx, dy) / scale
    if far <= _DEAD:
        return None
    return half_turn(atan2(-dy, dx) - turned), min((far - _DEAD) / (_FULL - _DEAD), 1.0)


def pull(piece: Piece, surface: Surface) -> float:
    """Deceleration of a piece sliding on a surface [m/s^2]."""
    return PAIRINGS.of(piece.material, surface.material).friction * GRAVITY
