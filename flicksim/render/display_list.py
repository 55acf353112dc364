"""Display list: drawing primitives in pixels (y down), painted in order. Values only."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import ceil, dist

import numpy as np
import numpy.typing as npt

from flicksim.core.geometry import Point

Colour = tuple[int, int, int]
Pixels = npt.NDArray[np.uint8]
"""Pixels as RGB or RGBA, top row first. [height, width, 3 or 4]"""


@dataclass(frozen=True, slots=True)
class Polygon:
    """Filled polygon; `alpha` from 0 (transparent) to 255 (opaque)."""

    points: tuple[Point, ...]
    colour: Colour
    alpha: int = 255


@dataclass(frozen=True, slots=True)
class Disc:
    """Filled disc."""

    centre: Point
    radius: float
    colour: Colour
    alpha: int = 255


@dataclass(frozen=True, slots=True)
class Polyline:
    """Line through points, `width` [pixels] wide."""

    points: tuple[Point, ...]
    colour: Colour
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Label:
    """Line of text, `size` [pixels] high; `anchor` is the point of it at `position`: l, m or r, then t, m or b."""

    text: str
    position: Point
    size: float
    colour: Colour
    anchor: str = "lm"


@dataclass(frozen=True, slots=True, eq=False)
class Bitmap:
    """Array of pixels drawn into a box (left, top, width, height [pixels]), smoothly scaled to it.

    Args:
        name: key that identifies the content, for caching; None: not cached. alpha: opacity, 0 to 255.
        tiled: whether it is repeated instead of scaled.
    """

    name: Hashable
    pixels: Pixels
    box: tuple[float, float, float, float]
    alpha: int = 255
    tiled: bool = False


def centred_bitmap(pixels: Pixels, centre: Point, alpha: int = 255) -> Bitmap:
    """Bitmap of pixels at their own size, centred at a point."""
    height, width = pixels.shape[:2]
    return Bitmap(None, pixels, (round(centre[0]) - width // 2, round(centre[1]) - height // 2, width, height), alpha)


Primitive = Polygon | Disc | Polyline | Label | Bitmap


@dataclass(frozen=True, slots=True)
class DisplayList:
    """Display list: image size [pixels], background colour, and primitives in the order of painting."""

    size: tuple[int, int]
    background: Colour
    primitives: tuple[Primitive, ...]

    def __add__(self, more: Sequence[Primitive]) -> "DisplayList":
        return DisplayList(self.size, self.background, (*self.primitives, *more))


def polygon_outline(points: Sequence[Point], colour: Colour, width: float) -> Polyline:
    """Closed line around a polygon."""
    return Polyline((*points, points[0]), colour, width)


def dashed_line(a: Point, b: Point, colour: Colour, width: float, dash: float) -> list[Primitive]:
    """Dashed line; dashes and gaps are `dash` [pixels] long."""
    length = max(dist(a, b), 1e-6)
    count = min(ceil(length / (2.0 * dash)), 400)

    def point_at(distance: float) -> Point:
        fraction = min(distance / length, 1.0)
        return (a[0] + (b[0] - a[0]) * fraction, a[1] + (b[1] - a[1]) * fraction)

    return [Polyline((point_at(2.0 * dash * k), point_at((2.0 * k + 1.0) * dash)), colour, width) for k in range(count)]
