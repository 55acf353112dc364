"""Domino tile images, upright or lying, with a colour for every number of pips."""

import pygame

from flicksim.gui.toolkit import Colour, cached_surface, palette
from flicksim.render.card_shapes import PIP_COLOURS, TILE_COLOUR, pip_positions

_OVERSAMPLING = 3


@cached_surface
def tile_image(first: int, second: int, side: int, upright: bool) -> pygame.Surface:
    """Image of a tile with its first half on top or on the left; `side` is the width of a half [pixels]."""
    s = side * _OVERSAMPLING
    w, h = (s, 2 * s) if upright else (2 * s, s)
    surface = pygame.Surface((w, h), pygame.SRCALPHA)
    _draw_body(surface, s)
    line = palette.mix(TILE_COLOUR, palette.OVERLAY_SHADE, 0.55)
    start, end = ((s * 0.14, s), (s * 0.86, s)) if upright else ((s, s * 0.14), (s, s * 0.86))
    pygame.draw.line(surface, line, start, end, max(1, round(s * 0.035)))
    pygame.draw.circle(surface, palette.BRASS, (w / 2, h / 2), s * 0.065)
    for k, number in enumerate((first, second)):
        x0, y0 = (0, k * s) if upright else (k * s, 0)
        r = s * (0.098 if number <= 9 else 0.082)
        for x, y in pip_positions(number):
            # pips of a horizontal tile are rotated with it
            px, py = (x, y) if upright else (y, x)
            pygame.draw.circle(surface, PIP_COLOURS[number], (x0 + px * s, y0 + py * s), r)
    return pygame.transform.smoothscale(surface, (w // _OVERSAMPLING, h // _OVERSAMPLING))


@cached_surface
def tile_back_image(side: int) -> pygame.Surface:
    """Image of a tile face down, upright."""
    s = side * _OVERSAMPLING
    surface = pygame.Surface((s, 2 * s), pygame.SRCALPHA)
    _draw_body(surface, s, (52, 60, 76))
    pygame.draw.circle(surface, palette.BRASS, (s / 2, s), s * 0.12)
    return pygame.transform.smoothscale(surface, (side, 2 * side))


def _draw_body(surface: pygame.Surface, side: int, colour: Colour = TILE_COLOUR) -> None:
    rect, r = surface.get_rect(), round(side * 0.13)
    pygame.draw.rect(surface, palette.mix(colour, palette.OVERLAY_SHADE, 0.5), rect, border_radius=r)
    edge = max(2, round(side * 0.03))
    pygame.draw.rect(surface, palette.mix(colour, palette.LIGHT_TEXT, 0.6), rect.inflate(-edge, -edge), border_radius=r)
    inner = rect.inflate(-2 * edge, -2 * edge).move(edge // 2, edge // 2)
    pygame.draw.rect(surface, colour, inner, border_radius=r)
