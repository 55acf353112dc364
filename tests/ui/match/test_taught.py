"""Lessons: each game has one that can be laid, its steps are recognised by what happened, and leaving loses nothing."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pygame
import pytest

from flicksim.games import load, names
from flicksim.games.ice.seats import places
from flicksim.play import open_match, parse_seat
from flicksim.players import GRADES
from flicksim.table import Launch
from flicksim.ui.faces import found
from flicksim.ui.faces.ice.course import IceCourse
from flicksim.ui.faces.ice.screen import IceScreen
from flicksim.ui.frame.app import App
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.front.challenges import ChallengesScreen
from flicksim.ui.front.lessons import LessonsScreen
from flicksim.ui.front.menu import MenuScreen
from flicksim.ui.kit.sounds import WAVES
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.match.taught import TaughtScreen, Teaching
from flicksim.ui.table import standing
from tests.waiting import until

from ..conftest import Driver


def lesson(app: App, game: str) -> Teaching:
    begin = app.routes.teach(app, load(game))
    assert begin is not None
    begin()
    beside = app.top.beside
    assert isinstance(beside, Teaching)
    return beside


@pytest.mark.parametrize("name", names())
def test_every_lesson_can_be_leafed_through_and_left(app: App, drive: Driver, home: Path, name: str) -> None:
    del home
    steps = found().of(load(name)).lesson
    assert steps is not None
    teaching = lesson(app, name)
    for number, step in enumerate(steps.steps):
        drive.frames(2)
        assert isinstance(app.top, AtTable)
        assert (teaching.at, teaching.says) == (number, step.says)
        assert not step.done(())
        drive.key(pygame.K_PAGEDOWN)
    assert isinstance(app.top, TaughtScreen)
    assert app.player.profile.lessons == (name,)
    drive.key(pygame.K_r)
    assert teaching.at == 0
    assert len(app.screens) == 2
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MenuScreen)


def test_a_flick_does_the_first_step_and_the_next_follows_by_itself(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(app.sounds, "play", lambda name, _loud=1.0: heard.append(name))
    teaching = lesson(app, "penny-white")
    drive.frames()
    drive.key(pygame.K_SPACE)
    drive.until("hold", "over")
    drive.frames(2)
    assert teaching.done
    assert teaching.says == teaching.lesson.steps[0].praise
    drive.frames(60, 0.05)
    assert (teaching.at, teaching.done) == (1, False)
    assert not drive.table.match.turns
    assert len(app.screens) == 2
    assert set(heard) <= set(WAVES)


def test_a_table_on_which_nothing_is_left_to_do_is_laid_again(app: App, drive: Driver) -> None:
    teaching = lesson(app, "penny-white")
    drive.key(pygame.K_PAGEDOWN)
    drive.key(pygame.K_PAGEDOWN)
    drive.frames()
    table = drive.table
    for _ in range(12):
        drive.key(pygame.K_DOWN)  # too gently to come near
    assert (table.match.people[0], standing.who(table.match, 0)) == ("you", "you")
    drive.key(pygame.K_SPACE)
    drive.until("hold", "over")
    drive.frames(2)
    assert teaching.note == "Not yet: Red keeps the end."
    drive.frames(60, 0.05)
    assert teaching.at == 2
    assert teaching.says == f"Once more. {teaching.lesson.steps[2].says}"
    assert drive.table is not table
    assert not drive.table.match.turns


def test_lessons_are_found_at_the_front_door_and_in_the_help(app: App, drive: Driver) -> None:
    app.show(MenuScreen(app, found()))
    drive.frames()
    drive.key(pygame.K_l)
    assert isinstance(app.top, LessonsScreen)
    drive.key(pygame.K_3)
    assert isinstance(app.top, IceScreen)
    drive.key(ord("?"), text="?")
    assert isinstance(app.top, HelpScreen)
    assert [widget.label for widget in app.top.form.widgets][-2:] == ["Play the lesson", "Back"]
    drive.click(app.top.form.widgets[-2].rect.center)
    assert isinstance(app.top.beside, Teaching)
    assert len(app.screens) == 2


def test_a_letter_over_the_lessons_is_for_the_front_door(app: App, drive: Driver, home: Path) -> None:
    del home
    app.show(menu := MenuScreen(app, found()))
    menu.lessons()
    drive.frames()
    drive.key(pygame.K_h)
    assert isinstance(app.top, ChallengesScreen)
    assert app.screens == [menu, app.top]


def test_the_first_game_is_against_a_beginner_who_waits(app: App, drive: Driver, home: Path) -> None:
    del home
    for first in (True, True, False):  # a quick look at it is no game
        if not first:
            app.player.begun("ice")
        app.show(MenuScreen(app, found()))
        drive.frames()
        drive.key(pygame.K_3)
        table = app.top
        assert isinstance(table, IceScreen)
        assert table.course.patient is first
        assert table.match.hands[1] == GRADES["beginner" if first else app.preferences.grade]


def test_a_bot_that_waits_launches_after_the_person() -> None:
    game = load("ice")
    match = open_match(game, game.options(), [parse_seat("human"), parse_seat("bot:beginner")], 3)
    opening = match.state
    hands = tuple(hand[:2] for hand in opening.hands)
    match.set_up(msgspec.structs.replace(opening, started=True, hands=hands))
    course = IceCourse(match)
    course.patient = True
    for _ in range(80):
        course.update(0.1)
    assert [len(hand) for hand in match.state.hands] == [2, 2]
    place = places(game.options(), 2)[0]
    course.offer(
        0, Launch(piece="red-small-1", size="small", hold=place.hold, azimuth=place.facing, speed=2.6, owner=0)
    )

    def launches() -> list[Launch]:
        return [turn.made for turn in match.turns if isinstance(turn.made, Launch)]

    until(lambda: len(launches()) >= 2, lambda: course.update(0.1))
    launched = launches()
    assert [launch.owner for launch in launched[:2]] == [0, 1]
    assert len(match.state.hands[1]) == 1
    assert launched[1].time is not None
    assert launched[1].time > 8.0
