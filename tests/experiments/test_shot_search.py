"""Search for a shot: what it finds reaches the goal as often as it says, on scenes and in games, by seed alone."""

from typing import Any

import numpy as np
import pytest

from flicksim.ai import GRADES, NO_NOISE, TooFewShots
from flicksim.core.errors import InvalidInput
from flicksim.core.random_streams import RandomStreams
from flicksim.engine import simulate
from flicksim.experiments import FoundShot, Goal, find_shot
from flicksim.games import load
from flicksim.match import GameState, load_position
from flicksim.scene import Flick, Squidge, samples

CLUB, EXPERT = GRADES["club"], GRADES["expert"]
DRAW, MAT = samples.sample("draw")[0], samples.sample_shot("squidge")[0]
TABLE, LAUNCH = samples.launch_sample()


def opening(name: str, seats: int = 2, **options: Any) -> GameState:
    """State in which the first shot of a game is played."""
    game = load(name)
    state = GameState(
        name=name, state=game.rules.initial_state(game.options(**options), seats, RandomStreams(seed=1)),
        noise=(NO_NOISE,) * seats,
    )  # fmt: skip
    while not state.legal_actions().flicks:
        state = state.apply(state.legal_actions().actions[0])
    return state


def pile_of_three() -> GameState:
    """Shipped position of tiddlywinks."""
    game = load("tiddlywinks")
    state, _ = game.positions.start_state(load_position(game, "pile_of_three"))
    return GameState(name=game.name, state=state, noise=(NO_NOISE,) * 4)


def test_a_flick_comes_to_rest_near_a_piece_as_often_as_predicted() -> None:
    found = find_shot(DRAW, "distance white < 0.03", CLUB, piece="a", shots=8000)
    assert isinstance(found.action, Flick)
    assert 0.0 <= found.low <= found.probability <= found.high <= 1.0
    assert found.shots <= 8000
    assert found.tries >= 300
    assert found.probability > 0.35
    rng, near = np.random.default_rng(99), 0
    for _ in range(400):
        after = simulate(DRAW, CLUB.execute(found.action, rng)).after
        near += (
            after.has("a") and np.hypot(*np.subtract(after.piece("a").position, after.piece("white").position)) < 0.03
        )
    assert found.low - 0.08 < near / 400 < found.high + 0.08


def test_the_seed_alone_decides_and_threads_change_nothing() -> None:
    goal = "distance white < 0.03"
    first = find_shot(DRAW, goal, CLUB, piece="a", shots=3000, seed=5)
    assert find_shot(DRAW, goal, CLUB, piece="a", shots=3000, seed=5, threads=3) == first
    for parsed in (Goal.parse(goal), [Goal.parse(goal)]):
        assert find_shot(DRAW, parsed, CLUB, piece="a", shots=3000, seed=5) == first
    assert find_shot(DRAW, goal, CLUB, piece="a", shots=3000, seed=6) != first


def test_a_steady_hand_is_surer_than_an_unsteady_one() -> None:
    goal = "distance white < 0.03"
    probability = [
        find_shot(DRAW, goal, noise, piece="a", shots=4000).probability
        for noise in (NO_NOISE, GRADES["world"], GRADES["beginner"])
    ]
    assert probability[0] == 1.0
    assert probability[0] > probability[1] > probability[2] + 0.2


@pytest.mark.parametrize(
    ("goal", "at_least"),
    [("rest_position_y white > 0.65", 0.5), ("off_surface white", 0.5), ("distance_to 0.1 0.7 white < 0.04", 0.15)],
)
def test_a_piece_is_pushed_where_it_should_go(goal: str, at_least: float) -> None:
    found = find_shot(DRAW, goal, CLUB, piece="a", shots=6000)
    assert found.probability > at_least
    assert [one.goal for one in found.others] == [goal] * len(found.others)


def test_a_wink_is_potted() -> None:
    potted = find_shot(MAT, "potted", EXPERT, piece="red-3", shots=600)
    assert isinstance(potted.action, Squidge)
    assert potted.probability > 0.9
    assert simulate(MAT, potted.action).after.piece("red-3").support == "pot"


@pytest.mark.long
def test_a_wink_is_squopped() -> None:
    state = pile_of_three()
    squop = find_shot(state, "squops green-1", CLUB, piece="red-1", shots=700)
    assert squop.action.piece == "red-1"
    assert squop.probability > 0.05


