"""The worth of a round to the game: known by hand where one round is left, and counted by every way there is."""

from __future__ import annotations

from itertools import product

import msgspec
import numpy as np
import pytest

from flicksim.ai import GRADES, evaluate
from flicksim.games.dominoes import GAME
from flicksim.games.dominoes.deck import HANDS
from flicksim.games.dominoes.game_win_probability import game_win_probability
from flicksim.games.dominoes.state import State
from flicksim.match import GameRolloutModel, PhysicsSimulator, open_match
from tests.games.dominoes.domino_helpers import initial_state


def standing(scores: tuple[int, ...], round_: int, **switches: object) -> State:
    return msgspec.structs.replace(initial_state(len(scores), **switches), scores=scores, round=round_)


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
def test_the_rounds_to_come_are_counted_as_every_way_they_may_go(seats: int) -> None:
    scores, share = tuple(range(seats)), tuple(float(seat == 0) for seat in range(seats))
    state, told = standing(scores, 2), np.zeros(seats)
    for ways in product(range(seats), repeat=3):
        totals = [scores[seat] + share[seat] + ways.count(seat) for seat in range(seats)]
        best = np.array(totals) == max(totals)
        told += best / best.sum() / seats**3
    assert [game_win_probability(state, share, seat) for seat in range(seats)] == pytest.approx(told.tolist())


def test_chips_and_rounds_won_come_to_the_same_and_many_rounds_are_drawn() -> None:
    share = (0.0, 1.0, 0.0, 0.0)
    won = game_win_probability(standing((2, 1, 0, 0), 4), share, 0)
    assert game_win_probability(standing((5, 1, -3, -3), 4, british_stake=1), share, 0) == pytest.approx(won)
    assert 0.27 < game_win_probability(standing((0, 0, 0, 0), 1, rounds=100), share, 1) < 0.35, (
        "one of a hundred says little"
    )


def test_a_game_that_is_decided_is_worth_what_it_is_whatever_comes_of_its_last_round() -> None:
    for scores, chance in (((4, 0, 0), 1.0), ((0, 4, 0), 0.0)):
        state = GAME.rules.initial_state(initial_state(3).options, 3, initial_state(3).seeds)
        state = msgspec.structs.replace(state, scores=scores, round=5)
        seat = state.to_play
        assert seat is not None
        state = msgspec.structs.replace(state, scores=scores[-seat:] + scores[:-seat])
        worth = evaluate(
            GameRolloutModel(GAME, PhysicsSimulator()), GRADES["club"], GAME.rules.view(state, seat), seat, 1, 60
        ).value
        assert worth.win_probability == chance


def test_the_same_deals_for_all_moves_tell_them_apart_sooner() -> None:
    """Common random numbers: two moves in the same deals differ less than in deals of their own, late in a round."""
    future, told = GameRolloutModel(GAME, PhysicsSimulator()), list[tuple[float, float]]()
    for turn in open_match(GAME, initial_state(4).options, ["bot:club"] * 4, 2).run():
        seat = GAME.rules.to_play(turn.after)
        view = GAME.rules.view(turn.after, 0 if seat is None else seat)
        plans = [] if seat is None else future.top_candidates(view, 2)
        if len(plans) < 2 or len(view.zones.cards(HANDS[seat])) > 3:
            continue
        same = future.rollout(view, seat, plans, GRADES["club"], 60, 5).point_margin
        own = future.rollout(view, seat, plans[1:], GRADES["club"], 60, 6).point_margin[0]
        told.append((float((same[0] - same[1]).var()), float((same[0] - own).var())))
        if len(told) == 4:
            break
    paired, apart = np.sum(told, axis=0)
    assert paired < 0.9 * apart
