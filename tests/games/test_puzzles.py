"""Tests of the shipped puzzles of every game: win probabilities, criteria, titles."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim import games
from flicksim.ai import GRADES
from flicksim.challenges import all_challenges, attempt_status, find_challenge, start_attempt
from flicksim.core.type_aliases import Action, SimulationResult
from flicksim.games import ice, penny_white, tiddlywinks
from flicksim.games.ice.state import State
from flicksim.match import GameRolloutModel, PhysicsSimulator
from flicksim.match.puzzles import MARGIN, TRIES
from flicksim.referee import AttemptStatus

PUZZLES: dict[str, tuple[Any, ...]] = {
    "penny-white": penny_white.challenges.load_puzzles(),
    "tiddlywinks": tiddlywinks.challenges.load_puzzles(),
    "ice": ice.challenges.load_puzzles(),
}
MARGINS = {"penny-white": 0.08, "tiddlywinks": 0.1, "ice": MARGIN}
"""Least lead of a solution, as several searches found."""
IS_LAST: dict[str, Callable[[Any], bool]] = {
    "penny-white": lambda one: (one.state.left[one.seat], one.state.left[1 - one.seat]) == (1, 0),
    "tiddlywinks": lambda one: (one.state.book.laps, one.state.book.opener) == (1, one.seat),
    "ice": lambda one: not one.state.aloft and [*map(len, one.state.hands)] == [one.seat == 0, one.seat == 1],
}
"""True where nobody plays after the flick."""
ROLLOUTS = {"penny-white": (400, 0.02), "tiddlywinks": (32, 0.05), "ice": (48, 0.02)}
"""Number of rollouts, and difference of their mean allowed beside four standard errors."""


@pytest.mark.parametrize(("name", "puzzles"), PUZZLES.items())
def test_every_solution_is_legal_verified_and_the_last_flick(name: str, puzzles: tuple[Any, ...]) -> None:
    rules = games.load(name).rules
    for puzzle in puzzles:
        rules.check_action(puzzle.state, puzzle.solution)
        assert rules.to_play(puzzle.state) == puzzle.seat
        assert puzzle.tries >= 100 * TRIES
        assert puzzle.chance - puzzle.next_best_chance >= MARGINS[name]
        assert IS_LAST[name](puzzle)


@pytest.mark.parametrize(
    ("name", "puzzle"),
    [
        pytest.param(
            name, puzzle, id=f"{name}-{puzzle.game_seed}-{puzzle.turn}", marks=[pytest.mark.long] if number % 6 else []
        )
        for name, puzzles in PUZZLES.items()
        for number, puzzle in enumerate(puzzles)
    ],
)
def test_win_probability_of_a_solution_is_reproduced(name: str, puzzle: Any) -> None:
    """Ice: a missile that is handed back is launched again, and only the game won alone counts."""
    tries, tolerance = ROLLOUTS[name]
    model = GameRolloutModel(games.load(name), PhysicsSimulator(), **({"max_turns": 8} if name == "ice" else {}))  # type: ignore[arg-type]
    won = model.rollout(puzzle.state, puzzle.seat, [puzzle.solution], GRADES[puzzle.hand], tries, 5).win_probability
    won = won == 1.0 if name == "ice" else won
    assert won.mean() == pytest.approx(puzzle.chance, abs=tolerance + 4.0 * float(won.std()) / tries**0.5)


@pytest.mark.parametrize(
    ("challenge", "speed", "end"),
    [
        *[("puzzle-1", speed, "the end.") for speed in (1.0, 0.3)],
        ("last-turn-1", 0.3, "win."),
        *[
            pytest.param(f"last-turn-{number}", 1.0, "win.", marks=[pytest.mark.long] if number % 6 != 1 else [])
            for number in range(1, len(PUZZLES["tiddlywinks"]) + 1)
        ],
    ],
)
def test_a_puzzle_is_solved_by_its_solution_and_not_by_a_weak_flick(challenge: str, speed: float, end: str) -> None:
    posed = find_challenge(challenge)
    match, solution, policy = start_attempt(posed), posed.challenge.solution, posed.challenge.policy
    match.play(msgspec.structs.replace(solution.action, speed=speed * solution.action.speed))
    while not (came := attempt_status(posed, match.turns)).is_over:  # a pot brings an extra shot
        match.play(policy(match.state, np.random.default_rng(1)))
    assert came.is_solved == (speed == 1.0)
    assert came.text.endswith(end)


def test_titles_of_puzzles() -> None:
    shipped = [one.title for one in penny_white.challenges.builtin() if one.group == "Puzzles"]
    assert len(set(shipped)) == len(shipped) == len(PUZZLES["penny-white"]) >= 50
    assert not any(character.isdigit() for title in shipped for character in title)
    last = [ice.challenges.puzzle_challenge(number, one).title for number, one in enumerate(PUZZLES["ice"], 1)]
    assert {"Yellow, level with a large one, 2 to 2", "Red, 1 behind with a large one, 1 to 2"} <= set(last)
    assert len(set(last)) == len(last)
    more = PUZZLES["tiddlywinks"]
    assert tiddlywinks.challenges.puzzle_challenge(len(more) + 1, more[0]).title, "one more would have a name too"


@dataclass(frozen=True)
class Told:
    """Turn made by hand."""

    after: State
    before: State = field(default_factory=lambda: PUZZLES["ice"][0].state)
    made: Action = None
    result: SimulationResult = None


def test_a_puzzle_of_ice_is_solved_when_the_game_is_won_alone() -> None:
    posed, puzzle, rules = find_challenge("last-missile-1"), PUZZLES["ice"][0], ice.GAME.rules
    launched = msgspec.structs.replace(puzzle.state, hands=((), ()))
    stand = ice.rules.provisional_points(puzzle.state)
    assert f"stands {stand[puzzle.seat]} to {stand[1 - puzzle.seat]}:" in posed.challenge.goal
    back = posed.challenge.judge([Told(puzzle.state)])
    assert (back.is_solved, back.is_over, back.text) == (False, False, "It is handed back: launch it again.")
    lost = posed.challenge.judge([Told(msgspec.structs.replace(launched, final=stand))])
    assert (lost.is_solved, lost.is_over, lost.text) == (False, True, f"Red: {stand[0]}, Yellow: {stand[1]}.")
    assert posed.challenge.judge(()) == AttemptStatus()
    match, policy = start_attempt(posed, f"bot:{puzzle.hand}", 1), posed.challenge.policy
    while not match.is_over:
        made = policy(match.state, match.streams.spawn("plan", len(match.turns)).generator())
        assert (made == puzzle.solution) == (match.state == puzzle.state), "then what is natural, until all is counted"
        match.play(made)
    came = attempt_status(posed, match.turns)
    assert came.is_over
    assert came.is_solved == (rules.leaders(match.state) == (puzzle.seat,))


def test_challenges_of_ice_need_no_hint() -> None:
    """Hints name a launch by numbers that can be set in the window."""
    tricks = {one.name: one.hint for one in ice.challenges.builtin()}
    assert not any("H " in trick for trick in tricks.values())
    assert tricks["stand-large"].startswith("To begin with: 1.86 m/s, 82° up, nail at 6 mm, lifted 183 mm.")


@pytest.mark.parametrize("name", PUZZLES)
def test_the_idea_of_a_puzzle_is_the_purpose_of_its_solution(name: str) -> None:
    game = games.load(name)
    model = GameRolloutModel(game, PhysicsSimulator())
    for puzzle in PUZZLES[name][:: 8 if name == "penny-white" else 1]:
        purpose = model.purpose(puzzle.state, puzzle.solution)
        assert purpose.text == puzzle.idea
    posed = [one.challenge for one in all_challenges([game]) if one.challenge.solution is not None]
    for puzzle, challenge in zip(PUZZLES[name], posed, strict=True):
        assert challenge.solution.description.startswith(f"The idea: {puzzle.idea}. ")


def test_an_idea_tells_the_way_and_the_penny_to_be_beaten() -> None:
    ideas = [one.solution.idea for one in penny_white.challenges.builtin() if one.solution is not None]
    told = "It runs between Blue 1 and Blue 2. Blue 2 is to be beaten, 23 mm from the white."
    assert f"The idea: lie nearest the white. {told}" in ideas
    assert sum("It strikes Red 4 on its way." in idea for idea in ideas) == 1
    assert len(set(ideas)) >= 50


@pytest.mark.parametrize("name", PUZZLES)
def test_puzzles_are_sorted_by_difficulty(name: str) -> None:
    order = [(puzzle.missed, -puzzle.chance) for puzzle in PUZZLES[name]]
    assert order == sorted(order)
