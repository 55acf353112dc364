"""Free flight in closed form: where a turning, falling piece is, and when it first meets the table."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, sin, sqrt

from flicksim.base.geometry import Point

_LONGEST = 0.02
"""Between two looks for a meeting [s]."""
_MET = 2e-6
"""A corner this near the table has met it [m]."""


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

    def lowest(self, t: float) -> float:
        """How high its lowest corner is after a time [m]."""
        z = self.z + self.vz * t - 0.5 * self._gravity * t * t
        angle = self.angle + self.spin * t
        c, s = cos(angle), sin(angle)
        return z + min([px * s + pz * c for px, pz in self.points])

    def above(self, height: float) -> tuple[float, float]:
        """From when until when its middle is not below a height; (inf, -inf) when it always is."""
        under = self.vz * self.vz + 2.0 * self._gravity * (self.z - height)
        if under < 0.0:
            return inf, -inf
        root = sqrt(under)
        return (self.vz - root) / self._gravity, (self.vz + root) / self._gravity

    def lands(self, ground: tuple[float, float]) -> float:
        """When its lowest corner first meets the table, or its middle has passed far below it beside it [s].

        Over the table's edge it says 0: there the way it meets it is stepped through.
        """
        up, down = self.above(self.reach)
        end = self.above(-self.reach)[1]
        spans = ((0.0, end),) if up > down else ((0.0, up), (max(0.0, down), end))
        turning = abs(self.spin) * self.reach + self._gravity * _LONGEST
        for begin, until in spans:
            t = begin
            while t < until:
                x = self.x + self.vx * t
                if x < ground[0] - self.reach or x > ground[1] + self.reach:
                    t += _LONGEST
                    continue
                if x < ground[0] + self.reach or x > ground[1] - self.reach:
                    return t
                low = self.lowest(t)
                if low < _MET:
                    return t
                # no corner comes down faster than the middle falls and the piece turns: so far it is surely free
                t += min(_LONGEST, low / (abs(self.vz - self._gravity * t) + turning))
        return end
