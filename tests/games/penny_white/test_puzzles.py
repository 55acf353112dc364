"""Puzzles that are shipped: each is checked again, can be done by its solution, and is judged by who takes the end."""

import pytest

from flicksim.ai import GRADES
from flicksim.challenges import attempt_status, find_challenge, start_attempt
from flicksim.games.penny_white import GAME, challenges, rules
from flicksim.games.penny_white.challenges import Puzzle, load_puzzles
from flicksim.match import GameRolloutModel, PhysicsSimulator
from flicksim.match.puzzles import TRIES


def test_every_shipped_puzzle_becomes_a_challenge_with_a_title() -> None:
    names = [one.title for one in challenges.builtin() if one.group == "Puzzles"]
    assert len(set(names)) == len(names) == len(load_puzzles()) >= 50
    assert not any(character.isdigit() for name in names for character in name)
    for puzzle in load_puzzles():
        rules.check_action(puzzle.state, puzzle.solution)
        assert rules.to_play(puzzle.state) == puzzle.seat
        assert puzzle.state.left[puzzle.seat] == 1
        assert puzzle.state.left[1 - puzzle.seat] == 0, "the flick ends the game"
        assert puzzle.tries >= 100 * TRIES
        assert puzzle.chance - puzzle.next_best_chance >= 0.08, "as four searches found"


@pytest.mark.parametrize("puzzle", load_puzzles()[::6], ids=lambda one: f"{one.game_seed}-{one.turn}")
def test_win_probabilities_of_a_shipped_puzzle_are_reproduced(puzzle: Puzzle) -> None:
    """By 400 tries of its own; four standard errors apart at most."""
    rollout_model = GameRolloutModel(GAME, PhysicsSimulator())
    found = rollout_model.rollout(puzzle.state, puzzle.seat, [puzzle.solution], GRADES["club"], 400, 5)
    assert found.win_probability.mean() == pytest.approx(
        puzzle.chance, abs=0.02 + 4.0 * float(found.win_probability.std()) / 20.0
    )


def test_a_puzzle_is_solved_when_the_end_is_taken() -> None:
    """Flicked just as the solution has it, the easiest is won; flicked at nothing, it is not."""
    posed, puzzle = find_challenge("puzzle-1"), load_puzzles()[0]
    for speed, done in ((1.0, True), (0.3, False)):
        match = start_attempt(posed)
        flick = puzzle.solution.__class__(
            piece=puzzle.solution.piece, speed=speed * puzzle.solution.speed, azimuth=puzzle.solution.azimuth,
            start=puzzle.solution.start,
        )  # fmt: skip
        match.play(flick)
        came = attempt_status(posed, match.turns)
        assert (came.is_solved, came.is_over) == (done, True)
        assert came.text.endswith("the end.")
