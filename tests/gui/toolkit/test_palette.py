"""Palettes: text contrast, owners told apart by colour-blind eyes and in grey; and the cache of what is drawn."""

from collections.abc import Iterator
from itertools import combinations
from threading import Thread

import numpy as np
import numpy.typing as npt
import pygame
import pytest

from flicksim.gui.game_views.tiddlywinks import wink_sprites
from flicksim.gui.toolkit import Colour, palette, piece_sprites
from flicksim.gui.toolkit.surface_cache import CACHE, SurfaceCache

Matrix = npt.NDArray[np.float64]

EYES: dict[str, Matrix] = {
    "protan": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                        [-0.003882, -0.048116, 1.051998]]),
    "deutan": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                        [-0.011820, 0.042940, 0.968881]]),
    "tritan": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                        [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
"""Response of such eyes to linear red, green and blue (Machado, Oliveira and Fernandes, 2009, severity 1)."""
_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


@pytest.fixture(autouse=True)
def _dark_again() -> Iterator[None]:
    yield
    palette.set_palette("dark")


def _linear(colour: Colour) -> Matrix:
    c = np.array(colour, dtype=float) / 255.0
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def _lab(linear: Matrix) -> Matrix:
    """CIE L*a*b* of linear light."""
    x = (_XYZ @ linear) / np.array([0.9505, 1.0, 1.089])
    f = np.where(x > 0.008856, np.cbrt(np.maximum(x, 0.0)), 7.787 * x + 16.0 / 116.0)
    return np.array([116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])])


def _apart(one: Colour, other: Colour, eyes: str | None = None) -> float:
    """Difference of two colours under simulated colour blindness (CIE 1976)."""
    seen = [np.clip(EYES[eyes] @ _linear(c), 0.0, 1.0) if eyes else _linear(c) for c in (one, other)]
    return float(np.linalg.norm(_lab(seen[0]) - _lab(seen[1])))


def _contrast(one: Colour, other: Colour) -> float:
    """WCAG contrast ratio, 1 to 21."""
    light = sorted(float(_linear(c) @ _XYZ[1]) for c in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


@pytest.mark.parametrize("eyes", list(EYES))
def test_seat_colours_are_distinct_under_simulated_colour_blindness(eyes: str) -> None:
    usual = min(_apart(a, b, eyes) for a, b in combinations(palette.SEAT_COLOURS.values(), 2))
    palette.set_palette(eyes)
    safe = min(_apart(a, b, eyes) for a, b in combinations(palette.SEAT_COLOURS.values(), 2))
    assert usual < 25.0  # why there is such a palette
    assert safe > 45.0
    assert _apart(palette.GOOD, palette.BAD, eyes) > 30.0
    assert _apart(palette.TABLE_GOOD, palette.TABLE_BAD, eyes) > 30.0


@pytest.mark.parametrize("look", list(palette.PALETTES))
def test_text_has_contrast_in_every_palette(look: str) -> None:
    palette.set_palette(look)
    for ground in (palette.PANEL, palette.RAISED_PANEL, palette.BACKGROUND, palette.INSET_BACKGROUND):
        for ink in (palette.TEXT, palette.MUTED_TEXT, palette.ACCENT, palette.GOOD, palette.BAD):
            assert _contrast(ink, ground) >= (7.0 if look == "high-contrast" else 4.0), (look, ink, ground)
    assert _contrast(palette.ON_ACCENT, palette.ACCENT) >= 4.5
    assert _contrast(palette.TABLE_TEXT, palette.TABLECLOTH) >= 4.5
    assert _contrast(palette.TABLE_TEXT, palette.FELT) >= 4.5
    assert _contrast(palette.HIGHLIGHT, palette.TABLECLOTH) >= 4.0
    for seat in (*palette.SEAT_COLOURS, "white", "black"):
        line = palette.visible_on(palette.seat_colour(seat), palette.INSET_BACKGROUND)
        assert _contrast(line, palette.INSET_BACKGROUND) >= 2.99
    for colour in palette.BOARD_COLOURS.values():
        assert sum(palette.LIGHT_TEXT) - sum(colour) > 300
        assert look in ("dark", "light") or _contrast(palette.HIGHLIGHT, colour) >= 3.0, "an aim is seen"


@pytest.mark.parametrize("look", list(palette.PALETTES))
@pytest.mark.parametrize("radius", [6.0, 20.0])
def test_marks_survive_greyscale(look: str, radius: float) -> None:
    """Owners' coins and winks differ in greyscale."""
    palette.set_palette(look)
    for draw in (
        lambda key: piece_sprites.piece_sprite(radius, key, "penny", 0.0),
        lambda key: wink_sprites.wink_sprite(radius, key),
    ):
        grey = []
        for key in palette.SEAT_COLOURS:
            picture = pygame.surfarray.array3d(_flat(draw(key)))
            shades = picture @ np.array([0.299, 0.587, 0.114])
            grey.append((shades - shades.mean()) / max(shades.std(), 1.0))  # whatever its brightness
        for one, other in combinations(grey, 2):
            assert float(np.abs(one - other).mean()) > 0.12


def _flat(picture: pygame.Surface) -> pygame.Surface:
    """Pixels over grey, without alpha."""
    out = pygame.Surface(picture.get_size(), 0, 24)
    out.fill((90, 90, 90))
    out.blit(picture, (0, 0))
    return out


def test_cached_surfaces_follow_the_palette() -> None:
    before = piece_sprites.piece_sprite(20.0, "green", "penny", 0.0)
    assert piece_sprites.piece_sprite(20.0, "green", "penny", 0.0) is before
    palette.set_palette("deutan")
    after = piece_sprites.piece_sprite(20.0, "green", "penny", 0.0)
    assert pygame.image.tobytes(before, "RGBA") != pygame.image.tobytes(after, "RGBA")
    palette.set_palette("dark")
    assert palette.SEAT_COLOURS["green"] == (30, 130, 76)


_ONE = 10 * 10 * 4


def _draw(side: int = 10) -> pygame.Surface:
    return pygame.Surface((side, side), depth=32)


def test_the_least_recently_used_surface_is_evicted_and_a_larger_one_not_cached() -> None:
    surface_cache = SurfaceCache(3 * _ONE)
    first = [surface_cache.get_or_draw(k, _draw) for k in range(3)]
    assert surface_cache.get_or_draw(0, _draw) is first[0]
    surface_cache.get_or_draw(3, _draw)
    assert surface_cache.size == 3 * _ONE
    assert surface_cache.get_or_draw(0, _draw) is first[0], "just seen"
    assert surface_cache.get_or_draw(1, _draw) is not first[1], "the oldest went"
    surface_cache = SurfaceCache(3 * _ONE)
    kept = surface_cache.get_or_draw("small", _draw)
    assert surface_cache.get_or_draw("large", lambda: _draw(100)).get_width() == 100
    assert surface_cache.get_or_draw("small", _draw) is kept
    assert len(surface_cache) == 1


def test_the_cache_is_thread_safe() -> None:
    surface_cache = SurfaceCache(5 * _ONE)
    threads = [Thread(target=lambda: [surface_cache.get_or_draw(k % 9, _draw) for k in range(400)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert surface_cache.size == len(surface_cache) * _ONE <= surface_cache.capacity


def test_large_sprites_of_winks_stay_within_the_capacity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CACHE, "capacity", 1_000_000)
    for k in range(10):
        wink_sprites.wink_sprite(120.0 + 4.0 * k, "red", 1, 0.5, 1.0)
    assert 500_000 < CACHE.size <= CACHE.capacity
