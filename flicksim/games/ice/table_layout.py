"""Table layout: start lines, stash areas and their pieces before the first launch."""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, hypot, pi, sin

from flicksim.core.errors import InvalidOption
from flicksim.core.geometry import Point, is_inside_convex, rectangle, signed_line_distance
from flicksim.core.serialization import Value
from flicksim.core.units import mm, to_mm
from flicksim.games.ice.options import Options, kit
from flicksim.scene import SIZES, Line, Pyramid, PyramidScene, Size, Surface, penetration_depth

SEATS = ("Red", "Yellow", "Green", "Blue", "Black", "White")
PIECES_PER_SIZE = 5
"""Pieces of each size in a set (ITW-2b)."""
_CORNERS = 72
"""A round table is this many sided: it is nowhere half a millimetre off on a 900 mm one."""
_SIDES = {1: "s", 2: "sn", 3: "sew", 4: "senw", 5: "ssenw", 6: "ssennw"}
"""Sides of a rectangular table by players, counter-clockwise from the first; two on a side have half of it each."""
_STASH_SPACING = mm(30.0)
"""Between pieces standing in a stash [m]."""


class SeatArea(Value, frozen=True, kw_only=True):
    """Areas of a seat at the table.

    Args:
        start_line: ends of its start line [m], the table's middle to its left (ITW-2c).
        stash: its stash area, convex and counter-clockwise [m] (ITW-5b).
        facing: azimuth from there into the table [rad].
        default_hold: where its launcher is held unless elsewhere: the middle of the area [m].
    """

    start_line: tuple[Point, Point]
    stash: tuple[Point, ...]
    facing: float
    default_hold: Point


def outline(options: Options) -> tuple[Point, ...]:
    """Outline of the table, its lower left corner at (0, 0) [m] (ITW-2a)."""
    width, length = (mm(extent) for extent in options.table_mm)
    if options.table == "rectangle":
        return rectangle(width, length)
    r = width / 2.0
    return tuple(
        (_round_off(r + r * cos(_corner_angle(i))), _round_off(r + r * sin(_corner_angle(i)))) for i in range(_CORNERS)
    )


def _corner_angle(i: int) -> float:
    return 2.0 * pi * (i + 0.5) / _CORNERS


def _round_off(value: float) -> float:
    return round(value, 12)


@lru_cache(maxsize=64)
def seat_areas(options: Options, seats: int) -> tuple[SeatArea, ...]:
    """Areas of all seats, counter-clockwise."""
    edge = outline(options)
    if options.table == "round":
        r = mm(options.table_mm[0]) / 2.0
        return tuple(_round_table_area(edge, r, mm(options.start_line_mm), 2.0 * pi * k / seats) for k in range(seats))
    return _rectangle_areas(options, seats)


def _round_table_area(edge: tuple[Point, ...], r: float, deep: float, turn: float) -> SeatArea:
    """Area of a seat at a round table, cut off by a chord."""
    way = turn - pi / 2.0
    out = (cos(way), sin(way))
    foot = (r + (r - deep) * out[0], r + (r - deep) * out[1])
    left, right = (foot[0] + out[1], foot[1] - out[0]), (foot[0] - out[1], foot[1] + out[0])
    area = _clip_polygon(edge, right, left)
    ends = [point for point in area if abs(signed_line_distance(point, left, right)) < 1e-9]
    line = min(ends, key=lambda p: _projection(p, left, right)), max(ends, key=lambda p: _projection(p, left, right))
    hold = (r + (r - deep / 2.0) * out[0], r + (r - deep / 2.0) * out[1])
    return SeatArea(
        start_line=line,
        stash=area,
        facing=atan2(-out[1], -out[0]),
        default_hold=(_round_off(hold[0]), _round_off(hold[1])),
    )


def _projection(point: Point, a: Point, b: Point) -> float:
    return (point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])


def _clip_polygon(polygon: tuple[Point, ...], a: Point, b: Point) -> tuple[Point, ...]:
    """The part of a convex polygon that lies to the left of a line."""
    found: list[Point] = []
    for i, q in enumerate(polygon):
        p = polygon[i - 1]
        before, after = signed_line_distance(p, a, b), signed_line_distance(q, a, b)
        if before * after < 0.0:
            share = before / (before - after)
            found.append((_round_off(p[0] + (q[0] - p[0]) * share), _round_off(p[1] + (q[1] - p[1]) * share)))
        if after >= 0.0:
            found.append(q)
    return tuple(found)


