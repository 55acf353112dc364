"""Options of tiddlywinks; mat, pot, winks and squidger: dimensions with sources, and the opening scene.

Frame: the pot at the origin, x along the mat, y across, z up. Seats clockwise from above: Blue NE, Green SE, Red SW,
Yellow NW; Blue and Red are partners against Green and Yellow.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import hypot
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from flicksim.core.errors import InvalidOption
from flicksim.core.geometry import Point, clearance, rectangle, signed_line_distance
from flicksim.core.serialization import Value
from flicksim.core.units import grams, mm, to_mm
from flicksim.referee import GameOptions, load_option_help
from flicksim.scene import Line, Piece, Pot, Surface


class Options(GameOptions, frozen=True, kw_only=True):
    """Options of tiddlywinks."""

    HELP: ClassVar[Mapping[str, str]] = load_option_help(Path(__file__).parent)
    seats: Literal[4, 2] = 4
    mat_material: Literal["felt", "blanket", "carpet", "rug", "bare"] = "felt"
    mat_size_mm: tuple[Annotated[float, Meta(ge=1000.0, le=4000.0)], Annotated[float, Meta(ge=600.0, le=4000.0)]] = (
        1828.8,
        914.4,
    )
    baseline_width_mm: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.0
    pot_base_diameter_mm: Annotated[float, Meta(ge=30.0, le=60.0)] = 47.625
    pot_fixed: bool = True
    squidger_diameter_mm: Annotated[float, Meta(ge=25.4, le=50.8)] = 38.1
    simul_potout: Literal["rest_order", "average"] = "rest_order"
    stop_when_decided: bool = False
    squidgeoff_order: Literal["blue_first", "toss"] = "blue_first"
    squidgeoff_measure: Literal["edge", "centre"] = "edge"
    measure_tol_mm: Annotated[float, Meta(ge=0.001, le=5.0)] = 0.01
    allow_pass: bool = False
    boundary_return: Literal["ground_contact_out", "rest"] = "ground_contact_out"
    boundary_touch: Literal["out", "in"] = "out"
    unplayable_margin_mm: Annotated[float, Meta(ge=0.0, le=20.0)] = 2.0
    bring_in_short: Literal["literal", "stay"] = "literal"
    replace_measure: Literal["edge", "centre"] = "edge"
    miss_scope: Literal["next_shot", "next_turn"] = "next_shot"
    apart_measure: Literal["edge", "centre"] = "edge"
    stroke_max_mm: Annotated[float, Meta(ge=1.0, le=500.0)] = 50.0
    stroke_max_s: Annotated[float, Meta(ge=0.01, le=10.0)] = 1.0
    aside_choice: Literal["shooter", "smallest"] = "shooter"
    free_turn_pot: Literal["continue", "cease"] = "continue"
    resquop_remedy: Literal["move_aside", "foul"] = "move_aside"
    time_limit_s: Annotated[float, Meta(ge=1.0, le=86400.0)] | None = 1200.0
    seconds_per_shot: Annotated[float, Meta(ge=0.0, le=3600.0)] = 15.0
    rounds: Annotated[int, Meta(ge=0, le=50)] = 5
    behind_counts: bool = False
    obstruct_fallback: Literal["projected", "replay"] = "projected"
    foul_replay_restores: bool = True
    foul_keep_extras: bool = True
    match_pairs: Annotated[int, Meta(ge=1, le=12)] = 4
    match_tie: Literal["draw", "games_won"] = "draw"


SEATS = ("Blue", "Green", "Red", "Yellow")
COLOURS = tuple(name.lower() for name in SEATS)
PAIRS = ("Blue and Red", "Green and Yellow")
_CORNERS = ((1, 1), (1, -1), (-1, -1), (-1, 1))
"""Corner of each seat: signs of x and y (TW-2g)."""

BASE_LINE = mm(914.4)
"""Base lines cross the diagonals 3 ft from the middle [m] (TW-2i)."""
INSET = mm(22.225)
"""A replaced wink lies a large wink's width in from the boundary [m] (TW-8g)."""
APART = mm(101.6)
"""Winks replaced after one shot lie 4 in apart [m] (TW-8k)."""
POT_HEIGHT = mm(38.1)
"""1 1/2 in [m] (TW-3a)."""
POT_TOP = mm(23.8125)
"""Half of 1 7/8 in: the pot's outer radius at the rim [m] (TW-3b)."""
POT_WALL = mm(1.5)
"""Thickness of the pot's wall [m]; assumed, the rules are silent."""
LARGE, SMALL = 2, 4
"""Number of winks of each size of a player (TW-4a to TW-4c)."""


