"""Pyramid: a hollow square shell, open below; its size, mass and pose.

Sizes follow one formula in the pips n (1 small, 2 medium, 3 large): base (11 + 7n)/32 in, height (5 + 3n)/8 in. The
wall has constant thickness, so the hollow is a smaller pyramid of the same slopes, and a piece stacks on any other that
is not smaller.
"""

from functools import lru_cache
from math import atan2, cos, hypot, isfinite, pi, remainder, sin
from typing import Literal

import msgspec

from flicksim.core.errors import InvalidValue
from flicksim.core.geometry import Point
from flicksim.core.limits import MAX_NUMBER, PieceId, SeatIndex, are_valid_coordinates
from flicksim.core.serialization import Value
from flicksim.core.units import mm, to_mm
from flicksim.scene.orientation import Point3

Size = Literal["small", "medium", "large"]
SIZES: tuple[Size, ...] = ("small", "medium", "large")
"""By pips: 1, 2, 3."""
MIN_WALL = mm(0.05)
"""Thinnest wall allowed [m]: foil."""
DEFAULT_WALL = mm(2.24)
DEFAULT_DENSITY = 1050.0
"""Wall thickness [m] and density of polystyrene [kg/m^3]: fifteen pieces then weigh 42.5 g, as measured (ee0r.com)."""
_INCH = mm(25.4)
SURFACE_ID = "surface"
"""Id of the table in contacts and events."""
_ANGLE_TOLERANCE = 1e-6
"""Deviation from upright or lying that still counts as such [rad]."""
_MIN_SUPPORT_NORMAL_Z = 0.2
"""Smallest z component of a contact normal at which a base stands on a piece [-]; below, it leans on it."""
_UNIT_TOLERANCE = 1e-3
"""Tolerated deviation of a squared normal from unit length [-]."""


class PyramidShape(Value, frozen=True, kw_only=True):
    """Shape of a hollow pyramid.

    Args:
        pips: value in the game: 1, 2 or 3.
        base: side of its square base [m]. height: from base to tip [m].
        wall: thickness of its wall, perpendicular to it [m]. density: density of the material [kg/m^3].
    """

    pips: int
    base: float
    height: float
    wall: float = DEFAULT_WALL
    density: float = DEFAULT_DENSITY

    def __post_init__(self) -> None:
        if not 1 <= self.pips <= 9:
            raise InvalidValue(f"pips {self.pips!r} must lie in 1 to 9")
        if not (mm(4.0) <= self.base <= mm(200.0) and mm(4.0) <= self.height <= mm(400.0)):
            raise InvalidValue(
                f"a pyramid {to_mm(self.base):g} mm wide and {to_mm(self.height):g} mm high is no game piece; "
                "4 to 200 mm wide and 4 to 400 mm high are"
            )
        if not self.wall >= MIN_WALL:
            raise InvalidValue(f"wall {to_mm(self.wall):g} mm must be {to_mm(MIN_WALL):g} mm thick or more")
        if not (self.hollow_base > mm(1.0) and self.hollow_height > mm(1.0)):
            raise InvalidValue(
                f"wall {to_mm(self.wall):g} mm leaves no hollow in a pyramid {to_mm(self.base):g} mm wide; "
                "it must be thinner"
            )
        if not 10.0 <= self.density <= 25_000.0:
            raise InvalidValue(f"density {self.density!r} kg/m^3 must lie in 10 to 25000")

    @property
    def half_apex_angle(self) -> float:
        """Angle between axis and faces [rad]: about 16 degrees."""
        return atan2(self.base / 2.0, self.height)

    @property
    def hollow_base(self) -> float:
        """Side of the opening of the hollow [m]."""
        return self.base - 2.0 * self.wall / cos(self.half_apex_angle)

    @property
    def hollow_height(self) -> float:
        """Height of the hollow's apex above the base [m]."""
        return self.height - self.wall / sin(self.half_apex_angle)

    @property
    def mass(self) -> float:
        """[kg]"""
        return _mass_properties(self)[0]

    @property
    def centroid(self) -> float:
        """Height of the centre of mass above the base [m]."""
        return _mass_properties(self)[1]

    @property
    def transverse_inertia(self) -> float:
        """Moment of inertia about any axis through the centre of mass perpendicular to its own axis [kg m^2]."""
        return _mass_properties(self)[2]

    @property
    def axial_inertia(self) -> float:
        """Moment of inertia about its own axis [kg m^2]."""
        return _mass_properties(self)[3]

    @property
    def bounding_radius(self) -> float:
        """Distance of its farthest point from the centre of mass [m]."""
        return _mass_properties(self)[4]

    @property
    def toppling_angle(self) -> float:
        """Tilt past which it falls over an edge of its base [rad]: 42 to 43 degrees for a hollow one."""
        return atan2(self.base / 2.0, self.centroid)

    @property
    def lying_tilt(self) -> float:
        """Tilt of its axis when it lies on a side [rad]: about 106 degrees."""
        return pi / 2.0 + self.half_apex_angle

    def stacking_height(self, lower: "PyramidShape") -> float:
        """Height of its base above that of a piece it is stacked on, both upright with the same heading [m].

        Either the rim of its opening rests on the sides of the lower piece, or the apex of its hollow on the tip.
        """
        by_rim = lower.height * (1.0 - self.hollow_base / lower.base)
        by_tip = lower.height - self.hollow_height
        return max(0.0, by_rim, by_tip)


