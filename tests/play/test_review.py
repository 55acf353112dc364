"""A game is gone through turn by turn; what the shell tells of it and of a position, and what it refuses."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from flicksim.base.errors import FlicksimError
from flicksim.cli import app
from flicksim.games import load
from flicksim.play import GameFuture, Reviewed, TableStage, Untold, needed, open_match, review_of, reviewing
from flicksim.players import GRADES
from flicksim.referee import parse_options

OPTIONS = ("ends=1", "pennies=2", "first=first")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reviewed") / "game.jsonl"
    words = [word for option in OPTIONS for word in ("-o", option)]
    done = CliRunner().invoke(
        app, ["play", "penny-white", "--headless", "--seat", "bot:club/beginner", "--seat", "random", "--seed", "3",
              "--record", str(path), *words],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    return path


def told(*words: object) -> str:
    done = CliRunner().invoke(app, ["analyse", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*words: object) -> str:
    done = CliRunner().invoke(app, ["analyse", *map(str, words)])
    assert isinstance(done.exception, FlicksimError), done.output
    return str(done.exception)


def test_what_plan_and_hand_lost_adds_up_to_what_a_turn_brought() -> None:
    game = load("penny-white")
    match = open_match(game, parse_options(game, OPTIONS), ["bot:club/beginner", "random"], 3)
    turns = list(match.run())
    future = GameFuture(game, TableStage())
    found = [
        one for one, _ in reviewing(game, future, turns, lambda _: GRADES["club"], 1500, 1) if isinstance(one, Reviewed)
    ]
    for one in found:
        assert one.swing == pytest.approx(-one.lost_as_meant - one.lost_by_hand)
        assert one.lost_as_meant >= 0.0
    last = found[-1]
    won = 1.0 if match.winners == (last.seat,) else 0.0 if last.seat not in match.winners else 0.5
    assert last.after.chance == won, "after the last flick of all nothing is left to chance"
    review = review_of(game, found, len(turns), 0)
    assert len(review.turning) == 3
    still = [msgspec.structs.replace(one, after=one.before) for one in found]
    assert review_of(game, still, len(turns), 0).turning == (), "where no chance changed nothing was turned"
    assert all(0.0 < row.accuracy <= 100.0 for row in review.accuracy)
    assert review.accuracy[0].accuracy > review.accuracy[1].accuracy, "who plays at random loses more by it"


def test_a_record_is_reviewed_in_the_shell_the_same_each_time(record: Path, tmp_path: Path) -> None:
    words = (record, "--shots", 1500, "--json", "--png", tmp_path / "graph.png")
    review = told(*words)
    assert json.loads(review)["game"] == "penny-white"
    assert told(*words) == review
    assert (tmp_path / "graph.png").stat().st_size > 2000
    lines = told(record, "--shots", 1500).splitlines()
    assert sum("meant" in line and "made" in line for line in lines) == len(json.loads(review)["turns"])
    assert sum(line.startswith("Turning point") for line in lines) == 3


def test_the_position_before_a_turn_is_weighed_with_a_map(record: Path, tmp_path: Path) -> None:
    weighed = json.loads(told(record, "--turn", 3, "--shots", 3000, "--json", "--png", tmp_path / "map.png"))
    assert weighed["hand"] == "club"
    assert weighed["shots"] <= 3000
    best = weighed["best"][0]["worth"]
    assert 0.0 <= best["low"] <= best["chance"] <= best["high"] <= 1.0
    assert len(weighed["map"]["chance"]) == len(weighed["map"]["speeds"])
    assert (tmp_path / "map.png").stat().st_size > 2000
    assert "to play, world hands: wins" in told(record, "--turn", 3, "--shots", 3000, "--hand", "world")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock by which whatever is measured takes a second, on any machine."""
    ticks = count()
    monkeypatch.setattr("flicksim.cli.analyse.monotonic", lambda: float(next(ticks)))


