"""Winks and the pot as small pictures, kept once drawn: plastic and glaze as `drawing.matter` has them."""

from __future__ import annotations

from math import pi

import pygame

from flicksim.drawing import matter
from flicksim.ui.kit import palette
from flicksim.ui.kit.surface_cache import picture, surface_of

_LEANS, _TILTS = 48, 24
"""Ways a tilted wink is drawn leaning, and steps of its tilt from flat to upright."""
_STEPS = ((40.0, 0.5), (100.0, 2.0), (float("inf"), 4.0))
"""Radii below which winks are drawn in such steps [pixels]: while the view glides not every size is drawn."""


def wink(radius: float, key: str | None, face: int = 1, tilt: float = 0.0, lean: float = 0.0) -> pygame.Surface:
    """A wink seen from above.

    Args:
        radius: [pixels]. key: colour and mark of its owner. face: -1 shows its lower side: dark, the mark hollow.
        tilt: of its face [rad]. lean: the way it slopes down on the screen [rad].
    """
    steps = round(min(tilt, pi / 2.0) / (pi / 2.0) * _TILTS)
    return _wink(stepped(radius), key, face, steps, round(lean / (2.0 * pi) * _LEANS) % _LEANS if steps else 0)


def stepped(radius: float) -> float:
    """A radius as pictures are drawn for it [pixels]."""
    step = next(step for most, step in _STEPS if radius < most)
    return max(2.0, round(radius / step) * step)


@picture
def _wink(radius: float, key: str | None, face: int, tilt: int, lean: int) -> pygame.Surface:
    colour = palette.seat_colour(key)
    made = matter.wink(radius, colour, palette.on(colour), palette.seat_mark(key), over=face < 0,
                       tilt=tilt * pi / 2.0 / _TILTS, lean=lean * 2.0 * pi / _LEANS)  # fmt: skip
    return surface_of(made)


_LARGE = 128
"""Radius of the pot that those seen smaller are made from while the view glides [pixels]."""


@picture
def well(radius: int, mouth: float) -> pygame.Surface:
    """The inside of the pot, its outer radius [pixels], its mouth as a share of that."""
    if radius < _LARGE:
        return _shrunk(well(_LARGE, mouth), radius)
    return surface_of(matter.pot(radius, mouth * radius, palette.POT, palette.INSIDE))


@picture
def rim(radius: int, wall: float) -> pygame.Surface:
    """The rim of the pot: its radius [pixels], how thick it is as a share of that."""
    if radius < _LARGE:
        return _shrunk(rim(_LARGE, wall), radius)
    return surface_of(matter.rim(radius, wall * radius, palette.POT))


def _shrunk(large: pygame.Surface, radius: int) -> pygame.Surface:
    side = round(large.get_width() * radius / _LARGE / 2.0) * 2
    return pygame.transform.smoothscale(large, (side, side))
