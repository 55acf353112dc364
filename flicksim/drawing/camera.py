"""Metres to pixels and back, for every picture and every view: the table's y goes up, the screen's down.

A long table may be seen lying on its side, turned by whole quarters. Nothing else knows of it: ways on the screen and
ways on the table are told apart here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi

from flicksim.base.geometry import Point

_QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Cosine and sine of so many quarters."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Point of the table in view, and the scale.

    Args:
        centre: point of the table in the middle of the view [m].
        zoom: pixels per metre.
        middle: middle of the view [pixels].
        quarters: how far the table is seen turned counter-clockwise [quarter turns, 0 to 3].
    """

    centre: Point
    zoom: float
    middle: Point
    quarters: int = 0

    @property
    def turned(self) -> float:
        """Angle by which the table is seen turned counter-clockwise [rad]."""
        return self.quarters * pi / 2.0

    def way(self, dx: float, dy: float) -> Point:
        """A step on the table [m] as a step on the screen [pixels]."""
        c, s = _QUARTERS[self.quarters]
        return ((dx * c - dy * s) * self.zoom, -(dx * s + dy * c) * self.zoom)

    def to_screen(self, at: Point) -> Point:
        """A point of the table [m] on the screen [pixels]."""
        dx, dy = self.way(at[0] - self.centre[0], at[1] - self.centre[1])
        return (self.middle[0] + dx, self.middle[1] + dy)

    def all(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """Points of the table [m] on the screen [pixels]."""
        return tuple(map(self.to_screen, points))

    def step(self, dx: float, dy: float) -> Point:
        """A step on the screen [pixels] as a step on the table [m]."""
        c, s = _QUARTERS[self.quarters]
        x, y = dx / self.zoom, -dy / self.zoom
        return (x * c + y * s, y * c - x * s)

    def to_table(self, at: Point) -> Point:
        """A point of the screen [pixels] on the table [m]."""
        dx, dy = self.step(at[0] - self.middle[0], at[1] - self.middle[1])
        return (self.centre[0] + dx, self.centre[1] + dy)

    def zoomed(self, factor: float, about: Point) -> Camera:
        """Nearer or farther, the point of the screen `about` [pixels] staying where it is."""
        fixed, nearer = self.to_table(about), replace(self, zoom=self.zoom * factor)
        dx, dy = nearer.step(about[0] - self.middle[0], about[1] - self.middle[1])
        return replace(nearer, centre=(fixed[0] - dx, fixed[1] - dy))

    def towards(self, there: Camera, share: float) -> Camera:
        """A share of the way to another look, 0 to 1; in the middle of that one's view, turned as that one."""
        (x, y), (tx, ty) = self.centre, there.centre
        zoom = self.zoom * (there.zoom / self.zoom) ** share
        return replace(there, centre=(x + (tx - x) * share, y + (ty - y) * share), zoom=zoom)

    def panned(self, dx: float, dy: float) -> Camera:
        """Moved so that what is shown shifts by (dx, dy) [pixels]."""
        x, y = self.step(dx, dy)
        return replace(self, centre=(self.centre[0] - x, self.centre[1] - y))


def fit(
    outline: Sequence[Point], area: tuple[float, float, float, float], margin: float = 0.0, quarters: int = 0
) -> Camera:
    """The camera that shows an outline [m] whole in an area (x, y, width, height) [pixels], a margin [pixels] left."""
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    x, y, w, h = area
    wide, high = max(max(xs) - min(xs), 1e-6), max(max(ys) - min(ys), 1e-6)
    if quarters % 2:
        wide, high = high, wide
    zoom = min(max(w - 2.0 * margin, 1.0) / wide, max(h - 2.0 * margin, 1.0) / high)
    centre = ((min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0)
    return Camera(centre, zoom, (x + w / 2.0, y + h / 2.0), quarters)


def lying(outline: Sequence[Point], area: tuple[float, float, float, float]) -> int:
    """By how many quarters an outline is turned that it fills an area better: one that is long lies on its side."""
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    upright, wide = max(ys) - min(ys) > 1.2 * (max(xs) - min(xs)), area[2] > area[3]
    return 3 if upright and wide else 0
