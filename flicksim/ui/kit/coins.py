"""Pieces as small pictures: metal, enamel and plastic as `drawing.matter` has them, kept once drawn."""

from __future__ import annotations

from math import ceil, log, pi

import pygame

from flicksim.drawing import matter
from flicksim.ui.kit import palette
from flicksim.ui.kit.surface_cache import picture, surface_of

_TURNS, _ROUGH = 48, 8
"""Angles a piece is drawn at in a full turn; and those from which one that moves is turned."""
_LARGER = 1.5
"""So many times larger is the next of the sizes from which pieces that move are made smaller."""


def coin(
    radius: float, key: str | None, kind: str, angle: float, faded: bool = False, metal: str = "bronze"
) -> pygame.Surface:
    """A piece seen from above.

    Args:
        radius: [pixels]. key: colour and mark of its owner (see `palette.seat_key`); None for nobody's.
        kind: what it is; "white" is drawn to be found at once. angle: on the screen [rad]. faded: see-through.
        metal: what it is made of.
    """
    step = 0.5 if radius < 40.0 else 2.0
    size = max(2.0, round(radius / step) * step)
    return _coin(size, key, kind, round(angle / (2.0 * pi) * _TURNS) % _TURNS, faded, metal)


def moving(radius: float, key: str | None, kind: str, angle: float, metal: str = "bronze") -> pygame.Surface:
    """The same of a piece that moves, or is seen ever nearer: quicker, turned and made smaller from a few pictures."""
    size = max(2.0, round(radius * 2.0) / 2.0)
    return _moving(size, key, kind, round(angle / (2.0 * pi) * _TURNS) % _TURNS, metal)


@picture
def _moving(radius: float, key: str | None, kind: str, turn: int, metal: str) -> pygame.Surface:
    each = _TURNS // _ROUGH
    near = round(turn / each) * each
    large = 2.0 * _LARGER ** ceil(log(radius / 2.0, _LARGER) - 1e-9)
    drawn = _coin(large, key, kind, near % _TURNS, False, metal)
    return pygame.transform.rotozoom(drawn, (turn - near) * 360.0 / _TURNS, radius / large)


@picture
def _coin(radius: float, key: str | None, kind: str, turn: int, faded: bool, metal: str) -> pygame.Surface:
    if faded:
        out = _coin(radius, key, kind, turn, False, metal).copy()
        out.set_alpha(120)
        return out
    angle = turn * 2.0 * pi / _TURNS
    if kind == "white":
        made = matter.white(radius, palette.PALE, palette.INK, angle)
    else:
        face = palette.seat_colour(key)
        made = matter.coin(radius, metal, face, palette.on(face), palette.seat_mark(key), angle)
    return surface_of(made)


@picture
def shadow(radius: float, height: float = 0.0, glow: palette.Colour | None = None) -> pygame.Surface:
    """The shadow of a round piece of that radius, so high above what it falls on [pixels]."""
    return surface_of(matter.fallen(radius, height, glow))
