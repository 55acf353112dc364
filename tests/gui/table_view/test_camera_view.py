"""Camera view: automatic framing, and arrow keys in a rotated view."""

from itertools import pairwise

import pygame
import pytest

from flicksim.core.geometry import rectangle
from flicksim.gui.table_view.aim import pull_vector
from flicksim.gui.table_view.camera_view import PAN_TIME, TableView
from flicksim.scene import Surface


def _lying() -> TableView:
    view = TableView(("Blue", "Red"), Surface(material="wood", outline=rectangle(0.3, 0.8)))
    view.set_area(pygame.Rect(0, 0, 1200, 700), 10.0, pygame.Rect(0, 80, 1200, 420))
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
    assert view.camera.quarter_turns == 3
    event = pygame.event.Event(pygame.KEYDOWN, key=pressed, mod=pygame.KMOD_SHIFT, unicode="")
    assert view.to_player_direction(event).key == meant
    assert view.to_player_direction(event).mod == pygame.KMOD_SHIFT


def test_a_pull_along_the_screen_sends_the_piece_along_the_table() -> None:
    camera = _lying().camera
    drawn = pull_vector((300, 300), (200, 300), 1.0, camera.rotation)
    assert drawn[0] == pytest.approx(1.5707963)


def test_the_camera_is_animated_both_ways() -> None:
    view = _lying()
    whole = view.camera
    view.follow([(0.15, 0.6)], 0.3)
    zooms = []
    for _ in range(round(PAN_TIME * 60) + 1):
        view.update(1.0 / 60.0)
        zooms.append(view.camera.zoom)
    assert not view.is_animating
    assert zooms == sorted(zooms)
    assert max(b / a for a, b in pairwise(zooms)) < 1.1  # no jump
    assert view.camera.zoom > 1.5 * whole.zoom
    view.follow([], 0.3)
    view.update(PAN_TIME)
    assert view.camera == whole


def test_the_camera_does_not_follow_under_user_control_or_reduced_motion() -> None:
    view = _lying()
    view.follow([(0.15, 0.6)], 0.3, reduced_motion=True)
    view.update(PAN_TIME)
    assert view.camera == view.whole_camera
    view.zoom(3.0)
    held = view.camera
    view.follow([(0.15, 0.6)], 0.3)
    view.update(PAN_TIME)
    assert view.camera == held
    view.resume_following()
    view.follow([], 0.3)
    view.update(PAN_TIME)
    assert view.camera == view.whole_camera


def test_obstructions_are_not_part_of_the_table() -> None:
    view = _lying()
    view.obstructions = [pygame.Rect(0, 500, 1200, 200)]
    assert view.contains((600, 300))
    assert not view.contains((600, 600))
