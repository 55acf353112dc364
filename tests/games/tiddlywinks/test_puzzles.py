"""Puzzles that are shipped: last turns, worth what they say, and judged by who wins the game."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from flicksim.challenges import find, laid, stood
from flicksim.games.tiddlywinks import GAME, rules
from flicksim.games.tiddlywinks.puzzles import Puzzle, kept
from flicksim.games.tiddlywinks.puzzles import posed as posed_as
from flicksim.play import GameFuture, TableStage
from flicksim.play.puzzles import TRIES
from flicksim.players import GRADES


@pytest.mark.parametrize("puzzle", kept(), ids=lambda one: f"{one.game_seed}-{one.turn}")
def test_a_shipped_puzzle_is_worth_what_it_says(puzzle: Puzzle) -> None:
    """By 32 tries of its own; four standard errors apart at most."""
    rules.check(puzzle.state, puzzle.solution)
    assert rules.to_play(puzzle.state) == puzzle.seat
    assert puzzle.tries >= 100 * TRIES
    assert puzzle.state.book.laps == 1
    assert puzzle.state.book.opener == puzzle.seat, "nobody plays after it"
    assert puzzle.chance - puzzle.rival >= 0.1
    future = GameFuture(GAME, TableStage())
    found = future.play_out(puzzle.state, puzzle.seat, [puzzle.solution], GRADES["club"], 32, 5)
    assert found.chance.mean() == pytest.approx(puzzle.chance, abs=0.05 + 4.0 * float(found.chance.std()) / 32**0.5)


@pytest.mark.parametrize("number", range(1, len(kept()) + 1))
def test_a_solution_made_exactly_wins(number: int) -> None:
    posed, puzzle = find(f"last-turn-{number}"), kept()[number - 1]
    match = laid(posed)
    match.play(puzzle.solution)
    while not match.over:  # a pot brings an extra shot
        assert posed.challenge.plan is not None
        match.play(posed.challenge.plan(match.state, np.random.default_rng(1)))
    assert stood(posed, match.turns).done
    assert posed_as(len(kept()) + 1, puzzle).title, "one more would have a name too"


def test_a_puzzle_is_done_when_the_game_is_won() -> None:
    """Squidged just as the solution has it, it is won; squidged at nothing, it is not."""
    posed, puzzle = find("last-turn-1"), kept()[0]
    for speed, done in ((1.0, True), (0.3, False)):
        match = laid(posed)
        match.play(msgspec.structs.replace(puzzle.solution, speed=speed * puzzle.solution.speed))
        while not match.over:  # a pot brings an extra shot
            assert posed.challenge.plan is not None
            match.play(posed.challenge.plan(match.state, np.random.default_rng(1)))
        came = stood(posed, match.turns)
        assert (came.done, came.ended) == (done, True)
        assert came.says.endswith("win.")
