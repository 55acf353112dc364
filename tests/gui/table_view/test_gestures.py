"""Gestures: pull back, rhythm and stroke, with the same execution noise, and what is told of a shot."""

from math import pi, radians

import msgspec
import pygame
import pytest

from flicksim.ai import GRADES, hold_time_noise_factor
from flicksim.games import load
from flicksim.gui.app import ActivityCard, App, MatchSession
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.match.start_match import start_match
from flicksim.gui.table_view import GestureNoise, gestures
from flicksim.gui.table_view.gestures import execution_error_text, gesture_feedback
from flicksim.gui.toolkit import Gesture
from flicksim.scene import Flick, samples
from tests.matches import new_match

from ..conftest import Driver, match_screen, penny_white_match

CALM, WILD = gestures.MIN_NOISE_SCALE, gestures.MAX_NOISE_SCALE


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "ice"])
def test_a_pull_is_as_strong_in_a_window_of_any_size(app: App, drive: Driver, name: str) -> None:
    strengths = []
    for size in ((1280, 800), (2560, 1600)):
        pygame.display.set_mode(size)
        screen = drive.show(match_screen(app, new_match(name, *["human"] * load(name).seats[0], seed=3)), 2)
        area, pull = screen.view.area, 60.0 * app.scale
        drive.press(area.center)
        drive.move((area.centerx, area.centery + pull))
        strengths.append(screen.pose.speed if name == "ice" else screen.aim_controller.aim.speed)
    assert strengths[0] == pytest.approx(strengths[1], rel=0.02)


def test_every_gesture_has_the_same_best_and_the_same_worst() -> None:
    times = [k / 100.0 for k in range(400)]
    for how in (
        hold_time_noise_factor,
        gestures.meter_noise_scale,
        gestures.beat_noise_scale,
        lambda t: gestures.stroke_noise_scale(t / 10.0),
    ):
        found = [how(t) for t in times]
        assert min(found) == pytest.approx(CALM)
        assert max(found) == pytest.approx(WILD)


def test_a_stroke_has_the_direction_and_speed_of_the_pointer() -> None:
    path = [(k / 60.0, (100.0 + 15.0 * k, 300.0)) for k in range(8)]
    made = gestures.fit_stroke(path, 1.0)
    assert made.azimuth == pytest.approx(0.0)
    assert made.deviation == pytest.approx(0.0)
    faster = gestures.fit_stroke([(t / 2.0, at) for t, at in path], 1.0)
    assert faster.strength == pytest.approx(2.0 * made.strength)
    bent = gestures.fit_stroke([(t, (x, y + 4.0 * (k % 2))) for k, (t, (x, y)) in enumerate(path)], 1.0)
    assert bent.deviation > 0.01
    assert gestures.fit_stroke(path[:1], 1.0) is None
    assert gestures.fit_stroke([(0.0, (5.0, 5.0)), (0.1, (6.0, 5.0))], 1.0) is None


def test_a_stroke_snaps_to_a_near_previous_aim() -> None:
    way, speed = gestures.snap_to_aim(0.2, 1.2, (0.0, 1.0))
    assert 0.0 < way < 0.1
    assert 1.0 < speed < 1.1
    assert gestures.snap_to_aim(1.2, 1.2, (0.0, 1.0)) == (1.2, 1.2)
    assert gestures.snap_to_aim(0.1, 3.2, (0.0, 1.0)) == (0.1, 3.2)


def test_a_pointer_segment_passes_a_piece_at_its_nearest_point() -> None:
    assert not gestures.passes_within((0.0, 0.0), (50.0, 0.0), (100.0, 0.0), 20.0)
    assert gestures.passes_within((90.0, 0.0), (130.0, 0.0), (100.0, 5.0), 20.0)
    assert not gestures.passes_within((90.0, 0.0), (130.0, 0.0), (100.0, 50.0), 20.0)


