"""Gamepad: it presses keys; disconnected in mid-flick it flicks nothing."""

import pygame
import pytest

from flicksim.gui.app import App
from flicksim.gui.toolkit.gamepad import Gamepad

from ..conftest import Driver, match_screen, penny_white_match


def _event(kind: int, **more: object) -> pygame.event.Event:
    return pygame.event.Event(kind, instance_id=0, **more)


def _keys(found: list[pygame.event.Event]) -> list[tuple[int, int]]:
    return [(event.type, event.key) for event in found]


def test_buttons_and_the_hat_press_keys_with_fine_steps_by_the_left_shoulder() -> None:
    pad = Gamepad()
    assert _keys(pad.key_events(_event(pygame.JOYBUTTONDOWN, button=0))) == [(pygame.KEYDOWN, pygame.K_SPACE)]
    assert _keys(pad.key_events(_event(pygame.JOYBUTTONUP, button=0))) == [(pygame.KEYUP, pygame.K_SPACE)]
    assert _keys(pad.key_events(_event(pygame.JOYHATMOTION, hat=0, value=(-1, 0)))) == [(pygame.KEYDOWN, pygame.K_LEFT)]
    assert _keys(pad.key_events(_event(pygame.JOYHATMOTION, hat=0, value=(0, 1)))) == [
        (pygame.KEYUP, pygame.K_LEFT), (pygame.KEYDOWN, pygame.K_UP),
    ]  # fmt: skip
    assert pad.key_events(_event(pygame.JOYBUTTONDOWN, button=77)) == []
    pad = Gamepad()
    assert pad.key_events(_event(pygame.JOYBUTTONDOWN, button=4)) == []
    [pressed] = pad.key_events(_event(pygame.JOYHATMOTION, hat=0, value=(1, 0)))
    assert pressed.mod & pygame.KMOD_SHIFT


def test_a_stick_repeats_with_hysteresis() -> None:
    pad = Gamepad()
    assert pad.key_events(_event(pygame.JOYAXISMOTION, axis=0, value=0.3)) == []
    assert _keys(pad.key_events(_event(pygame.JOYAXISMOTION, axis=0, value=0.8))) == [(pygame.KEYDOWN, pygame.K_RIGHT)]
    assert pad.key_events(_event(pygame.JOYAXISMOTION, axis=0, value=0.5)) == []
    assert pad.repeat_events(0.1) == []
    assert _keys(pad.repeat_events(0.2)) == [(pygame.KEYDOWN, pygame.K_RIGHT)]
    assert _keys(pad.key_events(_event(pygame.JOYAXISMOTION, axis=0, value=0.1))) == [(pygame.KEYUP, pygame.K_RIGHT)]
    assert pad.repeat_events(1.0) == []


def test_a_gamepad_aims_and_flicks(app: App, drive: Driver) -> None:
    screen = drive.show(match_screen(app, penny_white_match("human", "human")), 2)
    before = screen.aim_controller.aim.shot
    pygame.event.post(_event(pygame.JOYHATMOTION, hat=0, value=(1, 0)))
    drive.frames(1)
    assert screen.aim_controller.aim.shot != before
    pygame.event.post(_event(pygame.JOYBUTTONDOWN, button=0))
    drive.frames(1)
    assert screen.controller.phase != "choose"


@pytest.mark.parametrize("gesture", ["hold", "flick"])
def test_disconnecting_in_mid_flick_cancels_the_gesture(app: App, drive: Driver, gesture: str) -> None:
    app.preferences.gesture = gesture  # type: ignore[assignment]
    screen = drive.show(match_screen(app, penny_white_match("human", "human")), 2)
    pygame.event.post(_event(pygame.JOYBUTTONDOWN, button=0))
    drive.frames(5)
    assert screen.gesture_noise.meter_time is not None or screen.gesture_noise.beat_time is not None
    pygame.event.post(_event(pygame.JOYDEVICEREMOVED))
    drive.frames(2)
    assert screen.gesture_noise.meter_time is None
    assert screen.gesture_noise.beat_time is None
    assert screen.controller.phase == "choose"
    assert screen.match.turns == []
    drive.frames(10)
    assert screen.controller.phase == "choose"
    app.preferences.gesture = "pull"
    drive.frames(1)
    drive.key(pygame.K_SPACE)
    assert screen.controller.phase != "choose"
