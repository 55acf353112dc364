"""Options of Ice Tiddly Winks, start lines, stash areas and their pieces before the first launch."""

from collections.abc import Mapping
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from flicksim import scene as scenes
from flicksim.core.errors import InvalidOption
from flicksim.core.geometry import Point, is_inside_convex, rectangle, signed_line_distance
from flicksim.core.serialization import Value
from flicksim.core.units import mm, to_mm
from flicksim.referee import GameOptions, load_option_help

_Millimetres = Annotated[float, Meta(ge=4.0, le=200.0)]
_NARROWEST = 100.0
"""Smallest distance between the start lines [mm]."""


class Options(GameOptions, frozen=True, kw_only=True):
    """Options of Ice Tiddly Winks."""

    HELP: ClassVar[Mapping[str, str]] = load_option_help(Path(__file__).parent)
    ADDED_LATER: ClassVar[frozenset[str]] = frozenset({"prop"})

    table: Literal["rectangle", "round"] = "rectangle"
    table_mm: tuple[Annotated[float, Meta(ge=300.0, le=3000.0)], Annotated[float, Meta(ge=300.0, le=3000.0)]] = (
        900.0,
        900.0,
    )
    top: Literal["wood", "polished", "slate", "cloth"] = "wood"
    sizes_mm: tuple[_Millimetres, _Millimetres, _Millimetres, _Millimetres, _Millimetres, _Millimetres] | None = None
    wall_mm: Annotated[float, Meta(ge=0.5, le=6.0)] = 2.24
    density: Annotated[float, Meta(ge=200.0, le=9000.0)] = scenes.DEFAULT_DENSITY
    start_line_mm: Annotated[float, Meta(ge=40.0, le=600.0)] = 150.0
    markers: bool = False
    stash_bodies: bool = False
    bad_hold: Literal["return", "refuse"] = "return"
    landing: Literal["rest", "first_touch"] = "rest"
    line: Literal["wholly_beyond", "middle"] = "wholly_beyond"
    knock_off: Literal["return", "lost"] = "return"
    knock_into_stash: Literal["stays", "return"] = "stays"
    disturb: Literal["restore", "stands"] = "restore"
    upright_deg: Annotated[float, Meta(ge=0.0, le=40.0)] = 10.0
    lean_deg: Annotated[float, Meta(ge=0.0, le=90.0)] = 60.0
    prop: Literal["scoreless", "not_upright"] = "scoreless"
    tie: Literal["joint", "upright"] = "joint"

    def check_combination(self) -> None:
        """Check that missiles have room to land and that the pieces are possible."""
        extent = min(self.table_mm) if self.table == "rectangle" else self.table_mm[0]
        if extent - 2.0 * self.start_line_mm < _NARROWEST:
            raise ValueError(
                f"a table {extent:g} mm across with start lines {self.start_line_mm:g} mm in leaves no middle to land "
                f"on; with that table they may be at most {(extent - _NARROWEST) / 2.0:g} mm in"
            )
        kit(self)


def kit(options: Options) -> scenes.PyramidSet:
    """Dimensions of the pieces (ITW-1b).

    Raises:
        ValueError: the pieces cannot be made so, or do not grow from small to large.
    """
    wall, density = mm(options.wall_mm), options.density
    if options.sizes_mm is None:
        small, medium, large = (scenes.standard_shape(size, wall, density) for size in scenes.SIZES)
    else:
        small, medium, large = (
            scenes.PyramidShape(pips=n + 1, base=mm(base), height=mm(height), wall=wall, density=density)
            for n, (base, height) in enumerate(zip(options.sizes_mm[::2], options.sizes_mm[1::2], strict=True))
        )
        if not (small.base <= medium.base <= large.base and small.height <= medium.height <= large.height):
            raise ValueError(f"sizes_mm {options.sizes_mm!r} must grow from small over medium to large")
    return scenes.PyramidSet(small=small, medium=medium, large=large)


