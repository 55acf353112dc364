"""Transient effects: banners, flying points, sparks, slow motion, busy indicator."""

from functools import partial

import pygame
import pytest

from flicksim.gui.app import App
from flicksim.gui.table_view import key_moments
from flicksim.gui.table_view.effects import BANNER_TIME, FLIGHT_TIME, Effects, draw_impacts
from flicksim.gui.table_view.painter import rim_distance
from flicksim.gui.table_view.playback import CLOSE_CALL_RATE, Playback
from flicksim.gui.table_view.shot_painter import entering_piece
from flicksim.gui.toolkit import Canvas
from flicksim.render import Camera
from flicksim.scene.samples import sample

from ..conftest import Driver, match_screen, penny_white_match

AREA = pygame.Rect(0, 0, 400, 300)


def _picture(effects: Effects, awaited: str = "") -> bytes:
    canvas = Canvas(pygame.Surface((400, 300)))
    effects.draw(canvas, AREA, awaited)
    return pygame.image.tobytes(canvas.surface, "RGB")


def test_a_banner_fades_in_and_out() -> None:
    effects = Effects()
    bare = _picture(effects)
    effects.show_turn_banner("Your turn", "Blue", "blue")
    effects.update(BANNER_TIME / 2.0, is_waiting=False)
    assert _picture(effects) != bare
    effects.update(BANNER_TIME, is_waiting=False)
    assert _picture(effects) == bare
    assert not effects.is_active


def test_points_fly_to_the_score_unless_motion_is_reduced() -> None:
    effects = Effects()
    effects.fly_score("+3", "red", (10.0, 250.0), (380.0, 20.0))
    effects.update(0.1, is_waiting=False)
    flying = _picture(effects)
    effects.reduced_motion = True
    there = _picture(effects)
    assert flying != there
    effects.update(FLIGHT_TIME, is_waiting=False)
    assert not effects.is_active


def test_points_start_where_their_place_on_the_table_is_now() -> None:
    pictures = []
    for start in ((10.0, 250.0), (60.0, 150.0)):
        effects, place = Effects(), [(10.0, 250.0)]
        effects.fly_score("potted", "red", partial(place.__getitem__, 0), (380.0, 20.0))
        effects.update(0.1, is_waiting=False)
        place[0] = start  # the view has moved
        pictures.append(_picture(effects))
    assert pictures[0] != pictures[1]


def test_the_busy_indicator_appears_after_a_delay() -> None:
    effects = Effects()
    bare = _picture(effects)
    effects.update(0.2, is_waiting=True)
    assert _picture(effects, "Red is thinking") == bare
    effects.update(0.2, is_waiting=True)
    assert _picture(effects, "Red is thinking") != bare
    effects.update(0.1, is_waiting=False)
    assert _picture(effects) == bare


def test_sparks_appear_at_collisions() -> None:
    motion = penny_white_match("random", "random").simulator.simulate(*sample("draw"))
    first = next(event for event in motion.events if type(event).__name__ == "Collision")
    camera = Camera(first.point, 500.0, (200.0, 150.0))

    def drawn(t: float) -> bytes:
        canvas = Canvas(pygame.Surface((400, 300)))
        draw_impacts(canvas, camera, motion.events, t)
        return pygame.image.tobytes(canvas.surface, "RGB")

    bare = pygame.image.tobytes(pygame.Surface((400, 300)), "RGB")
    assert drawn(first.t - 0.01) == bare
    assert drawn(first.t + 0.05) != bare


def test_only_close_calls_are_in_slow_motion_and_said_to_be() -> None:
    motion = penny_white_match("random", "random").simulator.simulate(*sample("draw"))
    shown, texts = Playback(motion, 0, (0.1, 0.2)), []
    for dt, time in ((0.05, 0.05), (0.05, 0.1), (0.1 / CLOSE_CALL_RATE, 0.2)):
        shown.advance(dt)
        assert shown.time == pytest.approx(time)
        assert shown.is_slowed is (time == 0.1)
        texts.append(shown.rate_text)
    assert texts == ["true speed", "close: slowly", "true speed"]
    shown.advance(0.05)
    assert shown.time == pytest.approx(0.25)
    shown = Playback(motion, 0, (0.1, 0.2))
    shown.advance(0.1 + 0.05 / CLOSE_CALL_RATE)  # over the threshold in one step
    assert shown.time == pytest.approx(0.15)
    shown.skip()
    assert shown.is_finished


def test_a_coin_at_rest_near_the_white_is_a_close_call() -> None:
    motion = penny_white_match("random", "random").simulator.simulate(*sample("draw"))
    close = key_moments.close_call_interval(motion)
    white, own = motion.after.piece("white"), motion.after.piece(motion.flick.piece)
    assert (close is not None) == (rim_distance(own, white) <= 0.02)


def test_the_aim_of_a_bot_is_shown_before_it_plays(app: App, drive: Driver) -> None:
    screen = drive.show(match_screen(app, penny_white_match("human", "bot:club")), 2)
    drive.key(pygame.K_RETURN)
    drive.wait_for_phase("choose")
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("think")
    seen = 0.0
    while screen.controller.turn is None or screen.controller.turn.seat == 0:
        drive.wait_for_phase("think", "show", dt=1.0 / 30.0)
        drive.frames(1, 1.0 / 30.0)
        if screen.controller.bot_action is not None and screen.controller.phase == "think":
            seen += 1.0 / 30.0
            assert "takes aim" in screen.controller.prompt
            assert screen.shot_path(screen.controller.bot_action) is not None
            held = entering_piece(screen.match.game, screen.match.state, screen.controller.bot_action)
            assert held.position == screen.controller.bot_action.start
    assert 0.5 < seen < 1.0


def test_a_turn_is_announced_once(app: App, drive: Driver) -> None:
    screen = drive.show(match_screen(app, penny_white_match("human", "bot:club")), 2)
    assert screen.effects.banner[0] == "Your turn"
    drive.frames(60)
    assert not screen.effects.is_active
