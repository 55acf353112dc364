"""Vertical projection plane: distance to the right, height up, with frame and scales."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, sin

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.toolkit import Canvas, palette

_BOTTOM_MARGIN = 24.0
"""Margin below the ground, for the scale [units]."""


@dataclass(frozen=True, slots=True)
class SidePlane:
    """Vertical plane of a flight, with its projection to the screen.

    Args:
        origin: position of the shot [m]. azimuth: its direction in plan [rad]. zoom: pixels per metre.
        left, ground: distance 0 and height 0 on the screen [pixels].
    """

    origin: Point
    azimuth: float
    zoom: float = 1.0
    left: float = 0.0
    ground: float = 0.0

    def project(self, point: Point) -> Point:
        """Distance of a point along the direction of the plane, and to its left [m]."""
        dx, dy = point[0] - self.origin[0], point[1] - self.origin[1]
        c, s = cos(self.azimuth), sin(self.azimuth)
        return (dx * c + dy * s, dy * c - dx * s)

    def to_screen(self, distance: float, height: float) -> Point:
        """Convert to screen coordinates [pixels]."""
        return (self.left + distance * self.zoom, self.ground - height * self.zoom)


def fit_plane(rect: pygame.Rect, origin: Point, azimuth: float, points: Sequence[Point], scale: float) -> SidePlane:
    """Fit the plane into a rectangle so that these points (distance, height [m]) are visible, at one scale."""
    distances = [p[0] for p in points]
    left_end, right_end = min(*distances, 0.0) - 0.03, max(*distances, 0.05) + 0.04
    top = max(max(p[1] for p in points), 0.05) * 1.08
    bottom_margin = _BOTTOM_MARGIN * scale
    zoom = min((rect.w - 40.0 * scale) / (right_end - left_end), (rect.h - bottom_margin - 8.0 * scale) / top)
    slack = rect.w - 36.0 * scale - (right_end - left_end) * zoom
    return SidePlane(
        origin, azimuth, zoom, rect.x + 34.0 * scale + slack / 2.0 - left_end * zoom, rect.bottom - bottom_margin
    )


def ground_colour() -> palette.Colour:
    """Background colour of a flight: a darkened mat, dark in every palette."""
    return palette.mix(palette.FELT, palette.OVERLAY_SHADE, 0.72)


def draw_caption(
    canvas: Canvas, rect: pygame.Rect, text: str, title: str = "FROM THE SIDE", *, gap: float = 5
) -> None:  # fmt: skip
    """Draw the title of a view over its frame, and what it shows, in letters that fit; `gap` [units]."""
    y = rect.y - canvas.px(gap)
    left = canvas.text(title, (rect.x, y), 11, palette.MUTED_TEXT, bold=True, anchor="bottomleft").right
    width = rect.right - left - canvas.px(6)
    size = canvas.size_to_fit(text, (width, canvas.line_height(11)), 11.0, 8.0)
    canvas.text(text, (rect.right, y), size, palette.MUTED_TEXT, anchor="bottomright", max_width=width)


def draw_note(
    canvas: Canvas, text: str, position: Point, colour: palette.Colour, size: float = 11.0, curve: Sequence[Point] = ()
) -> None:
    """Draw a text over a point, moved so that it is wholly visible, clear of the scale and of a curve [pixels]."""
    rect = pygame.Rect(0, 0, canvas.text_width(text, size), canvas.line_height(size))
    rect.midbottom = (round(position[0]), round(position[1]))
    area = canvas.surface.get_clip().inflate(-2 * canvas.px(4), 0)
    scale = min(canvas.px(30), max(0, area.w - rect.w))
    rect.clamp_ip(pygame.Rect(area.x + scale, area.y, area.w - scale, area.h))
    if _crosses(rect, curve):
        # from the top down; below it a line of its own for the curve's height
        heights = range(area.y, area.bottom - canvas.px(_BOTTOM_MARGIN) - 2 * rect.h, max(1, rect.h // 3))
        rect.y = next((y for y in heights if not _crosses(pygame.Rect(rect.x, y, rect.w, 2 * rect.h), curve)), rect.y)
    canvas.text(text, rect.midbottom, size, colour, anchor="midbottom")


def _crosses(rect: pygame.Rect, curve: Sequence[Point]) -> bool:
    """Return True if a curve passes through a rectangle [pixels]."""
    return any(rect.clipline(a, b) for a, b in pairwise(curve))


def draw_scales(canvas: Canvas, rect: pygame.Rect, plane: SidePlane) -> None:
    """Draw millimetre scales up the left side and along the bottom."""
    step = next((s for s in (10, 20, 50, 100, 200, 500) if s / 1000.0 * plane.zoom >= canvas.px(34)), 1000)
    grid_colour = palette.mix(ground_colour(), palette.TABLE_MUTED_TEXT, 0.3)
    size = step / 1000.0
    for k in range(1, 40):
        y = plane.ground - k * size * plane.zoom
        if y < rect.y + canvas.px(10):
            break
        canvas.line((rect.x + canvas.px(30), y), (rect.right, y), grid_colour, 1.0)
        text, right = f"{k * step}", rect.x + canvas.px(28)
        text_size = canvas.size_to_fit(text, (canvas.px(24), canvas.px(20)), 10.0, 8.0)
        canvas.text(text, (right, y), text_size, palette.TABLE_MUTED_TEXT, anchor="midright")
    first = int((rect.x + canvas.px(30) - plane.left) / plane.zoom / size)
    for k in range(first, first + 60):
        x = plane.left + k * size * plane.zoom
        if not rect.x + canvas.px(24) <= x <= rect.right - canvas.px(42):  # the corner holds the unit
            continue
        canvas.line((x, plane.ground), (x, plane.ground + canvas.px(6)), palette.TABLE_MUTED_TEXT, 1.0)
        if k % 2 == 0 or step / 1000.0 * plane.zoom > canvas.px(44):
            canvas.text(f"{k * step}", (x, plane.ground + canvas.px(7)), 10, palette.TABLE_MUTED_TEXT, anchor="midtop")
    corner = (rect.right - canvas.px(5), rect.bottom - canvas.px(3))
    canvas.text("mm", corner, 10, palette.TABLE_MUTED_TEXT, anchor="bottomright")


def plot_rect(canvas: Canvas, rect: pygame.Rect, plane: SidePlane) -> pygame.Rect:
    """Part of a side view between its scales [pixels]."""
    left, foot = rect.x + canvas.px(30), min(round(plane.ground) + canvas.px(6), rect.bottom - 2)
    return pygame.Rect(left, rect.y + 2, rect.right - 2 - left, max(0, foot - rect.y - 2))


def inner_rect(canvas: Canvas, area: pygame.Rect, margin: float, caption_height: float) -> pygame.Rect:
    """Rectangle of a side view in an area, under its caption and within a margin [units]."""
    pad, head = canvas.px(margin), canvas.px(caption_height)
    return pygame.Rect(area.x + pad, area.y + head, area.w - 2 * pad, area.h - head - pad)


def draw_predicted_arc(
    canvas: Canvas, plane: SidePlane, points: Sequence[Point], *, is_illegal: bool = False, stride: int = 1
) -> None:
    """Draw a predicted flight: dashed, its apex and end marked.

    Args:
        canvas, plane: where to draw. points: distances and heights [m]. is_illegal: True if the rules refuse the shot.
            stride: number of points to a dash or gap.
    """
    if len(points) < 2:
        return
    colour = palette.TABLE_BAD if is_illegal else palette.HIGHLIGHT
    dashes = [plane.to_screen(*p) for p in (points if stride == 1 else [*points[::stride], points[-1]])]
    for k in range(0, len(dashes) - 1, 2):
        canvas.line(dashes[k], dashes[k + 1], colour, max(1.5, canvas.px(2)))
    top = max(points, key=lambda p: p[1])
    x, y = plane.to_screen(*top)
    draw_note(canvas, f"{top[1] * 1000:.0f} high", (x, y - canvas.px(3)), colour, curve=dashes)
    canvas.circle(dashes[-1], canvas.px(4), colour, canvas.px(1.5))