SEATS = ("Red", "Yellow", "Green", "Blue", "Black", "White")
PIECES_PER_SIZE = 5
"""Pieces of each size in a set (ITW-2b)."""
_CORNERS = 72
"""Corners of the polygon for a round table; its error is below half a millimetre at 900 mm."""
_SIDES = {1: "s", 2: "sn", 3: "sew", 4: "senw", 5: "ssenw", 6: "ssennw"}
"""Sides of a rectangular table by players, counter-clockwise from the first; two on a side have half of it each."""
_STASH_SPACING = mm(30.0)
"""Between pieces standing in a stash [m]."""


class SeatArea(Value, frozen=True, kw_only=True):
    """Areas of a seat at the table.

    Args:
        start_line: ends of its start line [m], with the table's middle to the left (ITW-2c).
        stash: its stash area, convex and counter-clockwise [m] (ITW-5b).
        facing: azimuth from it towards the middle of the table [rad].
        default_hold: default position of the launcher: the middle of the area [m].
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


def _round_table_area(outline: tuple[Point, ...], r: float, depth: float, seat_angle: float) -> SeatArea:
    """Area of a seat at a round table, cut off by a chord."""
    bearing = seat_angle - pi / 2.0
    outward = (cos(bearing), sin(bearing))
    chord_centre = (r + (r - depth) * outward[0], r + (r - depth) * outward[1])
    left, right = (
        (chord_centre[0] + outward[1], chord_centre[1] - outward[0]),
        (chord_centre[0] - outward[1], chord_centre[1] + outward[0]),
    )
    area = _clip_polygon(outline, right, left)
    chord_ends = [point for point in area if abs(signed_line_distance(point, left, right)) < 1e-9]
    line = (
        min(chord_ends, key=lambda p: _projection(p, left, right)),
        max(chord_ends, key=lambda p: _projection(p, left, right)),
    )
    hold = (r + (r - depth / 2.0) * outward[0], r + (r - depth / 2.0) * outward[1])
    return SeatArea(
        start_line=line,
        stash=area,
        facing=atan2(-outward[1], -outward[0]),
        default_hold=(_round_off(hold[0]), _round_off(hold[1])),
    )


def _projection(point: Point, a: Point, b: Point) -> float:
    return (point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])


def _clip_polygon(polygon: tuple[Point, ...], a: Point, b: Point) -> tuple[Point, ...]:
    """Clip a convex polygon to the left of a line (Sutherland-Hodgman)."""
    clipped: list[Point] = []
    for i, q in enumerate(polygon):
        p = polygon[i - 1]
        before, after = signed_line_distance(p, a, b), signed_line_distance(q, a, b)
        if before * after < 0.0:
            fraction = before / (before - after)
            clipped.append((_round_off(p[0] + (q[0] - p[0]) * fraction), _round_off(p[1] + (q[1] - p[1]) * fraction)))
        if after >= 0.0:
            clipped.append(q)
    return tuple(clipped)


def _rectangle_areas(options: Options, seats: int) -> tuple[SeatArea, ...]:
    """Areas of seats at a rectangular table: strips along the sides, sides of the longer pair shared first."""
    width, length = (mm(extent) for extent in options.table_mm)
    depth = mm(options.start_line_mm)
    names = _SIDES[seats] if width >= length else _SIDES[seats].translate(str.maketrans("senw", "enws"))
    areas = []
    for i, name in enumerate(names):
        position, count = names[:i].count(name), names.count(name)
        strip_length = (width if name in "sn" else length) / count
        low, high = position * strip_length, (position + 1) * strip_length
        # along the side with the table's middle to the left, as seen going round counter-clockwise
        match name:
            case "s":
                area, line, facing = rectangle(strip_length, depth, low, 0.0), ((low, depth), (high, depth)), pi / 2.0
            case "e":
                area = rectangle(depth, strip_length, width - depth, low)
                line, facing = ((width - depth, low), (width - depth, high)), pi
            case "n":
                area = rectangle(strip_length, depth, width - high, length - depth)
                line, facing = ((width - low, length - depth), (width - high, length - depth)), -pi / 2.0
            case _:
                area = rectangle(depth, strip_length, 0.0, length - high)
                line, facing = ((depth, length - low), (depth, length - high)), 0.0
        hold = (sum(x for x, _ in area) / 4.0, sum(y for _, y in area) / 4.0)
        areas.append(SeatArea(start_line=line, stash=area, facing=facing, default_hold=hold))
    return tuple(areas)


def surface(options: Options, seats: int) -> scenes.Surface:
    """Surface of the table, with the start lines if they are marked (ITW-2c, ITW-2d)."""
    lines = tuple(
        scenes.Line(name=f"{SEATS[seat]}'s start line", a=area.start_line[0], b=area.start_line[1])
        for seat, area in enumerate(seat_areas(options, seats))
    )
    return scenes.Surface(material=options.top, outline=outline(options), lines=lines if options.markers else ())


def missile_id(seat: int, size: scenes.Size, number: int) -> str:
    """Name of a missile: "red-small-1"."""
    return f"{SEATS[seat].lower()}-{size}-{number}"


def size_of(missile: str) -> scenes.Size:
    """Size of a missile by its name."""
    return next(size for size in scenes.SIZES if f"-{size}-" in missile)


def missiles(seat: int) -> tuple[str, ...]:
    """Fourteen missiles of a seat: five small, five medium, and all large ones but the launcher (ITW-2f, 2g)."""
    return tuple(
        missile_id(seat, size, number)
        for size in scenes.SIZES
        for number in range(1, PIECES_PER_SIZE + (0 if size == "large" else 1))
    )  # fmt: skip


def launcher_id(seat: int) -> str:
    """Name of a seat's launcher: its fifth large piece (ITW-2f)."""
    return missile_id(seat, "large", PIECES_PER_SIZE)


