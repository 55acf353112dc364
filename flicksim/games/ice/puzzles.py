"""Puzzle criteria of Ice Tiddly Winks: the last missile, with one clearly best launch.

`puzzles.json` beside this file holds them, found by `flicksim puzzles ice` with hands of world class and of experts;
their chances rest on 1600 tries. One that is handed back is launched again (ITW-5g), in those tries too.
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
from flicksim.referee import Puzzle as Posed
from flicksim.scene import Launch

FILE = Path(__file__).with_name("puzzles.json")

Puzzle = Posed[State, Launch]
"""A position with the launch that is best there."""


@lru_cache(maxsize=1)
def load_puzzles() -> tuple[Puzzle, ...]:
    """Return the challenges that come with the game, easiest first."""
    return from_json(read_bytes(FILE), tuple[Puzzle, ...])


def puzzle_challenge(number: int, puzzle: Puzzle) -> Challenge:
    """Convert a puzzle to a challenge, solved by winning the game alone."""
    who, points = SEATS[puzzle.seat], rules.provisional_points(puzzle.state)
    others = max(had for seat, had in enumerate(points) if seat != puzzle.seat)

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        if not turns:
            return AttemptStatus()
        after = turns[-1].after
        assert isinstance(after, State)
        if after.final is None:
            return AttemptStatus(text="It is handed back: launch it again." if after.hands[puzzle.seat] else "")
        counted = ", ".join(f"{SEATS[seat]}: {points}" for seat, points in enumerate(after.final))
        return AttemptStatus(text=f"{counted}.", is_solved=rules.leaders(after) == (puzzle.seat,), is_over=True)

    behind = others - points[puzzle.seat]
    return puzzle.to_challenge(
        f"last-missile-{number}", f"{f'{behind} behind' if behind else 'Level'} with a {puzzle.solution.size} one",
        f"{who} has the last missile and stands {points[puzzle.seat]} to {others}: find the launch that wins. "
        "Coming out level is not enough.", puzzle.state.seats, judge,
        continuation=lambda state, rng: bot.candidates(state, rng, 1)[0],
    )  # fmt: skip
