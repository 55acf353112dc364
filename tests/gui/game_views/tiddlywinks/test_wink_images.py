"""Tests of exported images of mats: framing of the action, and the side view of the flight."""

from pathlib import Path

import pygame

from flicksim import gui
from flicksim.core.serialization import from_json
from flicksim.engine import simulate
from flicksim.games.tiddlywinks.position import load_builtin, to_state
from flicksim.gui.toolkit import palette
from flicksim.scene import Scene, Squidge

ASSETS = Path(__file__).resolve().parents[4] / "assets"


def _coloured(picture: pygame.Surface, rect: pygame.Rect, colour: tuple[int, int, int]) -> int:
    """Number of pixels close to a colour, whatever the lighting."""
    part = picture.subsurface(rect)
    return pygame.mask.from_threshold(part, colour, (56, 56, 56, 255)).count()


def test_a_squidge_image_has_a_side_view_below(tmp_path: Path) -> None:
    scene = from_json((ASSETS / "scenes" / "squidge.json").read_bytes(), Scene)
    squidge = from_json((ASSETS / "flicks" / "squidge.json").read_bytes(), Squidge)
    picture = pygame.image.load(gui.save_image(simulate(scene, squidge), tmp_path / "shot.png"))
    w, h = picture.get_size()
    assert w > h
    red = palette.SEAT_COLOURS["red"]
    above, below = pygame.Rect(0, 0, w, round(h * 0.64)), pygame.Rect(0, round(h * 0.64), w, h - round(h * 0.64))
    assert _coloured(picture, above, red) > 300
    assert _coloured(picture, below, red) > 100
    arc = palette.mix(red, palette.LIGHT_TEXT, 0.6)
    high = [y for y in range(below.y, h) if any(picture.get_at((x, y))[:3] == arc for x in range(below.x, w))]
    assert max(high) - min(high) > 150


def test_a_position_fits_the_winks_in_the_field(tmp_path: Path) -> None:
    scene = to_state(load_builtin("pile_of_three")).scene
    picture = pygame.image.load(gui.save_image(scene, tmp_path / "pile.png", seats=("Blue", "Green", "Red", "Yellow")))
    assert _coloured(picture, picture.get_rect(), palette.SEAT_COLOURS["blue"]) > 600