def owner_of(piece: str) -> int:
    """Seat a piece belongs to, by its colour."""
    return next(seat for seat, name in enumerate(SEATS) if piece.startswith(f"{name.lower()}-"))


def initial_scene(options: Options, seats: int) -> scenes.PyramidScene:
    """Scene before the first launch (ITW-2e).

    Raises:
        InvalidOption: the stashes do not fit on it beside one another.
    """
    scene = scenes.PyramidScene(surface=surface(options, seats), kit=kit(options))
    if not options.stash_bodies:
        return scene
    pieces: list[scenes.Pyramid] = []
    for seat, area in enumerate(seat_areas(options, seats)):
        for name, spot in zip(missiles(seat), _stash_spots(area), strict=True):
            size = size_of(name)
            piece = scenes.Pyramid(
                id=name, size=size, shape=scene.kit.shape(size), x=spot[0], y=spot[1], heading=area.facing, owner=seat
            )
            is_inside = all(is_inside_convex(corner, area.stash) for corner in piece.footprint())
            obstacle = next((placed for placed in pieces if scenes.penetration_depth(placed, piece) > 0.0), None)
            if obstacle is not None or not is_inside:
                reason = (
                    f"{name!r} would stand in {obstacle.id!r}"
                    if obstacle
                    else f"{name!r} would not be in its stash area"
                )
                raise InvalidOption(
                    f"{seats} stashes do not fit on this table: {reason}; a larger table, start lines farther in than "
                    f"{to_mm(mm(options.start_line_mm)):g} mm, or stash_bodies=false would do"
                )
            pieces.append(piece)
    return scenes.PyramidScene(surface=scene.surface, pieces=tuple(pieces), kit=scene.kit)


def _stash_spots(area: SeatArea) -> list[Point]:
    """Places of fourteen pieces in a stash area: three rows along the line, about its middle [m]."""
    (ax, ay), (bx, by) = area.start_line
    line_length = hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / line_length, (by - ay) / line_length
    x, y = area.default_hold
    cells = [(column - 2, row - 1) for row in range(3) for column in range(5)][:14]
    return [
        (_round_off(x + _STASH_SPACING * (c * ux - r * uy)), _round_off(y + _STASH_SPACING * (c * uy + r * ux)))
        for c, r in cells
    ]