class Size(Value, frozen=True, kw_only=True):
    """Dimensions of a size of wink: diameter [m], thickness [m], mass [kg]; source."""

    diameter: float
    thickness: float
    mass: float
    source: str


_MASS = "mass of a plain cylinder of acrylic, 1200 kg/m^3 (1050 to 1410 by plastic); never published"
SIZES: dict[Literal["large", "small"], Size] = {
    "large": Size(diameter=mm(22.225), thickness=mm(2.38125), mass=grams(1.109), source=f"7/8 x 3/32 in, rules of 1959 and para. 4; {_MASS}"),
    "small": Size(diameter=mm(15.875), thickness=mm(1.5875), mass=grams(0.377), source=f"5/8 x 1/16 in, rules of 1959 and para. 4; {_MASS}"),
}  # fmt: skip

WINKS = tuple(f"{colour}-{number}" for colour in COLOURS for number in range(1, LARGE + SMALL + 1))
"""All 24 winks in the order of every scene: "blue-1" and "blue-2" are the large ones."""
_WINK_INDEX = {name: place for place, name in enumerate(WINKS)}
_WINKS_BY_SEAT = LARGE + SMALL


def seat_of(wink: str) -> int:
    """Seat that owns a wink."""
    return _WINK_INDEX[wink] // _WINKS_BY_SEAT


def pair_of(seat: int) -> int:
    """Pair of a seat: those facing each other are partners (TW-1b)."""
    return seat % 2


def winks_of(seat: int) -> tuple[str, ...]:
    """Ids of the six winks of a seat."""
    return WINKS[seat * _WINKS_BY_SEAT : (seat + 1) * _WINKS_BY_SEAT]


def kind_of(wink: str) -> Literal["large", "small"]:
    """Size of a wink."""
    return "large" if _WINK_INDEX[wink] % _WINKS_BY_SEAT < LARGE else "small"


def display_name(wink: str) -> str:
    """ "blue-2" as people say it: "Blue 2"."""
    colour, _, number = wink.partition("-")
    return f"{colour.title()} {number}"


class Edge(Value, frozen=True, kw_only=True):
    """Side of the field: its ends counter-clockwise [m], and the seat whose base line it is (None: an edge of the mat)."""

    a: Point
    b: Point
    seat: int | None = None

    def inward(self, point: Point) -> float:
        """Distance of a point inward from this side [m]."""
        return signed_line_distance(point, self.a, self.b)


def line_name(seat: int) -> str:
    """Name of a base line in events."""
    return f"{COLOURS[seat]} base line"


@lru_cache(maxsize=32)
def edges(options: Options) -> tuple[Edge, ...]:
    """Boundaries: four base lines and four edges of the mat, counter-clockwise from Green's line (TW-8a)."""
    return _octagon(options, BASE_LINE - mm(options.baseline_width_mm) / 2.0)


def _octagon(options: Options, line_distance: float) -> tuple[Edge, ...]:
    a, b = (mm(size) / 2.0 for size in options.mat_size_mm)
    half_diagonal = hypot(a, b)
    if half_diagonal <= line_distance:
        raise InvalidOption(
            f"option mat_size_mm={_size(options)} is not allowed; base lines {to_mm(BASE_LINE):g} mm from the pot "
            f"would miss it (TW-2b)"
        )
    # on the base line of the north-east corner: (a x + b y) / half = far
    x, y = (line_distance * half_diagonal - b * b) / a, (line_distance * half_diagonal - a * a) / b
    if min(x, y) <= 0.0:
        raise InvalidOption(
            f"option mat_size_mm={_size(options)} is not allowed; base lines {to_mm(BASE_LINE):g} mm from the pot "
            f"would meet on it, and no edge of the mat would bound the field (TW-8a)"
        )
    corners = ((x, -b), (a, -y), (a, y), (x, b), (-x, b), (-a, y), (-a, -y), (-x, -b))
    owners = (1, None, 0, None, 3, None, 2, None)
    return tuple(Edge(a=corners[k], b=corners[(k + 1) % 8], seat=owners[k]) for k in range(8))


