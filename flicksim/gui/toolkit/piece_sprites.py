"""Cached piece sprites from procedural textures."""

from math import ceil, log, pi

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.surface_cache import cached_surface, surface_of
from flicksim.render import procedural_textures

_ROTATION_STEPS, _MOVING_ROTATION_STEPS = 48, 8
"""Number of angles at which a piece is drawn, and of those from which moving ones are rotated."""
_OVERSAMPLING = 1.5
"""Ratio of successive sprite sizes from which moving pieces are scaled down."""


def piece_sprite(
    radius: float, key: str | None, kind: str, angle: float, faded: bool = False, metal: str = "bronze"
) -> pygame.Surface:
    """Image of a piece from above.

    Args:
        radius: [pixels]. key: colour and mark of its owner (see `palette.seat_key`); None for nobody's.
        kind: of the piece; "white" is drawn to be conspicuous. angle: on the screen [rad]. faded: translucent.
        metal: its material.
    """
    step = 0.5 if radius < 40.0 else 2.0
    size = max(2.0, round(radius / step) * step)
    return _piece_sprite(size, key, kind, round(angle / (2.0 * pi) * _ROTATION_STEPS) % _ROTATION_STEPS, faded, metal)


def moving_sprite(radius: float, key: str | None, kind: str, angle: float, metal: str = "bronze") -> pygame.Surface:
    """Image of a piece that moves or is zoomed: rotated and scaled from a few cached images, which is faster."""
    size = max(2.0, round(radius * 2.0) / 2.0)
    return _moving_sprite(size, key, kind, round(angle / (2.0 * pi) * _ROTATION_STEPS) % _ROTATION_STEPS, metal)


def draw_seat_coin(surface: pygame.Surface, center: Point, radius: float, key: str | None) -> None:
    """Draw a coin with the colour and mark of a seat around a point [pixels]."""
    sprite = piece_sprite(radius, key, "penny", 0.0)
    surface.blit(sprite, sprite.get_rect(center=(round(center[0]), round(center[1]))))


@cached_surface
def _moving_sprite(radius: float, key: str | None, kind: str, turn: int, metal: str) -> pygame.Surface:
    step = _ROTATION_STEPS // _MOVING_ROTATION_STEPS
    nearest = round(turn / step) * step
    large = 2.0 * _OVERSAMPLING ** ceil(log(radius / 2.0, _OVERSAMPLING) - 1e-9)
    sprite = _piece_sprite(large, key, kind, nearest % _ROTATION_STEPS, False, metal)
    return pygame.transform.rotozoom(sprite, (turn - nearest) * 360.0 / _ROTATION_STEPS, radius / large)


@cached_surface
def _piece_sprite(radius: float, key: str | None, kind: str, turn: int, faded: bool, metal: str) -> pygame.Surface:
    if faded:
        sprite = _piece_sprite(radius, key, kind, turn, False, metal).copy()
        sprite.set_alpha(120)
        return sprite
    angle = turn * 2.0 * pi / _ROTATION_STEPS
    if kind == "white":
        pixels = procedural_textures.white_texture(radius, palette.LIGHT_TEXT, palette.DARK_TEXT, angle)
    else:
        face, mark = palette.seat_colour(key), palette.seat_mark(key)
        pixels = procedural_textures.coin_texture(radius, metal, face, palette.contrasting_text(face), mark, angle)
    return surface_of(pixels)


@cached_surface
def shadow_sprite(radius: float, height: float = 0.0, glow: palette.Colour | None = None) -> pygame.Surface:
    """Shadow of a round piece of a radius at a height above the surface [pixels]."""
    return surface_of(procedural_textures.piece_shadow(radius, height, glow))
