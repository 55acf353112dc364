"""Pot: an immovable, thin-walled round cup on the surface."""

from math import hypot

from flicksim.core.errors import InvalidValue
from flicksim.core.geometry import Point
from flicksim.core.limits import MAX_COORDINATE, are_valid_coordinates
from flicksim.core.serialization import Value
from flicksim.core.units import mm


class Pot(Value, frozen=True, kw_only=True):
    """Round pot, cylindrical or tapered, open at the top.

    Args:
        x, y: position of its axis [m].
        height: height of the rim above the surface [m].
        top_radius, base_radius: outer radii at the rim and at the surface [m].
        wall: thickness of its wall [m].
        material: name in the table of pairings.
        floor: height of its inner bottom above the surface [m].
    """

    x: float = 0.0
    y: float = 0.0
    height: float
    top_radius: float
    base_radius: float
    wall: float
    material: str
    floor: float = mm(1.5)

    def __post_init__(self) -> None:
        if not are_valid_coordinates(self.x, self.y):
            raise InvalidValue(f"pot at ({self.x!r}, {self.y!r}) m must stand within {MAX_COORDINATE:g} m")
        if not 1e-3 <= self.height <= 1.0:
            raise InvalidValue(f"pot height {self.height!r} m must lie in 0.001 to 1")
        radii = (self.top_radius, self.base_radius)
        if not 1e-5 <= self.wall < min(radii) <= max(radii) <= 1.0:
            raise InvalidValue(f"pot radii {radii!r} m must exceed its wall of {self.wall!r} m and be at most 1")
        if not 0.0 <= self.floor < self.height:
            raise InvalidValue(f"pot floor {self.floor!r} m must lie below its rim at {self.height!r}")

    @property
    def position(self) -> Point:
        """Position of its axis in plan [m]."""
        return (self.x, self.y)

    def outer_radius(self, z: float) -> float:
        """Outer radius at a height [m]."""
        fraction = min(1.0, max(0.0, z / self.height))
        return self.base_radius + (self.top_radius - self.base_radius) * fraction

    def inner_radius(self, z: float) -> float:
        """Inner radius at a height [m]."""
        return self.outer_radius(z) - self.wall

    def contains(self, point: Point, z: float) -> bool:
        """True if a point at a height is inside the pot, below the rim."""
        return z < self.height and hypot(point[0] - self.x, point[1] - self.y) < self.inner_radius(z)
