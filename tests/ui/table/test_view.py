"""The look at a table: it turns to what matters in a moment, and arrows follow the table as it is seen."""

from __future__ import annotations

from itertools import pairwise

import pygame
import pytest

from flicksim.base.geometry import rectangle
from flicksim.table import Surface
from flicksim.ui.table.aim import drawn_back
from flicksim.ui.table.view import GLIDE, TableView


def _lying() -> TableView:
    view = TableView(("Blue", "Red"), Surface(material="wood", outline=rectangle(0.3, 0.8)))
    view.place(pygame.Rect(0, 0, 1200, 700), 10.0, pygame.Rect(0, 80, 1200, 420))
    return view


@pytest.mark.parametrize(
    ("pressed", "meant"),
    [
        (pygame.K_RIGHT, pygame.K_UP), (pygame.K_LEFT, pygame.K_DOWN),
        (pygame.K_UP, pygame.K_LEFT), (pygame.K_DOWN, pygame.K_RIGHT), (pygame.K_d, pygame.K_d),
    ],
)  # fmt: skip
def test_arrows_follow_the_table(pressed: int, meant: int) -> None:
    view = _lying()
    assert view.camera.quarters == 3
    event = pygame.event.Event(pygame.KEYDOWN, key=pressed, mod=pygame.KMOD_SHIFT, unicode="")
    assert view.seated(event).key == meant
    assert view.seated(event).mod == pygame.KMOD_SHIFT


def test_a_pull_along_the_screen_sends_the_piece_along_the_table() -> None:
    camera = _lying().camera
    drawn = drawn_back((300, 300), (200, 300), 1.0, camera.turned)
    assert drawn is not None
    assert drawn[0] == pytest.approx(1.5707963)


def test_the_view_glides_and_comes_back() -> None:
    view = _lying()
    whole = view.camera
    view.turn([(0.15, 0.6)], 0.3)
    zooms = []
    for _ in range(round(GLIDE * 60) + 1):
        view.advance(1.0 / 60.0)
        zooms.append(view.camera.zoom)
    assert not view.gliding
    assert zooms == sorted(zooms)
    assert max(b / a for a, b in pairwise(zooms)) < 1.1  # no jump
    assert view.camera.zoom > 1.5 * whole.zoom
    view.turn([], 0.3)
    view.advance(GLIDE)
    assert view.camera == whole


def test_the_view_stays_with_who_has_it_in_hand_and_when_all_is_to_be_calm() -> None:
    view = _lying()
    view.turn([(0.15, 0.6)], 0.3, calm=True)
    view.advance(GLIDE)
    assert view.camera == view.whole
    view.zoom(3.0)
    held = view.camera
    view.turn([(0.15, 0.6)], 0.3)
    view.advance(GLIDE)
    assert view.camera == held
    view.release()
    view.turn([], 0.3)
    view.advance(GLIDE)
    assert view.camera == view.whole


def test_what_stands_over_the_table_is_no_table() -> None:
    view = _lying()
    view.covers = [pygame.Rect(0, 500, 1200, 200)]
    assert view.holds((600, 300))
    assert not view.holds((600, 600))


def test_rulers_come_and_go_by_a_key_that_no_aim_takes() -> None:
    view = _lying()
    for shown in (True, False):
        assert view.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F5, mod=0, unicode=""))
        assert view.rulers is shown
