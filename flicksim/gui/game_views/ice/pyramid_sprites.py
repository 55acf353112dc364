"""Pyramid sprites from above and from the side, drawn oversized and smoothed down; cached.

Every face is painted in its true orientation, so that a standing pyramid shows a square with its diagonals, a lying one
a triangle with the edge of its base. The owner's mark is painted on the faces themselves and turns with them.
"""

from functools import lru_cache
from math import cos, pi, sin

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.toolkit import cached_surface, palette
from flicksim.render import MIN_PIPS_WIDTH, Disc, draw_pyramid_side, visible_sides
from flicksim.scene import PyramidShape, face_normal

_OVERSAMPLING, _LARGE_BASE = 4, 40.0
"""Factor of oversampling, and the width of a base above which half of it is used [pixels]."""
_HEADING_STEPS, _TILT_STEPS = 96, 96
"""Number of quantized headings in a full turn, and of tilts from upright to upside down."""
_ROLL_STEPS = 8
"""Number of quantized rolls in a quarter turn, by which the piece is symmetric."""
Point3 = tuple[float, float, float]


def pyramid_sprite(
    shape: PyramidShape, zoom: float, key: str | None, tilt: float, heading: float, roll: float = 0.0, *,
    is_side_view: bool = False,
) -> pygame.Surface:  # fmt: skip
    """Sprite of a pyramid seen from above, centred on the middle of its base, or from the side.

    Args:
        shape: of the pyramid. zoom: pixels per metre. key: colour and mark of its owner. tilt, heading, roll: see
            `Pyramid` [rad]; from the side the heading is measured from the right.
    """
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

    def flat(*points: Point3) -> list[Point]:
        return [((extent + x * zoom) * fine, (extent - y * zoom) * fine) for x, y, _ in points]

    face, mark = palette.seat_colour(key), palette.seat_mark(key)
    rim, mouth, tip, peak = corners[:4], corners[4:8], corners[8], corners[9]
    ink, has_pips = palette.mix(face, palette.OVERLAY_SHADE, 0.72), base >= MIN_PIPS_WIDTH
    edge_width = max(2, round(fine * min(0.35 + base * 0.022, 1.6)))
    if face_normal(rim[0], rim[3], rim[1])[2] > 0.0:  # the open base is visible
        pygame.draw.polygon(layer, palette.mix(face, palette.LIGHT_TEXT, 0.28), flat(*rim))
        for i in range(4):
            wall = palette.mix(face, palette.OVERLAY_SHADE, 0.62 + 0.12 * (i % 2))
            pygame.draw.polygon(layer, wall, flat(mouth[i - 1], mouth[i], peak))
        pygame.draw.polygon(layer, ink, flat(*rim), edge_width)
    for i, lit in visible_sides(rim, tip):
        triangle = flat(rim[i - 1], rim[i], tip)
        # a bar is drawn on two faces, one of which is up when the piece lies
        own_mark = mark if mark != "bar" or i % 2 else ""
        for part in draw_pyramid_side(triangle, lit, shape.pips if has_pips else 0, face, own_mark, (2.0, 3.0, 2.0)):
            if isinstance(part, Disc):
                pygame.draw.circle(layer, part.colour, part.centre, part.radius)
            else:
                pygame.draw.polygon(layer, part.colour, part.points)
        pygame.draw.polygon(layer, ink, triangle, edge_width)
        if has_pips:
            ridge = palette.mix(face, palette.LIGHT_TEXT, 0.25 + 0.5 * lit)
            pygame.draw.line(layer, ridge, triangle[1], triangle[2], max(1, round(fine * min(base * 0.012, 0.8))))
    return pygame.transform.smoothscale(layer, (2 * extent, 2 * extent))
