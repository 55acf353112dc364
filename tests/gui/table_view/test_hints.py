"""Outcome scatter: final positions of a batch equal those of single shots."""

import time
from threading import Event

import numpy as np
import pygame
import pytest

from flicksim.ai import GRADES
from flicksim.engine import Settings, simulate
from flicksim.gui.game_views.tiddlywinks.practice import Drill
from flicksim.gui.table_view.hints import OutcomeScatter, final_positions
from flicksim.gui.toolkit import Canvas, palette
from flicksim.render import Camera
from flicksim.scene import Flick, Squidge, samples

from ..conftest import penny_white_match

HAND = GRADES["beginner"]


def _made(action, shots: int) -> list:
    rng = np.random.default_rng(4)
    return [HAND.execute(action, rng) for _ in range(shots)]


@pytest.mark.parametrize("kind", ["flick", "squidge", "launch"])
def test_final_positions_of_a_batch_equal_single_shots(kind: str) -> None:
    if kind == "flick":
        scene, action = samples.sample("late-end")
    elif kind == "squidge":
        scene, action = Drill().make_match().state.scene, Squidge(piece="blue-3", speed=2.0, azimuth=3.5)
    else:
        scene, action = samples.launch_sample()
    made = _made(action, 6)
    ends = list(final_positions([(scene, one) for one in made], Settings()))
    assert len(set(ends)) > 1
    for one, end in zip(made, ends, strict=True):
        account = simulate(scene, one)
        if kind == "launch":
            missile = account.missile
            alone = missile.centre_of_mass[:2] if missile is not None else None
        else:
            alone = account.after.piece(one.piece).position if account.after.has(one.piece) else None
        assert end == (alone if alone is None else pytest.approx(alone, abs=1e-8))


def test_a_failed_shot_has_no_final_position() -> None:
    scene, flick = samples.sample("draw")
    off = Flick(piece="a", speed=1.0, azimuth=0.0)
    ends = list(
        final_positions([(scene, flick), (scene, Flick(piece="nobody", speed=1.0, azimuth=0.0)), (scene, off)], None)
    )
    assert len(ends) == 2
    assert ends[1] is None, "that one leaves the board at its side"
    assert list(final_positions([], None)) == []


def test_an_outcome_scatter_waits_for_compilation() -> None:
    match, ready = penny_white_match("bot:club", "bot:club"), Event()
    cloud = OutcomeScatter(match, match.ask_player(), "club", lambda: ready.wait(60.0) and None)
    time.sleep(0.05)
    assert cloud.ends == []
    assert cloud.text == ""
    ready.set()
    cloud.job.result()
    assert len(cloud.ends) == 500
    assert cloud.text.startswith("Dots: where 500 such shots of a club player")


def test_overlapping_dots_are_brighter() -> None:
    match = penny_white_match("bot:club", "bot:club")
    cloud = OutcomeScatter(match, match.ask_player(), "club")
    cloud.job.result()
    cloud.ends[:] = [(10.0, 10.0)] * 5 + [(50.0, 50.0), None]
    surface = pygame.Surface((80, 80))
    camera = Camera((30.0, 30.0), 1.0, (30.0, 30.0))
    cloud.draw(Canvas(surface), camera)
    many, one = (surface.get_at(tuple(map(round, camera.to_screen(at))))[1] for at in ((10.0, 10.0), (50.0, 50.0)))
    assert 0 < one < many <= palette.TABLE_GOOD[1]
