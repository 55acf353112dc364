"""Goals of shots: their text, the conditions, and what is measured where they are missed."""

import numpy as np
import pytest

from flicksim.core.errors import InvalidInput
from flicksim.experiments.shot_goal import Goal, check_compatible
from flicksim.games import load
from flicksim.scene import Flick, samples

DRAW, SQUIDGE = samples.sample("draw")[0], samples.sample_shot("squidge")[0]


def test_a_goal_is_a_measure_that_is_true_or_a_number_within_a_limit() -> None:
    columns = (np.array([1.0, 0.0, np.nan]),)
    assert Goal.parse("potted").reached(columns).tolist() == [True, False, False]
    assert Goal.parse("distance white < 0.5").reached(columns).tolist() == [False, True, False]
    assert Goal.parse("distance white>=0.5").reached(columns).tolist() == [True, False, False]
    assert Goal.parse("distance white <= 1").reached(columns).tolist() == [True, True, False]
    assert Goal.parse(" duration > 0 ").text == "duration > 0"
    np.testing.assert_allclose(Goal.parse("distance white < 0.5").miss(columns), [0.5, 0.5, np.nan])


def test_goals_are_joined_by_and() -> None:
    parts = Goal.parse_all("off_surface white  and distance white < 0.5")
    assert [part.text for part in parts] == ["off_surface white", "distance white < 0.5"]
    with pytest.raises(InvalidInput, match="no measure 'or'"):
        Goal.parse_all("off_surface white and or")


def test_a_position_is_compared_by_its_coordinate() -> None:
    columns = (np.array([0.1, 0.2]), np.array([0.5, 0.3]))
    assert Goal.parse("rest_position_x white > 0.15").reached(columns).tolist() == [False, True]
    assert Goal.parse("rest_position_y white > 0.4").reached(columns).tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pot", "no measure 'pot'; there are potted, "),
        ("distance white", "is a number; compare it, as 'distance white < 0.05'"),
        ("distance white <", "is a number; compare it, as 'distance white < 0.05'"),
        ("distance white < near", "'near' is no number in SI units"),
        ("distance white < inf", "'inf' is no number in SI units"),
        ("distance white == 0.03", "compared by <, <=, > or >=, and goals are joined by 'and' alone"),
        ("potted or distance white < 0.03", "goals are joined by 'and' alone"),
        ("potted < 1", "'potted' is true or not; leave out the comparison"),
        ("rest_position white > 0.4", "compare one coordinate, as 'rest_position_x < 0.05'"),
        ("squopped blue-1", "'squopped blue-1' is a text"),
        ("", "no measure ''"),
        ("mine:function", "a function of yours is given itself"),
    ],
)
def test_what_is_no_goal_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Goal.parse(text)


def test_goals_without_a_limit_know_how_far_they_were_missed() -> None:
    assert str(Goal.parse("potted red-3").shaping_measure(SQUIDGE)) == "distance_to 0.0 0.0 red-3"
    assert str(Goal.parse("squops green-1").shaping_measure(SQUIDGE)) == "distance green-1"
    assert Goal.parse("off_surface white").shaping_measure(DRAW) is None


def test_shots_are_aimed_at_what_the_goal_names() -> None:
    assert Goal.parse("potted").targets(SQUIDGE, "wink") == ["pot"]
    assert Goal.parse("potted wink").targets(SQUIDGE, "wink") == ["pot"]
    assert Goal.parse("distance_to 0.1 0.5 a < 0.02").targets(DRAW, "a") == [(0.1, 0.5)]
    assert (
        Goal.parse("touched white").targets(DRAW, "a")
        == Goal.parse("distance white < 0.02").targets(DRAW, "a")
        == ["white"]
    )
    assert Goal.parse("distance_to 0.1 0.5 < 0.02").targets(DRAW, "a") == [(0.1, 0.5)]
    assert Goal.parse("distance_to 0.1 0.5 white < 0.02").targets(DRAW, "a") == ["white"]
    assert Goal.parse("duration < 1").targets(DRAW, "a") == [piece.id for piece in DRAW.pieces]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("distance_to 9 0.5 < 0.05", "that number is at least 8.7 m on this surface"),
        ("distance_to 0.15 -0.2 a <= 0.1", "that number is at least 0.2 m on this surface"),
        ("rest_position_x white <= -0.01", "that number is at least 0 m on this surface"),
        ("rest_position_y white > 0.8", "that number is at most 0.8 m on this surface"),
        ("distance_to 0.1 0.1 a > 50", "that number is at most 0.728 m on this surface"),
        ("distance white < 30", "holds wherever the piece rests: that number is at most 0.854 m on this surface"),
        ("displacement >= -1", "holds wherever the piece rests: that number is at least 0 m on this surface"),
        ("rest_position_y white < 460", "holds wherever the piece rests: that number is at most 0.8 m on this surface"),
        ("duration < 0", "that number is at least 0 s$"),
        ("displacement < 0", "that number is at least 0 m on this surface"),
        ("win_chance club > 1.5", "that number is at most 1$"),
        ("distance black < 0.02", "no piece 'black'; pieces there: a, white"),
        ("distance_to 0.1 up < 0.02", r"y 'up' must be a number \[m\]"),
        ("upright", "is for pyramids; here are flat pieces"),
    ],
)
def test_what_a_shot_in_the_scene_cannot_reach_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Goal.parse(text).compile(DRAW, "a", load("penny-white"), Flick)


def test_limits_just_within_reach_are_goals() -> None:
    for text in (
        "distance_to 0.15 -0.2 a < 0.21",
        "distance_to 0.1 0.1 a > 0.72",
        "rest_position_y white > 0.79",
        "duration <= 0",
        "duration >= 0",  # holds of all, at its limit
        "rest_position_y white <= 0.8",
        "displacement > 0",
    ):
        Goal.parse(text).compile(DRAW, "a", None, Flick)


def test_goals_that_exclude_each_other_are_refused() -> None:
    for text in ("duration < 0.1 and duration > 0.2", "duration >= 0.2 and potted and duration < 0.2"):
        with pytest.raises(InvalidInput, match="exclude each other; no number is both"):
            check_compatible(Goal.parse_all(text))
    check_compatible(Goal.parse_all("duration >= 0.2 and duration <= 0.2"))
    check_compatible(Goal.parse_all("rest_position_x a > 0.2 and rest_position_y a < 0.1"))
