"""The description of a picture: marks in pixels, y downwards, painted one after another. Values only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, hypot

from flicksim.base.geometry import Point

Colour = tuple[int, int, int]


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


Mark = Patch | Disc | Stroke | Words


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: its size [pixels], the colour of its ground, and its marks in the order of painting."""

    size: tuple[int, int]
    ground: Colour
    marks: tuple[Mark, ...]

    def __add__(self, more: Sequence[Mark]) -> Drawing:
        return Drawing(self.size, self.ground, (*self.marks, *more))


@dataclass(frozen=True, slots=True)
class Camera:
    """Where one looks: the point of the table in the middle of the view [m], pixels per metre, the view's middle."""

    centre: Point
    zoom: float
    middle: Point

    def at(self, point: Point) -> Point:
        """A point of the table [m] in the picture [pixels]."""
        return (
            self.middle[0] + (point[0] - self.centre[0]) * self.zoom,
            self.middle[1] - (point[1] - self.centre[1]) * self.zoom,
        )

    def all(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """Points of the table [m] in the picture [pixels]."""
        return tuple(map(self.at, points))


def fit(points: Sequence[Point], area: tuple[float, float, float, float], margin: float) -> Camera:
    """The camera that shows points [m] whole in an area (x, y, width, height) [pixels], a margin [pixels] left."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    x, y, w, h = area
    zoom = min(
        max(w - 2.0 * margin, 1.0) / max(max(xs) - min(xs), 1e-6),
        max(h - 2.0 * margin, 1.0) / max(max(ys) - min(ys), 1e-6),
    )
    return Camera(((min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0), zoom, (x + w / 2.0, y + h / 2.0))


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
