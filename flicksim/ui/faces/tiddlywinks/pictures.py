"""Winks as small pictures: flat or tilted, face up or down, drawn too large and smoothed down, kept once drawn."""

from __future__ import annotations

from math import cos, degrees, pi, sin

import pygame

from flicksim.ui.kit import palette
from flicksim.ui.kit.surface_cache import picture

_LEANS, _TILTS = 48, 24
"""Ways a tilted wink is drawn leaning, and steps of its tilt from flat to upright."""
_STEPS = ((16.0, 0.5), (40.0, 1.0), (100.0, 2.0), (float("inf"), 4.0))
"""Radii below which winks are drawn in such steps [pixels]: while the view glides not every size is drawn."""


def wink(radius: float, key: str | None, face: int = 1, tilt: float = 0.0, lean: float = 0.0) -> pygame.Surface:
    """A wink seen from above.

    Args:
        radius: [pixels]. key: colour and mark of its owner. face: -1 shows its lower side: dark, the mark hollow.
        tilt: of its face [rad]. lean: azimuth of its down-slope [rad].
    """
    step = next(step for most, step in _STEPS if radius < most)
    size = max(2.0, round(radius / step) * step)
    steps = round(min(tilt, pi / 2.0) / (pi / 2.0) * _TILTS)
    return _wink(size, key, face, steps, round(lean / (2.0 * pi) * _LEANS) % _LEANS if steps else 0)


def _fine(radius: float) -> int:
    """The number of times larger than shown that a wink is drawn; large ones need less."""
    return 4 if radius < 36.0 else 2


@picture
def _flat(radius: float, key: str | None, face: int) -> pygame.Surface:
    big = 2 * (int(radius) + 2) * _fine(radius)
    sheet = pygame.Surface((big, big), pygame.SRCALPHA)
    middle, r = (big / 2.0, big / 2.0), radius * _fine(radius)
    colour = palette.SEATS[key] if key else palette.BRASS
    if face < 0:
        colour = palette.mix(colour, palette.SHADE, 0.45)
    rim = palette.mix(colour, palette.PALE, 0.5)
    pygame.draw.circle(sheet, palette.INK, middle, r)
    pygame.draw.circle(sheet, rim, middle, r * 0.95)
    pygame.draw.circle(sheet, colour, middle, r * 0.82)
    _mark(sheet, middle, r, palette.MARKS.get(key or "", ""), palette.on(colour))
    if face < 0:
        _mark(sheet, middle, r * 0.55, palette.MARKS.get(key or "", ""), colour)
    return sheet


def _mark(sheet: pygame.Surface, c: tuple[float, float], r: float, mark: str, colour: palette.Colour) -> None:
    """The owner's mark, bold enough for four pixels: ring, cross, bar or three dots."""
    match mark:
        case "ring":
            pygame.draw.circle(sheet, colour, c, r * 0.52, max(1, round(r * 0.2)))
        case "cross":
            w = max(1, round(r * 0.26))
            for dx, dy in ((1, 1), (1, -1)):
                far = r * 0.44
                pygame.draw.line(
                    sheet, colour, (c[0] - dx * far, c[1] - dy * far), (c[0] + dx * far, c[1] + dy * far), w
                )
        case "bar":
            pygame.draw.rect(sheet, colour, (c[0] - r * 0.6, c[1] - r * 0.17, r * 1.2, r * 0.34))
        case "dots":
            for k in range(3):
                a = pi / 2 + k * 2.0 * pi / 3.0
                pygame.draw.circle(sheet, colour, (c[0] + cos(a) * r * 0.4, c[1] - sin(a) * r * 0.4), r * 0.22)
        case _:
            pygame.draw.circle(sheet, colour, c, r * 0.2)


@picture
def _wink(radius: float, key: str | None, face: int, tilt: int, lean: int) -> pygame.Surface:
    big = _flat(radius, key, face)
    small = 2 * (int(radius) + 2)
    out = pygame.transform.smoothscale(big, (small, small))
    if not tilt:
        return out
    # squeezed along its slope, then turned: an ellipse whose short way is the slope's
    angle = degrees(lean * 2.0 * pi / _LEANS)
    long = max(3, round(small * max(cos(tilt * pi / 2.0 / _TILTS), 0.12)))
    half = pygame.transform.smoothscale(pygame.transform.rotate(big, -angle), _grown(big, -angle, _fine(radius)))
    side = half.get_width()
    squeezed = pygame.transform.smoothscale(half, (max(3, round(side * long / small)), side))
    return pygame.transform.rotozoom(squeezed, angle, 1.0)


def _grown(big: pygame.Surface, angle: float, fine: int) -> tuple[int, int]:
    """Size [pixels] at which a turned picture has its true scale."""
    turned = pygame.transform.rotate(big, angle).get_size()
    return (max(2, turned[0] // fine), max(2, turned[1] // fine))


@picture
def shadow(radius: float, alpha: int) -> pygame.Surface:
    """The shadow on the mat of a wink of that radius [pixels]; fainter the higher it is."""
    small = 2 * (int(radius * 1.3) + 3)
    sheet = pygame.Surface((small * 2, small * 2), pygame.SRCALPHA)
    for k, share in ((1.2, 0.3), (1.08, 0.5), (0.96, 1.0)):
        pygame.draw.circle(sheet, (0, 0, 0, round(alpha * share)), (small, small), radius * k * 2)
    return pygame.transform.smoothscale(sheet, (small, small))
