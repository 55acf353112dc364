"""Winks and the pot as small pictures, kept once drawn: plastic and glaze as `drawing.matter` has them."""

from __future__ import annotations

from math import pi

import pygame

from flicksim.drawing import matter
from flicksim.ui.kit import palette
from flicksim.ui.kit.surface_cache import picture, surface_of

_LEANS, _TILTS = 48, 24
"""Ways a tilted wink is drawn leaning, and steps of its tilt from flat to upright."""
_MASTERS = (24.0, 48.0, 96.0)
"""Radii of winks that those seen smaller are made from [pixels]."""
_POTS = (64, 128)
"""Radii of the pot that those seen smaller are made from [pixels]."""
_STEPS = ((40.0, 0.5), (100.0, 2.0), (float("inf"), 4.0))
"""Radii below which winks are drawn in such steps [pixels]: while the view glides not every size is drawn."""


def wink(radius: float, key: str | None, face: int = 1, tilt: float = 0.0, lean: float = 0.0) -> pygame.Surface:
    """A wink seen from above.

    Args:
        radius: [pixels]. key: colour and mark of its owner. face: -1 shows its lower side: dark, the mark hollow.
        tilt: of its face [rad]. lean: the way it slopes down on the screen [rad].
    """
    steps = round(min(tilt, pi / 2.0) / (pi / 2.0) * _TILTS)
    return _sized(stepped(radius), key, face, steps, round(lean / (2.0 * pi) * _LEANS) % _LEANS if steps else 0)


def stepped(radius: float) -> float:
    """A radius as pictures are drawn for it [pixels]."""
    step = next(step for most, step in _STEPS if radius < most)
    return max(2.0, round(radius / step) * step)


@picture
def _sized(radius: float, key: str | None, face: int, tilt: int, lean: int) -> pygame.Surface:
    """A wink of any size, made from one that is a little larger: while the view glides each frame has another."""
    large = next((large for large in _MASTERS if radius < large), None)
    if large is None:
        return _wink(radius, key, face, tilt, lean)
    return _shrunk(_wink(large, key, face, tilt, lean), radius, large)


@picture
def _wink(radius: float, key: str | None, face: int, tilt: int, lean: int) -> pygame.Surface:
    colour = palette.seat_colour(key)
    made = matter.wink(radius, colour, palette.on(colour), palette.seat_mark(key), over=face < 0,
                       tilt=tilt * pi / 2.0 / _TILTS, lean=lean * 2.0 * pi / _LEANS)  # fmt: skip
    return surface_of(made)


@picture
def well(radius: int, mouth: float) -> pygame.Surface:
    """The inside of the pot, its outer radius [pixels], its mouth as a share of that."""
    large = next((large for large in _POTS if radius < large), None)
    if large is not None:
        return _shrunk(well(large, mouth), radius, large)
    return surface_of(matter.pot(radius, mouth * radius, palette.POT, palette.INSIDE))


@picture
def rim(radius: int, wall: float) -> pygame.Surface:
    """The rim of the pot: its radius [pixels], how thick it is as a share of that."""
    large = next((large for large in _POTS if radius < large), None)
    if large is not None:
        return _shrunk(rim(large, wall), radius, large)
    return surface_of(matter.rim(radius, wall * radius, palette.POT))


def _shrunk(large: pygame.Surface, radius: float, of: float) -> pygame.Surface:
    """A picture made smaller: its radius, and that of the large one [pixels]."""
    side = max(2, round(large.get_width() * radius / of / 2.0) * 2)
    return pygame.transform.smoothscale(large, (side, side))
