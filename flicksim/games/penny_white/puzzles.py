"""Puzzles out of bots' games: last pennies for which one flick wins clearly oftener than any that is not like it.

`puzzles.json` beside this file holds them, out of games of one end. An earlier miner found the first 25, whose chances
rest on 4800 tries, and that of today (`flicksim puzzles penny-white -o ends=1`) the others, whose chances rest on 1600.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from flicksim.base.codec import from_json, read_bytes
from flicksim.games.penny_white.outlook import settled
from flicksim.games.penny_white.state import SEATS, State
from flicksim.referee import Came, Challenge, Done
from flicksim.referee import Puzzle as Posed
from flicksim.table import Flick

FILE = Path(__file__).with_name("puzzles.json")
_TITLES = (
    "The open white", "White to the right", "Past red's shoulder", "The open left side", "In behind the guards",
    "Up the middle", "A long one from the right", "Wide of the pair", "Two guards to pass", "Three about the white",
    "Just over the line", "Through the gate", "Across to the left", "Up the left edge", "A close neighbour",
    "Two blues in the way", "The crowded corner", "Round the guard's left", "Two in line", "The blue wall",
    "The red wall", "A crowd in front", "Blue hugs the white", "Four in a column", "Red hugs the white",
    "Nobody near", "Past the knot", "In from the left", "Between three reds", "Right of the red stairs",
    "Red to the left, a heap to the right", "Red close on the left", "Over the red corner", "Left of the five",
    "Slanting from the right", "Left past the column", "Far up on the right", "Red below, blue beyond",
    "Two reds at the side", "Red on the right shoulder", "Red between the blues",
    "Red on one side, blue on the other", "Red on its heels", "Blue stands before it", "Blue on both sides",
    "Blue under the white", "Round the blue pair", "Three blues below", "Round six in the way", "High behind the row",
    "Blue straight before it", "Blue at its heel", "Blue on the right shoulder", "Over the red bow", "The blue gate",
    "Into the blue cup", "Right of the crowd", "Red touches from the left",
)  # fmt: skip
"""Names of the puzzles, by how they lie."""

Puzzle = Posed[State, Flick]
"""A position with the flick that is best there."""


@lru_cache(maxsize=1)
def kept() -> tuple[Puzzle, ...]:
    """Those that come with the game: the first 25 easiest first, then the others."""
    return from_json(read_bytes(FILE), tuple[Puzzle, ...])


def posed(number: int, puzzle: Puzzle) -> Challenge:
    """A puzzle as a challenge: it is done when the end is won."""
    seat, who = puzzle.seat, SEATS[puzzle.seat]

    def judge(turns: Sequence[Done]) -> Came:
        if not turns:
            return Came()
        scores = settled(turns[-1].after).scores
        if scores[seat] == scores[1 - seat]:
            return Came(says="Nobody takes the end.", ended=True)
        taker = SEATS[seat if scores[seat] > scores[1 - seat] else 1 - seat]
        return Came(says=f"{taker} takes the end.", done=taker == who, ended=True)

    return puzzle.posed(
        f"puzzle-{number}",
        _TITLES[number - 1],
        f"{who} has the last penny: find the flick that takes the end.",
        2,
        judge,
    )
