"""State of a game of Tiddly-Wink dominoes between two actions."""

from typing import Annotated, Literal

from msgspec import Meta

from flicksim.cards import Tile, Zones, tile_mask
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.games.dominoes.bitboard import NO_END
from flicksim.games.dominoes.deck import HANDS, Options

Phase = Literal["lead", "turn_up", "tile", "second", "over"]
How = Literal["domino", "block"]
End = Annotated[int, Meta(ge=NO_END, le=12)]


class Round(Value, frozen=True, kw_only=True):
    """A finished round, for the score sheet.

    Args:
        how: a seat dominoed, or the round was blocked. won: seats that won it.
        pips: pips left in each hand. points: gain or loss of each seat.
    """

    how: How
    won: tuple[int, ...]
    pips: tuple[int, ...]
    points: tuple[int, ...]


class State(Value, frozen=True, kw_only=True):
    """State of a game between two actions.

    Args:
        seats: number of seats. round: number of the round being played, from 1. dealer: who dealt it.
        to_play: seat that acts now; None when the game is over.
        phase: action due: the lead double, a tile turned up from the boneyard, a tile, a second tile, or none.
        zones: hands, boneyard and layout (left end first); chips and pool.
        left, right: pips at the open ends; -1 where there is none (the American line has a right end only).
        led: the round's first tile.
        lacks: numbers each seat is known not to hold, by passing. passes: turns passed in a row.
        scores: chips won or lost, or rounds won where nothing is staked. sheet: rounds finished.
        seeds: random streams of later deals; no seat's view has them.
    """

    options: Options
    seats: int
    round: int
    dealer: int
    to_play: int | None
    phase: Phase
    zones: Zones[Tile]
    left: End = NO_END
    right: End = NO_END
    led: Tile | None = None
    lacks: tuple[tuple[int, ...], ...] = ()
    passes: int = 0
    scores: tuple[int, ...] = ()
    sheet: tuple[Round, ...] = ()
    seeds: RandomStreams | None = None


def hand_bits(state: State, seat: int) -> int:
    """Tiles of a seat as a bit mask."""
    return tile_mask(state.zones.cards(HANDS[seat]))


def open_ends_text(state: State) -> str:
    """Open ends as text: "4", or "4 or 6"."""
    if state.left in (NO_END, state.right):
        return f"{state.right}"
    return f"{state.left} or {state.right}"