@lru_cache(maxsize=256)
def _mass_properties(shape: PyramidShape) -> tuple[float, float, float, float, float]:
    """Mass, height of the centre of mass, transverse and axial inertia, bounding radius: a solid less its hollow."""
    mass = moment = transverse = axial = 0.0
    for sign, base, height in (
        (1.0, shape.base, shape.height),
        (-1.0, shape.hollow_base, shape.hollow_height),
    ):
        part = sign * shape.density * base * base * height / 3.0
        mass += part
        moment += part * height / 4.0
        transverse += part * (base * base / 20.0 + height * height / 10.0)  # about the centre of the base
        axial += part * base * base / 10.0
    centre = moment / mass
    bounding_radius = max(shape.height - centre, hypot(centre, shape.base / 2.0**0.5))
    return mass, centre, transverse - mass * centre * centre, axial, bounding_radius


def standard_shape(size: Size, wall: float = DEFAULT_WALL, density: float = DEFAULT_DENSITY) -> PyramidShape:
    """Standard shape of a size, by the formula in the module docstring."""
    n = SIZES.index(size) + 1
    return PyramidShape(
        pips=n, base=(11 + 7 * n) / 32.0 * _INCH, height=(5 + 3 * n) / 8.0 * _INCH, wall=wall, density=density
    )


class SupportContact(Value, frozen=True, kw_only=True):
    """Contact that supports a piece at rest.

    Args:
        on: id of the supporting piece, or "surface" for the table.
        part: part of the supported piece in contact: "base" (rim or a corner of it), "hollow", or "side" (a face, an
            edge or the tip).
        at: contact point [m]. normal: unit vector towards the supported piece. gap: signed gap, slightly negative on
            penetration [m].
    """

    on: str
    part: Literal["base", "hollow", "side"] = "base"
    at: Point3
    normal: Point3
    gap: float = 0.0

    def __post_init__(self) -> None:
        if not are_valid_coordinates(*self.at, self.gap):
            raise InvalidValue(f"contact at {self.at!r} on {self.on!r} must be finite and near")
        if not abs(sum(component * component for component in self.normal) - 1.0) <= _UNIT_TOLERANCE:
            raise InvalidValue(f"normal {self.normal!r} of a contact on {self.on!r} must be of unit length")

    @property
    def supports_base(self) -> bool:
        """True if it supports the base, or the hollow above it, from below by another piece."""
        return self.on != SURFACE_ID and self.part != "side" and self.normal[2] > _MIN_SUPPORT_NORMAL_Z