def _sat(app: App, drive: Driver, gesture: Gesture) -> BoardScreen:
    app.preferences.gesture = gesture
    return drive.show(match_screen(app, penny_white_match("human", "human")), 3)


def test_keys_release_at_the_top_of_the_meter(app: App, drive: Driver) -> None:
    screen = _sat(app, drive, "hold")
    drive.down(pygame.K_SPACE)
    assert screen.controller.phase == "choose"
    assert screen.gesture_noise.noise_scale == pytest.approx(WILD, abs=0.02)
    drive.frames(36)  # .6 s
    drive.up(pygame.K_SPACE)
    assert screen.controller.phase != "choose"
    drive.wait_for_phase("show", "hold")
    turn = screen.match.turns[0]
    assert turn.noise.azimuth == pytest.approx(CALM * GRADES["club"].azimuth, rel=0.02)
    assert turn.made != turn.meant  # what was meant and what was made stand apart for people too


def test_keys_flick_in_two_beats(app: App, drive: Driver) -> None:
    screen = _sat(app, drive, "flick")
    drive.key(pygame.K_SPACE)
    assert screen.controller.phase == "choose"
    drive.frames(47)
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("show", "hold")
    assert screen.match.turns[0].noise.azimuth == pytest.approx(CALM * GRADES["club"].azimuth, rel=0.1)


@pytest.mark.parametrize("is_undo", [False, True], ids=["escape", "undo"])
def test_escape_and_undo_cancel_the_gesture(app: App, drive: Driver, is_undo: bool) -> None:
    screen = _sat(app, drive, "hold")
    drive.down(pygame.K_SPACE)
    drive.frames(4)
    if is_undo:
        screen.controller.on_change()
    else:
        drive.key(pygame.K_ESCAPE)
    assert app.top is screen
    drive.up(pygame.K_SPACE)
    drive.frames()
    assert screen.controller.phase == "choose"


@pytest.mark.parametrize("key", [False, True])
def test_a_stroke_through_the_piece_flicks_it(app: App, drive: Driver, key: bool) -> None:
    """With the mouse button, or the touchpad key held instead."""
    screen = _sat(app, drive, "flick")
    camera, (x, y) = screen.view.camera, screen.aim_controller.aim.contact_point
    begin = camera.to_screen((x, y - 45.0 / camera.zoom))
    drive.move(begin)
    if key:
        pygame.mouse.set_pos(begin)
        drive.frames(1)
        drive.down(pygame.K_m)
        screen.aim_controller.slingshot.pull = (begin, begin)  # the pointer of a window that nobody sees stands still
    else:
        drive.press(begin)
    for k in range(1, 9):
        drive.move(camera.to_screen((x, y + (9.0 * k - 45.0) / camera.zoom)))
    drive.wait_for_phase("show", "hold")
    meant = screen.match.turns[0].meant
    assert abs(meant.azimuth - pi / 2.0) < 0.1
    assert 0.2 < meant.speed < 3.0


def test_the_mouse_releases_on_the_meter(app: App, drive: Driver) -> None:
    screen = _sat(app, drive, "hold")
    at = screen.view.area.center
    drive.press(at)
    drive.move((at[0], at[1] + 120))
    drive.frames(35)
    assert screen.gesture_noise.meter_time is not None
    drive.release((at[0], at[1] + 120))
    drive.wait_for_phase("show", "hold")
    assert screen.match.turns[0].noise.azimuth < 0.9 * GRADES["club"].azimuth


def test_noise_without_a_gesture_is_that_of_the_grade() -> None:
    assert GestureNoise("hold").noise_scale == 1.0


