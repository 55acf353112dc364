"""Cached sprites of winks and the pot: plastic and glaze rendered by `render`."""

from math import pi

import pygame

from flicksim.gui.toolkit import cached_surface, palette, surface_of
from flicksim.render import procedural_textures

_LEAN_STEPS, _TILT_STEPS = 48, 24
"""Number of quantized lean directions, and of tilts from flat to upright."""
_MASTER_RADII = (24.0, 48.0, 96.0)
"""Radii of the rendered winks that smaller sprites are scaled from [pixels]."""
_POT_RADII = (64, 128)
"""Radii of the rendered pots that smaller sprites are scaled from [pixels]."""
_RADIUS_STEPS = ((40.0, 0.5), (100.0, 2.0), (float("inf"), 4.0))
"""Radii below which sprites are quantized to a step [pixels], so that a zoom needs few of them."""


def wink_sprite(radius: float, key: str | None, face: int = 1, tilt: float = 0.0, lean: float = 0.0) -> pygame.Surface:
    """Sprite of a wink seen from above.

    Args:
        radius: [pixels]. key: colour and mark of its owner. face: -1 shows its lower side: dark, the mark hollow.
            tilt: of its face [rad]. lean: direction of its slope on the screen [rad].
    """
    steps = round(min(tilt, pi / 2.0) / (pi / 2.0) * _TILT_STEPS)
    turn = round(lean / (2.0 * pi) * _LEAN_STEPS) % _LEAN_STEPS if steps else 0
    return _scaled_wink(quantize_radius(radius), key, face, steps, turn)


def quantize_radius(radius: float) -> float:
    """Radius quantized as sprites are [pixels]."""
    step = next(step for most, step in _RADIUS_STEPS if radius < most)
    return max(2.0, round(radius / step) * step)


@cached_surface
def _scaled_wink(radius: float, key: str | None, face: int, tilt: int, lean: int) -> pygame.Surface:
    """Sprite of a wink of any size, scaled from a slightly larger one, as each frame of a zoom has another size."""
    large = next((large for large in _MASTER_RADII if radius < large), None)
    if large is None:
        return _render_wink(radius, key, face, tilt, lean)
    return _downscale(_render_wink(large, key, face, tilt, lean), radius, large)


@cached_surface
def _render_wink(radius: float, key: str | None, face: int, tilt: int, lean: int) -> pygame.Surface:
    colour = palette.seat_colour(key)
    ink, mark = palette.contrasting_text(colour), palette.seat_mark(key)
    angles = {"tilt": tilt * pi / 2.0 / _TILT_STEPS, "lean": lean * 2.0 * pi / _LEAN_STEPS}
    return surface_of(procedural_textures.wink_texture(radius, colour, ink, mark, is_face_down=face < 0, **angles))


@cached_surface
def pot_inside_sprite(radius: int, mouth_fraction: float) -> pygame.Surface:
    """Sprite of the inside of the pot: outer radius [pixels], mouth as a share of it."""
    large = next((large for large in _POT_RADII if radius < large), None)
    if large is not None:
        return _downscale(pot_inside_sprite(large, mouth_fraction), radius, large)
    return surface_of(procedural_textures.pot_texture(radius, mouth_fraction * radius, palette.POT, palette.POT_INSIDE))


@cached_surface
def pot_rim_sprite(radius: int, wall_fraction: float) -> pygame.Surface:
    """Sprite of the pot's rim: radius [pixels], thickness as a share of it."""
    large = next((large for large in _POT_RADII if radius < large), None)
    if large is not None:
        return _downscale(pot_rim_sprite(large, wall_fraction), radius, large)
    return surface_of(procedural_textures.pot_rim_texture(radius, wall_fraction * radius, palette.POT))


def _downscale(large: pygame.Surface, radius: float, large_radius: float) -> pygame.Surface:
    """Image scaled down from a large radius to a smaller one [pixels]."""
    side = max(2, round(large.get_width() * radius / large_radius / 2.0) * 2)
    return pygame.transform.smoothscale(large, (side, side))
