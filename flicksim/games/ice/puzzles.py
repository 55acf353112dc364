"""Puzzles out of bots' games: the last missile, for which one launch wins clearly oftener than any that is not like it.

`puzzles.json` beside this file holds them, found by `flicksim puzzles ice` with hands of world class and of experts;
their chances rest on 1600 tries. One that is handed back is launched again (ITW-5g), in those tries too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from flicksim.base.codec import from_json, read_bytes
from flicksim.games.ice import bot, rules
from flicksim.games.ice.seats import SEATS
from flicksim.games.ice.state import State
from flicksim.referee import Came, Challenge, Done
from flicksim.referee import Puzzle as Posed
from flicksim.table import Launch

FILE = Path(__file__).with_name("puzzles.json")

Puzzle = Posed[State, Launch]
"""A position with the launch that is best there."""


@lru_cache(maxsize=1)
def kept() -> tuple[Puzzle, ...]:
    """Those that come with the game, easiest first."""
    return from_json(read_bytes(FILE), tuple[Puzzle, ...])


def posed(number: int, puzzle: Puzzle) -> Challenge:
    """A puzzle as a challenge: it is done when the game is won, and not by a win that is shared."""
    who, points = SEATS[puzzle.seat], rules.standing(puzzle.state)
    others = max(had for seat, had in enumerate(points) if seat != puzzle.seat)

    def judge(turns: Sequence[Done]) -> Came:
        if not turns:
            return Came()
        after = turns[-1].after
        assert isinstance(after, State)
        if after.final is None:
            return Came(says="It is handed back: launch it again." if after.hands[puzzle.seat] else "")
        counted = ", ".join(f"{SEATS[seat]}: {points}" for seat, points in enumerate(after.final))
        return Came(says=f"{counted}.", done=rules.winning(after) == (puzzle.seat,), ended=True)

    behind = others - points[puzzle.seat]
    return puzzle.posed(
        f"last-missile-{number}", f"{f'{behind} behind' if behind else 'Level'} with a {puzzle.solution.size} one",
        f"{who} has the last missile and stands {points[puzzle.seat]} to {others}: find the launch that wins. "
        "Coming out level is not enough.", puzzle.state.seats, judge,
        onward=lambda state, dice: bot.candidates(state, dice, 1)[0],
    )  # fmt: skip