def test_a_missile_stands() -> None:
    found = find_shot(TABLE, "upright", CLUB, initial=(LAUNCH,), shots=1000)
    assert (found.action.hold, found.action.size) == (LAUNCH.hold, LAUNCH.size)
    assert found.probability > 0.1
    state = opening("ice")
    found = find_shot(state, "upright", CLUB, shots=800)
    assert state.is_legal(found.action)
    assert found.probability > 0.25


def test_in_a_game_only_what_the_rules_allow_is_found() -> None:
    state = opening("penny-white", ends=1)
    found = find_shot(state, "rest_position_y white > 0.5", CLUB, shots=3000)
    assert state.is_legal(found.action)
    assert found.action.start is not None
    assert found.probability > 0.95
    made = state.apply(found.action)
    assert made.state.scene.piece("white").y > 0.5
    points = find_shot(state, "rule PW-3b", CLUB, shots=700)
    assert points.probability > 0.9


def test_several_goals_are_reached_together() -> None:
    strip = "rest_position_x > 0.2 and rest_position_x < 0.26 and rest_position_y > 0.4"
    found = find_shot(DRAW, strip, GRADES["world"], piece="a", shots=4000)
    assert found.goal == strip
    assert found.probability > 0.8
    rest = simulate(DRAW, found.action).after.piece("a")
    assert 0.2 < rest.x < 0.26
    assert rest.y > 0.4
    both = find_shot(DRAW, "touched white and off_surface a", CLUB, piece="a", shots=3000)
    assert both.probability > 0.1


def test_an_error_of_a_goal_is_reported() -> None:
    def faulty(shot: Any) -> bool:
        raise KeyError(str(shot.piece))

    with pytest.raises(InvalidInput, match="goal 'faulty' failed: KeyError: 'a'"):
        find_shot(DRAW, faulty, CLUB, piece="a", shots=700)


@pytest.mark.parametrize(("returned", "told"), [(None, "None"), (0.3, "0.3"), (2, "2"), ("yes", "'yes'")])
def test_a_goal_returns_true_or_false(returned: object, told: str) -> None:
    with pytest.raises(InvalidInput, match=f"goal 'lambda' returned {told}; it returns True or False"):
        find_shot(DRAW, lambda _: returned, CLUB, piece="a", shots=700)


def test_an_impossible_goal_has_probability_zero_with_its_interval() -> None:
    found = find_shot(DRAW, "duration > 50", CLUB, piece="a", shots=1500)
    assert found.probability == found.low == 0.0 < found.high < 0.1
    assert find_shot(DRAW.without("white"), "duration > 50", CLUB, shots=1500).action.piece == "a"


def test_what_cannot_be_searched_is_refused() -> None:
    goal = "upright"
    with pytest.raises(InvalidInput, match="give piece= or a shot to begin with; there are a, white"):
        find_shot(DRAW, "off_surface white", CLUB)
    with pytest.raises(InvalidInput, match="give a launch to begin with"):
        find_shot(TABLE, goal, CLUB)
    with pytest.raises(InvalidInput, match=r"that number is at least 4\.7 m on this surface"):
        find_shot(DRAW, "distance_to 5 5 < 0.01", CLUB, piece="a")
    contrary = "duration < 0.1 and duration > 0.2"
    for goals in (contrary, Goal.parse_all(contrary)):
        with pytest.raises(InvalidInput, match="exclude each other"):
            find_shot(DRAW, goals, CLUB, piece="a")
    with pytest.raises(InvalidInput, match="give a launch of 'missile' to begin with"):
        find_shot(TABLE, goal, CLUB, piece="missile")
    with pytest.raises(InvalidInput, match="'red-1' may not be flicked now: "):
        find_shot(opening("penny-white"), "potted", CLUB, piece="red-1")
    with pytest.raises(TooFewShots) as few:
        find_shot(DRAW, "distance white < 0.03", CLUB, piece="a", shots=20)
    found = find_shot(DRAW, "distance white < 0.03", CLUB, piece="a", shots=few.value.required)
    assert isinstance(found, FoundShot)


def test_missiles_in_flight_come_down_first() -> None:
    state = opening("ice")
    bot = state.game.bot
    for _ in range(8):
        if state.state.aloft:
            break
        state = state.apply(bot.candidates(state.view(), np.random.default_rng(1), 1)[0])
    assert state.state.aloft
    with pytest.raises(InvalidInput, match="other missiles are in flight"):
        find_shot(state, "upright", CLUB, shots=500)


def test_a_piece_is_not_flicked_to_be_near_itself() -> None:
    found = find_shot(pile_of_three(), "distance red-1 < 0.5", "steady", shots=400)
    assert "red-1" not in {one.action.piece for one in (found, *found.others)}
