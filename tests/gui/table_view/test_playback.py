"""Playback of a trajectory: its rate as text, and its end."""

from dataclasses import replace

import msgspec
import pygame
import pytest

from flicksim.engine import simulate
from flicksim.gui.table_view import Playback, event_sounds, side_panel
from flicksim.gui.toolkit import Canvas
from flicksim.scene import CameToRest, LeftSurface, samples


@pytest.mark.parametrize(
    ("rest", "speed", "end"), [(0.2, 0.0, 0.5), (0.2, 0.1, 0.5), (0.2, 2.0, 0.2), (0.13, 2.0, 0.16), (0.8, 0.1, 0.8)]
)
def test_a_playback_ends_once_nothing_visible_moves(
    rest: float, speed: float, end: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    motion = simulate(*samples.sample("draw"))
    assert Playback(motion).duration == motion.duration
    left = LeftSurface(t=0.1, piece="white", point=(0.0, 0.0), velocity=(speed, 0.0))
    stop = CameToRest(t=rest, piece=motion.flick.piece, point=(0.0, 0.0))
    shown = Playback(replace(motion, events=(left, stop), duration=1.7))  # a wink beside the mat is simulated on
    assert (shown.duration, shown.motion_duration) == (pytest.approx(end), rest)
    shown.skip()
    canvas, texts = Canvas(pygame.Surface((300, 200)), 1.0), list[str]()
    monkeypatch.setattr(canvas, "text", lambda text, *_, **__: texts.append(text))
    side_panel.draw_time_bar(canvas, canvas.surface.get_rect(), shown)
    assert f"{rest:.2f} of {rest:.2f} s" in texts


def test_a_squop_is_heard_while_another_wink_flies_off_the_mat() -> None:
    motion = simulate(*samples.sample("draw"))
    left = LeftSurface(t=0.1, piece="white", point=(0.0, 0.0), velocity=(1.0, 0.0))
    lower, upper = motion.after.pieces[:2]
    covering = msgspec.structs.replace(upper, lies_on=(lower.id,))
    after = msgspec.structs.replace(motion.after, pieces=(lower, covering, *motion.after.pieces[2:]))
    motion = replace(motion, after=after, events=(left,), duration=1.7)
    assert "squop" in dict(event_sounds(motion, 0.0, Playback(motion).duration))
