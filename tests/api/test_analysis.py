"""Tests of the public functions that evaluate states and find shots."""

from collections.abc import Callable
from typing import Any

import pytest

from flicksim import GameState, evaluate, find_shot, load_scene, new_game, play_game
from flicksim.core.errors import FlicksimError, InvalidOption
from flicksim.games import names

SHORT: dict[str, dict[str, Any]] = {
    "penny-white": {"ends": 1}, "dominoes": {"rounds": 1}, "tinkle": {"max_turns": 5},
}  # fmt: skip


@pytest.mark.parametrize("name", names())
def test_every_seat_has_a_win_probability_with_its_interval(name: str) -> None:
    state = new_game(name, seed=1, options=SHORT.get(name, {}))
    found = evaluate(state, shots=200)
    assert evaluate(state, shots=200) == found
    assert len(found.seats) == state.num_players
    for value in found.seats:
        assert 0.0 <= value.low <= value.win_probability <= value.high <= 1.0
    by_side = [found.win_probability[side[0]] for side in state.game.sides(state.num_players)]
    assert sum(by_side) == pytest.approx(1.0, abs=1e-6)
    seat = state.current_player()
    assert seat is not None
    assert found.seats[seat] == found.candidates[0].value
    assert 1 <= len(found.candidates) <= 3
    assert all(state.is_legal(one.action) for one in found.candidates)
    assert 0 < found.shots <= 200


def test_seats_of_three_are_valued_by_the_same_rollouts() -> None:
    state = new_game("dominoes", seats=3, seed=2, options={"rounds": 1})
    while len(state.legal_actions().actions) < 2:
        state = state.apply(state.legal_actions().actions[0])
    found = evaluate(state, shots=400)
    assert sum(found.win_probability) == pytest.approx(1.0, abs=1e-9)
    assert len(set(found.win_probability)) == 3
    assert repr(found).startswith(f"<evaluation by {found.shots} shots, win probability by seat: 0.")


def test_a_finished_game_has_no_error() -> None:
    state = play_game("penny-white", ["random"] * 2, seed=3, options={"ends": 1}).state()
    found = evaluate(state)
    assert found.win_probability == (1.0, 0.0)
    assert found.seats[0].point_margin == 7.0 == -found.seats[1].point_margin
    assert found.candidates == ()
    assert {(value.low, value.high) for value in found.seats} == {(1.0, 1.0), (0.0, 0.0)}


def test_the_state_before_a_turn_is_that_of_the_game() -> None:
    played = play_game("penny-white", ["bot:club", "random"], seed=3, options={"ends": 1})
    for turn in played.turns:
        state = played.state(turn.number)
        assert (state.state, state.current_player()) == (turn.before, turn.seat)
        assert state.apply(turn.made).state == turn.after
    assert played.state(1).reasons == ()
    assert played.state().is_terminal()
    assert played.state().reasons == played.turns[-1].verdict.reasons
    assert played.state().noise[0].speed > 0.0 == played.state().noise[1].speed
    assert played.state(1) == new_game("penny-white", seed=3, options={"ends": 1}, noise=["club", "steady"])
    with pytest.raises(FlicksimError, match="turn cannot be 0"):
        played.state(0)


def test_a_state_begins_at_a_position() -> None:
    state = new_game("tiddlywinks", position="pile_of_three")
    assert state.num_players == 4
    assert isinstance(state, GameState)
    with pytest.raises(InvalidOption, match="that position is for 4 seats, not 2"):
        new_game("tiddlywinks", 2, position="pile_of_three")


def test_a_goal_may_be_words_or_a_function() -> None:
    def far_white(shot: Any) -> bool:
        return bool(shot.piece_at_rest("white") is not None and shot.piece_at_rest("white").y > 0.65)

    by_function = find_shot(load_scene("draw"), far_white, piece="a", shots=700)
    by_words = find_shot(load_scene("draw"), "rest_position_y white > 0.65", piece="a", shots=700)
    assert by_function.goal == "far_white"
    assert by_function.low <= by_words.high
    assert by_words.low <= by_function.high
    assert find_shot(load_scene("draw"), far_white, "steady", piece="a", shots=700).probability == 1.0


USUAL: dict[Callable[..., Any], dict[str, Any]] = {
    new_game: {"game": "penny-white"}, evaluate: {"state": new_game("penny-white")},
    find_shot: {"start": load_scene("draw"), "goal": "distance white < 0.03", "piece": "a"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        (new_game, {"game": "chess"}, "no game 'chess'"),
        (new_game, {"seats": 3}, "Penny White is for 2 players, not 3"),
        (new_game, {"seats": "two"}, "seats cannot be 'two'"),
        (new_game, {"seed": -1}, "seed cannot be -1"),
        (new_game, {"options": {"end": 1}}, "penny-white has no option 'end'"),
        (new_game, {"position": "here"}, "no position 'here'"),
        (new_game, {"noise": "hero"}, "there is no hand 'hero'"),
        (new_game, {"noise": 5}, "noise cannot be 5"),
        (new_game, {"noise": ["club"]}, "noise is given for 1 seats; there are 2"),
        (evaluate, {"state": 3}, "state cannot be 3; new_game(...) makes one"),
        (evaluate, {"shots": 3}, "too few for an estimate"),
        (evaluate, {"noise": "hero"}, "there is no hand 'hero'"),
        (evaluate, {"top": 0}, "top cannot be 0"),
        (find_shot, {"start": 3}, "start cannot be 3; it is a state of a game (new_game) or a scene"),
        (find_shot, {"goal": 3}, "goal cannot be 3; it is a measure"),
        (find_shot, {"goal": [3]}, "goal cannot be 3; each is a Goal"),
        (find_shot, {"piece": 5}, "piece cannot be 5"),
        (find_shot, {"initial": 3}, "initial cannot be 3; each is a Flick, a Squidge or a Launch"),
        (find_shot, {"goal": "near"}, "no measure 'near'; there are potted"),
        (find_shot, {"goal": "squops black"}, "no piece 'black'"),
        (find_shot, {"piece": "black"}, "black"),
        (find_shot, {"piece": None}, "which piece is flicked"),
        (find_shot, {"noise": "hero"}, "there is no hand 'hero'"),
        (find_shot, {"initial": [3]}, "initial cannot be 3"),
        (find_shot, {"shots": 10}, "10 shots are too few for an estimate here; "),
        (find_shot, {"top": 0}, "top cannot be 0"),
        (find_shot, {"seed": -1}, "seed cannot be -1"),
    ],
)
def test_invalid_arguments_are_refused_in_a_sentence(
    function: Callable[..., Any], given: dict[str, Any], message: str
) -> None:
    with pytest.raises(FlicksimError) as wrong:
        function(**USUAL[function] | given)
    assert message in str(wrong.value)
