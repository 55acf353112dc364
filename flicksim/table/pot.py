"""A pot: a thin wall of real height that stands on the surface and does not move."""

from __future__ import annotations

from math import hypot

from flicksim.base.bounds import PLACE, near
from flicksim.base.codec import Value
from flicksim.base.geometry import Point
from flicksim.base.units import mm


class Pot(Value, frozen=True, kw_only=True):
    """A round pot, straight or tapered, open at the top.

    Args:
        x, y: where its axis stands [m].
        height: of the rim above the surface [m].
        top_radius, base_radius: of its outside, at the rim and at the surface [m].
        wall: thickness of its wall [m].
        material: name in the table of pairings.
        floor: how high its inside bottom is above the surface [m].
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
        if not near(self.x, self.y):
            raise ValueError(f"pot at ({self.x!r}, {self.y!r}) m must stand within {PLACE:g} m")
        if not 1e-3 <= self.height <= 1.0:
            raise ValueError(f"pot height {self.height!r} m must lie in 0.001 to 1")
        radii = (self.top_radius, self.base_radius)
        if not 1e-5 <= self.wall < min(radii) <= max(radii) <= 1.0:
            raise ValueError(f"pot radii {radii!r} m must exceed its wall of {self.wall!r} m and be at most 1")
        if not 0.0 <= self.floor < self.height:
            raise ValueError(f"pot floor {self.floor!r} m must lie below its rim at {self.height!r}")

    @property
    def at(self) -> Point:
        """Place of its axis [m]."""
        return (self.x, self.y)

    def outer(self, z: float) -> float:
        """Radius of its outside at a height [m]."""
        share = min(1.0, max(0.0, z / self.height))
        return self.base_radius + (self.top_radius - self.base_radius) * share

    def inner(self, z: float) -> float:
        """Radius of its inside at a height [m]."""
        return self.outer(z) - self.wall

    def holds(self, point: Point, z: float) -> bool:
        """True where a point at a height lies inside it, below the rim."""
        return z < self.height and hypot(point[0] - self.x, point[1] - self.y) < self.inner(z)
