"""Pyramids as small pictures seen from above or from the side: drawn too large and smoothed down, kept once drawn.

Every face is painted where it really is, so that a standing pyramid shows a square with its diagonals, a lying one a
triangle with the edge of its base. The owner's mark is painted on the faces themselves and turns with them.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import pygame

from flicksim.base.geometry import Point
from flicksim.drawing import THROUGH, within
from flicksim.table import Shape, outward
from flicksim.ui.kit import palette
from flicksim.ui.kit.palette import Colour
from flicksim.ui.kit.surface_cache import picture

_FINE, _LARGE = 4, 40.0
"""Scale at which they are drawn, over that at which they are shown; half of it when the base is so wide [pixels]."""
_TURNS, _TILTS = 96, 96
"""Steps of a full turn, and of a tilt from upright to upside down."""
_ROLLS = 8
"""Steps of a quarter turn about its own axis, after which it looks the same."""
Point3 = tuple[float, float, float]
_LIGHT = (-0.42, 0.50, 0.757)
"""Direction of the light: over the left shoulder."""
_PIPS_FROM = 15.0
"""A base this wide [pixels] has room for its pips."""


def from_above(
    shape: Shape, zoom: float, key: str | None, tilt: float, heading: float, roll: float = 0.0
) -> pygame.Surface:
    """A pyramid seen from above, the middle of its base in the middle of the picture.

    Args:
        zoom: pixels per metre. key: colour and mark of its owner. tilt, heading, roll: see `Pyramid`
            [rad].
    """
    return _seen(shape, zoom, key, tilt, heading, roll, False)


def from_side(
    shape: Shape, zoom: float, key: str | None, tilt: float, heading: float, roll: float = 0.0
) -> pygame.Surface:
    """A pyramid seen from the side; `heading` is counted from the way to the right (see `from_above`)."""
    return _seen(shape, zoom, key, tilt, heading, roll, True)


def _seen(
    shape: Shape, zoom: float, key: str | None, tilt: float, heading: float, roll: float, side: bool
) -> pygame.Surface:
    wide = shape.base * zoom
    step = 0.25 if wide < 24.0 else 0.5 if wide < 60.0 else 2.0 if wide < 120.0 else 4.0
    steps = round(tilt / pi * _TILTS)
    turns = _TURNS // 4 if steps in (0, _TILTS) else _TURNS  # standing it looks the same four times a turn
    if turns < _TURNS:
        heading, roll = heading + roll, 0.0
    turn, rolled = round(heading / (2.0 * pi) * _TURNS) % turns, round(roll / (pi / 2.0) * _ROLLS) % _ROLLS
    return _picture(max(2.0, round(wide / step) * step), shape, key, steps, turn, rolled, side)


@picture
def _picture(base: float, shape: Shape, key: str | None, tilt: int, turn: int, roll: int, side: bool) -> pygame.Surface:
    a, h, r = tilt * pi / _TILTS, turn * 2.0 * pi / _TURNS, roll * pi / 2.0 / _ROLLS

    def turned(p: float, q: float, u: float) -> Point3:
        """Along one side, along the next, along its axis: to the right, up, and towards the eye."""
        p, q = p * cos(r) - q * sin(r), p * sin(r) + q * cos(r)  # along the way it leans, to the left of that
        flat, up = p * cos(a) + u * sin(a), u * cos(a) - p * sin(a)
        x, y = flat * cos(h) - q * sin(h), flat * sin(h) + q * cos(h)
        return (x, up, -y) if side else (x, y, up)

    return _painted(base, shape, key, [turned(*corner) for corner in _corners(shape)])


@lru_cache(maxsize=16)
def _corners(shape: Shape) -> tuple[Point3, ...]:
    """Four of the base, four of the mouth, the tip; then the peak of the hollow."""
    b, m = shape.base / 2.0, shape.hollow_base / 2.0
    square = ((1, -1), (1, 1), (-1, 1), (-1, -1))
    return (
        *((b * p, b * q, 0.0) for p, q in square),
        *((m * p, m * q, 0.0) for p, q in square),
        (0.0, 0.0, shape.height),
        (0.0, 0.0, shape.hollow_height),
    )


def _painted(base: float, shape: Shape, key: str | None, corners: list[Point3]) -> pygame.Surface:
    """The faces turned to the eye, painted from the farthest to the nearest."""
    zoom = base / shape.base
    far = int(shape.reach * 1.6 * zoom) + 3
    fine = _FINE if base < _LARGE else _FINE // 2
    sheet = pygame.Surface((2 * far * fine, 2 * far * fine), pygame.SRCALPHA)

    def flat(point: Point3) -> Point:
        return ((far + point[0] * zoom) * fine, (far - point[1] * zoom) * fine)

    face, mark = palette.seat_colour(key), palette.seat_mark(key)
    rim, mouth, tip, peak = corners[:4], corners[4:8], corners[8], corners[9]
    ink = palette.mix(face, palette.SHADE, 0.72)
    if outward(rim[0], rim[3], rim[1])[2] > 0.0:  # one looks into it
        pygame.draw.polygon(sheet, palette.mix(face, palette.PALE, 0.28), [flat(p) for p in rim])
        for i in range(4):
            wall = (mouth[i - 1], mouth[i], peak)
            shade = palette.mix(face, palette.SHADE, 0.62 + 0.12 * (i % 2))
            pygame.draw.polygon(sheet, shade, [flat(p) for p in wall])
        _edged(sheet, [flat(p) for p in rim], ink, base, fine)
    for i in range(4):
        one, other = rim[i - 1], rim[i]
        normal = outward(one, other, tip)
        if normal[2] <= 0.02:
            continue
        lit = max(0.0, sum(n * ray for n, ray in zip(normal, _LIGHT, strict=True)))
        pygame.draw.polygon(sheet, _toned(face, lit), [flat(one), flat(other), flat(tip)])
        for part, (a, b, c) in zip(THROUGH, within(flat(one), flat(other), flat(tip)), strict=True):
            pygame.draw.polygon(sheet, palette.mix(_toned(face, lit), palette.PALE, part), [a, b, c])
        if mark != "bar" or i % 2:  # a bar goes over two sides, one of which is up when it lies
            _marked(sheet, mark, flat(one), flat(other), flat(tip), _toned(palette.on(face), 0.6 + 0.4 * lit))
        if base >= _PIPS_FROM:
            _pips(sheet, shape.pips, flat(one), flat(other), flat(tip))
        _edged(sheet, [flat(one), flat(other), flat(tip)], ink, base, fine)
        if base >= _PIPS_FROM:
            ridge = palette.mix(face, palette.PALE, 0.25 + 0.5 * lit)
            pygame.draw.line(sheet, ridge, flat(other), flat(tip), max(1, round(fine * min(base * 0.012, 0.8))))
    return pygame.transform.smoothscale(sheet, (2 * far, 2 * far))


def _toned(colour: Colour, lit: float) -> Colour:
    """Brighter where the light falls on it, darker where it does not."""
    if lit > 0.55:
        return palette.mix(colour, palette.PALE, (lit - 0.55) * 0.95)
    return palette.mix(colour, palette.SHADE, (0.55 - lit) * 0.95)


def _edged(sheet: pygame.Surface, corners: list[Point], colour: Colour, base: float, fine: int) -> None:
    """A thin line round it, as strong as the piece is large."""
    pygame.draw.polygon(sheet, colour, corners, max(2, round(fine * min(0.35 + base * 0.022, 1.6))))


def _marked(sheet: pygame.Surface, mark: str, one: Point, other: Point, tip: Point, colour: Colour) -> None:
    """The owner's mark on one face: together the four make a ring, a cross, a bar, dots, a core or a hem."""

    def at(across: float, up: float) -> Point:
        """Across from -1 to 1 along the base, up from the base at 0 to the tip at 1."""
        mx, my = (one[0] + other[0]) / 2.0, (one[1] + other[1]) / 2.0
        hx, hy = (other[0] - one[0]) / 2.0, (other[1] - one[1]) / 2.0
        narrow = across * (1.0 - up)
        return (mx + hx * narrow + (tip[0] - mx) * up, my + hy * narrow + (tip[1] - my) * up)

    def patch(*spots: tuple[float, float]) -> None:
        pygame.draw.polygon(sheet, colour, [at(*spot) for spot in spots])

    match mark:
        case "ring":
            patch((-1, 0.34), (1, 0.34), (1, 0.62), (-1, 0.62))
        case "cross":
            patch((-1, 0.0), (-0.56, 0.0), (0.0, 1.0))
            patch((1, 0.0), (0.56, 0.0), (0.0, 1.0))
        case "bar":
            patch((-0.3, 0.0), (0.3, 0.0), (0.3, 1.0), (-0.3, 1.0))
        case "dots":
            middle = at(0.0, 0.36)
            wide = ((other[0] - one[0]) ** 2 + (other[1] - one[1]) ** 2) ** 0.5
            pygame.draw.circle(sheet, colour, middle, max(2.0, wide * 0.13))
        case "core":
            patch((-1, 0.5), (1, 0.5), (0, 1.0))
        case "hem":
            patch((-1, 0.0), (1, 0.0), (1, 0.24), (-1, 0.24))


def _pips(sheet: pygame.Surface, pips: int, one: Point, other: Point, tip: Point) -> None:
    """So many dots along the edge of the base, pale with a dark rim: they are seen on every colour and mark."""
    mx, my = (one[0] + other[0]) / 2.0, (one[1] + other[1]) / 2.0
    dx, dy = other[0] - one[0], other[1] - one[1]
    wide = (dx * dx + dy * dy) ** 0.5
    for k in range(pips):
        off = (k - (pips - 1) / 2.0) * 0.2
        at = (mx + dx * off + (tip[0] - mx) * 0.12, my + dy * off + (tip[1] - my) * 0.12)
        pygame.draw.circle(sheet, palette.INK, at, max(3.0, wide * 0.07))
        pygame.draw.circle(sheet, palette.PALE, at, max(2.0, wide * 0.045))
