"""A flick as a hand gives it."""

from __future__ import annotations

from math import cos, isfinite, sin

from flicksim.base.codec import Value
from flicksim.base.geometry import Point

MAX_SPEED = 20.0
"""No finger sends a piece off faster [m/s]; fingertips reach 10 (Acharya et al., J. R. Soc. Interface 18, 2021)."""


class Flick(Value, tag="flick", tag_field="do", frozen=True, kw_only=True):
    """A finger flick of one piece lying flat.

    Args:
        piece: id of the piece.
        speed: speed [m/s] a nail on the centre line would give it.
        azimuth: direction [rad], counter-clockwise from +x.
        offset: where the nail strikes, sideways of the centre line [radii], positive to the left of the way.
        start: where the piece is put before it is flicked [m]; None leaves it where it lies.
    """

    piece: str
    speed: float
    azimuth: float
    offset: float = 0.0
    start: Point | None = None

    def __post_init__(self) -> None:
        if not (isfinite(self.speed) and 0.0 < self.speed <= MAX_SPEED):
            raise ValueError(f"speed {self.speed!r} m/s must be above 0 and at most {MAX_SPEED:g}")
        if not (isfinite(self.azimuth) and abs(self.azimuth) <= 7.0):
            raise ValueError(f"azimuth {self.azimuth!r} rad must lie within one turn, -6.2832 to 6.2832")
        if not -0.95 <= self.offset <= 0.95:
            raise ValueError(f"offset {self.offset!r} radii must lie in -0.95 to 0.95; further out the nail misses")
        if self.start is not None and not (isfinite(self.start[0]) and isfinite(self.start[1])):
            raise ValueError(f"start {self.start!r} must be finite")

    @property
    def direction(self) -> Point:
        """Unit vector of the nail's way."""
        return (cos(self.azimuth), sin(self.azimuth))
