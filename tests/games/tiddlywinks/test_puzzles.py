"""Tests of the shipped puzzles of tiddlywinks: win probabilities, and criteria."""

import msgspec
import numpy as np
import pytest

from flicksim.ai import GRADES
from flicksim.challenges import attempt_status, find_challenge, start_attempt
from flicksim.games.tiddlywinks import GAME, rules
from flicksim.games.tiddlywinks.challenges import Puzzle, load_puzzles
from flicksim.games.tiddlywinks.challenges import puzzle_challenge as posed_as
from flicksim.match import GameRolloutModel, PhysicsSimulator
from flicksim.match.puzzles import TRIES


@pytest.mark.parametrize("puzzle", load_puzzles(), ids=lambda one: f"{one.game_seed}-{one.turn}")
def test_win_probabilities_of_a_shipped_puzzle_are_reproduced(puzzle: Puzzle) -> None:
    """By 32 tries of its own; four standard errors apart at most."""
    rules.check_action(puzzle.state, puzzle.solution)
    assert rules.to_play(puzzle.state) == puzzle.seat
    assert puzzle.tries >= 100 * TRIES
    assert puzzle.state.book.laps == 1
    assert puzzle.state.book.opener == puzzle.seat, "nobody plays after it"
    assert puzzle.chance - puzzle.next_best_chance >= 0.1
    rollout_model = GameRolloutModel(GAME, PhysicsSimulator())
    found = rollout_model.rollout(puzzle.state, puzzle.seat, [puzzle.solution], GRADES["club"], 32, 5)
    assert found.win_probability.mean() == pytest.approx(
        puzzle.chance, abs=0.05 + 4.0 * float(found.win_probability.std()) / 32**0.5
    )


@pytest.mark.parametrize("number", range(1, len(load_puzzles()) + 1))
def test_a_solution_made_exactly_wins(number: int) -> None:
    posed, puzzle = find_challenge(f"last-turn-{number}"), load_puzzles()[number - 1]
    match = start_attempt(posed)
    match.play(puzzle.solution)
    while not match.is_over:  # a pot brings an extra shot
        assert posed.challenge.policy is not None
        match.play(posed.challenge.policy(match.state, np.random.default_rng(1)))
    assert attempt_status(posed, match.turns).is_solved
    assert posed_as(len(load_puzzles()) + 1, puzzle).title, "one more would have a name too"


def test_a_puzzle_is_solved_when_the_game_is_won() -> None:
    """Squidged just as the solution has it, it is won; squidged at nothing, it is not."""
    posed, puzzle = find_challenge("last-turn-1"), load_puzzles()[0]
    for speed, done in ((1.0, True), (0.3, False)):
        match = start_attempt(posed)
        match.play(msgspec.structs.replace(puzzle.solution, speed=speed * puzzle.solution.speed))
        while not match.is_over:  # a pot brings an extra shot
            assert posed.challenge.policy is not None
            match.play(posed.challenge.policy(match.state, np.random.default_rng(1)))
        came = attempt_status(posed, match.turns)
        assert (came.is_solved, came.is_over) == (done, True)
        assert came.text.endswith("win.")