@lru_cache(maxsize=32)
def field(options: Options) -> tuple[Point, ...]:
    """Corners of the field of play [m], counter-clockwise."""
    return tuple(edge.a for edge in edges(options))


@lru_cache(maxsize=32)
def mat_surface(options: Options) -> Surface:
    """Surface of the mat with its base lines and the pot. Forward over a base line is into the field (TW-2c, TW-2g to TW-2i)."""
    length, width = (mm(size) for size in options.mat_size_mm)
    lines = tuple(
        Line(name=line_name(edge.seat), a=edge.a, b=edge.b)
        for edge in _octagon(options, BASE_LINE)
        if edge.seat is not None
    )
    return Surface(
        material=options.mat_material,
        outline=rectangle(length, width, -length / 2.0, -width / 2.0),
        lines=tuple(sorted(lines, key=lambda line: SEATS.index(line.name.split()[0].title()))),
        pot=pot(options),
    )


def pot(options: Options) -> Pot:
    """Pot, fixed at the middle of the mat (TW-3a to TW-3c)."""
    return Pot(
        height=POT_HEIGHT,
        top_radius=POT_TOP,
        base_radius=mm(options.pot_base_diameter_mm) / 2.0,
        wall=POT_WALL,
        material="pot",
    )


def wink(options: Options, name: str, at: Point | None = None) -> Piece:
    """Piece for a wink lying flat at a point, or behind its base line."""
    kind = kind_of(name)
    size = SIZES[kind]
    x, y = home_spot(options, name) if at is None else at
    return Piece(
        id=name, kind=kind, owner=seat_of(name), x=x, y=y, radius=size.diameter / 2.0, thickness=size.thickness,
        mass=size.mass, material="wink",
    )  # fmt: skip


_ROW = (12.0, 36.0, 57.0, 75.0, 93.0, 111.0)
"""Places of six winks in a row along the short edge, from the corner [mm]; the rest of the line is left to play from."""
_EDGE_MARGIN = 13.0


@lru_cache(maxsize=256)
def home_spot(options: Options, name: str) -> Point:
    """Place of a waiting wink behind its base line [m] (TW-6a)."""
    length, width = options.mat_size_mm
    along = _ROW[_WINK_INDEX[name] % _WINKS_BY_SEAT]
    sx, sy = _CORNERS[seat_of(name)]
    return (sx * mm(length / 2.0 - _EDGE_MARGIN), sy * mm(width / 2.0 - along))


def is_behind_line(options: Options, seat: int, piece_at: Point, radius: float) -> bool:
    """Return True if a wink lies wholly behind a seat's base line and on the mat; it may touch the line (TW-6a)."""
    line = next(edge for edge in _octagon(options, BASE_LINE) if edge.seat == seat)
    on_mat = clearance(piece_at, mat_surface(options).outline) >= radius - 1e-9
    return on_mat and line.inward(piece_at) <= -radius + 1e-9


