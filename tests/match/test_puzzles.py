"""Puzzle mining."""

import json
from math import pi
from pathlib import Path

import numpy as np
import pytest

from flicksim.ai import GRADES
from flicksim.core.serialization import from_builtins, from_json
from flicksim.games import load
from flicksim.match import GameRolloutModel, PhysicsSimulator, Puzzle
from flicksim.match.purpose import is_similar_action
from flicksim.match.puzzles import MARGIN, _won_outright
from flicksim.scene import Flick
from tests.cli_runner import invoke, refused

HAND = GRADES["club"]


def flick(speed: float, azimuth: float, x: float = 0.15) -> Flick:
    return Flick(piece="blue-1", speed=speed, azimuth=azimuth, start=(x, 0.04))


def test_similar_flicks_have_near_end_points() -> None:
    draw = flick(1.45, pi / 2)
    assert is_similar_action(draw, flick(1.46, pi / 2 + 0.02), HAND)
    assert is_similar_action(draw, flick(1.455, pi / 2 + 0.085, x=0.195), HAND), "from another place to the same"
    assert not is_similar_action(draw, flick(1.9, pi / 2), HAND)
    assert not is_similar_action(draw, flick(1.45, pi / 2 + 0.3), HAND)
    assert is_similar_action(draw, flick(1.9, pi / 2), HAND, ("red-1", "red-1")), "both are aimed at one thing"
    assert not is_similar_action(draw, flick(1.46, pi / 2), HAND, ("red-1", "")), "one of them is not"


def test_a_draw_is_not_a_win_and_an_extra_shot_due_is_no_defeat() -> None:
    assert _won_outright(np.array([0.0, 0.5, 0.7, 1.0])).tolist() == [0.0, 0.0, 0.7, 1.0]


def test_puzzle_is_saved_with_position_and_solution(tmp_path: Path) -> None:
    words = ["puzzles", "penny-white", "--count", 1, "--out", tmp_path / "mine", "-o", "ends=1", "-o", "pennies=2"]
    done = invoke(*words, "--json")
    (told,) = json.loads(done.stdout)
    puzzle = from_json((tmp_path / "mine" / "penny-white-0001.json").read_bytes(), Puzzle)
    assert told["goal"] == puzzle.goal
    assert puzzle.chance - puzzle.rival >= MARGIN
    game = load(puzzle.game)
    state, solution = from_builtins(puzzle.state, game.state), from_builtins(puzzle.solution, game.action)
    found = GameRolloutModel(game, PhysicsSimulator()).rollout(state, puzzle.seat, [solution], HAND, 2000, 77)
    assert (found.win_probability == 1.0).mean() == pytest.approx(puzzle.chance, abs=0.04), (
        "to come out level is not to win"
    )
    position = tmp_path / "mine" / "penny-white-0001-position.json"
    weighed = invoke("analyse", position, "--shots", "4000", "--json")
    best = json.loads(weighed.stdout)["best"][0]["value"]
    assert best["low"] - 0.02 <= puzzle.chance <= best["high"] + 0.02, "nothing better is found"
    assert "choose an empty folder" in refused(*words)


def test_card_game_has_no_puzzles(tmp_path: Path) -> None:
    assert "nothing is flicked" in refused("puzzles", "dominoes", "--out", tmp_path / "mine")
    assert "'nosuch'" in refused("puzzles", "nosuch")
    assert "--out DIR" in refused("puzzles", "penny-white")
