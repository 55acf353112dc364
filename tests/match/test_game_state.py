"""States of games: transitions as in a match, chance that is sampled or fixed, views, returns, copies and JSON."""

import pickle
from itertools import islice

import msgspec
import numpy as np
import pytest

from flicksim.ai import GRADES, NO_NOISE, RandomPlayer
from flicksim.cards import Pass
from flicksim.core.errors import IllegalAction, InvalidInput, InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.games import load, names
from flicksim.match import GameState
from flicksim.referee import parse_options
from tests.matches import new_match

GAMES = names()
SHORT = {
    "penny-white": {"ends": 1}, "dominoes": {"rounds": 2}, "tinkle": {"max_turns": 5},
    "tiddlywinks": {"time_limit_s": 240.0, "rounds": 1},
}  # fmt: skip


def opening(name: str, seed: int = 1, hand: str = "club") -> GameState:
    """State at the start of a game with the fewest seats that play against each other."""
    game = load(name)
    seats = max(2, game.seats[0])
    state = game.rules.initial_state(parse_options(game, SHORT.get(name, {})), seats, RandomStreams(seed=seed))
    return GameState(name=name, state=state, noise=(GRADES[hand],) * seats)


def choose(state: GameState, rng: np.random.Generator) -> object:
    """Random legal action."""
    return RandomPlayer(state.game.rules.check_action).choose(state.view(), state.legal_actions(), rng)


@pytest.mark.parametrize("name", GAMES)
def test_a_state_takes_the_same_course_as_a_match(name: str) -> None:
    state = opening(name, seed=3)
    match = new_match(name, *["random"] * state.num_players, seed=3, **SHORT.get(name, {}))
    assert state.state == match.state
    for turn in islice(match.run(), 12):
        assert state.current_player() == turn.seat
        assert state.is_legal(turn.meant)
        state = state.apply(turn.made)
        assert state.state == turn.after
        assert state.reasons == turn.verdict.reasons
        assert state.scores() == match.rules.scores(turn.after)


@pytest.mark.parametrize("name", GAMES)
def test_copies_and_json_are_equal_and_go_on_alike(name: str) -> None:
    state, rng = opening(name), np.random.default_rng(5)
    for _ in range(8):
        action = choose(state, rng)
        again = GameState.from_json(state.to_json())
        assert again == state == pickle.loads(pickle.dumps(state)) == state.clone()
        after = state.apply(action)
        assert again.apply(action) == after
        assert state == again  # `apply` changes nothing
        state = after


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_out_to_its_returns(name: str) -> None:
    state, rng = opening(name), np.random.default_rng(7)
    for _ in range(3000):
        if state.is_terminal():
            break
        assert state.winners() == ()
        assert set(state.returns()) == {0.0}
        state = state.apply(state.game.bot.candidates(state.view(), rng, 1)[0], rng)
    assert state.is_terminal()
    assert state.current_player() is None
    assert state.winners()
    assert {seat for seat, value in enumerate(state.returns()) if value > 0.0} in (set(), set(state.winners()))
    assert not state.legal_actions().actions
    assert " over: points" in repr(state)
    with pytest.raises(InvalidInput, match="there is no seat None"):
        state.view()


def test_the_execution_error_is_a_chance_step_of_its_own() -> None:
    state, rng = opening("penny-white"), np.random.default_rng(1)
    action = choose(state, rng)
    while not hasattr(action, "speed"):
        state = state.apply(action)
        action = choose(state, rng)
    made = state.sample(action, np.random.default_rng(4))
    assert made == GRADES["club"].execute(action, np.random.default_rng(4)) != action
    assert state.sample(action, np.random.default_rng(4)) == made
    assert state.apply(action, np.random.default_rng(4)) == state.apply(made)
    assert state.apply(action) != state.apply(made)
    steady = msgspec.structs.replace(state, noise=(NO_NOISE, NO_NOISE))
    assert steady.sample(action, rng) == action
    trajectory = state.simulate(made)
    assert trajectory.flick == made
    assert trajectory.after.piece(made.piece).y == state.apply(made).state.scene.piece(made.piece).y
    for method, given in ((state.sample, action), (state.apply, action), (state.resample, 0)):
        with pytest.raises(InvalidInput, match=r"rng cannot be 3; numpy.random.default_rng\(3\) makes one"):
            method(given, 3)  # type: ignore[operator]


@pytest.mark.parametrize("name", ["dominoes", "tinkle"])
def test_hidden_cards_are_drawn_anew_in_accordance_with_a_view(name: str) -> None:
    state, rng = opening(name, seed=2), np.random.default_rng(2)
    for _ in range(25):
        for seat in range(state.num_players):
            drawn = state.resample(seat, rng)
            assert drawn.view(seat) == state.view(seat)
            assert sorted(map(str, drawn.state.zones.all_cards())) == sorted(map(str, state.state.zones.all_cards()))
            assert drawn != state
        state = state.apply(choose(state, rng))
    seat = state.current_player()
    assert seat is not None
    assert state.resample(seat, np.random.default_rng(6)) == state.resample(seat, np.random.default_rng(6))
    assert state.resample(seat, np.random.default_rng(6)) != state.resample(seat, np.random.default_rng(7))


def test_whoever_leads_at_dominoes_leads_in_every_drawn_deal() -> None:
    state, rng = opening("dominoes", seed=4), np.random.default_rng(3)
    assert state.state.phase == "lead"
    seat = state.current_player()
    assert seat is not None
    for other in range(state.num_players):
        if other != seat:
            drawn = [state.resample(other, rng) for _ in range(20)]
            assert {one.current_player() for one in drawn} == {seat}
            assert all(one.legal_actions().actions[0].tile.is_double for one in drawn)


def test_later_deals_are_fixed_by_the_state_or_drawn_by_the_caller() -> None:
    state, rng = opening("dominoes", seed=1), np.random.default_rng(1)
    while state.state.round == 1:
        before, action = state, choose(state, rng)
        state = state.apply(action)
    assert before.apply(action) == state
    drawn = [before.apply(action, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1]
    assert drawn[0].state.zones != drawn[2].state.zones
    assert drawn[0].state.zones != state.state.zones
    assert opening("penny-white").reseed(rng) == opening("penny-white") == opening("penny-white").resample(0, rng)


def test_views_hide_what_a_seat_may_not_see() -> None:
    state = opening("dominoes")
    seat = state.current_player()
    assert state.view() == state.view(seat)
    assert not state.view(seat).zones.cards(f"hand:{1 - seat}")
    assert state.view(seat).seeds is None
    with pytest.raises(InvalidInput, match="there is no seat 5; seats are 0 to 1"):
        state.view(5)


def test_what_is_illegal_or_no_state_is_refused() -> None:
    state = opening("dominoes")
    other = opening("penny-white")
    action = choose(other, np.random.default_rng(1))
    assert not other.is_legal(msgspec.structs.replace(action, piece="x") if hasattr(action, "piece") else None)
    with pytest.raises(IllegalAction):
        state.apply(Pass())
    with pytest.raises(InvalidInput, match="action cannot be None; those of Tiddly-Wink dominoes are: PlaceTile, "):
        state.apply(None)
    with pytest.raises(InvalidInput, match="the state"):
        GameState.from_json("{}")
    with pytest.raises(InvalidOption, match="no game 'chess'"):
        GameState.from_json(state.to_json().replace("dominoes", "chess", 1))
    with pytest.raises(InvalidInput, match="noise of 0 seats"):
        GameState.from_json(msgspec.json.encode({**msgspec.json.decode(state.to_json()), "noise": []}))
