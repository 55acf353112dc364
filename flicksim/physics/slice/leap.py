"""Free flight in closed form: where a turning, falling piece is, and when it first meets the table."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, sin, sqrt

from flicksim.base.geometry import Point, convex_gap

_LONGEST = 0.02
"""Between two looks for a meeting [s]."""
_MET = 2e-6
"""A corner this near the table has met it [m]."""
_CLOSE = 1e-3
"""Two outlines half as near as this are about to touch [m]."""
_HARDLY = 4e-4
"""Closer looks than this at what comes nearer are not worth it: that is stepped through [s]."""


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
        self.reach = sqrt(max([px * px + pz * pz for px, pz in points]))

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

    def enters(self, low: float, high: float, top: float) -> float:
        """When its middle first comes between two lines and below a height [s]; inf when it never does."""
        low, high = low - self.x, high - self.x
        if self.vx > 0.0:
            come, go = max(0.0, low / self.vx), high / self.vx
        elif self.vx < 0.0:
            come, go = max(0.0, high / self.vx), low / self.vx
        else:
            come, go = 0.0, (inf if low < 0.0 < high else -inf)
        if come > go:
            return inf
        up, down = self.above(top)
        if up > down or come < up:
            return come
        when = max(come, down)
        return when if when <= go else inf

    def nears(self, other: Flight, clear: float) -> float:
        """When its middle first comes so near that of another flight [s]; inf when it never does.

        Both fall alike, so one flies straight on as seen from the other.
        """
        x, z, vx, vz = self.x - other.x, self.z - other.z, self.vx - other.vx, self.vz - other.vz
        away, pace, near = x * vx + z * vz, vx * vx + vz * vz, x * x + z * z - clear * clear
        if near <= 0.0:
            return 0.0
        under = away * away - pace * near
        return near / (sqrt(under) - away) if under >= 0.0 and away < 0.0 else inf

    def reaches(self, outline: Sequence[Point], earliest: float, latest: float) -> float:
        """When it is about to touch a convex outline at rest, or the latest time that matters [s].

        Args:
            earliest: it surely does not before [s].
        """
        t = earliest
        while t < latest:
            ahead = convex_gap(self.outline(t), outline) - _CLOSE / 2.0
            pace = hypot(self.vx, abs(self.vz - self._gravity * t) + self._gravity * _LONGEST)
            step = ahead / (pace + abs(self.spin) * self.reach)
            if step < _HARDLY:
                return t
            t += min(_LONGEST, step)
        return latest

    def outline(self, t: float) -> list[Point]:
        """Its corners after a time [m]."""
        (x, z), _, angle = self.at(t)
        c, s = cos(angle), sin(angle)
        return [(x + px * c - pz * s, z + px * s + pz * c) for px, pz in self.points]

    def lands(self, ground: tuple[float, float], latest: float) -> float:
        """When its lowest corner first meets the table, or its middle has passed far below it beside it, or the latest
        time that matters [s].

        Over the table's edge it says 0: there the way it meets it is stepped through.
        """
        up, down = self.above(self.reach)
        end = min(latest, self.above(-self.reach)[1])
        spans = ((0.0, end),) if up > down else ((0.0, min(up, end)), (max(0.0, down), end))
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