@pytest.mark.usefixtures("slow")
def test_what_cannot_be_analysed_is_told_in_a_sentence(record: Path, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("nothing\n")
    assert refused(record, "--turn", 99).startswith("turn 99 of")
    assert "too few to tell" in refused(record, "--turn", 3, "--shots", 5)
    assert "say the same" in refused(record, "--shots", 5, "--seconds", 1)
    assert re.fullmatch(
        r"--seconds 0.01 is too little to tell anything here; give [\d.]+",
        refused(record, "--turn", 3, "--seconds", 0.01),
    )
    assert "longer than an hour" in refused(record, "--seconds", 700_000)
    assert refused(record, "--hand", "giant").startswith("no grade 'giant'")
    assert "is no flicksim record" in refused(tmp_path / "none.jsonl")
    assert refused("nowhere").startswith("no position 'nowhere'") or "nowhere" in refused("nowhere")
    assert "is for a recorded game" in refused("pile_of_three", "--turn", 2)
    assert "must be called something.png" in refused(record, "--png", "map.gif")


def test_a_turn_without_a_choice_is_passed_over_and_told() -> None:
    """A round of dominoes: whoever may only pass, or has a single tile that fits, chooses nothing."""
    game = load("dominoes")
    match = open_match(game, parse_options(game, ["rounds=1"]), ["bot:club", "random", "random"], 2)
    turns = list(match.run())[-10:]
    future = GameFuture(game, TableStage())
    found = [one for one, _ in reviewing(game, future, turns, lambda _: GRADES["club"], 300, 1)]
    untold = [one for one in found if isinstance(one, Untold)]
    assert "nothing to choose" in {one.why for one in untold}
    assert 0 < len(untold) < len(turns)
    review = review_of(game, found, len(turns), 0)
    assert len(review.turns) + len(review.untold) == len(turns) == review.of


@pytest.mark.parametrize("shots", [96, 104, 112, 160])
def test_as_many_turns_are_told_as_was_said_before(shots: int) -> None:
    """Shots just too few for a race and its fresh tries are refused before they are spent, not after."""
    game = load("dominoes")
    turns = list(open_match(game, parse_options(game, ["rounds=1"]), ["bot:club"] * 4, 2).run())[:8]
    future = GameFuture(game, TableStage())
    few, of, _ = needed(game, future, turns, lambda _: GRADES["club"], shots)
    found = [one for one, _ in reviewing(game, future, turns, lambda _: GRADES["club"], shots, 1)]
    assert sum(isinstance(one, Untold) and one.need > 0 for one in found) == few
    assert few in (0, of)


@pytest.mark.usefixtures("slow")
def test_a_budget_too_small_is_told_and_enough_named(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = refused(record, "--shots", 40)
    enough = int(said.split()[-3])
    assert said == f"40 shots are too few to tell anything here; give {enough} or more"
    assert "too few" not in told(record, "--shots", enough)
    monkeypatch.setattr("flicksim.cli.analyse.reviewing", lambda *_: pytest.fail("it is told before anything is spent"))
    refused(record, "--shots", 40)
    assert refused(record, "--seconds", 0.01).startswith("--seconds 0.01 is too little to tell anything here; give ")


def test_a_hand_of_cards_is_weighed_by_imagined_deals(tmp_path: Path) -> None:
    path = tmp_path / "round.jsonl"
    words = ["--seat", "bot:club", "--seat", "random", "--seat", "random", "-o", "rounds=1", "--record", str(path)]
    assert CliRunner().invoke(app, ["play", "dominoes", "--headless", *words]).exit_code == 0
    said = told(path, "--turn", 3, "--shots", 600)
    assert "deals were played out, the rounds to come being anybody's" in said
    assert "The first is ahead of the others beyond luck" in told(path, "--turn", 1, "--shots", 600), (
        "the lead leaves no choice"
    )
    assert "wins" in said
