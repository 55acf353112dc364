"""Effects that come and go over a table: banners, points that fly, sparks, slow motion, what is waited for."""

from __future__ import annotations

import pygame
import pytest

from flicksim.drawing import Camera
from flicksim.table.samples import sample
from flicksim.ui.board.ways import from_hand
from flicksim.ui.frame.app import App
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table import moments
from flicksim.ui.table.effects import BANNER, FLIGHT, Effects, met, sparks
from flicksim.ui.table.playback import SLOW, Playback

from ..conftest import Driver, match_of, table

AREA = pygame.Rect(0, 0, 400, 300)


def _picture(effects: Effects, awaited: str = "") -> bytes:
    canvas = Canvas(pygame.Surface((400, 300)))
    effects.draw(canvas, AREA, awaited)
    return pygame.image.tobytes(canvas.surface, "RGB")


def test_a_banner_comes_and_goes() -> None:
    effects = Effects()
    bare = _picture(effects)
    effects.hand_over("Your turn", "Blue", "blue")
    effects.update(BANNER / 2.0, waiting=False)
    assert _picture(effects) != bare
    effects.update(BANNER, waiting=False)
    assert _picture(effects) == bare
    assert not effects.busy


def test_points_fly_to_the_score_or_with_less_motion_stand_there() -> None:
    effects = Effects()
    effects.fly("+3", "red", (10.0, 250.0), (380.0, 20.0))
    effects.update(0.1, waiting=False)
    flying = _picture(effects)
    effects.calm = True
    there = _picture(effects)
    assert flying != there
    effects.update(FLIGHT, waiting=False)
    assert not effects.busy


def test_what_is_waited_for_is_said_after_a_moment() -> None:
    effects = Effects()
    bare = _picture(effects)
    effects.update(0.2, waiting=True)
    assert _picture(effects, "Red is thinking") == bare
    effects.update(0.2, waiting=True)
    assert _picture(effects, "Red is thinking") != bare
    effects.update(0.1, waiting=False)
    assert _picture(effects) == bare


def test_sparks_are_where_pieces_meet_and_only_then() -> None:
    motion = match_of("random", "random").stage.settle(*sample("draw"))
    first = next(event for event in motion.events if type(event).__name__ == "Touched")
    camera = Camera(first.point, 500.0, (200.0, 150.0))

    def drawn(t: float) -> bytes:
        canvas = Canvas(pygame.Surface((400, 300)))
        sparks(canvas, camera, met(motion, t))
        return pygame.image.tobytes(canvas.surface, "RGB")

    bare = pygame.image.tobytes(pygame.Surface((400, 300)), "RGB")
    assert drawn(first.t - 0.01) == bare
    assert drawn(first.t + 0.05) != bare


def test_what_was_close_is_slow_and_only_that() -> None:
    motion = match_of("random", "random").stage.settle(*sample("draw"))
    shown = Playback(motion, 0, (0.1, 0.2))
    shown.advance(0.1)
    assert shown.t == pytest.approx(0.1)
    assert shown.slowed
    shown.advance(0.1 / SLOW)
    assert shown.t == pytest.approx(0.2)
    assert not shown.slowed
    shown.advance(0.05)
    assert shown.t == pytest.approx(0.25)
    shown = Playback(motion, 0, (0.1, 0.2))
    shown.advance(0.1 + 0.05 / SLOW)  # over the threshold in one step
    assert shown.t == pytest.approx(0.15)
    shown.skip()
    assert shown.done


def test_a_coin_at_rest_by_the_white_was_close() -> None:
    motion = match_of("random", "random").stage.settle(*sample("draw"))
    close = moments.close_call(motion)
    white, own = motion.after.piece("white"), motion.after.piece(motion.flick.piece)
    assert (close is not None) == (moments.gap(own, white) <= 0.02)


def test_a_bot_is_seen_to_aim_before_it_plays(app: App, drive: Driver) -> None:
    app.show(screen := table(app, match_of("human", "bot:club")))
    drive.frames(2)
    drive.key(pygame.K_RETURN)
    drive.until("choose")
    drive.key(pygame.K_SPACE)
    drive.until("think")
    seen = 0.0
    while screen.course.turn is None or screen.course.turn.seat == 0:
        drive.until("think", "show", dt=1.0 / 30.0)
        drive.frames(1, 1.0 / 30.0)
        if screen.course.aimed is not None and screen.course.stage == "think":
            seen += 1.0 / 30.0
            assert "takes aim" in screen.course.says
            assert screen.way(screen.course.aimed) is not None
            held = from_hand(screen.match.game, screen.match.state, screen.course.aimed)
            assert held is not None  # its coin lies there before it goes
            assert held.at == screen.course.aimed.start
    assert 0.5 < seen < 1.0


def test_the_turn_is_handed_over_with_a_banner_once(app: App, drive: Driver) -> None:
    app.show(screen := table(app, match_of("human", "bot:club")))
    drive.frames(2)
    assert screen.effects.banner is not None
    assert screen.effects.banner[0] == "Your turn"
    drive.frames(60)
    assert not screen.effects.busy
