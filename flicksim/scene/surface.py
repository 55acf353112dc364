"""Surface: a board, mat or table with its outline, lines and pot."""

from itertools import combinations
from math import hypot

from flicksim.core.errors import InvalidValue
from flicksim.core.geometry import Point, clearance, distance, signed_line_distance
from flicksim.core.limits import MAX_COORDINATE, are_valid_coordinates
from flicksim.core.serialization import Value
from flicksim.scene.pot import Pot

_MAX_INWARD_STEPS = 32
"""Largest number of steps of 1 nm inward in `round_inside`; only an extremely sharp corner needs more."""


class Line(Value, frozen=True, kw_only=True):
    """Straight drawn line without width.

    Args:
        name: name in rules and events.
        a, b: its ends [m]; "forward" is from its right to its left, seen from a to b.
    """

    name: str
    a: Point
    b: Point

    def __post_init__(self) -> None:
        if not are_valid_coordinates(*self.a, *self.b):
            raise InvalidValue(f"line {self.name!r} from {self.a!r} to {self.b!r} must lie within {MAX_COORDINATE:g} m")
        if self.a == self.b:
            raise InvalidValue(f"line {self.name!r} has no length: both ends are {self.a!r}")


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
        corners, n = self.outline, len(self.outline)
        if not all(are_valid_coordinates(*corner) for corner in corners):
            raise InvalidValue(f"outline {self.outline!r} must lie within {MAX_COORDINATE:g} m")
        if n < 3 or any(corners[i] == corners[i - 1] for i in range(n)):
            raise InvalidValue(f"outline {self.outline!r} needs at least three different corners")
        turns = all(signed_line_distance(corners[i], corners[i - 2], corners[i - 1]) > 0.0 for i in range(n))
        if not turns or any(clearance(one, corners) < 0.0 for one in corners):  # a star turns left at every corner too
            raise InvalidValue(f"outline {self.outline!r} must be convex and counter-clockwise")

    @property
    def diameter(self) -> float:
        """Largest distance between two points on it [m]."""
        return max(distance(a, b) for a, b in combinations(self.outline, 2))

    def is_behind_line(self, point: Point) -> bool:
        """True if a point is behind one of its lines, seen forward across it."""
        return any(signed_line_distance(point, line.a, line.b) < 0.0 for line in self.lines)

    def round_inside(self, point: Point) -> Point:
        """Round a point on the surface to the nanometre; if that puts it over the edge, to the next one inside."""
        edges, (x, y) = tuple(zip(self.outline, self.outline[1:] + self.outline[:1], strict=True)), point
        for _ in range(_MAX_INWARD_STEPS):
            rounded = (round(x, 9), round(y, 9))
            distance, (ax, ay), (bx, by) = min((signed_line_distance(rounded, a, b), a, b) for a, b in edges)
            if distance >= 0.0:
                return rounded
            length = hypot(bx - ax, by - ay)
            x, y = x - 1e-9 * (by - ay) / length, y + 1e-9 * (bx - ax) / length
        return point
