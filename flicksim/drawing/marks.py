"""The description of a picture: marks in pixels, y downwards, painted one after another. Values only."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import ceil, hypot

import numpy as np
import numpy.typing as npt

from flicksim.base.geometry import Point

Colour = tuple[int, int, int]
Pixels = npt.NDArray[np.uint8]
"""[height, width, 3 or 4], top row first; of four the last says how much hides what is below."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A filled polygon; `alpha` from 0, unseen, to 255."""

    points: tuple[Point, ...]
    colour: Colour
    alpha: int = 255


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled disc."""

    at: Point
    radius: float
    colour: Colour
    alpha: int = 255


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, `width` [pixels] strong."""

    points: tuple[Point, ...]
    colour: Colour
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Words:
    """A line of letters, `size` [pixels] high; `anchor` is the point of it at `at`: l, m or r, then t, m or b."""

    text: str
    at: Point
    size: float
    colour: Colour
    anchor: str = "lm"


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """An array of pixels laid over a box (left, top, width, height [pixels]), smoothly stretched where it is larger.

    Args:
        name: says all that the array shows, so that it can be kept. alpha: how much of it is seen, 0 to 255.
        tiled: laid side by side instead of stretched.
    """

    name: Hashable
    pixels: Pixels
    box: tuple[float, float, float, float]
    alpha: int = 255
    tiled: bool = False


def centred(name: Hashable, pixels: Pixels, at: Point, alpha: int = 255) -> Sheet:
    """Pixels as they are, their middle at a point."""
    high, wide = pixels.shape[:2]
    return Sheet(name, pixels, (round(at[0]) - wide // 2, round(at[1]) - high // 2, wide, high), alpha)


Mark = Patch | Disc | Stroke | Words | Sheet


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: its size [pixels], the colour of its ground, and its marks in the order of painting."""

    size: tuple[int, int]
    ground: Colour
    marks: tuple[Mark, ...]

    def __add__(self, more: Sequence[Mark]) -> Drawing:
        return Drawing(self.size, self.ground, (*self.marks, *more))


def closed(points: Sequence[Point], colour: Colour, width: float) -> Stroke:
    """A line round a polygon."""
    return Stroke((*points, points[0]), colour, width)


def dashes(a: Point, b: Point, colour: Colour, width: float, dash: float) -> list[Mark]:
    """A dashed line; `dash` [pixels] drawn and as much left out."""
    length = max(hypot(b[0] - a[0], b[1] - a[1]), 1e-6)
    count = min(ceil(length / (2.0 * dash)), 400)

    def on(way: float) -> Point:
        share = min(way / length, 1.0)
        return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)

    return [Stroke((on(2.0 * dash * k), on((2.0 * k + 1.0) * dash)), colour, width) for k in range(count)]
