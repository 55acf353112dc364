"""A pyramid: hollow, open below, square; how big it is, how heavy, and how it stands, lies or leans.

Sizes follow one formula in the pips n (1 small, 2 medium, 3 large): base (11 + 7n)/32 in, height (5 + 3n)/8 in. The
wall is even, so the hollow is a smaller pyramid of the same slopes and a piece stacks on any that is not smaller.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, hypot, isfinite, pi, remainder, sin
from typing import Literal

import msgspec

from flicksim.base.bounds import NUMBER, near
from flicksim.base.codec import Value
from flicksim.base.geometry import Point
from flicksim.base.units import mm, to_mm
from flicksim.table.attitude import Point3

Size = Literal["small", "medium", "large"]
SIZES: tuple[Size, ...] = ("small", "medium", "large")
"""By pips: 1, 2, 3."""
THIN = mm(0.05)
"""No wall is thinner [m]: as foil."""
WALL = mm(2.24)
DENSITY = 1050.0
"""Even wall [m] and polystyrene [kg/m^3]: a set of fifteen then weighs 42.5 g, as weighed (ee0r.com, sandfill)."""
_INCH = mm(25.4)
SURFACE = "surface"
"""Name of the table where pieces meet something."""
_LEVEL = 1e-6
"""Tilts within this of standing or lying are that [rad]."""
_UP = 0.2
"""A base is on what pushes it up with at least so large a share of its force [-]; against a steeper wall it leans."""
_UNIT = 1e-3
"""A normal is so nearly of unit length [-]."""


class Shape(Value, frozen=True, kw_only=True):
    """The shape of a pyramid.

    Args:
        pips: what it counts: 1, 2 or 3.
        base: side of its square base [m]. height: from base to tip [m].
        wall: thickness of its wall, square to it [m]. density: of what it is made of [kg/m^3].
    """

    pips: int
    base: float
    height: float
    wall: float = WALL
    density: float = DENSITY

    def __post_init__(self) -> None:
        if not 1 <= self.pips <= 9:
            raise ValueError(f"pips {self.pips!r} must lie in 1 to 9")
        if not (mm(4.0) <= self.base <= mm(200.0) and mm(4.0) <= self.height <= mm(400.0)):
            raise ValueError(
                f"a pyramid {to_mm(self.base):g} mm wide and {to_mm(self.height):g} mm high is no game piece; "
                "4 to 200 mm wide and 4 to 400 mm high are"
            )
        if not self.wall >= THIN:
            raise ValueError(f"wall {to_mm(self.wall):g} mm must be {to_mm(THIN):g} mm thick or more")
        if not (self.hollow_base > mm(1.0) and self.hollow_height > mm(1.0)):
            raise ValueError(
                f"wall {to_mm(self.wall):g} mm leaves no hollow in a pyramid {to_mm(self.base):g} mm wide; "
                "it must be thinner"
            )
        if not 10.0 <= self.density <= 25_000.0:
            raise ValueError(f"density {self.density!r} kg/m^3 must lie in 10 to 25000")

    @property
    def half_apex(self) -> float:
        """Angle between axis and faces [rad]: about 16 degrees."""
        return atan2(self.base / 2.0, self.height)

    @property
    def hollow_base(self) -> float:
        """Side of the hollow's mouth [m]."""
        return self.base - 2.0 * self.wall / cos(self.half_apex)

    @property
    def hollow_height(self) -> float:
        """From base to the hollow's tip [m]."""
        return self.height - self.wall / sin(self.half_apex)

    @property
    def mass(self) -> float:
        """[kg]"""
        return _body(self)[0]

    @property
    def centroid(self) -> float:
        """Height of its middle of mass above its base [m]."""
        return _body(self)[1]

    @property
    def inertia(self) -> float:
        """About any axis through its middle of mass that is square to its own axis [kg m^2]."""
        return _body(self)[2]

    @property
    def spin_inertia(self) -> float:
        """About its own axis [kg m^2]."""
        return _body(self)[3]

    @property
    def reach(self) -> float:
        """Distance of its farthest point from its middle of mass [m]."""
        return _body(self)[4]

    @property
    def topple(self) -> float:
        """Tilt past which it falls over an edge of its base [rad]: 42 to 43 degrees for a hollow one."""
        return atan2(self.base / 2.0, self.centroid)

    @property
    def lying(self) -> float:
        """Tilt of its axis when it lies on a side [rad]: about 106 degrees."""
        return pi / 2.0 + self.half_apex

    def seat(self, under: Shape) -> float:
        """Height of its base above that of a piece it is stacked on, both upright and turned alike [m].

        Tips and slopes decide: the mouth's rim is held by the lower one's sides, or the hollow's tip by its tip.
        """
        by_rim = under.height * (1.0 - self.hollow_base / under.base)
        by_tip = under.height - self.hollow_height
        return max(0.0, by_rim, by_tip)


