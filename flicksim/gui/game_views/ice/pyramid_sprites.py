"""Pyramid sprites from above and from the side, drawn oversized and smoothed down; cached.

Every face is painted in its true orientation, so that a standing pyramid shows a square with its diagonals, a lying one
a triangle with the edge of its base. The owner's mark is painted on the faces themselves and turns with them.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.palette import Colour
from flicksim.gui.toolkit.surface_cache import cached_surface
from flicksim.render import TRANSLUCENCY, inset_triangles
from flicksim.scene import PyramidShape, face_normal

_OVERSAMPLING, _LARGE_BASE = 4, 40.0
"""Factor of oversampling, and the width of a base above which half of it is used [pixels]."""
_HEADING_STEPS, _TILT_STEPS = 96, 96
"""Number of quantized headings in a full turn, and of tilts from upright to upside down."""
_ROLL_STEPS = 8
"""Number of quantized rolls in a quarter turn, by which the piece is symmetric."""
Point3 = tuple[float, float, float]
_LIGHT_DIRECTION = (-0.42, 0.50, 0.757)
"""Direction of the light: over the left shoulder."""
_MIN_PIP_BASE = 15.0
"""Least width of a base on which pips are drawn [pixels]."""


def top_sprite(
    shape: PyramidShape, zoom: float, key: str | None, tilt: float, heading: float, roll: float = 0.0
) -> pygame.Surface:
    """Sprite of a pyramid seen from above, centred on the middle of its base.

    Args:
        shape: of the pyramid. zoom: pixels per metre. key: colour and mark of its owner. tilt, heading, roll: see
            `Pyramid` [rad].
    """
    return _sprite(shape, zoom, key, tilt, heading, roll, False)


def side_sprite(
    shape: PyramidShape, zoom: float, key: str | None, tilt: float, heading: float, roll: float = 0.0
) -> pygame.Surface:
    """Sprite of a pyramid seen from the side; `heading` is measured from the right (see `top_sprite`)."""
    return _sprite(shape, zoom, key, tilt, heading, roll, True)


def _sprite(
    shape: PyramidShape, zoom: float, key: str | None, tilt: float, heading: float, roll: float, is_side_view: bool
) -> pygame.Surface:
    wide = shape.base * zoom
    step = 0.25 if wide < 24.0 else 0.5 if wide < 60.0 else 2.0 if wide < 120.0 else 4.0
    steps = round(tilt / pi * _TILT_STEPS)
    is_upright = steps in (0, _TILT_STEPS)
    turns = _HEADING_STEPS // 4 if is_upright else _HEADING_STEPS  # an upright pyramid has fourfold symmetry
    if is_upright:
        heading, roll = heading + roll, 0.0
    turn = round(heading / (2.0 * pi) * _HEADING_STEPS) % turns
    rolled = round(roll / (pi / 2.0) * _ROLL_STEPS) % _ROLL_STEPS
    return _render(max(2.0, round(wide / step) * step), shape, key, steps, turn, rolled, is_side_view)


@cached_surface
def _render(
    base: float, shape: PyramidShape, key: str | None, tilt: int, turn: int, roll: int, is_side_view: bool
) -> pygame.Surface:
    a, h, r = tilt * pi / _TILT_STEPS, turn * 2.0 * pi / _HEADING_STEPS, roll * pi / 2.0 / _ROLL_STEPS

    def turned(p: float, q: float, u: float) -> Point3:
        """Rotate a point to screen axes: right, up, and towards the viewer."""
        p, q = p * cos(r) - q * sin(r), p * sin(r) + q * cos(r)  # unit vectors along the lean and to the left of it
        flat, up = p * cos(a) + u * sin(a), u * cos(a) - p * sin(a)
        x, y = flat * cos(h) - q * sin(h), flat * sin(h) + q * cos(h)
        return (x, up, -y) if is_side_view else (x, y, up)

    return _paint_faces(base, shape, key, [turned(*corner) for corner in _vertices(shape)])


@lru_cache(maxsize=16)
def _vertices(shape: PyramidShape) -> tuple[Point3, ...]:
    """Vertices of a pyramid: four of the base, four of the mouth, the tip, then the peak of the hollow."""
    b, m = shape.base / 2.0, shape.hollow_base / 2.0
    square = ((1, -1), (1, 1), (-1, 1), (-1, -1))
    return (
        *((b * p, b * q, 0.0) for p, q in square),
        *((m * p, m * q, 0.0) for p, q in square),
        (0.0, 0.0, shape.height),
        (0.0, 0.0, shape.hollow_height),
    )


def _paint_faces(base: float, shape: PyramidShape, key: str | None, corners: list[Point3]) -> pygame.Surface:
    """Paint the faces turned to the viewer, from the farthest to the nearest (painter's algorithm)."""
    zoom = base / shape.base
    extent = int(shape.bounding_radius * 1.6 * zoom) + 3
    fine = _OVERSAMPLING if base < _LARGE_BASE else _OVERSAMPLING // 2
    layer = pygame.Surface((2 * extent * fine, 2 * extent * fine), pygame.SRCALPHA)

    def flat(point: Point3) -> Point:
        return ((extent + point[0] * zoom) * fine, (extent - point[1] * zoom) * fine)

    face, mark = palette.seat_colour(key), palette.seat_mark(key)
    rim, mouth, tip, peak = corners[:4], corners[4:8], corners[8], corners[9]
    ink = palette.mix(face, palette.OVERLAY_SHADE, 0.72)
    if face_normal(rim[0], rim[3], rim[1])[2] > 0.0:  # the open base is visible
        pygame.draw.polygon(layer, palette.mix(face, palette.LIGHT_TEXT, 0.28), [flat(p) for p in rim])
        for i in range(4):
            side_corners = (mouth[i - 1], mouth[i], peak)
            shade = palette.mix(face, palette.OVERLAY_SHADE, 0.62 + 0.12 * (i % 2))
            pygame.draw.polygon(layer, shade, [flat(p) for p in side_corners])
        _draw_edge(layer, [flat(p) for p in rim], ink, base, fine)
    for i in range(4):
        corner, next_corner = rim[i - 1], rim[i]
        normal = face_normal(corner, next_corner, tip)
        if normal[2] <= 0.02:
            continue
        lit = max(0.0, sum(n * ray for n, ray in zip(normal, _LIGHT_DIRECTION, strict=True)))
        pygame.draw.polygon(layer, _shade(face, lit), [flat(corner), flat(next_corner), flat(tip)])
        triangle = flat(corner), flat(next_corner), flat(tip)
        for part, (a, b, c) in zip(TRANSLUCENCY, inset_triangles(*triangle), strict=True):
            pygame.draw.polygon(layer, palette.mix(_shade(face, lit), palette.LIGHT_TEXT, part), [a, b, c])
        if mark != "bar" or i % 2:  # a bar is drawn on two faces, one of which is up when the piece lies
            _draw_mark(layer, mark, *triangle, _shade(palette.contrasting_text(face), 0.6 + 0.4 * lit))
        if base >= _MIN_PIP_BASE:
            _draw_pips(layer, shape.pips, *triangle)
        _draw_edge(layer, [*triangle], ink, base, fine)
        if base >= _MIN_PIP_BASE:
            ridge = palette.mix(face, palette.LIGHT_TEXT, 0.25 + 0.5 * lit)
            pygame.draw.line(layer, ridge, flat(next_corner), flat(tip), max(1, round(fine * min(base * 0.012, 0.8))))
    return pygame.transform.smoothscale(layer, (2 * extent, 2 * extent))


def _shade(colour: Colour, light: float) -> Colour:
    """Colour lightened or darkened by the incident light."""
    if light > 0.55:
        return palette.mix(colour, palette.LIGHT_TEXT, (light - 0.55) * 0.95)
    return palette.mix(colour, palette.OVERLAY_SHADE, (0.55 - light) * 0.95)


def _draw_edge(surface: pygame.Surface, corners: list[Point], colour: Colour, base: float, oversampling: int) -> None:
    """Draw a thin outline whose strength follows the size of the piece."""
    pygame.draw.polygon(surface, colour, corners, max(2, round(oversampling * min(0.35 + base * 0.022, 1.6))))


def _draw_mark(
    surface: pygame.Surface, mark: str, corner: Point, next_corner: Point, tip: Point, colour: Colour
) -> None:
    """Draw the owner's mark on one face: on all four they form a ring, a cross, a bar, dots, a core or a hem."""

    def at(across: float, up: float) -> Point:
        """Point of the face: across from -1 to 1 along the base, up from the base at 0 to the tip at 1."""
        mx, my = (corner[0] + next_corner[0]) / 2.0, (corner[1] + next_corner[1]) / 2.0
        hx, hy = (next_corner[0] - corner[0]) / 2.0, (next_corner[1] - corner[1]) / 2.0
        narrow = across * (1.0 - up)
        return (mx + hx * narrow + (tip[0] - mx) * up, my + hy * narrow + (tip[1] - my) * up)

    def patch(*spots: tuple[float, float]) -> None:
        pygame.draw.polygon(surface, colour, [at(*spot) for spot in spots])

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
            wide = ((next_corner[0] - corner[0]) ** 2 + (next_corner[1] - corner[1]) ** 2) ** 0.5
            pygame.draw.circle(surface, colour, middle, max(2.0, wide * 0.13))
        case "core":
            patch((-1, 0.5), (1, 0.5), (0, 1.0))
        case "hem":
            patch((-1, 0.0), (1, 0.0), (1, 0.24), (-1, 0.24))


def _draw_pips(surface: pygame.Surface, pips: int, corner: Point, next_corner: Point, tip: Point) -> None:
    """Draw pips along the edge of the base, pale with a dark rim that is visible on every colour and mark."""
    mx, my = (corner[0] + next_corner[0]) / 2.0, (corner[1] + next_corner[1]) / 2.0
    dx, dy = next_corner[0] - corner[0], next_corner[1] - corner[1]
    wide = (dx * dx + dy * dy) ** 0.5
    for k in range(pips):
        off = (k - (pips - 1) / 2.0) * 0.2
        at = (mx + dx * off + (tip[0] - mx) * 0.12, my + dy * off + (tip[1] - my) * 0.12)
        pygame.draw.circle(surface, palette.DARK_TEXT, at, max(3.0, wide * 0.07))
        pygame.draw.circle(surface, palette.LIGHT_TEXT, at, max(2.0, wide * 0.045))
