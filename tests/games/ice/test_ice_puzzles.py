"""Puzzles that are shipped: last missiles, worth what they say, and judged by who wins the game."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
import pytest

from flicksim.base.kinds import Account, Action
from flicksim.challenges import find, laid, stood
from flicksim.games.ice import GAME, challenges, rules
from flicksim.games.ice.puzzles import Puzzle, kept
from flicksim.games.ice.puzzles import posed as posed_as
from flicksim.games.ice.state import State
from flicksim.play import GameFuture, TableStage
from flicksim.play.puzzles import MARGIN, TRIES
from flicksim.players import GRADES
from flicksim.referee import Came


@dataclass(frozen=True)
class Told:
    """A turn that is told instead of played."""

    after: State
    before: State = field(default_factory=lambda: kept()[0].state)
    made: Action = None
    account: Account = None


@pytest.mark.parametrize("puzzle", kept(), ids=lambda one: f"{one.game_seed}-{one.turn}")
def test_a_shipped_puzzle_is_worth_what_it_says(puzzle: Puzzle) -> None:
    """By 48 tries of its own; four standard errors apart at most."""
    rules.check(puzzle.state, puzzle.solution)
    assert rules.to_play(puzzle.state) == puzzle.seat
    assert puzzle.tries >= 100 * TRIES
    assert [len(hand) for hand in puzzle.state.hands] == [int(seat == puzzle.seat) for seat in range(2)]
    assert not puzzle.state.aloft, "nobody plays after it"
    assert puzzle.chance - puzzle.rival >= MARGIN
    future = GameFuture(GAME, TableStage(), turns=8)
    found = future.play_out(puzzle.state, puzzle.seat, [puzzle.solution], GRADES[puzzle.hand], 48, 5)
    won = found.chance == 1.0
    assert won.mean() == pytest.approx(puzzle.chance, abs=0.02 + 4.0 * float(won.std()) / 48**0.5)


def test_a_puzzle_is_done_when_the_game_is_won_alone() -> None:
    posed, puzzle = find("last-missile-1"), kept()[0]
    launched = msgspec.structs.replace(puzzle.state, hands=((), ()))
    stand = dict(zip((0, 1), rules.standing(puzzle.state), strict=True))
    assert f"stands {stand[puzzle.seat]} to {stand[1 - puzzle.seat]}:" in posed.challenge.goal
    back = posed.challenge.judge([Told(puzzle.state)])
    assert (back.done, back.ended, back.says) == (False, False, "It is handed back: launch it again.")
    lost = posed.challenge.judge([Told(msgspec.structs.replace(launched, final=rules.standing(launched)))])
    assert (lost.done, lost.ended) == (False, True)
    assert lost.says == f"Red: {stand[0]}, Yellow: {stand[1]}."
    assert posed.challenge.judge(()) == Came()


def test_puzzles_are_named_after_how_they_stand() -> None:
    names = [posed_as(number, puzzle).title for number, puzzle in enumerate(kept(), 1)]
    assert {"Level with a large one", "1 behind with a large one"} <= set(names)
    assert len(set(names)) == len(names)


def test_a_puzzle_is_played_on_as_long_as_the_missile_comes_back() -> None:
    """The solution first, then what is natural: until everything is launched and counted."""
    posed, puzzle = find("last-missile-1"), kept()[0]
    match = laid(posed, f"bot:{puzzle.hand}", 1)
    assert posed.challenge.plan is not None
    while not match.over:
        made = posed.challenge.plan(match.state, match.seeds.child("plan", len(match.turns)).generator())
        assert (made == puzzle.solution) == (match.state == puzzle.state)
        match.play(made)
    came = stood(posed, match.turns)
    assert came.ended
    assert came.done == (rules.winning(match.state) == (puzzle.seat,))


def test_no_challenge_of_ice_counts_on_a_hint() -> None:
    """There are none meanwhile; the launch to begin with is told in numbers that the window lets one set."""
    tricks = {one.name: one.trick for one in challenges.shipped()}
    assert not any("H " in trick for trick in tricks.values())
    assert tricks["stand-large"].startswith("To begin with: 1.86 m/s, 82° up, nail at 6 mm, lifted 183 mm.")
