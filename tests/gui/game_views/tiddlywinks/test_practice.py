"""Tests of tiddlywinks practice: drills, gestures, execution noise, tallies."""

from math import atan2

import pygame
import pytest

from flicksim.ai import GRADES, ExecutionNoise
from flicksim.core.units import mm
from flicksim.gui.app import App
from flicksim.gui.game_views.tiddlywinks.practice import Drill, ShotSeries, ShotTally
from flicksim.gui.game_views.tiddlywinks.practice_screen import PracticeScreen
from flicksim.gui.table_view.gestures import MIN_NOISE_SCALE
from flicksim.gui.table_view.slingshot import MOUSE_KEY
from flicksim.scene import Squidge

from ...conftest import Driver


def _hand(drive: Driver, grade: str) -> None:
    choice = drive.widget("Hand")
    choice.index = choice.values.index(grade)


def _shots(drive: Driver, screen: PracticeScreen) -> None:
    drive.until(lambda: screen.series is None and screen.playback is None, 0.1)


def test_another_drill_keeps_what_is_set_of_the_slingshot(app: App, drive: Driver) -> None:
    """Pulls were twice as strong in a window twice as large, until it was laid out again; `is_aim_set` was kept."""
    pygame.display.set_mode((2560, 1600))
    screen = drive.show(PracticeScreen(app), 2)
    for is_set in (False, True):
        screen.aim_controller.slingshot.is_aim_set = is_set
        before = screen.aim_controller
        drive.widget("Your wink").cycle(1)
        assert screen.aim_controller is not before
        assert screen.aim_controller.slingshot.is_aim_set is is_set
        assert screen.aim_controller.slingshot.scale == app.scale == 2.0


@pytest.mark.parametrize(("drill", "least"), [(Drill(distance=mm(100.0)), 15), (Drill("wink", distance=mm(60.0)), 0)])
def test_a_series_is_counted_without_blocking_the_window(app: App, drive: Driver, drill: Drill, least: int) -> None:
    screen = drive.show(PracticeScreen(app, drill), 2)
    _hand(drive, "world")
    drive.widget("Shots").text = "30"
    drive.key(pygame.K_n)
    drive.frames(1)
    assert app.running
    _shots(drive, screen)
    assert screen.tally.shots == 30
    assert screen.tally.hits > least
    assert "of 30" in screen.tally.text()
    drive.key(pygame.K_c)
    assert screen.tally.shots == 0


def test_a_single_shot_is_shown_and_counted(app: App, drive: Driver) -> None:
    screen = drive.show(PracticeScreen(app, Drill("pot", "large", mm(200.0))), 2)
    _hand(drive, "exact")
    drive.key(pygame.K_SPACE)
    drive.until(lambda: screen.playback is not None)
    assert screen.is_animating
    _shots(drive, screen)
    assert (screen.tally.hits, screen.tally.shots) == (1, 1)
    assert screen.notice == "Hit."


def test_a_series_is_stopped_by_the_same_key(app: App, drive: Driver) -> None:
    screen = drive.show(PracticeScreen(app, Drill()), 2)
    drive.widget("Shots").text = "5000"
    drive.key(pygame.K_n)
    drive.frames(3)
    drive.key(pygame.K_n)
    _shots(drive, screen)
    assert screen.tally.shots < 5000


def test_distances_out_of_range_are_refused_with_a_message(app: App, drive: Driver) -> None:
    screen = drive.show(PracticeScreen(app, Drill()), 2)
    screen.form.focus = screen.form.widgets.index(drive.widget("Distance [mm]"))
    for typed in ("9999", "²", "--5"):
        drive.key(pygame.K_DELETE)
        drive.type(typed)
        assert "20 to 950" in screen.error
    drive.key(pygame.K_DELETE)
    drive.type("400")
    assert not screen.error
    assert screen.drill.distance == pytest.approx(0.4)


@pytest.mark.parametrize("drill", [Drill("pot", "small", mm(150.0)), Drill("wink", "small", mm(60.0))])
def test_a_batched_series_equals_single_shots(drill: Drill) -> None:
    match, tallies = drill.make_match(), []
    at = match.state.scene.piece(drill.wink).position
    azimuth = atan2(drill.target_point[1] - at[1], drill.target_point[0] - at[0])
    for at_once in (True, False):
        tally = ShotTally()
        meant = Squidge(piece=drill.wink, speed=1.2, azimuth=azimuth, elevation=1.0)
        series = ShotSeries(drill, match, meant, GRADES["club"], 30, tally, 7, lambda at_once=at_once: at_once)
        series.job.result()
        assert series.remaining == 0
        tallies.append(tally)
    assert tallies[0].shots == 30
    assert tallies[0] == tallies[1]
    assert len(set(tallies[0].end_points)) > 20


Practice = tuple[PracticeScreen, list[ExecutionNoise]]


@pytest.fixture
def practice(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> Practice:
    """Practice screen, and the execution noise of each shot instead of the shot."""
    screen, noises = drive.show(PracticeScreen(app, Drill()), 2), list[ExecutionNoise]()
    monkeypatch.setattr(screen, "_start_series", lambda _shots, _shot, noise: noises.append(noise))
    return screen, noises


def test_waiting_lowers_the_execution_noise_as_in_a_match(drive: Driver, practice: Practice) -> None:
    noises = practice[1]
    drive.key(pygame.K_SPACE)
    drive.frames(70)
    drive.key(pygame.K_SPACE)
    assert noises[1].azimuth < noises[0].azimuth
    assert noises[1].azimuth == pytest.approx(MIN_NOISE_SCALE * GRADES["club"].azimuth, rel=0.1)


def test_practice_uses_the_rhythm_gesture_of_matches(app: App, drive: Driver, practice: Practice) -> None:
    screen, noises = practice
    app.preferences.gesture = "hold"
    drive.frames(1)
    drive.down(pygame.K_SPACE)
    drive.frames(35)
    assert noises == []
    assert screen.gesture_noise.meter_time is not None
    drive.up(pygame.K_SPACE)
    assert noises[0].azimuth == pytest.approx(MIN_NOISE_SCALE * GRADES["club"].azimuth, rel=0.05)


def test_practice_accepts_true_flicks_by_two_beats_and_by_a_stroke(app: App, drive: Driver, practice: Practice) -> None:
    screen, noises = practice
    app.preferences.gesture = "flick"
    drive.frames(40)
    drive.key(pygame.K_SPACE)
    assert noises == []
    drive.frames(46)
    drive.key(pygame.K_SPACE)
    assert len(noises) == 1
    x, y = screen.view.camera.to_screen(screen.aim_controller.aim.contact_point)
    drive.press((x - 120, y))
    for step in range(1, 9):
        drive.move((x - 120 + 30 * step, y))
    assert len(noises) == 2


def test_the_exact_choice_has_no_execution_noise(drive: Driver, practice: Practice) -> None:
    screen, noises = practice
    _hand(drive, "exact")
    drive.key(pygame.K_SPACE)
    assert noises[0].azimuth == noises[0].speed == 0.0
    assert screen.gesture_noise.spread_text(screen.execution_noise) == "exact"


def test_the_touchpad_key_draws_back_in_practice(
    drive: Driver, practice: Practice, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = practice[0]
    at = screen.view.unobstructed.center
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: at)
    drive.down(MOUSE_KEY)
    assert screen.aim_controller.is_pulling
    assert not screen.is_busy
    drive.up(MOUSE_KEY)
    assert not screen.aim_controller.is_pulling