@lru_cache(maxsize=256)
def _body(shape: Shape) -> tuple[float, float, float, float, float]:
    """Mass, height of the middle of mass, inertia across and about the axis, reach: a solid less its hollow."""
    mass = moment = across = about = 0.0
    for sign, base, height in (
        (1.0, shape.base, shape.height),
        (-1.0, shape.hollow_base, shape.hollow_height),
    ):
        part = sign * shape.density * base * base * height / 3.0
        mass += part
        moment += part * height / 4.0
        across += part * (base * base / 20.0 + height * height / 10.0)  # about the middle of the base
        about += part * base * base / 10.0
    centre = moment / mass
    reach = max(shape.height - centre, hypot(centre, shape.base / 2.0**0.5))
    return mass, centre, across - mass * centre * centre, about, reach


def shape_of(size: Size, wall: float = WALL, density: float = DENSITY) -> Shape:
    """A piece of the usual make, by the formula for its size."""
    n = SIZES.index(size) + 1
    return Shape(pips=n, base=(11 + 7 * n) / 32.0 * _INCH, height=(5 + 3 * n) / 8.0 * _INCH, wall=wall, density=density)


class Bearing(Value, frozen=True, kw_only=True):
    """A contact that bears a piece at rest.

    Args:
        on: id of what it rests on there, or "surface" for the table.
        part: of the piece that is borne: the rim or a corner of its base, its hollow, or a side, slope or the tip.
        at: where [m]. normal: unit vector towards the piece. gap: between the two, negative where they overlap by a
            hair [m].
    """

    on: str
    part: Literal["base", "hollow", "side"] = "base"
    at: Point3
    normal: Point3
    gap: float = 0.0

    def __post_init__(self) -> None:
        if not near(*self.at, self.gap):
            raise ValueError(f"contact at {self.at!r} on {self.on!r} must be finite and near")
        if not abs(sum(part * part for part in self.normal) - 1.0) <= _UNIT:
            raise ValueError(f"normal {self.normal!r} of a contact on {self.on!r} must be of unit length")

    @property
    def stands(self) -> bool:
        """True where it bears a base, or the hollow above it, on a piece from below."""
        return self.on != SURFACE and self.part != "side" and self.normal[2] > _UP


