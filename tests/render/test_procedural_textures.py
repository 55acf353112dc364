"""Procedural textures are deterministic and lit from the upper left."""

import numpy as np
import pytest

from flicksim.render import Camera, best_quarter_turns, fit_camera, procedural_textures

BOARD = ((0.0, 0.0), (0.3, 0.0), (0.3, 0.8), (0.0, 0.8))


@pytest.mark.parametrize("kind", ["polished", "wood", "slate", "chalked", "felt"])
def test_table_textures_have_their_colour_and_are_deterministic(kind: str) -> None:
    first = procedural_textures.table_texture(kind, 0.3, 0.2, (120, 90, 60)).copy()
    procedural_textures.table_texture.cache_clear()
    again = procedural_textures.table_texture(kind, 0.3, 0.2, (120, 90, 60))
    assert np.array_equal(first, again)
    assert np.abs(again.mean(axis=(0, 1)) - (120, 90, 60)).max() < 30.0
    assert again.std() > 2.0


def test_grain_runs_along_the_longer_side() -> None:
    wide, high = (
        procedural_textures.table_texture("wood", *size, (120, 90, 60)).astype(float).mean(axis=2)
        for size in ((0.8, 0.3), (0.3, 0.8))
    )
    assert np.abs(np.diff(wide, axis=0)).mean() > 2.0 * np.abs(np.diff(wide, axis=1)).mean()
    assert np.abs(np.diff(high, axis=1)).mean() > 2.0 * np.abs(np.diff(high, axis=0)).mean()


@pytest.mark.parametrize("kind", ["wood", "felt", "slate"])
def test_fibre_textures_tile(kind: str) -> None:
    shade = procedural_textures.fibre_texture(kind).astype(float)
    value = np.where(shade[..., 0] > 0.0, 1.0, -1.0) * shade[..., 3]
    for axis in (0, 1):
        inside = np.abs(np.diff(value, axis=axis)).mean()
        seam = np.abs(np.take(value, 0, axis) - np.take(value, -1, axis)).mean()
        assert seam < 1.5 * inside + 1.0


@pytest.mark.parametrize("radius", [6.0, 15.5, 40.0])
def test_coins_and_winks_are_round_and_lit_from_the_upper_left(radius: float) -> None:
    grey = (128, 128, 128)
    for made in (
        procedural_textures.coin_texture(radius, "steel", grey, grey, "", 0.0),
        procedural_textures.wink_texture(radius, grey, grey, ""),
    ):
        cover = made[..., 3] > 128
        assert cover.any(axis=0).sum() == pytest.approx(2.0 * radius, abs=2.0)
        assert cover.any(axis=1).sum() == pytest.approx(2.0 * radius, abs=2.0)
    coin = procedural_textures.coin_texture(radius, "steel", grey, grey, "", 0.0)[..., :3].astype(float).mean(axis=2)
    half = len(coin) // 2
    assert coin[:half, :half].mean() > coin[half:, half:].mean()


def test_a_highlight_stays_with_the_lamp_while_the_coin_turns() -> None:
    turned = [
        procedural_textures.coin_texture(20.0, "bronze", (40, 90, 180), (250, 250, 245), "bar", k * 0.8)
        for k in range(3)
    ]
    assert not np.array_equal(turned[0], turned[1])
    spots = [np.unravel_index(one[..., :3].astype(int).sum(axis=2).argmax(), one.shape[:2]) for one in turned]
    assert all(row + column < len(turned[0]) for row, column in spots)


def test_shadows_depend_on_height() -> None:
    low, high = procedural_textures.piece_shadow(20.0, 0.0), procedural_textures.piece_shadow(20.0, 80.0)
    assert low[..., 3].max() > high[..., 3].max()
    assert len(high) > len(low)
    assert procedural_textures.shadow_offset(20.0, 80.0) > procedural_textures.shadow_offset(20.0, 0.0)


def test_long_boards_are_rotated_in_wide_views() -> None:
    assert best_quarter_turns(BOARD, (0.0, 0.0, 1200.0, 500.0)) == 3
    assert best_quarter_turns(BOARD, (0.0, 0.0, 500.0, 1200.0)) == 0
    camera = fit_camera(BOARD, (0.0, 0.0, 1200.0, 500.0), 10.0, 3)
    corners = camera.points_to_screen(BOARD)
    assert all(9.9 <= x <= 1190.1 and 9.9 <= y <= 490.1 for x, y in corners)
    near, far = camera.to_screen((0.15, 0.0)), camera.to_screen((0.15, 0.8))
    assert near[0] < far[0]
    assert near[1] == pytest.approx(far[1])
    assert camera.to_screen((0.3, 0.4))[1] > camera.to_screen((0.0, 0.4))[1]  # their right hand is below


@pytest.mark.parametrize("quarters", range(4))
def test_rotated_cameras_round_trip(quarters: int) -> None:
    camera = Camera((0.2, -0.1), 700.0, (320.0, 200.0), quarters).zoomed(1.7, (100.0, 50.0)).panned(5.0, -9.0)
    for at in ((0.0, 0.0), (0.31, -0.7), (-2.0, 4.0)):
        assert camera.to_table(camera.to_screen(at)) == pytest.approx(at, abs=1e-9)
    assert camera.zoomed(2.0, (9.0, 8.0)).to_table((9.0, 8.0)) == pytest.approx(camera.to_table((9.0, 8.0)))
