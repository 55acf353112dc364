"""Domino tiles as pictures, upright or lying, with a colour for every number so that ends are found at a glance."""

from __future__ import annotations

import pygame

from flicksim.ui.kit import palette
from flicksim.ui.kit.palette import Colour
from flicksim.ui.kit.surface_cache import picture

IVORY: Colour = (247, 241, 225)
_FINE = 3
PIPS: tuple[Colour, ...] = (
    (90, 90, 90), (24, 116, 190), (24, 132, 60), (196, 40, 52), (112, 62, 160), (28, 60, 140), (176, 92, 0),
    (200, 40, 130), (0, 128, 128), (110, 80, 30), (230, 96, 20), (60, 60, 70), (20, 20, 24),
)  # fmt: skip

_THREE = {
    0: "", 1: "e", 2: "ci", 3: "cei", 4: "acgi", 5: "acegi", 6: "acdfgi", 7: "acdefgi", 8: "abcdfghi", 9: "abcdefghi",
}  # fmt: skip
"""Places on a 3 x 3 grid, a b c over d e f over g h i."""


def _spots(number: int) -> list[tuple[float, float]]:
    """Places of the pips of a half, across and down its square."""
    if number <= 9:
        places = [ord(letter) - ord("a") for letter in _THREE[number]]
        return [(0.24 + 0.26 * (k % 3), 0.24 + 0.26 * (k // 3)) for k in places]
    rows = {10: (3, 2, 2, 3), 11: (3, 3, 2, 3), 12: (3, 3, 3, 3)}[number]
    found = []
    for y, many in enumerate(rows):
        across = (0.24, 0.5, 0.76) if many == 3 else (0.24, 0.76)
        found += [(x, 0.17 + 0.22 * y) for x in across]
    return found


@picture
def tile(first: int, second: int, side: int, upright: bool) -> pygame.Surface:
    """A tile: its first half is on top or on the left; `side` is how wide a half is [pixels]."""
    s = side * _FINE
    w, h = (s, 2 * s) if upright else (2 * s, s)
    sheet = pygame.Surface((w, h), pygame.SRCALPHA)
    _body(sheet, s)
    line = palette.mix(IVORY, palette.SHADE, 0.55)
    if upright:
        pygame.draw.line(sheet, line, (s * 0.14, s), (s * 0.86, s), max(1, round(s * 0.035)))
    else:
        pygame.draw.line(sheet, line, (s, s * 0.14), (s, s * 0.86), max(1, round(s * 0.035)))
    pygame.draw.circle(sheet, palette.BRASS, (w / 2, h / 2), s * 0.065)
    for k, number in enumerate((first, second)):
        x0, y0 = (0, k * s) if upright else (k * s, 0)
        r = s * (0.098 if number <= 9 else 0.082)
        for x, y in _spots(number):
            # the pips of a lying tile lie too, as they do on a table
            px, py = (x, y) if upright else (y, x)
            pygame.draw.circle(sheet, PIPS[number], (x0 + px * s, y0 + py * s), r)
    return pygame.transform.smoothscale(sheet, (w // _FINE, h // _FINE))


@picture
def back(side: int) -> pygame.Surface:
    """A tile face down, upright."""
    s = side * _FINE
    sheet = pygame.Surface((s, 2 * s), pygame.SRCALPHA)
    _body(sheet, s, (52, 60, 76))
    pygame.draw.circle(sheet, palette.BRASS, (s / 2, s), s * 0.12)
    return pygame.transform.smoothscale(sheet, (side, 2 * side))


def _body(sheet: pygame.Surface, s: int, colour: Colour = IVORY) -> None:
    rect, r = sheet.get_rect(), round(s * 0.13)
    pygame.draw.rect(sheet, palette.mix(colour, palette.SHADE, 0.5), rect, border_radius=r)
    edge = max(2, round(s * 0.03))
    pygame.draw.rect(sheet, palette.mix(colour, palette.PALE, 0.6), rect.inflate(-edge, -edge), border_radius=r)
    inner = rect.inflate(-2 * edge, -2 * edge).move(edge // 2, edge // 2)
    pygame.draw.rect(sheet, colour, inner, border_radius=r)
