"""Command `aim`: shots found for samples, positions and turns of records."""

import json
from pathlib import Path
from typing import Any

import pytest

from flicksim import ai, play_game, read_record
from tests.cli_runner import assert_error, invoke, run

GOAL = "distance white < 0.03"


def test_a_shot_of_a_sample_is_found_of_any_piece_or_the_one_asked_for() -> None:
    done = run("aim", "sample:draw", GOAL, "--shots", "2000")
    assert done.returncode == 0, done.stderr
    assert f"{GOAL}, club hand" in done.stdout
    assert "shots were simulated" in done.stdout
    found = json.loads(run("aim", "sample:draw", GOAL, "--shots", "2000", "--hand", "steady", "--json").stdout)
    assert (found["hand"], found["goal"], found["probability"]) == ("steady", GOAL, 1.0)
    assert found["action"]["do"] == "flick"
    assert len(found["others"]) <= 2
    found = json.loads(run("aim", "sample:draw", "distance a < 0.5", "--piece", "white", "--json").stdout)
    assert {one["action"]["piece"] for one in [found, *found["others"]]} == {"white"}


def test_shots_of_a_position_and_of_a_turn_are_those_the_rules_allow(tmp_path: Path) -> None:
    found = json.loads(run("aim", "pile_of_three", "potted", "--shots", "400", "--json").stdout)
    assert found["action"]["piece"].startswith("red-")
    game = tmp_path / "game.jsonl"
    play_game("penny-white", ["random"] * 2, seed=3, options={"ends": 1}, record=game)
    done = run("aim", game, "rest_position_y white > 0.5", "--turn", "1", "--shots", "900", "--json")
    assert json.loads(done.stdout)["action"]["piece"] == "white"


def test_a_goal_that_no_try_reached_is_told() -> None:
    words = "aim", "sample:draw", "--shots", "2000"
    assert "No try of these shots reached the goal" in run(*words, "duration > 50", code=1).stdout
    assert "No try" not in run(*words, GOAL).stdout


def test_interrupted_search_prints_its_best_shots(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, words = ai.evaluate, ("aim", "sample:draw", GOAL, "--shots", "2000")

    def interrupted(*given: Any, **named: Any) -> None:
        raise ai.EvaluationInterrupted(usual(*given, **named))

    monkeypatch.setattr(ai, "evaluate", interrupted)
    done = invoke(*words, code=1)
    assert f"{GOAL}, club hand" in done.stdout
    assert "Stopped: the probability of the best shot is a little too high.\n" in done.stderr
    told = json.loads(invoke(*words, "--json", code=1).stdout)
    assert told["stopped"]
    assert told["action"]["piece"] == "a"


def test_what_cannot_be_aimed_is_refused(tmp_path: Path) -> None:
    assert_error("aim", "sample:draw", "near", message="no measure 'near'")
    assert_error("aim", "sample:draw", "potted", message="measure 'potted': there is no pot here")
    assert_error("aim", "sample:draw", "rest_position_y white > 50", message="that number is at most 0.8 m on this")
    assert_error("aim", "pile_of_three", "rule PW-3b", message="Tiddlywinks has no rule 'PW-3b'; `flicksim rules tid")
    assert_error("aim", "sample:draw", "distance a < 1", message="is the distance of a piece from itself")
    assert_error("aim", "sample:draw", GOAL, "--shots", "1", message="1 shot is too few for an estimate here; ")
    assert_error("aim", "sample:draw", GOAL, "--turn", "3", message="--turn 3 is for a recorded game")
    assert_error("aim", "sample:draw", GOAL, "--hand", "hero", message="there is no hand 'hero'")
    assert_error("aim", "drw", GOAL, message="keep_the_king, or give a file; samples are slide, draw, late-end, crowd")
    assert_error("aim", "nowhere.json", GOAL, message="nowhere.json")
    game = tmp_path / "game.jsonl"
    play_game("penny-white", ["random"] * 2, seed=3, options={"ends": 1}, record=game)
    assert_error("aim", game, GOAL, "--turn", "99", message="turn 99 of")
    game = game.rename(tmp_path / "renamed")
    assert_error("aim", game, GOAL, message=f"is over; --turn N, 1 to {len(read_record(game).turns)}, is before a turn")
