"""A surface: a board or mat with its outline and its lines."""

from __future__ import annotations

from math import hypot

from flicksim.base.bounds import PLACE, near
from flicksim.base.codec import Value
from flicksim.base.geometry import Point, clearance, side
from flicksim.table.pot import Pot

_INWARD = 32
"""Nanometres inward at most in search of a place inside; only a corner too sharp for any piece needs more."""


class Line(Value, frozen=True, kw_only=True):
    """A straight drawn line of no width.

    Args:
        name: how rules and events call it.
        a, b: its ends [m]; "forward" is from its right to its left, seen from a to b.
    """

    name: str
    a: Point
    b: Point

    def __post_init__(self) -> None:
        if not near(*self.a, *self.b):
            raise ValueError(f"line {self.name!r} from {self.a!r} to {self.b!r} must lie within {PLACE:g} m")
        if self.a == self.b:
            raise ValueError(f"line {self.name!r} has no length: both ends are {self.a!r}")


class Surface(Value, frozen=True, kw_only=True, omit_defaults=True):
    """Board or mat on which pieces lie.

    Args:
        material: name in the table of pairings.
        outline: corners of its edge [m], convex and counter-clockwise. A piece whose centre passes it is off.
        lines: drawn lines, in order.
        pot: a pot standing on it, if any.
    """

    material: str
    outline: tuple[Point, ...]
    lines: tuple[Line, ...] = ()
    pot: Pot | None = None

    def __post_init__(self) -> None:
        if not all(near(*corner) for corner in self.outline):
            raise ValueError(f"outline {self.outline!r} must lie within {PLACE:g} m")
        n = len(self.outline)
        if n < 3 or any(self.outline[i] == self.outline[i - 1] for i in range(n)):
            raise ValueError(f"outline {self.outline!r} needs at least three different corners")
        turns = all(side(self.outline[i], self.outline[i - 2], self.outline[i - 1]) > 0.0 for i in range(n))
        if not turns or any(clearance(corner, self.outline) < 0.0 for corner in self.outline):  # a star turns left too
            raise ValueError(f"outline {self.outline!r} must be convex and counter-clockwise")

    def behind(self, point: Point) -> bool:
        """True behind one of its lines: forward over it is into the field."""
        return any(side(point, line.a, line.b) < 0.0 for line in self.lines)

    def kept(self, point: Point) -> Point:
        """A place on the surface kept to the nanometre: where rounding puts it over the edge, the next one inside."""
        x, y = point
        for _ in range(_INWARD):
            found = (round(x, 9), round(y, 9))
            over, (ax, ay), (bx, by) = min(
                (side(found, a, b), a, b)
                for a, b in zip(self.outline, self.outline[1:] + self.outline[:1], strict=True)
            )
            if over >= 0.0:
                return found
            long = hypot(bx - ax, by - ay)
            x, y = x - 1e-9 * (by - ay) / long, y + 1e-9 * (bx - ax) / long
        return point
