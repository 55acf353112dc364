"""Coins and board of Penny White: dimensions with sources, and the opening scene."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from flicksim.core.geometry import Point, rectangle
from flicksim.core.serialization import Value
from flicksim.core.units import GRAVITY, grams, mm, to_mm
from flicksim.referee import GameOptions, load_option_help
from flicksim.scene import DEFAULT_PAIRINGS, Line, Piece, Surface

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

    HELP: ClassVar[Mapping[str, str]] = load_option_help(Path(__file__).parent)
    ADDED_LATER: ClassVar[frozenset[str]] = frozenset({"start_overhang"})

    coin: Literal["1p_bronze", "1p_steel", "old_penny", "us_cent", "2p"] = "1p_bronze"
    coin_diameter_mm: Annotated[float, Meta(ge=5.0, le=60.0)] | None = None
    board_mm: tuple[Annotated[float, Meta(ge=100.0, le=3000.0)], Annotated[float, Meta(ge=650.0, le=5000.0)]] = (
        300.0,
        800.0,
    )
    board: Literal["polished", "wood", "chalked", "slate"] = "polished"
    pennies: Annotated[int, Meta(ge=1, le=12)] = 4
    ends: Annotated[int, Meta(ge=1, le=100)] = 6
    first: Literal["toss", "first", "second"] = "toss"
    jack_mode: Literal["experienced", "beginner"] = "experienced"
    jack_measure: Literal["edge", "centre"] = "edge"
    line_touch: Literal["not_over", "over"] = "not_over"
    off_rule: Literal["centre", "overhang"] = "centre"
    short_penny: Literal["stays", "removed"] = "stays"
    tie: Literal["no_score", "replay"] = "no_score"
    game_tie: Literal["draw", "extra_end"] = "draw"
    restart_cap: Annotated[int, Meta(ge=1, le=20)] | None = None
    removals_per_coin: bool = True
    removal_scope: Literal["on_board", "any"] = "on_board"
    foul: Literal["restore", "point"] = "restore"
    disturb: Literal["restore", "point"] = "restore"

    blocked_start: Literal["forfeit", "lift"] = "forfeit"
    start_overhang: Literal["allowed", "barred"] = "allowed"

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


def friction_deceleration(options: Options) -> float:
    """Deceleration of a sliding coin on the board [m/s^2]."""
    return DEFAULT_PAIRINGS.lookup(COINS[options.coin].material, options.board).friction * GRAVITY


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
