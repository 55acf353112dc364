"""Practice: set up, shot by hand and by grades, counted."""

from __future__ import annotations

from math import atan2

import pygame
import pytest

from flicksim.base.units import mm
from flicksim.players import GRADES, Hand
from flicksim.table import Squidge
from flicksim.ui.faces.tiddlywinks.practice import Drill, Series, Tally, hand_of
from flicksim.ui.faces.tiddlywinks.practice_screen import PracticeScreen
from flicksim.ui.frame.app import App
from flicksim.ui.table.as_button import KEY
from flicksim.ui.table.gestures import CALMEST
from tests.waiting import until

from ...conftest import Driver


def _practise(app: App, drive: Driver, drill: Drill) -> PracticeScreen:
    screen = PracticeScreen(app, drill)
    app.show(screen)
    drive.frames(2)
    return screen


def _hand(drive: Driver, grade: str) -> None:
    choice = drive.widget("Hand")
    choice.index = choice.values.index(grade)


def _shots(drive: Driver, screen: PracticeScreen) -> None:
    until(lambda: screen.series is None and screen.playback is None, lambda: drive.frames(1, 0.1))


def test_many_shots_are_counted_while_the_window_goes_on(app: App, drive: Driver) -> None:
    screen = _practise(app, drive, Drill("pot", "small", mm(100.0)))
    _hand(drive, "world")
    drive.widget("Shots").text = "30"
    drive.key(pygame.K_n)
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
    _hand(drive, "exact")
    drive.key(pygame.K_SPACE)
    _shots(drive, screen)
    assert (screen.tally.hits, screen.tally.shots) == (1, 1)
    assert screen.notice == "Hit."


def test_a_series_is_stopped_by_the_same_key(app: App, drive: Driver) -> None:
    screen = _practise(app, drive, Drill())
    drive.widget("Shots").text = "5000"
    drive.key(pygame.K_n)
    drive.frames(3)
    drive.key(pygame.K_n)
    _shots(drive, screen)
    assert screen.tally.shots < 5000


def test_a_wink_to_squop_lies_where_it_is_aimed_at(app: App, drive: Driver) -> None:
    screen = _practise(app, drive, Drill("wink", "small", mm(60.0)))
    drive.widget("Shots").text = "20"
    drive.key(pygame.K_n)
    _shots(drive, screen)
    assert screen.tally.shots == 20


def test_absurd_distances_are_refused_in_words(app: App, drive: Driver) -> None:
    screen = _practise(app, drive, Drill())
    screen.form.focus = screen.form.widgets.index(drive.widget("Distance [mm]"))
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


def _made(screen: PracticeScreen, monkeypatch: pytest.MonkeyPatch) -> list[Hand]:
    """The hands that make the shots to come."""
    hands: list[Hand] = []
    monkeypatch.setattr(screen, "_shoot", lambda *told: hands.append(told[2]))
    return hands


def test_a_hand_that_waits_is_as_calm_as_at_the_table(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _practise(app, drive, Drill())
    hands = _made(screen, monkeypatch)
    drive.key(pygame.K_SPACE)
    drive.frames(70)
    drive.key(pygame.K_SPACE)
    assert hands[1].azimuth < hands[0].azimuth
    assert hands[1].azimuth == pytest.approx(CALMEST * GRADES["club"].azimuth, rel=0.1)


def test_practice_is_to_a_rhythm_where_games_are(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app.preferences.gesture = "hold"
    screen = _practise(app, drive, Drill())
    hands = _made(screen, monkeypatch)
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE, mod=0, unicode=" "))
    drive.frames(36)
    assert hands == []
    assert screen.calm.swung is not None
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_SPACE, mod=0, unicode=" "))
    drive.frames(1)
    assert hands[0].azimuth == pytest.approx(CALMEST * GRADES["club"].azimuth, rel=0.05)


def test_practice_takes_a_true_flick_by_two_beats_and_by_a_stroke(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.preferences.gesture = "flick"
    screen = _practise(app, drive, Drill())
    drive.frames(40)
    hands = _made(screen, monkeypatch)
    drive.key(pygame.K_SPACE)
    assert hands == []
    drive.frames(46)
    drive.key(pygame.K_SPACE)
    assert len(hands) == 1
    assert screen.shooter.aim is not None
    x, y = screen.view.camera.to_screen(screen.shooter.aim.at)
    drive.press((x - 120, y))
    for step in range(1, 9):
        drive.move((x - 120 + 30 * step, y))
    assert len(hands) == 2


def test_exact_is_named_so_and_errs_by_nothing(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _practise(app, drive, Drill())
    _hand(drive, "exact")
    hands = _made(screen, monkeypatch)
    drive.key(pygame.K_SPACE)
    assert hands[0].azimuth == hands[0].speed == 0.0
    assert screen.calm.words(screen.hand) == "exact"


def test_the_touchpad_key_draws_back_here_too(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _practise(app, drive, Drill())
    at = screen.view.clear.center
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: at)
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=KEY, mod=0, unicode="m"))
    drive.frames(1)
    assert screen.shooter.pulling
    assert not screen.busy
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=KEY, mod=0, unicode="m"))
    drive.frames(1)
    assert not screen.shooter.pulling
