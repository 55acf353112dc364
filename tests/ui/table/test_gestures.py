"""Three ways of giving a flick, alike in skill: pulled back, to a rhythm, a stroke through the piece."""

from __future__ import annotations

from math import pi

import msgspec
import numpy as np
import pygame
import pytest

from flicksim.players import GRADES
from flicksim.table import Flick
from flicksim.ui.board.screen import PlayScreen
from flicksim.ui.frame.app import App
from flicksim.ui.kit.preferences import Gesture
from flicksim.ui.table import gestures
from flicksim.ui.table.calm import Calm

from ..conftest import Driver, match_of, table

CALM, WILD = gestures.CALMEST, gestures.WILDEST


def test_every_gesture_has_the_same_best_and_the_same_worst() -> None:
    times = [k / 100.0 for k in range(400)]
    for how in (gestures.holding, gestures.rhythm, gestures.beat, lambda t: gestures.straight(t / 10.0)):
        found = [how(t) for t in times]
        assert min(found) == pytest.approx(CALM)
        assert max(found) == pytest.approx(WILD)


def test_a_stroke_is_as_the_pointer_went() -> None:
    path = [(k / 60.0, (100.0 + 15.0 * k, 300.0)) for k in range(8)]
    made = gestures.stroke(path, 1.0)
    assert made is not None
    assert made.azimuth == pytest.approx(0.0)
    assert made.crooked == pytest.approx(0.0)
    faster = gestures.stroke([(t / 2.0, at) for t, at in path], 1.0)
    assert faster is not None
    assert faster.hard == pytest.approx(2.0 * made.hard)
    bent = gestures.stroke([(t, (x, y + 4.0 * (k % 2))) for k, (t, (x, y)) in enumerate(path)], 1.0)
    assert bent is not None
    assert bent.crooked > 0.01
    assert gestures.stroke(path[:1], 1.0) is None
    assert gestures.stroke([(0.0, (5.0, 5.0)), (0.1, (6.0, 5.0))], 1.0) is None


def test_a_stroke_near_to_the_aim_set_before_is_drawn_to_it() -> None:
    way, speed = gestures.drawn_to(0.2, 1.2, (0.0, 1.0))
    assert 0.0 < way < 0.1
    assert 1.0 < speed < 1.1
    assert gestures.drawn_to(1.2, 1.2, (0.0, 1.0)) == (1.2, 1.2)
    assert gestures.drawn_to(0.1, 3.2, (0.0, 1.0)) == (0.1, 3.2)


def test_a_pointer_passes_a_piece_only_once_it_is_there() -> None:
    assert not gestures.passes((0.0, 0.0), (50.0, 0.0), (100.0, 0.0), 20.0)
    assert gestures.passes((90.0, 0.0), (130.0, 0.0), (100.0, 5.0), 20.0)
    assert not gestures.passes((90.0, 0.0), (130.0, 0.0), (100.0, 50.0), 20.0)


def _sat(app: App, drive: Driver, gesture: Gesture) -> PlayScreen:
    app.preferences.gesture = gesture
    app.show(screen := table(app, match_of("human", "human")))
    drive.frames(3)
    assert isinstance(screen, PlayScreen)
    return screen


def _post(kind: int, key: int) -> None:
    pygame.event.post(pygame.event.Event(kind, key=key, mod=0, unicode="", scancode=0))


def test_by_keys_one_lets_go_at_the_top_of_the_meter(app: App, drive: Driver) -> None:
    screen = _sat(app, drive, "hold")
    _post(pygame.KEYDOWN, pygame.K_SPACE)
    drive.frames(1)
    assert screen.course.stage == "choose"
    assert screen.calm.unrest == pytest.approx(WILD, abs=0.02)
    drive.frames(36)  # .6 s
    _post(pygame.KEYUP, pygame.K_SPACE)
    drive.frames(1)
    assert screen.course.stage != "choose"
    drive.until("show", "hold")
    turn = screen.match.turns[0]
    assert turn.hand.azimuth == pytest.approx(CALM * GRADES["club"].azimuth, rel=0.02)
    assert isinstance(turn.made, Flick)
    assert turn.made != turn.meant  # what was meant and what was made stand apart for people too


