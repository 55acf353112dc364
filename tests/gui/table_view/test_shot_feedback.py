"""Shot feedback: the gesture, and the deviation from the aim."""

from math import pi, radians

import msgspec
import pygame
import pytest

from flicksim.gui.app import ActivityCard, App, MatchSession
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.match.start_match import start_match
from flicksim.gui.table_view import GestureNoise
from flicksim.gui.table_view.gestures import execution_error_text, gesture_feedback
from flicksim.gui.toolkit import Gesture
from flicksim.scene import Flick, samples

from ..conftest import Driver, penny_white_match

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
