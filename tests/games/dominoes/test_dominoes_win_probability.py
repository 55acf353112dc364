"""Tests of game win probabilities at dominoes: known values, and enumeration of the rounds to come."""

from itertools import product

import msgspec
import numpy as np
import pytest

from flicksim.ai import GRADES, evaluate
from flicksim.games.dominoes import GAME
from flicksim.games.dominoes.bot import game_win_probability
from flicksim.games.dominoes.deck import HANDS
from flicksim.games.dominoes.state import State
from flicksim.match import GameRolloutModel, PhysicsSimulator, open_match
from tests.games.dominoes.domino_helpers import initial_state


def standing(scores: tuple[int, ...], round_: int, **options: object) -> State:
    return msgspec.structs.replace(initial_state(len(scores), **options), scores=scores, round=round_)


def test_the_last_round_decides() -> None:
    state = standing((2, 1, 1, 1), 5)
    assert game_win_probability(state, (0.0, 1.0, 0.0, 0.0), 0) == 0.5, "level with the second"
    assert game_win_probability(state, (0.0, 1.0, 0.0, 0.0), 2) == 0.0
    assert game_win_probability(state, (1.0, 0.0, 0.0, 0.0), 0) == 1.0
    assert game_win_probability(state, (0.0, 0.5, 0.5, 0.0), 0) == pytest.approx(1 / 3), (
        "both who share the round count it"
    )


def test_with_a_round_to_come_every_seat_wins_it_alike() -> None:
    state = standing((1, 0, 0, 0), 4)
    assert game_win_probability(state, (0.0, 1.0, 0.0, 0.0), 0) == pytest.approx(0.25 + 0.5 / 3), (
        "it wins, or three are level"
    )
    assert game_win_probability(state, (0.0, 1.0, 0.0, 0.0), 3) == pytest.approx(0.25 / 3)


@pytest.mark.parametrize("seats", [3, 4])
def test_win_counts_match_enumeration(seats: int) -> None:
    scores, share = tuple(range(seats)), tuple(float(seat == 0) for seat in range(seats))
    state, result = standing(scores, 2), np.zeros(seats)
    for ways in product(range(seats), repeat=3):
        totals = [scores[seat] + share[seat] + ways.count(seat) for seat in range(seats)]
        best = np.array(totals) == max(totals)
        result += best / best.sum() / seats**3
    assert [game_win_probability(state, share, seat) for seat in range(seats)] == pytest.approx(result.tolist())


def test_win_probability_is_equal_for_chips_and_rounds_and_sampled_for_many_rounds() -> None:
    share = (0.0, 1.0, 0.0, 0.0)
    won = game_win_probability(standing((2, 1, 0, 0), 4), share, 0)
    assert game_win_probability(standing((5, 1, -3, -3), 4, british_stake=1), share, 0) == pytest.approx(won)
    assert 0.27 < game_win_probability(standing((0, 0, 0, 0), 1, rounds=100), share, 1) < 0.35, (
        "one of a hundred says little"
    )


def test_win_probability_of_a_decided_game_is_certain() -> None:
    for scores, chance in (((4, 0, 0), 1.0), ((0, 4, 0), 0.0)):
        state = GAME.rules.initial_state(initial_state(3).options, 3, initial_state(3).seeds)
        state = msgspec.structs.replace(state, scores=scores, round=5)
        seat = state.to_play
        state = msgspec.structs.replace(state, scores=scores[-seat:] + scores[:-seat])
        worth = evaluate(
            GameRolloutModel(GAME, PhysicsSimulator()), GRADES["club"], GAME.rules.view(state, seat), seat, 1, 300
        ).value
        assert worth.win_probability == chance


def test_common_deals_reduce_the_variance_of_differences() -> None:
    """Common random numbers: two moves in the same deals differ less than in deals of their own, late in a round."""
    rollout_model, result = GameRolloutModel(GAME, PhysicsSimulator()), list[tuple[float, float]]()
    for turn in open_match(GAME, initial_state(4).options, ["bot:club"] * 4, 2).run():
        seat = GAME.rules.to_play(turn.after)
        view = GAME.rules.view(turn.after, 0 if seat is None else seat)
        actions = [] if seat is None else rollout_model.top_candidates(view, 2)
        if len(actions) < 2 or len(view.zones.cards(HANDS[seat])) > 3:
            continue
        same = rollout_model.rollout(view, seat, actions, GRADES["club"], 60, 5).point_margin
        own = rollout_model.rollout(view, seat, actions[1:], GRADES["club"], 60, 6).point_margin[0]
        result.append((float((same[0] - same[1]).var()), float((same[0] - own).var())))
        if len(result) == 4:
            break
    paired, apart = np.sum(result, axis=0)
    assert paired < 0.9 * apart
