"""Puzzle criteria of tiddlywinks: the last turn of a game, with one clearly best idea.

They are in `puzzles.json`, from short games (`flicksim puzzles tiddlywinks -o time_limit_s=90 -o rounds=0`); the win
probabilities are from 1,600 rollouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from flicksim.core.serialization import from_json, read_bytes
from flicksim.games.tiddlywinks import bot, scoring
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.state import State
from flicksim.referee import AttemptStatus, Challenge, CompletedAction
from flicksim.referee import Puzzle as GenericPuzzle
from flicksim.scene import Squidge

FILE = Path(__file__).with_name("puzzles.json")
_TITLES = ("The last shot", "The last turn")
"""Titles of the first puzzles; further ones are named after the colour to play."""

Puzzle = GenericPuzzle[State, Squidge]
"""Position with its best squidge."""


@lru_cache(maxsize=1)
def load_puzzles() -> tuple[Puzzle, ...]:
    """Load the puzzles that come with the game, easiest first."""
    return from_json(read_bytes(FILE), tuple[Puzzle, ...])


def puzzle_challenge(number: int, puzzle: Puzzle) -> Challenge:
    """Convert a puzzle to a challenge, solved by winning the game."""
    pair, who = kit.pair_of(puzzle.seat), kit.SEATS[puzzle.seat]

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not turns or turns[-1].after.to_play is not None:
            return AttemptStatus()
        points = scoring.pair_points(turns[-1].after.book.points)
        if points[0] == points[1]:
            return AttemptStatus(text="The pairs are level.", is_over=True)
        is_solved = (points[0] > points[1]) == (pair == 0)
        return AttemptStatus(
            text=f"{kit.PAIRS[pair if is_solved else 1 - pair]} win.", is_solved=is_solved, is_over=True
        )

    return puzzle.to_challenge(
        f"last-turn-{number}", _TITLES[number - 1] if number <= len(_TITLES) else f"{who}'s last turn",
        f"{who} has the last turn of the game: find the shot that wins it.", 4, judge,
        continuation=lambda state, rng: bot.candidates(state, rng, 1)[0],  # a pot brings an extra shot (TW-7d)
    )  # fmt: skip
