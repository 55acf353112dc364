"""A piece: a thing that can be flicked or hit, and where it lies."""

from __future__ import annotations

from math import isfinite

from flicksim.base.codec import Value
from flicksim.base.geometry import Point


class Piece(Value, frozen=True, kw_only=True):
    """A flat round piece at rest.

    Args:
        id: its name, unique in a scene.
        kind: what it is, in the game's words ("penny", "white").
        owner: seat that owns it; None for nobody's.
        radius: [m].
        thickness: [m].
        mass: [kg].
        material: name in the table of pairings.
        ring: inner over outer radius of the ring it rests on [-]: 0 a uniform disc, 1 a thin rim, coins about 0.9.
        x, y: where its centre lies [m].
        angle: which way its face is turned [rad].
    """

    id: str
    kind: str
    x: float
    y: float
    radius: float
    mass: float
    material: str
    owner: int | None = None
    thickness: float = 0.0
    ring: float = 0.0
    angle: float = 0.0

    def __post_init__(self) -> None:
        for name, low, high in (("radius", 1e-4, 1.0), ("mass", 1e-6, 100.0)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValueError(f"{name} {value!r} of {self.id!r} must lie in {low} to {high}")
        if not 0.0 <= self.ring <= 1.0:
            raise ValueError(f"ring {self.ring!r} of {self.id!r} must lie in 0 to 1")
        if not 0.0 <= self.thickness <= 1.0:
            raise ValueError(f"thickness {self.thickness!r} of {self.id!r} must lie in 0 to 1")
        if not (isfinite(self.x) and isfinite(self.y) and isfinite(self.angle)):
            raise ValueError(f"place ({self.x!r}, {self.y!r}, {self.angle!r}) of {self.id!r} must be finite")

    @property
    def at(self) -> Point:
        """Where its centre lies [m]."""
        return (self.x, self.y)
