"""A flick is told afterwards: how it was given, and how far it went beside what was meant."""

from __future__ import annotations

from math import pi, radians

import msgspec
import pygame
import pytest

from flicksim.table import Flick, samples
from flicksim.ui.board.screen import PlayScreen
from flicksim.ui.frame.app import App
from flicksim.ui.frame.beside import Beside
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit.preferences import Gesture
from flicksim.ui.match.starting import begin
from flicksim.ui.table.afterwards import given, missed
from flicksim.ui.table.calm import Calm

from ..conftest import Driver, match_of

MEANT = Flick(piece="white", speed=1.0, azimuth=pi / 2)


@pytest.mark.parametrize(
    ("speed", "turn", "says"),
    [
        (1.08, 1.2, "It went 8 % too hard, 1.2° to the left."), (0.9, 0.0, "It went 10 % too soft."),
        (1.0, -3.0, "It went 3.0° to the right."), (1.001, 0.01, "It went just as you meant."), (1.0, 0.0, ""),
    ],
)  # fmt: skip
def test_what_was_made_is_told_beside_what_was_meant(speed: float, turn: float, says: str) -> None:
    assert missed(MEANT, Flick(piece="white", speed=speed, azimuth=pi / 2 + radians(turn))) == says


@pytest.mark.parametrize(
    ("gesture", "wait", "says"),
    [
        ("pull", 0.4, "You let go after 0.4 s"), ("pull", 1.5, "You held it calmly."), ("pull", 3.0, "hand tires"),
        ("hold", 0.6, "Your timing was good."), ("hold", 0.7, "You were 0.10 s too late."),
        ("flick", 0.7, "You were 0.10 s too early."), ("flick", 0.8, "Your timing was good."),
    ],
)  # fmt: skip
def test_how_the_hand_gave_it_is_told(gesture: Gesture, wait: float, says: str) -> None:
    calm = Calm(gesture)
    calm.update(msgspec.structs.replace(MEANT, azimuth=MEANT.azimuth + 0.1), 0.1)
    calm.update(MEANT, 0.1)
    calm.press()
    calm.update(MEANT, wait)
    assert says in given(calm)


def test_it_stands_beside_the_table_when_the_flick_is_shown(app: App, drive: Driver) -> None:
    begin(app, match_of("human", "human"), ("human", "human"))
    drive.until("choose")
    table = app.top
    assert isinstance(table, PlayScreen)
    assert table.told == ""
    table.flick()
    drive.until("show", "hold")
    assert table.told.startswith("It went ")


def test_a_launch_is_told_as_a_flick_is() -> None:
    _, meant = samples.launch()
    made = msgspec.structs.replace(meant, speed=meant.speed * 1.05, azimuth=meant.azimuth - radians(2.0))
    assert missed(meant, made) == "It went 5 % too hard, 2.0° to the right."


def test_what_is_told_goes_along_to_the_next_table_of_a_lesson(app: App, drive: Driver) -> None:
    beside = Beside()
    for _ in range(2):
        screen = app.routes.play(app, Sitting(match_of("human", "human"), None, None, beside=beside))
        app.push(screen)
        drive.frames(2)
        if not beside.told:
            drive.key(pygame.K_SPACE)
            drive.until("hold", "choose")
            drive.frames(2)
        assert beside.told
        assert "YOUR LAST FLICK" in drive.words()
        app.pop()