class Pyramid(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A pyramid at rest.

    Args:
        id: its name, unique in a scene.
        owner: seat that owns it; None for nobody's.
        size, shape: how big it is called, and is.
        x, y, z: the middle of its base, z up from the table [m].
        tilt: of its axis from upright [rad], 0 to pi: 0 standing, `shape.lying` on a side, else leaning.
        heading: azimuth its tip leans to, or that one of its faces looks to while it stands [rad].
        roll: how far it is turned about its own axis from having a face straight down the way it leans [rad].
        stands_on: ids of pieces on which its base, or the hollow above it, rests.
        leans_on: ids of other pieces that bear it.
        bearings: the contacts that bear it, as it came to rest; empty for a piece that the table alone bears on a whole
            face, and for one laid by hand.
    """

    id: str
    size: Size
    shape: Shape
    x: float
    y: float
    z: float = 0.0
    tilt: float = 0.0
    heading: float = 0.0
    roll: float = 0.0
    owner: int | None = None
    stands_on: tuple[str, ...] = ()
    leans_on: tuple[str, ...] = ()
    bearings: tuple[Bearing, ...] = ()

    def __post_init__(self) -> None:
        turns = (self.heading, self.roll)
        if not (near(self.x, self.y) and all(abs(turn) <= NUMBER for turn in turns)):
            raise ValueError(f"place ({self.x!r}, {self.y!r}, {turns!r}) of {self.id!r} must be finite and near")
        if not (isfinite(self.z) and abs(self.z) <= 10.0):
            raise ValueError(f"height z {self.z!r} of {self.id!r} must lie in -10 to 10")
        if not -1e-9 <= self.tilt <= pi + 1e-9:
            raise ValueError(f"tilt {self.tilt!r} of {self.id!r} must lie in 0 to pi")

    @property
    def at(self) -> Point:
        """The middle of its base in plan [m]."""
        return (self.x, self.y)

    @property
    def mass(self) -> float:
        """[kg]"""
        return self.shape.mass

    @property
    def rests_on(self) -> tuple[str, ...]:
        """Ids of all pieces that bear it."""
        return (*self.stands_on, *(name for name in self.leans_on if name not in self.stands_on))

    def borne(self, bearings: tuple[Bearing, ...]) -> Pyramid:
        """The same piece at rest on these contacts."""
        stands = tuple(dict.fromkeys(one.on for one in bearings if one.stands))
        leans = dict.fromkeys(one.on for one in bearings if one.on != SURFACE and one.on not in stands)
        return msgspec.structs.replace(self, bearings=bearings, stands_on=stands, leans_on=tuple(leans))

    @property
    def laid(self) -> bool:
        """True where a hand has laid it on others, where it has not yet come to rest by itself."""
        return not self.bearings and bool(self.stands_on or self.leans_on)

    @property
    def standing(self) -> bool:
        """True where its axis is upright to the last bit that matters."""
        return self.tilt <= _LEVEL

    @property
    def on_side(self) -> bool:
        """True where it lies flat on a side."""
        return abs(self.tilt - self.shape.lying) <= _LEVEL and abs(self.roll) <= _LEVEL

    @property
    def axis(self) -> Point3:
        """Unit vector from base to tip."""
        flat = sin(self.tilt)
        return (flat * cos(self.heading), flat * sin(self.heading), cos(self.tilt))

    @property
    def sides(self) -> tuple[Point3, Point3]:
        """Unit vectors along two sides of its base, at right angles: with the axis, a right-handed three."""
        c, s, level, fall = cos(self.heading), sin(self.heading), cos(self.tilt), sin(self.tilt)
        co, si = cos(self.roll), sin(self.roll)
        px, py, pz = level * c, level * s, -fall
        return (
            (co * px - si * s, co * py + si * c, co * pz),
            (-si * px - co * s, -si * py + co * c, -si * pz),
        )

    @property
    def tip(self) -> Point3:
        """Place of its tip [m]."""
        ax, ay, az = self.axis
        return (self.x + ax * self.shape.height, self.y + ay * self.shape.height, self.z + az * self.shape.height)

    @property
    def centre(self) -> Point3:
        """Place of its middle of mass [m]."""
        ax, ay, az = self.axis
        up = self.shape.centroid
        return (self.x + ax * up, self.y + ay * up, self.z + az * up)

    def corners(self) -> tuple[Point3, ...]:
        """The four corners of its base, in order round it [m]."""
        return self._square(self.shape.base / 2.0)

    def mouth(self) -> tuple[Point3, ...]:
        """The four corners of its hollow's mouth, in the same order [m]."""
        return self._square(self.shape.hollow_base / 2.0)

    def _square(self, half: float) -> tuple[Point3, ...]:
        (px, py, pz), (qx, qy, qz) = self.sides
        found = []
        for p, q in ((half, -half), (half, half), (-half, half), (-half, -half)):
            found.append((self.x + p * px + q * qx, self.y + p * py + q * qy, self.z + p * pz + q * qz))
        return tuple(found)

    def footprint(self) -> tuple[Point, ...]:
        """Its outline seen from above [m], convex and counter-clockwise."""
        return hull([(x, y) for x, y, _ in (*self.corners(), self.tip)])

    def posed(self, middle: Point3, side: Point3, axis: Point3) -> Pyramid:
        """The same piece with its middle of mass there [m], and these for one side of its base and its axis.

        It looks the same four times round: its roll is told within an eighth of a turn either way.
        """
        ax, ay, az = axis
        tilt = atan2(hypot(ax, ay), az)
        heading = atan2(side[1], side[0])
        roll = 0.0
        if _LEVEL < tilt < pi - _LEVEL:
            heading = atan2(ay, ax)
            c, s = cos(heading), sin(heading)
            down = (cos(tilt) * c, cos(tilt) * s, -sin(tilt))
            along = side[0] * down[0] + side[1] * down[1] + side[2] * down[2]
            roll = atan2(side[1] * c - side[0] * s, along)
            roll = remainder(roll, pi / 2.0)
        up = self.shape.centroid
        return msgspec.structs.replace(
            self, x=middle[0] - up * ax, y=middle[1] - up * ay, z=middle[2] - up * az, tilt=tilt, heading=heading,
            roll=roll,
        )  # fmt: skip

    @property
    def lowest(self) -> float:
        """Height of its lowest point [m]."""
        return min(point[2] for point in (*self.corners(), self.tip))

    @property
    def highest(self) -> float:
        """Height of its highest point [m]."""
        return max(point[2] for point in (*self.corners(), self.tip))


def hull(points: list[Point]) -> tuple[Point, ...]:
    """The convex outline of points in a plane, counter-clockwise."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)
    found: list[Point] = []
    for way in (ordered, ordered[::-1]):
        start = len(found)
        for p in way:
            while len(found) - start >= 2 and _turn(found[-2], found[-1], p) <= 0.0:
                found.pop()
            found.append(p)
        found.pop()
    return tuple(found)


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
