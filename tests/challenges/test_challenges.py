"""Challenges: registry, daily challenge, attempts of bots."""

import json
from dataclasses import replace
from datetime import date, timedelta
from math import pi

import pytest

from flicksim import challenges
from flicksim.core.errors import InvalidOption
from flicksim.core.units import mm
from flicksim.referee import AttemptStatus
from flicksim.scene import Flick
from tests.cli_runner import invoke

ALL = challenges.all_challenges()


@pytest.mark.parametrize("posed", ALL, ids=lambda one: one.name)
def test_every_challenge_is_playable(posed: challenges.ChallengeEntry) -> None:
    match = challenges.start_attempt(posed)
    legal = match.legal_actions()
    assert legal.flicks if posed.game.uses_physics else len(legal.actions) > 1
    assert posed.challenge.judge(()) == AttemptStatus()
    assert posed.challenge.goal.endswith(".")
    assert challenges.find_challenge(posed.name).challenge.title == posed.challenge.title


def test_challenge_names_are_unique_and_games_have_groups() -> None:
    assert len({one.name for one in ALL}) == len(ALL) >= 18
    assert {one.game.name for one in ALL} == {"penny-white", "tiddlywinks", "ice", "dominoes"}


def test_daily_challenge_depends_on_its_date() -> None:
    days = [date(2025, 1, 1) + timedelta(days=k) for k in range(40)]
    told = [(one.name, one.challenge.goal) for one in map(challenges.daily_challenge, days)]
    assert told[0] == DAILY
    assert len({goal for _, goal in told}) > 12
    assert {name.partition("/")[0] for name, _ in told} == {"penny-white", "tiddlywinks", "ice"}
    assert all(challenges.start_attempt(challenges.daily_challenge(day)).legal_actions().flicks for day in days)


def test_daily_puzzle_goes_through_the_puzzles_of_all_games() -> None:
    days = [date(2025, 1, 1) + timedelta(days=k) for k in range(240)]
    told = [challenges.daily_puzzle(day) for day in days]
    assert all(entry.challenge.solution is not None and entry.day == day for entry, day in zip(told, days, strict=True))
    games = [entry.game.name for entry in told]
    assert set(games[:4]) == {"penny-white", "tiddlywinks", "ice", "dominoes"}
    assert games[:4] * 60 == games
    puzzles = {one.name for one in ALL if one.challenge.solution is not None}
    assert {entry.name for entry in told} == puzzles, "every one has its day"


def test_bot_attempt_is_judged() -> None:
    outcome = challenges.run_attempts(challenges.find_challenge("draw-30"), "bot:world", seed=1, max_attempts=4)
    assert (outcome.done, outcome.unit) == (True, "mm")
    assert outcome.measure <= 15.0
    assert outcome.text == f"{outcome.measure:g} mm from the white."
    missed = challenges.run_attempts(challenges.find_challenge("draw-90"), "random", seed=1)
    assert (missed.done, missed.stars) == (False, 0)


def test_red_knocked_off_with_the_last_penny_takes_no_end() -> None:
    """PW-12b: Red may then take off the penny that did it, and nobody scores (PW-8a)."""
    posed = challenges.find_challenge("penny-white/round-the-guard")
    match = challenges.start_attempt(posed)
    flick = Flick(piece="blue-1", start=(mm(176.0), mm(35.0)), azimuth=pi / 2.0 + 0.015, speed=2.2)
    turn = match.play(flick)
    assert (turn.after.phase, turn.after.removals) == ("remove", 1)
    assert posed.challenge.judge([turn]) == AttemptStatus(text="Nobody takes the end.", is_over=True)


def test_stars_by_attempts_or_measure() -> None:
    challenge = challenges.find_challenge("draw-30").challenge
    assert [challenge.stars(AttemptStatus(is_solved=True), tries) for tries in (1, 2, 3, 4, 90)] == [3, 2, 2, 1, 1]
    assert challenge.stars(AttemptStatus(is_solved=False), 1) == 0
    jump = challenges.find_challenge("longest-jump").challenge
    assert [jump.stars(AttemptStatus(is_solved=True, measure=far), 9) for far in (100.0, 120.0, 140.0)] == [1, 2, 3]
    less = replace(jump, objective="less", star_thresholds=(3.0, 5.0))
    assert [less.stars(AttemptStatus(is_solved=True, measure=far), 9) for far in (3.0, 5.0, 6.0)] == [3, 2, 1]


@pytest.mark.parametrize("name", ["none", "penny-white/none", "daily-2025-02-30", "daily-soon", "daily-puzzle-soon"])
def test_unknown_challenge_is_refused(name: str) -> None:
    with pytest.raises(InvalidOption, match=name.rpartition("/")[2]):
        challenges.find_challenge(name)


def test_challenges_command() -> None:
    listed = json.loads(invoke("challenges", "--json", "--day", "2025-01-01").stdout)
    assert listed[0]["name"] == DAILY[0]
    assert listed[1]["name"] == challenges.daily_puzzle(date(2025, 1, 1)).name
    assert [one["day"] for one in listed[:3]] == ["2025-01-01", "2025-01-01", None]
    assert len(listed) == len(ALL) + 2
    for number, kind in enumerate(("daily-challenge", "daily-puzzle")):
        assert challenges.find_challenge(f"{kind}-2025-01-01").name == listed[number]["name"]
        done = invoke("challenges", kind, "--day", "2025-01-01", "--seat", "random", code=None)
        assert listed[number]["goal"] in " ".join(done.stdout.split())
    words = ["challenges", "draw-10", "--seat", "bot:club", "--attempts", "9", "--json"]
    done = invoke(*words)
    assert json.loads(done.stdout)["done"] is True
    missed = invoke("challenges", "draw-90", "--seat", "random", "--seed", "2", code=1)
    assert "not solved" in missed.stdout
    nameless = invoke("challenges", "--attempts", "5", code=None)
    assert nameless.exit_code != 0
    assert "--attempts" in str(nameless.exception)


DAILY = (
    "ice/daily-2025-01-01",
    "Make 4 points with 7 missiles: 1 small, 3 medium, 3 large. Small counts one, medium two, large three.",
)


def test_star_text_matches_the_stars() -> None:
    for posed in ALL:
        one = posed.challenge
        assert one.star_criteria.startswith("Three stars ")
        if one.star_thresholds is None:
            assert "first try" in one.star_criteria
            continue
        three, two = one.star_thresholds
        assert f"{three:g} {one.unit_for(three)} or {one.objective}" in one.star_criteria
        assert "1 launches" not in one.star_criteria
        assert f"{two:g} or {one.objective}" in one.star_criteria
        assert one.stars(AttemptStatus(is_solved=True, is_over=True, measure=three), 9) == 3
        assert one.stars(AttemptStatus(is_solved=True, is_over=True, measure=two), 9) >= 2