def test_by_keys_a_true_flick_is_two_beats(app: App, drive: Driver) -> None:
    screen = _sat(app, drive, "flick")
    drive.key(pygame.K_SPACE)
    assert screen.course.stage == "choose"
    drive.frames(47)
    drive.key(pygame.K_SPACE)
    drive.until("show", "hold")
    assert screen.match.turns[0].hand.azimuth == pytest.approx(CALM * GRADES["club"].azimuth, rel=0.1)


def test_esc_gives_no_flick(app: App, drive: Driver) -> None:
    screen = _sat(app, drive, "hold")
    _post(pygame.KEYDOWN, pygame.K_SPACE)
    drive.frames(5)
    drive.key(pygame.K_ESCAPE)
    assert app.top is screen
    _post(pygame.KEYUP, pygame.K_SPACE)
    drive.frames(2)
    assert screen.course.stage == "choose"


def test_what_is_taken_back_takes_the_flick_that_was_begun_with_it(app: App, drive: Driver) -> None:
    screen = _sat(app, drive, "hold")
    _post(pygame.KEYDOWN, pygame.K_SPACE)
    drive.frames(5)
    screen.course.changed()
    _post(pygame.KEYUP, pygame.K_SPACE)
    drive.frames(2)
    assert screen.course.stage == "choose"


@pytest.mark.parametrize("key", [False, True])
def test_a_stroke_through_the_piece_flicks_as_the_pointer_went(app: App, drive: Driver, key: bool) -> None:
    """With the button down, or on a touchpad with a key held in its place."""
    screen = _sat(app, drive, "flick")
    assert screen.shooter.aim is not None
    camera, (x, y) = screen.view.camera, screen.shooter.aim.at
    begin = camera.to_screen((x, y - 45.0 / camera.zoom))
    drive.move(begin)
    if key:
        pygame.mouse.set_pos(begin)
        drive.frames(1)
        _post(pygame.KEYDOWN, pygame.K_m)
        drive.frames(1)
        screen.aimed.sling.pull = (begin, begin)  # the pointer of a window that nobody sees stands still
    else:
        drive.press(begin)
    for k in range(1, 9):
        drive.move(camera.to_screen((x, y + (9.0 * k - 45.0) / camera.zoom)))
    drive.until("show", "hold")
    meant = screen.match.turns[0].meant
    assert isinstance(meant, Flick)
    assert abs(meant.azimuth - pi / 2.0) < 0.1
    assert 0.2 < meant.speed < 3.0


def test_the_mouse_pulls_back_and_lets_go_to_the_rhythm(app: App, drive: Driver) -> None:
    screen = _sat(app, drive, "hold")
    at = screen.view.area.center
    drive.press(at)
    drive.move((at[0], at[1] + 120))
    drive.frames(35)
    assert screen.calm.swung is not None
    drive.release((at[0], at[1] + 120))
    drive.until("show", "hold")
    assert screen.match.turns[0].hand.azimuth < 0.9 * GRADES["club"].azimuth


def test_a_hand_without_a_gesture_is_its_grade() -> None:
    calm = Calm("hold")
    assert calm.hand(GRADES["club"]) == GRADES["club"].times(1.0)
    rng = np.random.default_rng(1)
    assert calm.hand(GRADES["club"]).make(Flick(piece="a", speed=1.0, azimuth=0.0), rng) != Flick(
        piece="a", speed=1.0, azimuth=0.0
    )


def test_who_reads_the_table_does_not_tire_and_who_has_aimed_does() -> None:
    calm, aim = Calm("pull"), Flick(piece="a", speed=1.0, azimuth=0.0)
    for _ in range(200):
        calm.update(aim, 0.05)
    assert calm.unrest == min(gestures.holding(held) for held in (1.0, 1.5, 2.0))
    calm.update(msgspec.structs.replace(aim, speed=1.1), 0.05)
    assert calm.held == 0.0
    for _ in range(200):
        calm.update(msgspec.structs.replace(aim, speed=1.1), 0.05)
    assert calm.unrest == gestures.holding(10.0) > 1.0
