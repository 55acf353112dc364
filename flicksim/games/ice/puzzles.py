"""Puzzle criteria of Ice Tiddly Winks: the last missile, with one clearly best launch.

They are in `puzzles.json`, found by `flicksim puzzles ice` with the execution noise of world class and experts; the win
probabilities are from 1600 rollouts. A returned missile is launched again (ITW-5g), in the rollouts too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from flicksim.core.serialization import from_json, read_bytes
from flicksim.games.ice import bot, rules
from flicksim.games.ice.state import State
from flicksim.games.ice.table_layout import SEATS
from flicksim.referee import AttemptStatus, Challenge, CompletedAction
from flicksim.referee import Puzzle as GenericPuzzle
from flicksim.scene import Launch

FILE = Path(__file__).with_name("puzzles.json")

Puzzle = GenericPuzzle[State, Launch]
"""Position with its best launch."""


@lru_cache(maxsize=1)
def load_puzzles() -> tuple[Puzzle, ...]:
    """Load the puzzles that come with the game, easiest first."""
    return from_json(read_bytes(FILE), tuple[Puzzle, ...])


def puzzle_challenge(number: int, puzzle: Puzzle) -> Challenge:
    """Convert a puzzle to a challenge, solved by winning the game alone."""
    who, points = SEATS[puzzle.seat], rules.provisional_points(puzzle.state)
    best_opponent = max(opposing for seat, opposing in enumerate(points) if seat != puzzle.seat)

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not turns:
            return AttemptStatus()
        after = turns[-1].after
        assert isinstance(after, State)
        if after.final is None:
            return AttemptStatus(text="It is handed back: launch it again." if after.hands[puzzle.seat] else "")
        counted = ", ".join(f"{SEATS[seat]}: {points}" for seat, points in enumerate(after.final))
        return AttemptStatus(text=f"{counted}.", is_solved=rules.leaders(after) == (puzzle.seat,), is_over=True)

    deficit = best_opponent - points[puzzle.seat]
    return puzzle.to_challenge(
        f"last-missile-{number}", f"{f'{deficit} behind' if deficit else 'Level'} with a {puzzle.solution.size} one",
        f"{who} has the last missile and stands {points[puzzle.seat]} to {best_opponent}: find the launch that wins. "
        "Coming out level is not enough.", puzzle.state.seats, judge,
        continuation=lambda state, rng: bot.candidates(state, rng, 1)[0],
    )  # fmt: skip