def test_only_a_changed_aim_tires_and_not_one_that_was_given() -> None:
    calm, aim = GestureNoise("pull"), Flick(piece="a", speed=1.0, azimuth=0.0)
    for _ in range(200):
        calm.update(aim, 0.05)
    assert calm.noise_scale == min(hold_time_noise_factor(held) for held in (1.0, 1.5, 2.0))
    calm.update(msgspec.structs.replace(aim, speed=1.1), 0.05)
    assert calm.hold_time == 0.0
    for _ in range(200):
        calm.update(msgspec.structs.replace(aim, speed=1.1), 0.05)
    assert calm.noise_scale == hold_time_noise_factor(10.0) > 1.0
    calm, aim = GestureNoise("pull"), Flick(piece="a", speed=1.0, azimuth=0.0)
    calm.update(aim, 0.05)
    hint = msgspec.structs.replace(aim, speed=1.1)
    calm.accept_aim(hint)
    assert calm.hold_time == 0.0
    for _ in range(200):
        calm.update(hint, 0.05)
    assert calm.noise_scale == hold_time_noise_factor(1.5)


MEANT = Flick(piece="white", speed=1.0, azimuth=pi / 2)


@pytest.mark.parametrize(
    ("speed", "turn", "says"),
    [
        (1.08, 1.2, "It went 8 % too hard, 1.2° to the left."), (0.9, 0.0, "It went 10 % too soft."),
        (1.0, -3.0, "It went 3.0° to the right."), (1.001, 0.01, "It went just as you meant."), (1.0, 0.0, ""),
    ],
)  # fmt: skip
def test_the_execution_error_is_reported(speed: float, turn: float, says: str) -> None:
    assert execution_error_text(MEANT, Flick(piece="white", speed=speed, azimuth=pi / 2 + radians(turn))) == says


@pytest.mark.parametrize(
    ("gesture", "wait", "says"),
    [
        ("pull", 0.4, "You let go after 0.4 s"), ("pull", 1.5, "You held it calmly."), ("pull", 3.0, "hand tires"),
        ("hold", 0.6, "Your timing was good."), ("hold", 0.7, "You were 0.10 s too late."),
        ("flick", 0.7, "You were 0.10 s too early."), ("flick", 0.8, "Your timing was good."),
    ],
)  # fmt: skip
def test_the_gesture_is_reported(gesture: Gesture, wait: float, says: str) -> None:
    calm = GestureNoise(gesture)
    calm.update(msgspec.structs.replace(MEANT, azimuth=MEANT.azimuth + 0.1), 0.1)
    calm.update(MEANT, 0.1)
    calm.press()
    calm.update(MEANT, wait)
    assert says in gesture_feedback(calm)


def test_feedback_is_shown_with_the_flick(app: App, drive: Driver) -> None:
    start_match(app, penny_white_match("human", "human"), ("human", "human"))
    drive.wait_for_phase("choose")
    table = drive.top(BoardScreen)
    assert table.shot_feedback == ""
    table.take_shot()
    drive.wait_for_phase("show", "hold")
    assert table.shot_feedback.startswith("It went ")
    resumed = app.routes.match_screen(app, MatchSession(table.match))
    assert resumed.shot_feedback.startswith("It went "), "of the last flick before the game was left"


def test_a_launch_is_reported_as_a_flick_is() -> None:
    _, meant = samples.launch_sample()
    made = msgspec.structs.replace(meant, speed=meant.speed * 1.05, azimuth=meant.azimuth - radians(2.0))
    assert execution_error_text(meant, made) == "It went 5 % too hard, 2.0° to the right."


def test_feedback_is_kept_for_the_next_table_of_a_lesson(app: App, drive: Driver) -> None:
    beside = ActivityCard()
    for _ in range(2):
        screen = app.routes.match_screen(
            app, MatchSession(penny_white_match("human", "human"), None, None, activity_card=beside)
        )
        app.push(screen)
        drive.frames(2)
        if not beside.feedback:
            drive.key(pygame.K_SPACE)
            drive.wait_for_phase("hold", "choose")
            drive.frames(2)
        assert beside.feedback
        assert "YOUR LAST FLICK" in drive.screen_text()
        app.pop()
