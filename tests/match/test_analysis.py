"""Iterative analysis of a position: refinement, win chances of both sides, value maps."""

from collections.abc import Sequence
from math import pi
from typing import cast

import numpy as np
import pytest
from msgspec.structs import replace

from flicksim import ai
from flicksim.core.errors import InvalidOption
from flicksim.games import load
from flicksim.games.penny_white.state import Blocked
from flicksim.match import (
    Analysis,
    GameRolloutModel,
    analyse_position,
    expected_shots,
    iter_value_maps,
    simulate_intended,
)
from flicksim.match.analysis import best_action, improve_with_map
from flicksim.match.purpose import is_similar_action
from flicksim.scene import Flick, Trajectory
from tests.matches import new_match

GAME = load("penny-white")


def _match(turns: int):
    match = new_match("penny-white", *["bot:beginner"] * 2, seed=5, ends=1, pennies=1, first="first")
    for _ in range(turns):
        match.play(match.ask_player())
    return match


def test_refinements_use_more_shots_and_repeat_by_seed() -> None:
    state = _match(2).state
    told = list(analyse_position("penny-white", state, "club", 1))
    shots = [one.evaluation.shots for one in told]
    assert shots == sorted(shots)
    assert len(told) >= 2
    assert not told[-1].is_heuristic
    assert [one.is_preliminary for one in told] == [True] + [False] * (len(told) - 1)
    assert shots[0] < shots[1] / 2, "the first word waits for few shots"
    assert told == list(analyse_position("penny-white", state, "club", 1))
    assert all(len(one.purposes) == len(one.evaluation.best) for one in told)
    assert told[-1].purposes[0] is not None
    best = told[-1].evaluation.best[0].action
    (motion,) = simulate_intended("penny-white", state, best)
    assert isinstance(motion, Trajectory)
    assert motion.flick == best


def test_reported_shots_equal_the_shots_of_the_evaluation() -> None:
    heard: list[int] = []
    with ai.report_progress_to(heard.append):
        first = next(analyse_position("penny-white", _match(2).state, "club", 1))
    assert sum(heard) == first.evaluation.shots
    soonest, most = expected_shots(GAME, with_map=True)
    assert first.evaluation.shots < soonest < most


def test_finished_game_is_refused() -> None:
    match = _match(0)
    while not match.is_over:
        match.play(match.ask_player())
    with pytest.raises(InvalidOption, match="the game is over there"):
        next(analyse_position("penny-white", match.state, "club", 1))


def test_win_chances_of_two_sides_add_up() -> None:
    worth = ai.ValueEstimate(win_probability=0.7, low=0.6, high=0.8, point_margin=0.0, margin=0.1, tries=64)
    best = (ai.CandidateValue(action=Flick(piece="red-1", speed=1.0, azimuth=1.0), value=worth),)

    def told(seat: int) -> Analysis:
        return Analysis(
            evaluation=ai.Evaluation(seat=seat, best=best, is_decisive=True, shots=64, shots_per_try=1.0),
            is_heuristic=False,
        )

    assert told(0).win_chances(GAME.sides(2))[0] == (0.7, 0.6, 0.8)
    first, other = told(1).win_chances(GAME.sides(2))
    assert other == (0.7, 0.6, 0.8)
    assert first == pytest.approx((0.3, 0.2, 0.4))


@pytest.mark.parametrize("name", ["dominoes", "tinkle"])
def test_win_chances_of_more_sides_are_of_each_and_add_up(name: str) -> None:
    game, match = load(name), new_match(name, *["random"] * 4, seed=3)
    for _ in range(9):
        match.play(match.ask_player())
    told = next(analyse_position(name, match.state, "club", 1))
    chances = told.win_chances(game.sides(4))
    assert len(chances) == 4
    assert sum(chance for chance, _, _ in chances) == pytest.approx(1.0)
    assert all(0.0 <= low <= chance <= high <= 1.0 for chance, low, high in chances)
    assert chances[told.evaluation.seat][0] == told.evaluation.value.win_probability
    assert len({chance for chance, _, _ in chances}) > 2, "the others do not share the rest alike"


def test_value_map_is_centred_on_its_flick() -> None:
    state = _match(2).state
    flick = next(analyse_position("penny-white", state, "club", 1)).evaluation.best[0].action
    (told,) = iter_value_maps("penny-white", state, "club", 1, (flick,))
    assert told.action == flick
    assert min(told.azimuths) < flick.azimuth < max(told.azimuths)


