"""An upright plane on the screen: ways to the right, heights up, a frame and a scale each way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, sin

import pygame

from flicksim.base.geometry import Point
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas


@dataclass(frozen=True, slots=True)
class Plane:
    """The upright plane of a flight, and how it is shown.

    Args:
        origin: where the wink is squidged [m]. azimuth: its way in plan [rad]. zoom: pixels per metre.
        left, floor: where way 0 and height 0 are on the screen [pixels].
    """

    origin: Point
    azimuth: float
    zoom: float = 1.0
    left: float = 0.0
    floor: float = 0.0

    def split(self, at: Point) -> Point:
        """Distance of a point of the plan along the way, and to its left [m]."""
        dx, dy = at[0] - self.origin[0], at[1] - self.origin[1]
        c, s = cos(self.azimuth), sin(self.azimuth)
        return (dx * c + dy * s, dy * c - dx * s)

    def to_screen(self, way: float, height: float) -> Point:
        """On the screen [pixels]."""
        return (self.left + way * self.zoom, self.floor - height * self.zoom)


def placed(rect: pygame.Rect, origin: Point, azimuth: float, points: Sequence[Point], scale: float) -> Plane:
    """The plane laid into a rectangle so that these points (way, height [m]) can be seen; ways and heights alike."""
    ways = [p[0] for p in points]
    low, high = min(*ways, 0.0) - 0.03, max(*ways, 0.05) + 0.04
    top = max(max(p[1] for p in points), 0.05) * 1.08
    foot = 24.0 * scale
    zoom = min((rect.w - 40.0 * scale) / (high - low), (rect.h - foot - 8.0 * scale) / top)
    spare = rect.w - 36.0 * scale - (high - low) * zoom
    return Plane(origin, azimuth, zoom, rect.x + 34.0 * scale + spare / 2.0 - low * zoom, rect.bottom - foot)


def ground() -> palette.Colour:
    """The ground of a flight: the mat's colour at night, dark in every palette."""
    return palette.mix(palette.FELT, palette.SHADE, 0.72)


def well(canvas: Canvas, rect: pygame.Rect) -> None:
    """The sunk frame."""
    canvas.box(rect, ground(), 6, palette.EDGE)


def caption(canvas: Canvas, rect: pygame.Rect, words: str) -> None:
    """The name of the view over the frame, and what it shows."""
    canvas.text("FROM THE SIDE", (rect.x, rect.y - canvas.px(5)), 11, palette.FAINT, bold=True, anchor="bottomleft")
    canvas.text(words, (rect.right, rect.y - canvas.px(5)), 11, palette.FAINT, anchor="bottomright",
                within=rect.w - canvas.px(96))  # fmt: skip


def note(canvas: Canvas, words: str, at: Point, colour: palette.Colour, size: float = 11.0) -> None:
    """A word over a point, moved so far that all of it is seen and none lies on the scale at the left."""
    rect = pygame.Rect(0, 0, canvas.wide(words, size), canvas.high(size))
    rect.midbottom = (round(at[0]), round(at[1]))
    room = canvas.surface.get_clip().inflate(-2 * canvas.px(4), 0)
    scale = min(canvas.px(30), max(0, room.w - rect.w))
    rect.clamp_ip(pygame.Rect(room.x + scale, room.y, room.w - scale, room.h))
    canvas.text(words, rect.midbottom, size, colour, anchor="midbottom")


def scales(canvas: Canvas, rect: pygame.Rect, plane: Plane) -> None:
    """Millimetres up the left side and along the foot."""
    step = next((s for s in (10, 20, 50, 100, 200, 500) if s / 1000.0 * plane.zoom >= canvas.px(34)), 1000)
    faint = palette.mix(ground(), palette.DUST, 0.3)
    size = step / 1000.0
    for k in range(1, 40):
        y = plane.floor - k * size * plane.zoom
        if y < rect.y + canvas.px(10):
            break
        canvas.line((rect.x + canvas.px(30), y), (rect.right, y), faint, 1.0)
        canvas.text(f"{k * step}", (rect.x + canvas.px(28), y), 10, palette.DUST, anchor="midright")
    first = int((rect.x + canvas.px(30) - plane.left) / plane.zoom / size)
    for k in range(first, first + 60):
        x = plane.left + k * size * plane.zoom
        if not rect.x + canvas.px(24) <= x <= rect.right - canvas.px(42):  # the unit stands in the corner
            continue
        canvas.line((x, plane.floor), (x, plane.floor + canvas.px(6)), palette.DUST, 1.0)
        if k % 2 == 0 or step / 1000.0 * plane.zoom > canvas.px(44):
            canvas.text(f"{k * step}", (x, plane.floor + canvas.px(7)), 10, palette.DUST, anchor="midtop")
    canvas.text("mm", (rect.right - canvas.px(5), rect.bottom - canvas.px(3)), 10, palette.DUST, anchor="bottomright")
