"""Free flight in closed form: where a turning, falling piece is, and when it first meets the table."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, sin, sqrt

from flicksim.base.geometry import Point

_FINE = 0.02
"""Between two looks for a meeting a piece turns by less than this [rad], or falls for less than a millimetre."""


class Flight:
    """A piece in free flight.

    Args:
        place: of its middle of mass, s and z [m]. velocity: [m/s]. angle, spin: counter-clockwise [rad, rad/s].
        points: its corners about the middle of mass, at angle 0 [m]. gravity: [m/s^2].
    """

    __slots__ = ("_gravity", "angle", "points", "reach", "spin", "vx", "vz", "x", "z")

    def __init__(
        self, place: Point, velocity: Point, angle: float, spin: float, points: Sequence[Point], gravity: float
    ) -> None:
        self.x, self.z = place
        self.vx, self.vz = velocity
        self.angle, self.spin = angle, spin
        self.points, self._gravity = points, gravity
        self.reach = sqrt(max(px * px + pz * pz for px, pz in points))

    def at(self, t: float) -> tuple[Point, Point, float]:
        """Place, velocity and angle after a time."""
        g = self._gravity
        place = (self.x + self.vx * t, self.z + self.vz * t - 0.5 * g * t * t)
        return place, (self.vx, self.vz - g * t), self.angle + self.spin * t

    def lowest(self, t: float) -> tuple[float, float]:
        """How high its lowest corner is after a time, and where along the plane that is [m]."""
        (x, z), _, angle = self.at(t)
        c, s = cos(angle), sin(angle)
        return min((z + px * s + pz * c, x + px * c - pz * s) for px, pz in self.points)

    def above(self, height: float) -> tuple[float, float]:
        """From when until when its middle is not below a height; (inf, -inf) when it always is."""
        under = self.vz * self.vz + 2.0 * self._gravity * (self.z - height)
        if under < 0.0:
            return inf, -inf
        root = sqrt(under)
        return (self.vz - root) / self._gravity, (self.vz + root) / self._gravity

    def lands(self, ground: tuple[float, float]) -> float:
        """When its lowest corner first meets the table, or its middle has passed far below it beside it [s]."""
        up, down = self.above(self.reach)
        end = self.above(-self.reach)[1]
        pace = abs(self.spin) * self.reach + abs(self.vz) + self._gravity * end
        dt = min(_FINE / max(abs(self.spin), 1e-6), 1e-3 / pace)
        spans = ((0.0, end),) if up > down else ((0.0, up), (max(0.0, down), end))
        for begin, until in spans:
            free, t = begin, begin
            while t < until:
                low, where = self.lowest(t)
                if low <= 0.0 and ground[0] <= where <= ground[1]:
                    return self._meeting(free, t, ground)
                free, t = t, t + dt
        return end

    def _meeting(self, free: float, met: float, ground: tuple[float, float]) -> float:
        """The moment of meeting, between one when it is free and one when it is not."""
        for _ in range(30 if met > free else 0):
            middle = 0.5 * (free + met)
            low, where = self.lowest(middle)
            if low <= 0.0 and ground[0] <= where <= ground[1]:
                met = middle
            else:
                free = middle
        return met