@lru_cache(maxsize=64)
def start_zone(options: Options, seat: int, kind: Literal["large", "small"]) -> tuple[Point, ...]:
    """Area for a wink's centre before it is brought in, clear of those waiting: a strip along the line [m]."""
    radius = SIZES[kind].diameter / 2.0
    line = next(edge for edge in _octagon(options, BASE_LINE) if edge.seat == seat)
    depth = min(
        -line.inward(home_spot(options, name)) - SIZES[kind_of(name)].diameter / 2.0 for name in winks_of(seat)
    ) - mm(0.5)
    a, b = (mm(size) / 2.0 for size in options.mat_size_mm)
    half_diagonal = hypot(a, b)
    sx, sy = _CORNERS[seat]

    def corners(inset: float) -> tuple[Point, Point]:
        distance = BASE_LINE + inset
        x, y = a - radius, b - radius
        return (
            (sx * x, sy * (distance * half_diagonal - a * x) / b),
            (sx * (distance * half_diagonal - b * y) / a, sy * y),
        )

    near, back = corners(radius), corners(max(radius, depth - radius))
    return (near[0], near[1], back[1], back[0])


def start_spot(options: Options, seat: int, kind: Literal["large", "small"]) -> Point:
    """Usual start for bringing a wink in: on the diagonal, touching the base line [m] (TW-2b)."""
    a, b = options.mat_size_mm
    distance = BASE_LINE + SIZES[kind].diameter / 2.0
    sx, sy = _CORNERS[seat]
    return (sx * distance * a / hypot(a, b), sy * distance * b / hypot(a, b))


def check_options(options: Options) -> None:
    """Check that the mat and the pot are playable.

    Raises:
        InvalidOption: they are not.
    """
    a, b = (mm(size) / 2.0 for size in options.mat_size_mm)
    smallest = BASE_LINE + SIZES["large"].diameter
    if hypot(a, b) < smallest:
        raise InvalidOption(
            f"option mat_size_mm={_size(options)} is not allowed; half its diagonal must be at least "
            f"{to_mm(smallest):g} mm for a wink to lie behind a base line (TW-2b)"
        )
    edges(options)  # raises if base lines miss the mat or meet on it
    for name in WINKS:
        if not is_behind_line(options, seat_of(name), home_spot(options, name), SIZES[kind_of(name)].diameter / 2.0):
            raise InvalidOption(
                f"option mat_size_mm={_size(options)} is not allowed; six winks do not fit behind a base line (TW-2b)"
            )
    if not options.pot_fixed:
        raise InvalidOption(
            "option pot_fixed=false is not allowed; a pot that can be knocked over is not simulated (TW-3c)"
        )


def _size(options: Options) -> str:
    return "{:g},{:g}".format(*options.mat_size_mm)


def option_warnings(options: Options) -> tuple[str, ...]:
    """Warnings for options that the rules recommend against (TW-2a, TW-2c)."""
    warnings = []
    if options.mat_material == "bare":
        warnings.append("The mat should be felt-like and without pile; bare wood is not (TW-2a).")
    if options.mat_size_mm != (1828.8, 914.4):
        warnings.append(f"Matches are preferably played on felt 1828.8 by 914.4 mm, not {_size(options)} mm (TW-2c).")
    return tuple(warnings)


class Table(Value, frozen=True, kw_only=True):
    """Dimensions of the table under the mat: length and width [m], slope [rad]."""

    length: float = mm(1828.8)
    width: float = mm(914.4)
    slope: float = 0.0

    def problems(self) -> list[str]:
        """Problems that make the table unplayable: it is not horizontal (TW-2e)."""
        return [f"the table slopes by {self.slope:g} rad; it must be horizontal (TW-2e)"] if self.slope else []

    def may_be_refused(self) -> bool:
        """Return True if a visiting captain may refuse it: only for being smaller than 1828.8 by 914.4 mm (TW-2f)."""
        long, short = max(self.length, self.width), min(self.length, self.width)
        return long < mm(1828.8) or short < mm(914.4)


def opening(options: Options) -> tuple[Piece, ...]:
    """Opening scene: all 24 winks behind their base lines (TW-4a, TW-6a)."""
    return tuple(wink(options, name) for name in WINKS)


def in_order(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Pieces in the fixed order of a scene."""
    return tuple(sorted(pieces, key=lambda piece: _WINK_INDEX.get(piece.id, len(WINKS))))


def returned_home(options: Options, piece: Piece) -> Piece:
    """Return a wink behind its base line, its face unchanged."""
    return msgspec.structs.replace(wink(options, piece.id), face=piece.face)
