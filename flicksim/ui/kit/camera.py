"""Metres to pixels and back: the board's y goes up, the screen's down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flicksim.base.geometry import Point


@dataclass(frozen=True, slots=True)
class Camera:
    """Where one looks.

    Args:
        centre: point of the table in the middle of the view [m].
        zoom: pixels per metre.
        middle: middle of the view [pixels].
    """

    centre: Point
    zoom: float
    middle: Point

    def to_screen(self, at: Point) -> Point:
        """A point of the table [m] on the screen [pixels]."""
        return (
            self.middle[0] + (at[0] - self.centre[0]) * self.zoom,
            self.middle[1] - (at[1] - self.centre[1]) * self.zoom,
        )

    def to_table(self, at: Point) -> Point:
        """A point of the screen [pixels] on the table [m]."""
        return (
            self.centre[0] + (at[0] - self.middle[0]) / self.zoom,
            self.centre[1] - (at[1] - self.middle[1]) / self.zoom,
        )

    def zoomed(self, factor: float, about: Point) -> Camera:
        """Nearer or farther, the point of the screen `about` [pixels] staying where it is."""
        fixed = self.to_table(about)
        zoom = self.zoom * factor
        centre = (
            fixed[0] - (about[0] - self.middle[0]) / zoom,
            fixed[1] + (about[1] - self.middle[1]) / zoom,
        )
        return replace(self, centre=centre, zoom=zoom)

    def towards(self, there: Camera, share: float) -> Camera:
        """A share of the way to another look, 0 to 1; in the middle of that one's view."""
        (x, y), (tx, ty) = self.centre, there.centre
        zoom = self.zoom * (there.zoom / self.zoom) ** share
        return Camera((x + (tx - x) * share, y + (ty - y) * share), zoom, there.middle)

    def panned(self, dx: float, dy: float) -> Camera:
        """Moved so that what is shown shifts by (dx, dy) [pixels]."""
        return replace(self, centre=(self.centre[0] - dx / self.zoom, self.centre[1] + dy / self.zoom))


def fit(outline: Sequence[Point], area: tuple[float, float, float, float], margin: float = 0.0) -> Camera:
    """The camera that shows an outline [m] whole in an area (x, y, width, height) [pixels], a margin [pixels] left."""
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    x, y, w, h = area
    zoom = min(
        max(w - 2.0 * margin, 1.0) / max(max(xs) - min(xs), 1e-6),
        max(h - 2.0 * margin, 1.0) / max(max(ys) - min(ys), 1e-6),
    )
    centre = ((min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0)
    return Camera(centre, zoom, (x + w / 2.0, y + h / 2.0))
