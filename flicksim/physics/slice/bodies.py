"""Pyramids as a slice sees them: outlines, masses, and which way they may turn."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, sin

from flicksim.base.geometry import Point
from flicksim.table.landing import signed_tilt
from flicksim.table.pyramid import Pyramid, Shape, hull

Part = tuple[Point, ...]
"""A convex outline about a middle of mass [m], counter-clockwise."""

_IN_PLANE = 0.05
"""A tilted piece counts as leaning along the plane when its heading is off by less than this sine: 3 degrees."""


_CATCH = 0.25
"""A hollow takes in a tip that is less than this share of its mouth beside its middle [-]; sliding down it centres."""
_SAME = 5e-5
"""Outlines that are this deep in one another at rest are of pieces beside each other across the plane [m]."""


def profile(shape: Shape, widen: float) -> Part:
    """An upright piece from the side, about its middle of mass.

    Args:
        widen: its breadth over that of its base: 1 seen square on, up to the root of 2 seen over a corner.
    """
    half, low = widen * shape.base / 2.0, -shape.centroid
    return ((-half, low), (half, low), (0.0, low + shape.height))


def walled(shape: Shape, widen: float) -> tuple[Part, Part]:
    """The same as the two walls of a shell that is open below."""
    half, mouth = widen * shape.base / 2.0, widen * shape.hollow_base / 2.0
    low = -shape.centroid
    tip, peak = (0.0, low + shape.height), (0.0, low + shape.hollow_height)
    return ((-half, low), (-mouth, low), peak, tip), ((mouth, low), (half, low), tip, peak)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A piece on the table as it stands in a slice.

    Args:
        at: its middle of mass, s and z [m]. base: from there to the middle of its base [m].
        tilt: how far its axis leans towards +s [rad].
        lateral: how far its middle of mass is to the left of the plane [m].
        span: from where to where it reaches across the plane [m], left positive.
        low, high: from where to where it reaches along the plane [m]. top: how high it reaches [m].
        outline: the whole of it, about its middle of mass.
        walls: the two walls of its shell, where its axis lies in the plane; empty for a piece seen askew.
        inertia: about the line across the plane [kg m^2].
        square: whether its axis lies in the plane, so that its turning there is told exactly.
        widen: how much broader it looks for being turned about its upright axis: 1 to the root of 2.
        held: whether it leans on something across the plane: it may be pushed here, but not turned.
    """

    at: Point
    base: Point
    tilt: float
    lateral: float
    span: tuple[float, float]
    low: float
    high: float
    top: float
    outline: Part
    walls: tuple[Part, ...]
    inertia: float
    square: bool
    widen: float
    held: bool

    def start(self) -> tuple[float, float, float]:
        """s, z of the middle of its base, and tilt."""
        return (self.at[0] + self.base[0], self.at[1] + self.base[1], self.tilt)


def standing(piece: Pyramid, origin: Point, azimuth: float) -> Standing:
    """How a piece stands in the plane through a point along an azimuth."""
    c, q = cos(azimuth), sin(azimuth)
    ox, oy = origin

    def seen(point: tuple[float, float, float]) -> tuple[float, float, float]:
        dx, dy = point[0] - ox, point[1] - oy
        return (dx * c + dy * q, dy * c - dx * q, point[2])

    points = [seen(point) for point in (*piece.corners(), piece.tip)]
    s, lateral, z = seen(piece.centre)
    base = seen((piece.x, piece.y, piece.z))
    ax, ay, _ = piece.axis
    across = ay * c - ax * q  # how much of its axis points across the plane
    square = abs(across) < _IN_PLANE
    turned = piece.heading - azimuth
    widen = abs(cos(turned)) + abs(sin(turned)) if piece.standing else 1.0
    outline = _about(hull([(p[0], p[2]) for p in points]), (s, z))
    return Standing(
        at=(s, z), base=(base[0] - s, base[2] - z), tilt=signed_tilt(piece, azimuth), lateral=lateral,
        span=(min(p[1] for p in points), max(p[1] for p in points)),
        low=min(p[0] for p in points), high=max(p[0] for p in points), top=max(p[2] for p in points),
        outline=outline, walls=_shell(piece, azimuth, widen) if square else (),
        inertia=piece.shape.inertia + (piece.shape.spin_inertia - piece.shape.inertia) * across * across,
        square=square, widen=widen, held=bool(piece.rests_on) and not square,
    )  # fmt: skip


def nests(a: Standing, b: Standing, mouth: float) -> bool:
    """Whether one of two pieces can take in the other's tip: both in the plane, and near enough to one line of it.

    Args:
        mouth: of the wider hollow [m].
    """
    return bool(a.walls and b.walls) and abs(a.lateral - b.lateral) < _CATCH * mouth


def apart(a: Standing, b: Standing, hollow: bool) -> bool:
    """Whether two pieces as they stand are not in one another as seen across the plane."""
    if a.high <= b.low or b.high <= a.low:
        return True
    ours, theirs = (a.walls, b.walls) if hollow else ((a.outline,), (b.outline,))
    return not any(_into(one, a.at, other, b.at) for one in ours for other in theirs)


def _into(one: Part, at: Point, other: Part, there: Point) -> bool:
    """Whether two convex outlines are in one another by more than a hair."""
    dx, dz = there[0] - at[0], there[1] - at[1]
    moved = [(x + dx, z + dz) for x, z in other]
    for mine, theirs in ((one, moved), (moved, one)):
        for i in range(len(mine)):
            (ax, az), (bx, bz) = mine[i - 1], mine[i]
            size = hypot(bx - ax, bz - az)
            if size < 1e-9:
                continue
            nx, nz = (bz - az) / size, (ax - bx) / size  # outward: the outline goes counter-clockwise
            if min((x - ax) * nx + (z - az) * nz for x, z in theirs) > -_SAME:
                return False
    return True


def _shell(piece: Pyramid, azimuth: float, widen: float) -> tuple[Part, ...]:
    """Both walls of a piece whose axis is in the plane."""
    tilt = signed_tilt(piece, azimuth)
    c, s = cos(tilt), sin(tilt)
    return tuple(tuple((x * c + z * s, z * c - x * s) for x, z in part) for part in walled(piece.shape, widen))


def _about(outline: Part, middle: Point) -> Part:
    return tuple((x - middle[0], z - middle[1]) for x, z in outline)
