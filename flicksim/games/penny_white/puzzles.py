"""Puzzle criteria of Penny White: last pennies with one clearly best flick.

They are in `puzzles.json`, from games of one end (`flicksim puzzles penny-white -o ends=1`). Each was verified by four
searches of 30,000 and 40,000 shots, which found no other idea within .08 of its win probability; both probabilities are
from 4,800 rollouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from flicksim.core.serialization import from_json, read_bytes
from flicksim.games.penny_white.rollouts import resolve_removals
from flicksim.games.penny_white.state import SEATS, State
from flicksim.referee import AttemptStatus, Challenge, CompletedAction
from flicksim.referee import Puzzle as GenericPuzzle
from flicksim.scene import Flick

FILE = Path(__file__).with_name("puzzles.json")
_TITLES = (
    "Left of the five", "The open left side", "Between three reds", "Up the middle", "From the right rail",
    "Up the free left", "High behind the row", "Red at its left side", "Round a heap on the left",
    "Two guards to pass", "In from the left", "Blue behind it", "Far up from the left", "Three about the white",
    "Through the gate", "Red to the left, a heap to the right", "Reds on the left hand", "High in the corner",
    "Red below, blue at the shoulder", "Up the left edge", "Two close on the right", "Ringed from below",
    "Just over the line", "Between the red posts", "Red before it, blue beside", "Left past the column",
    "Along the left rail", "Red guards the edge", "The blue guard below", "Over the red corner",
    "Three reds close by", "Red behind it", "The blue wall", "The red side", "Blue on the right shoulder",
    "On the far edge", "Blue stands before it", "The long way round", "Blue leans on its left", "Red on its heels",
    "Over two colours", "Slantwise round the blue", "Two blues on the left", "Far up on the right",
    "High over the red", "Red on either hand", "Right of the crowd", "Red between the blues", "A crowd in front",
    "Squeezed by reds", "Through the blue posts", "Blue straight before it", "Four in a column", "Into the blue cup",
    "Red right under it", "Blue right under it",
)  # fmt: skip
"""Titles of the puzzles."""

Puzzle = GenericPuzzle[State, Flick]
"""Position with its best flick."""


@lru_cache(maxsize=1)
def load_puzzles() -> tuple[Puzzle, ...]:
    """Load the puzzles that come with the game, easiest first."""
    return from_json(read_bytes(FILE), tuple[Puzzle, ...])


def puzzle_challenge(number: int, puzzle: Puzzle) -> Challenge:
    """Convert a puzzle to a challenge, solved by winning the end."""
    seat, who = puzzle.seat, SEATS[puzzle.seat]

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not turns:
            return AttemptStatus()
        scores = resolve_removals(turns[-1].after).scores
        if scores[seat] == scores[1 - seat]:
            return AttemptStatus(text="Nobody takes the end.", is_over=True)
        winner = SEATS[seat if scores[seat] > scores[1 - seat] else 1 - seat]
        return AttemptStatus(text=f"{winner} takes the end.", is_solved=winner == who, is_over=True)

    return puzzle.to_challenge(
        f"puzzle-{number}",
        _TITLES[number - 1],
        f"{who} has the last penny: find the flick that takes the end.",
        2,
        judge,
    )
