"""Coins and board of Penny White: dimensions with sources, and the opening scene."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from flicksim.core.geometry import Point, rectangle
from flicksim.core.serialization import Value
from flicksim.core.units import grams, mm, to_mm
from flicksim.referee import GameOptions, option_help
from flicksim.scene import Line, Piece, Surface

START_LINE = "5 cm line"
FAR_LINE = "45 cm line"
WHITE = "white"


class Coin(Value, frozen=True, kw_only=True):
    """Dimensions of a coin: diameter [m], thickness over the rim [m], mass [kg], material, source."""

    diameter: float
    thickness: float
    mass: float
    material: str
    source: str


COINS: dict[str, Coin] = {
    "1p_bronze": Coin(diameter=mm(20.3), thickness=mm(1.52), mass=grams(3.56), material="bronze",
                      source="Royal Mint Museum, one penny 1971-1992"),
    "1p_steel": Coin(diameter=mm(20.3), thickness=mm(1.65), mass=grams(3.56), material="steel",
                     source="Royal Mint Museum, one penny from 1992"),
    "old_penny": Coin(diameter=mm(30.86), thickness=mm(1.6), mass=grams(9.4), material="bronze",
                      source="1953 penny, 30.8-30.86 mm, 9.4-9.45 g"),
    "us_cent": Coin(diameter=mm(19.05), thickness=mm(1.52), mass=grams(2.5), material="zinc",
                    source="US Mint coin specifications, cent from 1982"),
    "2p": Coin(diameter=mm(25.9), thickness=mm(2.03), mass=grams(7.12), material="steel",
               source="Royal Mint, two pence from 1992"),
}  # fmt: skip
"""Coins to play with. The thickness is over the rim, on which a coin rests; the rim is about a tenth of the radius."""

_CONTACT_RADIUS = 0.9


class Options(GameOptions, frozen=True, kw_only=True):
    """Options of Penny White."""

    ADDED_LATER: ClassVar[frozenset[str]] = frozenset({"start_overhang"})

    coin: Annotated[
        Literal["1p_bronze", "1p_steel", "old_penny", "us_cent", "2p"],
        option_help("which coin is flicked; the white is of the same size (PW-E2)"),
    ] = "1p_bronze"
    coin_diameter_mm: Annotated[
        Annotated[float, Meta(ge=5.0, le=60.0)] | None,
        option_help("another diameter for that coin [mm]; none keeps its own (PW-E2)"),
    ] = None
    board_mm: Annotated[
        tuple[Annotated[float, Meta(ge=100.0, le=3000.0)], Annotated[float, Meta(ge=650.0, le=5000.0)]],
        option_help("board, width and length [mm] (PW-E1)"),
    ] = (300.0, 800.0)
    board: Annotated[
        Literal["polished", "wood", "chalked", "slate"],
        option_help("what the board is made of"),
    ] = "polished"
    pennies: Annotated[Annotated[int, Meta(ge=1, le=12)], option_help("pennies each (PW-E3)")] = 4
    ends: Annotated[Annotated[int, Meta(ge=1, le=100)], option_help("ends in a game (PW-E4)")] = 6
    first: Annotated[
        Literal["toss", "first", "second"],
        option_help("who starts end 1: by toss, or the first or second seat (PW-E5)"),
    ] = "toss"
    jack_mode: Annotated[
        Literal["experienced", "beginner"],
        option_help("the white is flicked (experienced) or placed (beginner) (PW-2a, PW-3a)"),
    ] = "experienced"
    jack_measure: Annotated[
        Literal["edge", "centre"],
        option_help("what of a placed white is 100-150 mm past the 45 cm line (PW-2a)"),
    ] = "edge"
    line_touch: Annotated[
        Literal["not_over", "over"],
        option_help("a white that just touches the 45 cm line has not, or has, passed it (PW-3b)"),
    ] = "not_over"
    off_rule: Annotated[
        Literal["centre", "overhang"],
        option_help("a coin is off when its centre, or when any part, is past the edge (PW-X3)"),
    ] = "centre"
    short_penny: Annotated[
        Literal["stays", "removed"],
        option_help("a penny not wholly past the 5 cm line stays, or is taken off (PW-X1)"),
    ] = "stays"
    tie: Annotated[
        Literal["no_score", "replay"],
        option_help("nearest pennies level: nobody scores, or the end is played again (PW-8a)"),
    ] = "no_score"
    game_tie: Annotated[
        Literal["draw", "extra_end"],
        option_help("level after the last end: a draw, or one more end (PW-9b)"),
    ] = "draw"
    restart_cap: Annotated[
        Annotated[int, Meta(ge=1, le=20)] | None,
        option_help("failed openings of an end after which the white is placed; none: no limit (PW-10c)"),
    ] = None
    removals_per_coin: Annotated[
        bool,
        option_help("one removal for each opposing penny knocked off, or one a flick (PW-12b)"),
    ] = True
    removal_scope: Annotated[
        Literal["on_board", "any"],
        option_help("a removal takes a penny on the board, or one not yet flicked too (PW-12b)"),
    ] = "on_board"
    foul: Annotated[
        Literal["restore", "point"],
        option_help("a player owns up to touching another coin: put back, or also a point to the opponent (PW-13d)"),
    ] = "restore"
    disturb: Annotated[
        Literal["restore", "point"],
        option_help(
            "a player owns up to turning or knocking the board: put back, or also a point to the opponent (PW-14a)"
        ),
    ] = "restore"

    blocked_start: Annotated[
        Literal["forfeit", "lift"],
        option_help("no free spot behind the 5 cm line: the penny is forfeited, or the coins there are lifted (PW-5a)"),
    ] = "forfeit"
    start_overhang: Annotated[
        Literal["allowed", "barred"],
        option_help("a coin to be flicked hangs over an edge, its centre on the board: allowed, or barred (PW-5a)"),
    ] = "allowed"

    def check_combination(self) -> None:
        """Check that a coin fits behind the 5 cm line."""
        if must_lie_wholly_on_board(self) and radius(self) > mm(25.0):
            reason = (
                "is off (off_rule=overhang)" if self.off_rule == "overhang" else "is barred (start_overhang=barred)"
            )
            raise ValueError(
                f"coin_diameter_mm {to_mm(2.0 * radius(self)):g} leaves no room behind the 5 cm line where an "
                f"overhanging coin {reason}; it may be at most 50"
            )


def must_lie_wholly_on_board(options: Options) -> bool:
    """Return True if a coin must lie wholly on the board to be flicked: overhanging it is off, or barred (PW-X3,
    PW-5a)."""
    return options.off_rule == "overhang" or options.start_overhang == "barred"


def radius(options: Options) -> float:
    """Radius of every coin [m]."""
    if options.coin_diameter_mm is not None:
        return mm(options.coin_diameter_mm) / 2.0
    return COINS[options.coin].diameter / 2.0


def coin(options: Options, name: str, owner: int | None, at: Point) -> Piece:
    """Piece for a penny or the white at a position."""
    dimensions = COINS[options.coin]
    return Piece(
        id=name, kind="white" if name == WHITE else "penny", owner=owner, x=at[0], y=at[1], radius=radius(options),
        thickness=dimensions.thickness, mass=dimensions.mass, material=dimensions.material, ring=_CONTACT_RADIUS,
    )  # fmt: skip


def board(options: Options) -> Surface:
    """Surface of the board: x across, y away from the players, both lines across its full width."""
    width, length = (mm(side) for side in options.board_mm)
    lines = tuple(
        Line(name=name, a=(0.0, mm(y)), b=(width, mm(y))) for name, y in ((START_LINE, 50.0), (FAR_LINE, 450.0))
    )
    return Surface(material=options.board, outline=rectangle(width, length), lines=lines)


def board_width(options: Options) -> float:
    """Width of the board [m]."""
    return mm(options.board_mm[0])


def start_spot(options: Options) -> Point:
    """Default start of a flick: mid-board, just behind the 5 cm line [m] (PW-5a)."""
    return (board_width(options) / 2.0, mm(50.0) - radius(options))


def start_zone(options: Options) -> tuple[Point, ...]:
    """Area for a coin's centre before a flick: wholly behind the 5 cm line, on the board [m] (PW-5a)."""
    size = radius(options)
    margin = size if must_lie_wholly_on_board(options) else 0.0
    return rectangle(board_width(options) - 2.0 * margin, mm(50.0) - size - margin, margin, margin)


def is_legal_start(options: Options, at: Point) -> bool:
    """Return True if a coin may be flicked from a point, other coins aside (PW-5a)."""
    low, _, high, _ = start_zone(options)
    return all(low[k] - 1e-9 <= at[k] <= high[k] + 1e-9 for k in range(2))


def white_y_range(options: Options) -> tuple[float, float]:
    """Nearest and farthest y of a placed white's centre [m] (PW-2a)."""
    extra = radius(options) if options.jack_measure == "edge" else 0.0
    return mm(550.0) + extra, mm(600.0) + extra


def white_y_choices(options: Options) -> tuple[float, ...]:
    """Places offered for the white, y of its centre [m]: 575 mm, which suits both measures, and every 5 mm from there,
    nearest first (PW-2a)."""
    low, high = white_y_range(options)
    middle = min(max(mm(575.0), low), high)
    steps = [round(middle + mm(5.0) * k, 9) for k in range(-10, 11)]
    return tuple(y for y in steps if low <= y <= high)