def _rectangle_areas(options: Options, seats: int) -> tuple[SeatArea, ...]:
    """Areas of seats at a rectangular table: strips along the sides, two on each of the longer pair first."""
    width, length = (mm(extent) for extent in options.table_mm)
    deep = mm(options.start_line_mm)
    names = _SIDES[seats] if width >= length else _SIDES[seats].translate(str.maketrans("senw", "enws"))
    found = []
    for i, name in enumerate(names):
        share, of = names[:i].count(name), names.count(name)
        long = (width if name in "sn" else length) / of
        low, high = share * long, (share + 1) * long
        # along the side with the table's middle to the left, as seen going round counter-clockwise
        match name:
            case "s":
                area, line, facing = rectangle(long, deep, low, 0.0), ((low, deep), (high, deep)), pi / 2.0
            case "e":
                area = rectangle(deep, long, width - deep, low)
                line, facing = ((width - deep, low), (width - deep, high)), pi
            case "n":
                area = rectangle(long, deep, width - high, length - deep)
                line, facing = ((width - low, length - deep), (width - high, length - deep)), -pi / 2.0
            case _:
                area = rectangle(deep, long, 0.0, length - high)
                line, facing = ((deep, length - low), (deep, length - high)), 0.0
        hold = (sum(x for x, _ in area) / 4.0, sum(y for _, y in area) / 4.0)
        found.append(SeatArea(start_line=line, stash=area, facing=facing, default_hold=hold))
    return tuple(found)


def surface(options: Options, seats: int) -> Surface:
    """Surface of the table, with the start lines if they are marked (ITW-2c, ITW-2d)."""
    lines = tuple(
        Line(name=f"{SEATS[seat]}'s start line", a=place.start_line[0], b=place.start_line[1])
        for seat, place in enumerate(seat_areas(options, seats))
    )
    return Surface(material=options.top, outline=outline(options), lines=lines if options.markers else ())


def missile_id(seat: int, size: Size, number: int) -> str:
    """Name of a missile: "red-small-1"."""
    return f"{SEATS[seat].lower()}-{size}-{number}"


def size_of(missile: str) -> Size:
    """Size of a missile by its name."""
    return next(size for size in SIZES if f"-{size}-" in missile)


def missiles(seat: int) -> tuple[str, ...]:
    """Fourteen missiles of a seat: five small, five medium, and all large ones but the launcher (ITW-2f, 2g)."""
    return tuple(
        missile_id(seat, size, number)
        for size in SIZES
        for number in range(1, PIECES_PER_SIZE + (0 if size == "large" else 1))
    )  # fmt: skip


def launcher_id(seat: int) -> str:
    """Name of a seat's launcher: its fifth large piece (ITW-2f)."""
    return missile_id(seat, "large", PIECES_PER_SIZE)


def owner_of(piece: str) -> int:
    """Seat a piece belongs to, by its colour."""
    return next(seat for seat, name in enumerate(SEATS) if piece.startswith(f"{name.lower()}-"))


def initial_scene(options: Options, seats: int) -> PyramidScene:
    """Scene before the first launch (ITW-2e).

    Raises:
        InvalidOption: the stashes do not fit on it beside one another.
    """
    scene = PyramidScene(surface=surface(options, seats), kit=kit(options))
    if not options.stash_bodies:
        return scene
    pieces: list[Pyramid] = []
    for seat, place in enumerate(seat_areas(options, seats)):
        for name, spot in zip(missiles(seat), _stash_spots(place), strict=True):
            size = size_of(name)
            piece = Pyramid(
                id=name, size=size, shape=scene.kit.shape(size), x=spot[0], y=spot[1], heading=place.facing, owner=seat
            )
            fits = all(is_inside_convex(corner, place.stash) for corner in piece.footprint())
            other = next((old for old in pieces if penetration_depth(old, piece) > 0.0), None)
            if other is not None or not fits:
                why = f"{name!r} would stand in {other.id!r}" if other else f"{name!r} would not be in its stash area"
                raise InvalidOption(
                    f"{seats} stashes do not fit on this table: {why}; a larger table, start lines farther in than "
                    f"{to_mm(mm(options.start_line_mm)):g} mm, or stash_bodies=false would do"
                )
            pieces.append(piece)
    return PyramidScene(surface=scene.surface, pieces=tuple(pieces), kit=scene.kit)


def _stash_spots(place: SeatArea) -> list[Point]:
    """Places of fourteen pieces in a stash area: three rows along the line, about its middle [m]."""
    (ax, ay), (bx, by) = place.start_line
    size = hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / size, (by - ay) / size
    x, y = place.default_hold
    cells = [(column - 2, row - 1) for row in range(3) for column in range(5)][:14]
    return [
        (_round_off(x + _STASH_SPACING * (c * ux - r * uy)), _round_off(y + _STASH_SPACING * (c * uy + r * ux)))
        for c, r in cells
    ]
