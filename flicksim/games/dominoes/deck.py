"""Tile sets, deals and options of Tiddly-Wink dominoes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from flicksim.cards import Tile, Zone, Zones, deal, hand_zone, purse_name, shuffle, tile_set
from flicksim.core.errors import InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.referee import GameOptions, load_option_help

NAMES = ("Ann", "Bob", "Cy", "Dot", "Eve", "Fay", "Gus", "Hal", "Ivy",
         "Jo", "Kit", "Lea", "Max", "Nan", "Oz", "Pip", "Rae", "Sam")  # fmt: skip
HANDS = tuple(hand_zone(seat) for seat in range(len(NAMES)))
CHIPS = tuple(purse_name("chips", seat) for seat in range(len(NAMES)))
BONEYARD, LAYOUT, POOL = "boneyard", "layout", "pool"


class Options(GameOptions, frozen=True, kw_only=True):
    """Options of Tiddly-Wink dominoes."""

    HELP: ClassVar[Mapping[str, str]] = load_option_help(Path(__file__).parent)
    version: Literal["american", "british"] = "british"
    rounds: Annotated[int, Meta(ge=1, le=100)] = 5
    set: Literal["auto", 6, 9, 12] = "auto"
    tie: Literal["split", "none", "lightest_tile", "carry"] = "split"
    must_play: bool = True
    chain_doubles: bool = False
    stake: Annotated[int, Meta(ge=1, le=1000)] = 1
    british_stake: Annotated[int, Meta(ge=0, le=1000)] = 0
    after_draw: Literal["left_of_dealer", "dealer"] = "left_of_dealer"


def american(options: Options) -> bool:
    """Return True if the American version is played."""
    return options.version == "american"


def stake(options: Options) -> int:
    """Chips each seat puts in before a round (DO-A8, DO-B12)."""
    return options.stake if american(options) else options.british_stake


def highest_half(options: Options, seats: int) -> int:
    """Pips of the set's largest half (DO-A3, DO-B2, DO-B3)."""
    if american(options):
        return 6
    if options.set != "auto":
        return options.set
    return 6 if seats <= 6 else 9 if seats <= 10 else 12


def hand_size(options: Options, seats: int) -> int:
    """Number of tiles dealt to every seat (DO-A6, DO-B4)."""
    return 3 if american(options) else len(tile_set(highest_half(options, seats))) // seats


def check_seats_and_options(options: Options, seats: int) -> None:
    """Check that the number of seats fits the options.

    Raises:
        InvalidOption: it does not; the message gives the reason.
    """
    if american(options):
        if not 5 <= seats <= 8:
            raise InvalidOption(f"the American version is for 5 to 8 players, not {seats} (DO-A4)")
        if options.set not in ("auto", 6):
            raise InvalidOption(f"the American version is played with a double-six set, not set={options.set} (DO-A3)")
        return
    size = highest_half(options, seats)
    left_over = len(tile_set(size)) % seats
    if left_over > size:
        raise InvalidOption(
            f"set={size} leaves {left_over} tiles over for {seats} players, enough to hold every double; take a larger "
            "set (DO-B8)"
        )


def deal_round(options: Options, seats: int, dealer: int, seeds: RandomStreams, chips: dict[str, int]) -> Zones[Tile]:
    """Deal the tiles from the dealer's left and put the stakes into the pool (DO-A6 to DO-A8, DO-B4, DO-B5)."""
    pack = shuffle(tile_set(highest_half(options, seats)), seeds)
    hands, boneyard = deal(pack, seats, hand_size(options, seats), (dealer + 1) % seats)
    piles = {
        HANDS[seat]: Zone(owner=seat, sees="owner", cards=tuple(sorted(tiles))) for seat, tiles in enumerate(hands)
    }
    piles[BONEYARD] = Zone(sees="nobody", cards=boneyard)
    piles[LAYOUT] = Zone()
    each_stake = stake(options)
    staked = {CHIPS[seat]: chips.get(CHIPS[seat], 0) - each_stake for seat in range(seats)}
    return Zones(piles=piles, purses={**staked, POOL: chips.get(POOL, 0) + seats * each_stake})
