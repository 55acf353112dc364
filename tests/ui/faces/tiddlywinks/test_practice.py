"""Practice: set up, shot by hand and by grades, counted."""

from __future__ import annotations

import time
from math import atan2

import pygame
import pytest

from flicksim.base.units import mm
from flicksim.table import Squidge
from flicksim.ui.faces.tiddlywinks.practice import Drill, Series, Tally, hand_of
from flicksim.ui.faces.tiddlywinks.practice_screen import PracticeScreen
from flicksim.ui.frame.app import App

from ...conftest import Driver


def _practise(app: App, drive: Driver, drill: Drill) -> PracticeScreen:
    screen = PracticeScreen(app, drill)
    app.show(screen)
    drive.frames(2)
    return screen


def _shots(drive: Driver, screen: PracticeScreen) -> None:
    deadline = time.monotonic() + 60.0
    while screen.series is not None or screen.playback is not None:
        assert time.monotonic() < deadline
        drive.frames(1, 0.1)
        time.sleep(0.002)


def test_many_shots_are_counted_while_the_window_goes_on(app: App, drive: Driver) -> None:
    screen = _practise(app, drive, Drill("pot", "small", mm(100.0)))
    screen._hand.index = screen._hand.values.index("world")
    screen._many.text = "30"
    drive.key(pygame.K_m)
    drive.frames(1)
    assert app.running
    _shots(drive, screen)
    assert screen.tally.shots == 30
    assert screen.tally.hits > 15
    assert "of 30" in screen.tally.says()
    drive.key(pygame.K_c)
    assert screen.tally.shots == 0


def test_one_shot_by_keys_is_shown_and_counted(app: App, drive: Driver) -> None:
    screen = _practise(app, drive, Drill("pot", "large", mm(200.0)))
    screen._hand.index = screen._hand.values.index("steady")
    drive.key(pygame.K_SPACE)
    _shots(drive, screen)
    assert (screen.tally.hits, screen.tally.shots) == (1, 1)
    assert screen.notice == "Hit."


def test_a_series_is_stopped_by_the_same_key(app: App, drive: Driver) -> None:
    screen = _practise(app, drive, Drill())
    screen._many.text = "5000"
    drive.key(pygame.K_m)
    drive.frames(3)
    drive.key(pygame.K_m)
    _shots(drive, screen)
    assert screen.tally.shots < 5000


def test_a_wink_to_squop_lies_where_it_is_aimed_at(app: App, drive: Driver) -> None:
    screen = _practise(app, drive, Drill("wink", "small", mm(60.0)))
    screen._many.text = "20"
    drive.key(pygame.K_m)
    _shots(drive, screen)
    assert screen.tally.shots == 20


def test_absurd_distances_are_refused_in_words(app: App, drive: Driver) -> None:
    screen = _practise(app, drive, Drill())
    screen.form.focus = screen.form.widgets.index(screen._far)
    for typed in ("9999", "²", "--5"):
        drive.key(pygame.K_DELETE)
        drive.type(typed)
        assert "20 to 950" in screen.wrong
    drive.key(pygame.K_DELETE)
    drive.type("400")
    assert not screen.wrong
    assert screen.drill.distance == pytest.approx(0.4)


@pytest.mark.parametrize("drill", [Drill("pot", "small", mm(150.0)), Drill("wink", "small", mm(60.0))])
def test_a_series_made_at_once_is_the_one_made_shot_by_shot(drill: Drill) -> None:
    match, tallies = drill.match(), []
    at = match.state.scene.piece(drill.wink).at
    way = atan2(drill.aim[1] - at[1], drill.aim[0] - at[0])
    for at_once in (True, False):
        tally = Tally()
        meant = Squidge(piece=drill.wink, speed=1.2, azimuth=way, elevation=1.0)
        series = Series(drill, match, meant, hand_of("club"), 30, tally, 7, lambda at_once=at_once: at_once)
        series.check()
        assert series.left == 0
        tallies.append(tally)
    assert tallies[0].shots == 30
    assert tallies[0] == tallies[1]
    assert len(set(tallies[0].ends)) > 20


def test_a_single_shot_is_kept_to_be_seen() -> None:
    drill, tally = Drill(), Tally()
    series = Series(
        drill, drill.match(), Squidge(piece=drill.wink, speed=1.2, azimuth=3.5), hand_of("club"), 1, tally, 7
    )
    series.check()
    assert series.last is not None
    assert len(series.last.tracks.times) > 2
    assert tally.shots == 1
