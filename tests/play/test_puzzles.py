"""Puzzles that were found: the solution wins oftener, and the position can be set up again."""

from __future__ import annotations

import json
from math import pi
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flicksim.base.codec import from_json, from_plain
from flicksim.base.errors import FlicksimError
from flicksim.cli import app
from flicksim.games import load
from flicksim.play import GameFuture, Puzzle, TableStage
from flicksim.play.ideas import alike
from flicksim.play.puzzles import MARGIN
from flicksim.players import GRADES
from flicksim.table import Flick

HAND = GRADES["club"]


def flick(speed: float, azimuth: float, x: float = 0.15) -> Flick:
    return Flick(piece="blue-1", speed=speed, azimuth=azimuth, start=(x, 0.04))


def test_flicks_are_alike_that_end_alike() -> None:
    draw = flick(1.45, pi / 2)
    assert alike(draw, flick(1.46, pi / 2 + 0.02), HAND)
    assert alike(draw, flick(1.455, pi / 2 + 0.085, x=0.195), HAND), "from another place to the same"
    assert not alike(draw, flick(1.9, pi / 2), HAND)
    assert not alike(draw, flick(1.45, pi / 2 + 0.3), HAND)
    assert alike(draw, flick(1.9, pi / 2), HAND, ("red-1", "red-1")), "both are aimed at one thing"
    assert not alike(draw, flick(1.46, pi / 2), HAND, ("red-1", "")), "one of them is not"


def test_a_puzzle_is_kept_with_its_position_and_solution(tmp_path: Path) -> None:
    words = [
        "puzzles",
        "penny-white",
        "--count",
        "1",
        "--out",
        str(tmp_path / "mine"),
        "-o",
        "ends=1",
        "-o",
        "pennies=2",
    ]
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    (told,) = json.loads(done.stdout)
    puzzle = from_json((tmp_path / "mine" / "penny-white-0001.json").read_bytes(), Puzzle)
    assert told["goal"] == puzzle.goal
    assert puzzle.chance - puzzle.rival >= MARGIN
    game = load(puzzle.game)
    state, solution = from_plain(puzzle.state, game.state), from_plain(puzzle.solution, game.action)
    found = GameFuture(game, TableStage()).play_out(state, puzzle.seat, [solution], HAND, 2000, 77)
    assert (found.chance == 1.0).mean() == pytest.approx(puzzle.chance, abs=0.04), "to come out level is not to win"
    position = tmp_path / "mine" / "penny-white-0001-position.json"
    weighed = CliRunner().invoke(app, ["analyse", str(position), "--shots", "4000", "--json"])
    assert weighed.exit_code == 0, weighed.output
    best = json.loads(weighed.stdout)["best"][0]["worth"]
    assert best["low"] - 0.02 <= puzzle.chance <= best["high"] + 0.02, "nothing better is found"
    again = CliRunner().invoke(app, words)
    assert isinstance(again.exception, FlicksimError)
    assert "choose an empty folder" in str(again.exception)


def test_a_game_in_which_nothing_is_flicked_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["puzzles", "dominoes", "--out", str(tmp_path / "mine")])
    assert isinstance(done.exception, FlicksimError)
    assert "nothing is flicked" in str(done.exception)