def test_candidates_returned_are_dissimilar_wherever_they_start() -> None:
    """Flicks from different start points to one target are similar."""
    state, hand = _match(2).state, ai.GRADES["club"]
    future = GameRolloutModel(GAME)
    told = [one.action for one in ai.evaluate(future, hand, state, 1, 1, 6000).best]
    assert len(told) == 3
    assert not any(is_similar_action(one, other, hand) for k, one in enumerate(told) for other in told[:k])
    draw = Flick(piece="red-1", speed=1.45, azimuth=pi / 2, start=(0.15, 0.04))
    assert future.is_similar(state, draw, replace(draw, azimuth=pi / 2 + 0.085, start=(0.195, 0.04)), hand)
    assert future.is_similar(state, draw, replace(draw, speed=1.6), hand), "both are to lie nearest"
    assert not future.is_similar(state, draw, replace(draw, speed=3.5), hand), "one goes off the board"
    assert not future.is_similar(state, draw, Blocked(), hand)
    assert future.is_similar(state, Blocked(), Blocked(), hand)


class _RingModel:
    """Rollout model whose value peaks at a speed of 1.2 m/s, with noise."""

    def __init__(self, luck: float = 0.02) -> None:
        self.luck = luck
        self.error: ai.ModelError | None = None

    def check(self, _view: object, _action: object) -> None:
        """All may be done."""

    def is_similar(self, _view: object, one: Flick, other: Flick, hand: ai.ExecutionNoise) -> bool:
        return ai.within_execution_noise(one, other, hand)

    def model_error(self, _view: object) -> ai.ModelError | None:
        return self.error

    def rollout(
        self, _view: object, _seat: int, plans: Sequence[Flick], _hand: object, tries: int, seed: int, **_more: bool
    ) -> ai.RolloutOutcomes:
        rng = np.random.default_rng(seed)
        good = np.array([[0.8 - abs(plan.speed - 1.2)] for plan in plans])
        chance = good + self.luck * rng.standard_normal((len(plans), tries))
        return ai.RolloutOutcomes(
            win_probability=chance, point_margin=0.0 * chance, executed=np.zeros((*chance.shape, 2)), shots=chance.size
        )

    default_shots = 200


@pytest.mark.parametrize(("speed", "better"), [(1.2, True), (1.0, False)])
def test_map_maximum_becomes_best_action_beyond_sampling_error(speed: float, better: bool) -> None:
    flick = Flick(piece="blue-1", speed=1.0, azimuth=1.5)
    worth = ai.ValueEstimate(win_probability=0.6, low=0.5, high=0.7, point_margin=0.0, margin=0.1, tries=64)
    first = ai.CandidateValue(action=flick, value=worth)
    near = ai.CandidateValue(action=replace(flick, speed=speed, azimuth=1.41), value=worth)
    others = [ai.CandidateValue(action=replace(flick, azimuth=way), value=worth) for way in (0.5, 2.5)]
    weighing = ai.Evaluation(seat=0, best=(first, near, *others), is_decisive=True, shots=100, shots_per_try=1.0)
    rows = [0.9 if one == speed else 0.1 for one in (0.8, 1.0, 1.2)]
    drawn = ai.ValueMap(
        action=flick,
        speeds=(0.8, 1.0, 1.2),
        azimuths=(1.4, 1.5),
        win_probability=tuple((row, row) for row in rows),
        shots=9,
    )
    assert best_action(drawn) == replace(flick, speed=speed, azimuth=1.4)
    assert -pi < cast(Flick, best_action(replace(drawn, azimuths=(pi + 0.1, pi + 0.2)))).azimuth < -3.0
    found = improve_with_map(cast(GameRolloutModel, _RingModel()), ai.GRADES["club"], None, 0, 1, weighing, drawn)
    assert (found is not None) == better
    if found is not None:
        assert found.best[0] == ai.CandidateValue(action=best_action(drawn), value=found.value)
        assert [one.action for one in found.best[1:]] == [flick, others[0].action], "a near copy is no other idea"
        other = found.best[1]
        assert (other.action, other.value) == (flick, worth)
        assert other.deficit == pytest.approx(0.2, abs=0.02)
        assert 0.0 < other.margin < 0.05
        assert not found.is_decisive, "the race was sure of the other"
        assert found.value.win_probability == pytest.approx(0.8, abs=0.02)
        assert found.shots > weighing.shots


def test_small_constant_gain_is_not_beyond_sampling_error() -> None:
    flick = Flick(piece="blue-1", speed=1.0, azimuth=1.5)
    worth = ai.ValueEstimate(win_probability=0.6, low=0.5, high=0.7, point_margin=0.0, margin=0.1, tries=64)
    first = ai.CandidateValue(action=flick, value=worth)
    weighing = ai.Evaluation(seat=0, best=(first, first), is_decisive=False, shots=100, shots_per_try=1.0)
    drawn = ai.ValueMap(action=flick, speeds=(1.01,), azimuths=(1.5,), win_probability=((0.9,),), shots=9)
    assert (
        improve_with_map(cast(GameRolloutModel, _RingModel(0.0)), ai.GRADES["club"], None, 0, 1, weighing, drawn)
        is None
    )
