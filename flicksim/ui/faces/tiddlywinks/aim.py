"""A squidge in the making: values only, changed by keys, knobs and drags. No drawing."""

from __future__ import annotations

from math import atan2, hypot, pi

from flicksim.base.geometry import Point
from flicksim.base.units import degrees, mm
from flicksim.referee import FlickRange
from flicksim.table import MAX_DRAG, MAX_SPEED, MAX_TUMBLE, SQUIDGER, Piece, Pot, Squidge
from flicksim.ui.faces.tiddlywinks import arc
from flicksim.ui.faces.tiddlywinks.arc import Arc
from flicksim.ui.table.aim import Steered

GENTLEST = 0.1
"""The slowest squidge one can aim [m/s]."""
_STEEPEST = degrees(85.0)


class SquidgeAim(Steered):
    """The aim of a squidge.

    Args:
        span: what may be squidged and how. piece: the wink as it lies. start: where it is put first, if it may be.
        squidger: diameter [m].
    """

    def __init__(self, span: FlickRange, piece: Piece, start: Point | None, squidger: float) -> None:
        super().__init__(span, start)
        self.piece = piece
        self.speed, self.elevation, self.tumble = 2.0, degrees(55.0), 0.0
        self.squidger, self.press, self.drag = squidger, 0.0, 0.0
        self._arc: tuple[object, Arc] | None = None

    @property
    def at(self) -> Point:
        """Point at which it is squidged [m]."""
        return self.start or self.piece.at

    @property
    def piled(self) -> bool:
        """True where it lies on others, so that press and drag do something."""
        return bool(self.piece.lies_on)

    @property
    def squidge(self) -> Squidge:
        """The squidge as it is aimed now."""
        start = None if self.start is None else (round(self.start[0], 9), round(self.start[1], 9))
        return Squidge(
            piece=self.piece.id, speed=round(self.speed, 6), azimuth=self.azimuth,
            elevation=self.elevation, tumble=self.tumble, squidger=self.squidger, press=self.press,
            drag=self.drag, start=start,
        )  # fmt: skip

    def arc(self, pot: Pot | None) -> Arc:
        """The flight foreseen; reckoned anew only when something has changed."""
        key = (self.at, self.speed, self.azimuth, self.elevation, self.tumble)
        if self._arc is None or self._arc[0] != key:
            height = pot.height + self.piece.thickness / 2.0 if pot is not None else 0.0
            how = (self.speed, self.azimuth, self.elevation)
            self._arc = (key, arc.fly(self.piece, self.at, *how, pot, height, self.tumble))
        return self._arc[1]

    # -- changing it ----------------------------------------------------------------------------------------------

    def push(self, by: float) -> None:
        """Squidge harder by a speed [m/s]."""
        self.speed = _within(self.speed + by, GENTLEST, MAX_SPEED)

    def rise(self, by: float) -> None:
        """Squidge more steeply by an angle [rad]."""
        self.elevation = _within(self.elevation + by, 0.0, pi / 2.0)

    def roll(self, by: float) -> None:
        """More backspin [rad/s]."""
        self.tumble = _within(self.tumble + by, -MAX_TUMBLE, MAX_TUMBLE)

    def change(self, by: float) -> None:
        """Take a wider squidger [m]."""
        self.squidger = _within(self.squidger + by, *SQUIDGER)

    def lean_on(self, by: float) -> None:
        """Press more on the winks below, by a share."""
        self.press = _within(self.press + by, 0.0, 1.0)

    def draw_on(self, by: float) -> None:
        """Draw the squidger farther through the pile [m]."""
        self.drag = _within(self.drag + by, 0.0, min(MAX_DRAG, mm(50.0)))

    def at_point(self, target: Point, height: float) -> bool:
        """Aim so that it comes down there at a height [m]; steeper where it would not clear it. False: out of reach."""
        dx, dy = target[0] - self.at[0], target[1] - self.at[1]
        way = hypot(dx, dy)
        if way < 1e-4:
            return False
        azimuth, rising = atan2(dy, dx), self.elevation
        height = max(height, self.piece.thickness / 2.0) + (1e-4 if not height else 0.0)
        while rising <= _STEEPEST:
            speed = arc.speed_for(self.piece, way, height, rising, self.tumble)
            if speed is not None and speed <= MAX_SPEED:
                self.azimuth, self.elevation, self.speed = azimuth, rising, max(speed, GENTLEST)
                return True
            rising += degrees(5.0)
        return False


def _within(value: float, low: float, high: float) -> float:
    return round(min(max(value, low), high), 6)
