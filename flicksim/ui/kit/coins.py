"""Pieces as small pictures: drawn four times too large and smoothed down, kept once drawn."""

from __future__ import annotations

from math import cos, pi, sin

import pygame

from flicksim.base.geometry import Point
from flicksim.ui.kit import palette
from flicksim.ui.kit.palette import Colour
from flicksim.ui.kit.surface_cache import picture

_FINE = 4
"""How many times larger than shown pieces are drawn."""
_TURNS = 48
"""Angles a piece is drawn at in a full turn."""


def coin(radius: float, key: str | None, kind: str, angle: float, faded: bool = False) -> pygame.Surface:
    """A piece seen from above.

    Args:
        radius: [pixels]. key: colour and mark of its owner (see `palette.seat_key`); None for nobody's.
        kind: what it is; "white" is drawn to be found at once. angle: [rad]. faded: see-through.
    """
    size = max(2.0, round(radius * 2.0) / 2.0)
    return _coin(size, key, kind, round(angle / (2.0 * pi) * _TURNS) % _TURNS, faded)


@picture
def _coin(radius: float, key: str | None, kind: str, turn: int, faded: bool) -> pygame.Surface:
    small = 2 * (int(radius) + 2)
    big = small * _FINE
    sheet = pygame.Surface((big, big), pygame.SRCALPHA)
    middle, r = big / 2.0, radius * _FINE
    angle = turn * 2.0 * pi / _TURNS
    if kind == "white":
        face, rim, mark = palette.PALE, palette.INK, palette.INK
    else:
        face = palette.seat_colour(key)
        rim, mark = palette.mix(face, palette.PALE, 0.55), palette.on(face)
    pygame.draw.circle(sheet, palette.mix(rim, palette.SHADE, 0.55), (middle, middle), r)
    pygame.draw.circle(sheet, rim, (middle, middle), r * 0.96)
    pygame.draw.circle(sheet, face, (middle, middle), r * (0.86 if kind != "white" else 0.9))
    if kind == "white":
        pygame.draw.circle(sheet, mark, (middle, middle), r * 0.16)
        _bar(sheet, (middle, middle), (0.62 * r, 0.84 * r), angle + pi / 2, 0.07 * r, mark)
    else:
        _mark(sheet, (middle, middle), r, palette.seat_mark(key), angle, mark, face)
    out = pygame.transform.smoothscale(sheet, (small, small))
    if faded:
        out.set_alpha(120)
    return out


def _bar(sheet: pygame.Surface, c: Point, span: tuple[float, float], angle: float, half: float, colour: Colour) -> None:
    """A thick stroke along a ray from the middle, between two distances."""
    ux, uy = cos(angle), -sin(angle)
    a, b = span
    corners = [
        (c[0] + ux * a - uy * half, c[1] + uy * a + ux * half),
        (c[0] + ux * b - uy * half, c[1] + uy * b + ux * half),
        (c[0] + ux * b + uy * half, c[1] + uy * b - ux * half),
        (c[0] + ux * a + uy * half, c[1] + uy * a - ux * half),
    ]
    pygame.draw.polygon(sheet, colour, corners)


def _mark(sheet: pygame.Surface, c: Point, r: float, mark: str, angle: float, colour: Colour, face: Colour) -> None:
    """The owner's mark: ring, cross, bar or dots, turned with the piece."""
    match mark:
        case "ring":
            pygame.draw.circle(sheet, colour, c, r * 0.56)
            pygame.draw.circle(sheet, face, c, r * 0.34)
            _bar(sheet, c, (0.5 * r, 0.8 * r), angle + pi / 2, 0.08 * r, colour)
        case "cross":
            for k in range(4):
                _bar(sheet, c, (0.0, 0.66 * r), angle + pi / 4 + k * pi / 2, 0.14 * r, colour)
        case "bar":
            for k in range(2):
                _bar(sheet, c, (-0.05 * r, 0.68 * r), angle + k * pi, 0.17 * r, colour)
        case "dots":
            for k in range(3):
                a = angle + pi / 2 + k * 2.0 * pi / 3.0
                pygame.draw.circle(sheet, colour, (c[0] + cos(a) * r * 0.42, c[1] - sin(a) * r * 0.42), r * 0.19)
        case "core":
            pygame.draw.circle(sheet, colour, c, r * 0.44)
        case "hem":
            pygame.draw.circle(sheet, colour, c, r * 0.74)
            pygame.draw.circle(sheet, face, c, r * 0.56)
        case _:
            pygame.draw.circle(sheet, colour, c, r * 0.2)


@picture
def shadow(radius: float) -> pygame.Surface:
    """The shadow on the board of a piece of that radius [pixels]."""
    small = 2 * (int(radius * 1.15) + 3)
    sheet = pygame.Surface((small * _FINE, small * _FINE), pygame.SRCALPHA)
    middle = small * _FINE / 2.0
    for k, alpha in ((1.12, 26), (1.06, 40), (1.0, 70)):
        pygame.draw.circle(sheet, (0, 0, 0, alpha), (middle, middle), radius * k * _FINE)
    return pygame.transform.smoothscale(sheet, (small, small))
