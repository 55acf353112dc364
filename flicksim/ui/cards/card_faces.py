"""Cards as pictures: drawn three times too large and smoothed down, so they are crisp at any size; kept once drawn."""

from __future__ import annotations

import pygame

from flicksim.cards import Card
from flicksim.ui.cards import suits
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.palette import Colour
from flicksim.ui.kit.surface_cache import picture

TALL = 1.42
"""Height of a card over its width."""
INDEX = 0.36
"""Share of its width at the left that tells which card it is."""
_FINE = 3
_PLAIN = 66
"""Narrower cards show one large suit in place of many pips."""
PAPER: Colour = (252, 251, 246)
EDGE: Colour = (150, 150, 150)

_ROWS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((0.5, 0.0), (0.5, 1.0)),
    3: ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0)),
    4: ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)),
    5: ((0.0, 0.0), (1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (1.0, 1.0)),
    6: ((0.0, 0.0), (1.0, 0.0), (0.0, 0.5), (1.0, 0.5), (0.0, 1.0), (1.0, 1.0)),
    7: ((0.0, 0.0), (1.0, 0.0), (0.5, 0.25), (0.0, 0.5), (1.0, 0.5), (0.0, 1.0), (1.0, 1.0)),
    8: ((0.0, 0.0), (1.0, 0.0), (0.5, 0.25), (0.0, 0.5), (1.0, 0.5), (0.5, 0.75), (0.0, 1.0), (1.0, 1.0)),
    9: ((0.0, 0.0), (1.0, 0.0), (0.0, 1 / 3), (1.0, 1 / 3), (0.5, 0.5), (0.0, 2 / 3), (1.0, 2 / 3), (0.0, 1.0),
        (1.0, 1.0)),
    10: ((0.0, 0.0), (1.0, 0.0), (0.5, 1 / 6), (0.0, 1 / 3), (1.0, 1 / 3), (0.0, 2 / 3), (1.0, 2 / 3), (0.5, 5 / 6),
         (0.0, 1.0), (1.0, 1.0)),
}  # fmt: skip
"""Places of the pips of a number card, across and down."""


def tall(width: int) -> int:
    """Height of a card of that width [pixels]."""
    return round(width * TALL)


@picture
def face(card: Card, width: int, four: bool = False, wild: bool = False) -> pygame.Surface:
    """A card face up; wild: with a star that says so."""
    sheet, w, h = _blank(width, PAPER)
    canvas = Canvas(sheet, 1.0)
    ink = suits.colour(card.suit, four)
    if card.joker:
        _joker(sheet, canvas, w, h, ink, width)
    else:
        rank = card.name[:-1]
        size = h * (0.25 if len(rank) == 1 else 0.185)
        canvas.text(rank, (w * 0.185, h * 0.135), size, ink, bold=True, anchor="center")
        suits.draw(sheet, card.suit, (w * 0.185, h * 0.345), h * 0.155, ink)
        if width < _PLAIN:
            suits.draw(sheet, card.suit, (w * 0.63, h * 0.68), h * 0.36, ink)
        else:
            _middle(sheet, canvas, card, w, h, ink)
    if wild:
        at = (w * 0.185, h * 0.53 if not card.joker else h * 0.84)
        points = [(at[0] + px * h * 0.13, at[1] + py * h * 0.13) for px, py in suits.star()]
        pygame.draw.polygon(sheet, suits.GOLD, points)
    return _small(sheet, width)


def _middle(sheet: pygame.Surface, canvas: Canvas, card: Card, w: float, h: float, ink: Colour) -> None:
    """Pips, or a court card's crown and letter."""
    if card.rank == 1:
        suits.draw(sheet, card.suit, (w * 0.63, h * 0.55), h * 0.4, ink)
        return
    if card.rank > 10:
        frame = pygame.Rect(round(w * 0.37), round(h * 0.08), round(w * 0.55), round(h * 0.84))
        pygame.draw.rect(sheet, palette.mix(PAPER, ink, 0.10), frame, border_radius=round(w * 0.05))
        pygame.draw.rect(sheet, palette.mix(PAPER, ink, 0.55), frame, max(1, round(w * 0.012)), round(w * 0.05))
        suits.crown(sheet, (frame.centerx, h * 0.27), w * 0.36, suits.GOLD, card.rank - 10)
        canvas.text(card.name[0], (frame.centerx, h * 0.54), h * 0.32, ink, bold=True, anchor="center")
        suits.draw(sheet, card.suit, (frame.centerx, h * 0.8), h * 0.16, ink)
        return
    for x, y in _ROWS[card.rank]:
        suits.draw(sheet, card.suit, (w * (0.47 + 0.36 * x), h * (0.15 + 0.70 * y)), h * 0.155, ink, turned=y > 0.5)


def _joker(sheet: pygame.Surface, canvas: Canvas, w: float, h: float, ink: Colour, width: int) -> None:
    for k, letter in enumerate("JOKER"):
        canvas.text(letter, (w * 0.185, h * (0.11 + 0.135 * k)), h * 0.125, ink, bold=True, anchor="center")
    for grow, colour in ((1.0, ink), (0.62, suits.GOLD)):
        points = [(w * 0.64 + px * w * 0.62 * grow, h * 0.5 + py * w * 0.62 * grow) for px, py in suits.star(8, 0.3)]
        pygame.draw.polygon(sheet, colour, points)
    del width


@picture
def back(width: int) -> pygame.Surface:
    """A card face down."""
    sheet, w, h = _blank(width, PAPER)
    inner = pygame.Rect(0, 0, round(w), round(h)).inflate(-round(w * 0.12), -round(w * 0.12))
    colour = (44, 74, 128)
    pygame.draw.rect(sheet, colour, inner, border_radius=round(w * 0.06))
    lattice = palette.mix(colour, palette.PALE, 0.28)
    step = w * 0.14
    sheet.set_clip(inner.inflate(-round(w * 0.06), -round(w * 0.06)))
    k = -h
    while k < w + h:
        for a, b in (((k, 0.0), (k + h, h)), ((k + h, 0.0), (k, h))):
            pygame.draw.line(sheet, lattice, a, b, max(1, round(w * 0.014)))
        k += step
    sheet.set_clip(None)
    return _small(sheet, width)


def _blank(width: int, paper: Colour) -> tuple[pygame.Surface, float, float]:
    """An empty card on a large sheet, and its width and height there."""
    w, h = width * _FINE, tall(width) * _FINE
    sheet = pygame.Surface((w, h), pygame.SRCALPHA)
    r = round(w * 0.085)
    pygame.draw.rect(sheet, EDGE, (0, 0, w, h), border_radius=r)
    line = max(_FINE - 1, round(w * 0.012))
    pygame.draw.rect(sheet, paper, (line, line, w - 2 * line, h - 2 * line), border_radius=max(1, r - line))
    return sheet, float(w), float(h)


def _small(sheet: pygame.Surface, width: int) -> pygame.Surface:
    return pygame.transform.smoothscale(sheet, (width, tall(width)))
