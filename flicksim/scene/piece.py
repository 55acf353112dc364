"""Piece: a disc (coin or wink) with its dimensions, material and pose at rest."""

from math import cos, hypot, isfinite, pi, sin, sqrt
from typing import Literal

from flicksim.core.errors import InvalidValue
from flicksim.core.geometry import Point
from flicksim.core.limits import MAX_NUMBER, PieceId, SeatIndex, are_valid_coordinates
from flicksim.core.serialization import Value

Support = Literal["surface", "pot", "rim", "leaning"]
"""Support of a piece: the surface or pieces on it; the inside of the pot; the pot's rim; the pot's outside."""


class Piece(Value, frozen=True, kw_only=True, omit_defaults=True):
    """Flat round piece at rest. A coin on a board needs nothing below `angle`.

    Args:
        id: name, unique in a scene.
        kind: kind of piece in the game ("penny", "white").
        owner: seat that owns it; None for nobody's.
        radius: [m].
        thickness: [m].
        mass: [kg].
        material: name in the table of pairings.
        ring: inner over outer radius of its annular contact area [-]: 0 a uniform disc, 1 a thin rim, coins about 0.9.
        x, y: position of its centre [m].
        angle: rotation of its face [rad].
        z: height of its centre above the surface [m]; None lies flat on it.
        tilt: angle of its face to the surface [rad], 0 to pi/2. lean: azimuth of its down-slope [rad].
        face: 1 face up, -1 turned over.
        lies_on: ids of the pieces it rests on directly.
        support: what supports it (see `Support`).
    """

    id: PieceId
    kind: str
    x: float
    y: float
    radius: float
    mass: float
    material: str
    owner: SeatIndex | None = None
    thickness: float = 0.0
    ring: float = 0.0
    angle: float = 0.0
    z: float | None = None
    tilt: float = 0.0
    lean: float = 0.0
    face: Literal[-1, 1] = 1
    lies_on: tuple[str, ...] = ()
    support: Support = "surface"

    def __post_init__(self) -> None:
        for name, unit, low in (("radius", "m", 1e-4), ("mass", "kg", 1e-6)):
            if not low <= (value := getattr(self, name)) <= 1.0:
                raise InvalidValue(f"{name} {value!r} {unit} of {self.id!r} must lie in {low} to 1")
        if not 0.0 <= self.ring <= 1.0:
            raise InvalidValue(f"ring {self.ring!r} of {self.id!r} must lie in 0 to 1")
        if not 0.0 <= self.thickness <= 1.0:
            raise InvalidValue(f"thickness {self.thickness!r} of {self.id!r} must lie in 0 to 1")
        if not (are_valid_coordinates(self.x, self.y) and abs(self.angle) <= MAX_NUMBER):
            raise InvalidValue(f"place ({self.x!r}, {self.y!r}, {self.angle!r}) of {self.id!r} must be finite and near")
        if self.z is not None and not (isfinite(self.z) and abs(self.z) <= 10.0):
            raise InvalidValue(f"height z {self.z!r} of {self.id!r} must lie in -10 to 10, or null")
        if not 0.0 <= self.tilt <= pi / 2.0 + 1e-9:
            raise InvalidValue(f"tilt {self.tilt!r} of {self.id!r} must lie in 0 to pi/2")
        if not abs(self.lean) <= MAX_NUMBER:
            raise InvalidValue(f"lean {self.lean!r} of {self.id!r} must lie in {-MAX_NUMBER:g} to {MAX_NUMBER:g}")

    @property
    def position(self) -> Point:
        """Position of its centre [m]."""
        return (self.x, self.y)

    @property
    def height(self) -> float:
        """Height of its centre above the surface [m]."""
        return self.thickness / 2.0 if self.z is None else self.z

    @property
    def lowest(self) -> float:
        """Height of its lowest point [m]."""
        return self.height - self.radius * sin(self.tilt) - self.thickness / 2.0 * cos(self.tilt)

    @property
    def highest(self) -> float:
        """Height of its highest point [m]."""
        return self.height + self.radius * sin(self.tilt) + self.thickness / 2.0 * cos(self.tilt)

    def height_at(self, point: Point) -> float:
        """Height of its mid-plane above a point in plan [m]."""
        if not self.tilt:
            return self.height
        down = (point[0] - self.x) * cos(self.lean) + (point[1] - self.y) * sin(self.lean)
        # a vertical plane has no height at a point; the slope is capped at 85 degrees
        steep = min(self.tilt, 1.48)
        return self.height - down * sin(steep) / cos(steep)

    @property
    def bounding_radius(self) -> float:
        """Bounding radius in plan for any direction of lean [m]; a tilted piece reaches as far as its rims."""
        return hypot(self.radius, self.thickness / 2.0) if self.tilt else self.radius

    def edge_point(self, azimuth: float) -> tuple[float, float]:
        """Distance in plan and height [m] of its edge, midway between the faces, in a direction."""
        if not self.tilt:
            return self.radius, self.height
        along, across = cos(azimuth - self.lean), sin(azimuth - self.lean)
        slant = self.radius / hypot(along, cos(self.tilt) * across)
        return slant * cos(self.tilt), self.height - slant * sin(self.tilt) * along

    def plan_extent(self, azimuth: float) -> float:
        """Extent in plan from its centre in a direction [m]: its radius when flat, less down a slope."""
        if not self.tilt:
            return self.radius
        along = cos(azimuth - self.lean)
        face = self.radius * sqrt(max(0.0, 1.0 - (sin(self.tilt) * along) ** 2))
        return face + self.thickness / 2.0 * sin(self.tilt) * abs(along)
