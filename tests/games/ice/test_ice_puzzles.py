"""Tests of the shipped puzzles of Ice Tiddly Winks: win probabilities, and criteria."""

from dataclasses import dataclass, field

import msgspec
import pytest

from flicksim.ai import GRADES
from flicksim.challenges import attempt_status, find_challenge, start_attempt
from flicksim.core.type_aliases import Action, SimulationResult
from flicksim.games.ice import GAME, challenges, rules
from flicksim.games.ice.challenges import Puzzle, load_puzzles
from flicksim.games.ice.challenges import puzzle_challenge as posed_as
from flicksim.games.ice.state import State
from flicksim.match import GameRolloutModel, PhysicsSimulator
from flicksim.match.puzzles import MARGIN, TRIES
from flicksim.referee import AttemptStatus


@dataclass(frozen=True)
class Told:
    """Turn made by hand."""

    after: State
    before: State = field(default_factory=lambda: load_puzzles()[0].state)
    made: Action = None
    result: SimulationResult = None


@pytest.mark.parametrize("puzzle", load_puzzles(), ids=lambda one: f"{one.game_seed}-{one.turn}")
def test_win_probabilities_of_a_shipped_puzzle_are_reproduced(puzzle: Puzzle) -> None:
    """By 48 tries of its own; four standard errors apart at most."""
    rules.check_action(puzzle.state, puzzle.solution)
    assert rules.to_play(puzzle.state) == puzzle.seat
    assert puzzle.tries >= 100 * TRIES
    assert [len(hand) for hand in puzzle.state.hands] == [int(seat == puzzle.seat) for seat in range(2)]
    assert not puzzle.state.aloft, "nobody plays after it"
    assert puzzle.chance - puzzle.next_best_chance >= MARGIN
    rollout_model = GameRolloutModel(GAME, PhysicsSimulator(), max_turns=8)
    found = rollout_model.rollout(puzzle.state, puzzle.seat, [puzzle.solution], GRADES[puzzle.hand], 48, 5)
    won = found.win_probability == 1.0
    assert won.mean() == pytest.approx(puzzle.chance, abs=0.02 + 4.0 * float(won.std()) / 48**0.5)


def test_a_puzzle_is_solved_when_the_game_is_won_alone() -> None:
    posed, puzzle = find_challenge("last-missile-1"), load_puzzles()[0]
    launched = msgspec.structs.replace(puzzle.state, hands=((), ()))
    stand = dict(zip((0, 1), rules.provisional_points(puzzle.state), strict=True))
    assert f"stands {stand[puzzle.seat]} to {stand[1 - puzzle.seat]}:" in posed.challenge.goal
    back = posed.challenge.judge([Told(puzzle.state)])
    assert (back.is_solved, back.is_over, back.text) == (False, False, "It is handed back: launch it again.")
    lost = posed.challenge.judge([Told(msgspec.structs.replace(launched, final=rules.provisional_points(launched)))])
    assert (lost.is_solved, lost.is_over) == (False, True)
    assert lost.text == f"Red: {stand[0]}, Yellow: {stand[1]}."
    assert posed.challenge.judge(()) == AttemptStatus()


def test_puzzle_titles_name_the_deficit() -> None:
    names = [posed_as(number, puzzle).title for number, puzzle in enumerate(load_puzzles(), 1)]
    assert {"Level with a large one", "1 behind with a large one"} <= set(names)
    assert len(set(names)) == len(names)


def test_a_puzzle_continues_while_the_missile_is_returned() -> None:
    """The solution first, then what is natural: until everything is launched and counted."""
    posed, puzzle = find_challenge("last-missile-1"), load_puzzles()[0]
    match = start_attempt(posed, f"bot:{puzzle.hand}", 1)
    assert posed.challenge.policy is not None
    while not match.is_over:
        made = posed.challenge.policy(match.state, match.streams.spawn("plan", len(match.turns)).generator())
        assert (made == puzzle.solution) == (match.state == puzzle.state)
        match.play(made)
    came = attempt_status(posed, match.turns)
    assert came.is_over
    assert came.is_solved == (rules.leaders(match.state) == (puzzle.seat,))


def test_challenges_of_ice_need_no_hint() -> None:
    """Hints name a launch by numbers that can be set in the window."""
    tricks = {one.name: one.hint for one in challenges.builtin()}
    assert not any("H " in trick for trick in tricks.values())
    assert tricks["stand-large"].startswith("To begin with: 1.86 m/s, 82° up, nail at 6 mm, lifted 183 mm.")