class Pyramid(Value, frozen=True, kw_only=True, omit_defaults=True):
    """Pyramid at rest.

    Args:
        id: name, unique in a scene.
        size, shape: name of its size, and dimensions.
        x, y, z: centre of its base, z up from the table [m].
        tilt: of its axis from upright [rad], 0 to pi: 0 standing, `shape.lying_tilt` on a side, else leaning.
        heading: azimuth in which its tip leans, or that one of its faces points to while it stands [rad].
        roll: rotation about its own axis, 0 with a face in the direction of lean [rad].
        owner: seat that owns it; None for nobody's.
        stands_on: ids of pieces on which its base, or the hollow above it, rests.
        leans_on: ids of other pieces that support it.
        bearings: contacts that support it at rest; empty for a piece on a whole face on the table alone, and for one
            placed by hand.
    """

    id: PieceId
    size: Size
    shape: PyramidShape
    x: float
    y: float
    z: float = 0.0
    tilt: float = 0.0
    heading: float = 0.0
    roll: float = 0.0
    owner: SeatIndex | None = None
    stands_on: tuple[str, ...] = ()
    leans_on: tuple[str, ...] = ()
    bearings: tuple[SupportContact, ...] = ()

    def __post_init__(self) -> None:
        angles = (self.heading, self.roll)
        if not (are_valid_coordinates(self.x, self.y) and all(abs(angle) <= MAX_NUMBER for angle in angles)):
            raise InvalidValue(f"place ({self.x!r}, {self.y!r}, {angles!r}) of {self.id!r} must be finite and near")
        if not (isfinite(self.z) and abs(self.z) <= 10.0):
            raise InvalidValue(f"height z {self.z!r} of {self.id!r} must lie in -10 to 10")
        if not -1e-9 <= self.tilt <= pi + 1e-9:
            raise InvalidValue(f"tilt {self.tilt!r} of {self.id!r} must lie in 0 to pi")

    @property
    def position(self) -> Point:
        """Centre of its base in plan [m]."""
        return (self.x, self.y)

    @property
    def mass(self) -> float:
        """[kg]"""
        return self.shape.mass

    @property
    def rests_on(self) -> tuple[str, ...]:
        """Ids of all pieces that support it."""
        return (*self.stands_on, *(name for name in self.leans_on if name not in self.stands_on))

    def with_supports(self, bearings: tuple[SupportContact, ...]) -> "Pyramid":
        """Copy at rest on these contacts."""
        stands_on = tuple(dict.fromkeys(contact.on for contact in bearings if contact.supports_base))
        leans_on = dict.fromkeys(
            contact.on for contact in bearings if contact.on != SURFACE_ID and contact.on not in stands_on
        )
        return msgspec.structs.replace(self, bearings=bearings, stands_on=stands_on, leans_on=tuple(leans_on))

    @property
    def is_hand_placed(self) -> bool:
        """True if it was placed on others by hand and has not been simulated to rest since."""
        return not self.bearings and bool(self.stands_on or self.leans_on)

    @property
    def is_upright(self) -> bool:
        """True if it stands upright, within the angle tolerance."""
        return self.tilt <= _ANGLE_TOLERANCE

    @property
    def is_on_side(self) -> bool:
        """True if it lies flat on a side, within the angle tolerance."""
        return abs(self.tilt - self.shape.lying_tilt) <= _ANGLE_TOLERANCE and abs(self.roll) <= _ANGLE_TOLERANCE

    @property
    def pose_text(self) -> str:
        """Pose at rest, in words."""
        return "standing" if self.is_upright else "on its side" if self.is_on_side else "leaning"

    @property
    def axis(self) -> Point3:
        """Unit vector from base to tip."""
        horizontal = sin(self.tilt)
        return (horizontal * cos(self.heading), horizontal * sin(self.heading), cos(self.tilt))

    @property
    def base_axes(self) -> tuple[Point3, Point3]:
        """Unit vectors along two sides of its base; with the axis they are a right-handed basis."""
        c, s, level, fall = cos(self.heading), sin(self.heading), cos(self.tilt), sin(self.tilt)
        co, si = cos(self.roll), sin(self.roll)
        px, py, pz = level * c, level * s, -fall
        return (
            (co * px - si * s, co * py + si * c, co * pz),
            (-si * px - co * s, -si * py + co * c, -si * pz),
        )

    @property
    def tip(self) -> Point3:
        """Position of its tip [m]."""
        ax, ay, az = self.axis
        return (self.x + ax * self.shape.height, self.y + ay * self.shape.height, self.z + az * self.shape.height)

    @property
    def centre_of_mass(self) -> Point3:
        """Position of its centre of mass [m]."""
        ax, ay, az = self.axis
        centroid = self.shape.centroid
        return (self.x + ax * centroid, self.y + ay * centroid, self.z + az * centroid)

    def base_corners(self) -> tuple[Point3, ...]:
        """Four corners of its base, in order [m]."""
        return self._base_square(self.shape.base / 2.0)

    def hollow_corners(self) -> tuple[Point3, ...]:
        """Four corners of the opening of its hollow, in the same order [m]."""
        return self._base_square(self.shape.hollow_base / 2.0)

    def _base_square(self, half: float) -> tuple[Point3, ...]:
        (px, py, pz), (qx, qy, qz) = self.base_axes
        corners = []
        for p, q in ((half, -half), (half, half), (-half, half), (-half, -half)):
            corners.append((self.x + p * px + q * qx, self.y + p * py + q * qy, self.z + p * pz + q * qz))
        return tuple(corners)

    def footprint(self) -> tuple[Point, ...]:
        """Outline seen from above [m], convex and counter-clockwise."""
        return convex_hull([(x, y) for x, y, _ in (*self.base_corners(), self.tip)])

    def with_pose(self, centre: Point3, x_axis: Point3, z_axis: Point3) -> "Pyramid":
        """Copy with another pose: centre of mass [m], unit vectors along a side of the base and along the axis.

        Its symmetry is fourfold, so the roll is reduced to within an eighth of a turn either way.
        """
        ax, ay, az = z_axis
        tilt = atan2(hypot(ax, ay), az)
        heading = atan2(x_axis[1], x_axis[0])
        roll = 0.0
        if _ANGLE_TOLERANCE < tilt < pi - _ANGLE_TOLERANCE:
            heading = atan2(ay, ax)
            c, s = cos(heading), sin(heading)
            down = (cos(tilt) * c, cos(tilt) * s, -sin(tilt))
            along = x_axis[0] * down[0] + x_axis[1] * down[1] + x_axis[2] * down[2]
            roll = atan2(x_axis[1] * c - x_axis[0] * s, along)
            roll = remainder(roll, pi / 2.0)
        centroid = self.shape.centroid
        return msgspec.structs.replace(
            self, x=centre[0] - centroid * ax, y=centre[1] - centroid * ay, z=centre[2] - centroid * az,
            tilt=tilt, heading=heading, roll=roll,
        )  # fmt: skip

    @property
    def lowest(self) -> float:
        """Height of its lowest point [m]."""
        return min(point[2] for point in (*self.base_corners(), self.tip))

    @property
    def highest(self) -> float:
        """Height of its highest point [m]."""
        return max(point[2] for point in (*self.base_corners(), self.tip))


def convex_hull(points: list[Point]) -> tuple[Point, ...]:
    """Convex hull of points in a plane, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)
    hull: list[Point] = []
    for pass_points in (ordered, ordered[::-1]):
        start = len(hull)
        for p in pass_points:
            while len(hull) - start >= 2 and _cross_2d(hull[-2], hull[-1], p) <= 0.0:
                hull.pop()
            hull.append(p)
        hull.pop()
    return tuple(hull)


def _cross_2d(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
