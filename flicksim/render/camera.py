"""Camera: transform between table coordinates [m] (y up) and image pixels (y down).

A long table may be shown turned by quarter turns. Only the camera knows of the rotation: it converts vectors between
screen and table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi

from flicksim.core.geometry import Point

_QUARTER_TURNS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Cosine and sine by number of quarter turns."""

_MIN_VISIBLE = 0.2
"""Smallest part of a mat that is shown [m]."""


@dataclass(frozen=True, slots=True)
class Camera:
    """View of a table: centre, scale and rotation.

    Args:
        centre: point of the table in the middle of the view [m].
        zoom: scale [pixels per metre].
        view_centre: middle of the view [pixels].
        quarter_turns: rotation of the table in the view, counter-clockwise [quarter turns, 0 to 3].
    """

    centre: Point
    zoom: float
    view_centre: Point
    quarter_turns: int = 0

    @property
    def rotation(self) -> float:
        """Rotation of the table in the view, counter-clockwise [rad]."""
        return self.quarter_turns * pi / 2.0

    def vector_to_screen(self, dx: float, dy: float) -> Point:
        """Convert a vector on the table [m] to the screen [pixels]."""
        c, s = _QUARTER_TURNS[self.quarter_turns]
        return ((dx * c - dy * s) * self.zoom, -(dx * s + dy * c) * self.zoom)

    def to_screen(self, point: Point) -> Point:
        """Convert a point of the table [m] to the screen [pixels]."""
        dx, dy = self.vector_to_screen(point[0] - self.centre[0], point[1] - self.centre[1])
        return (self.view_centre[0] + dx, self.view_centre[1] + dy)

    def points_to_screen(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """Convert points of the table [m] to the screen [pixels]."""
        return tuple(map(self.to_screen, points))

    def vector_to_table(self, dx: float, dy: float) -> Point:
        """Convert a vector on the screen [pixels] to the table [m]."""
        c, s = _QUARTER_TURNS[self.quarter_turns]
        x, y = dx / self.zoom, -dy / self.zoom
        return (x * c + y * s, y * c - x * s)

    def to_table(self, point: Point) -> Point:
        """Convert a point of the screen [pixels] to the table [m]."""
        dx, dy = self.vector_to_table(point[0] - self.view_centre[0], point[1] - self.view_centre[1])
        return (self.centre[0] + dx, self.centre[1] + dy)

    def zoomed(self, factor: float, about: Point) -> "Camera":
        """Camera zoomed by a factor about a fixed point of the screen [pixels]."""
        fixed, nearer = self.to_table(about), replace(self, zoom=self.zoom * factor)
        dx, dy = nearer.vector_to_table(about[0] - self.view_centre[0], about[1] - self.view_centre[1])
        return replace(nearer, centre=(fixed[0] - dx, fixed[1] - dy))

    def interpolated(self, target: "Camera", fraction: float) -> "Camera":
        """Camera at a fraction (0 to 1) of the way to a target, with the view centre and rotation of the target."""
        (x, y), (tx, ty) = self.centre, target.centre
        zoom = self.zoom * (target.zoom / self.zoom) ** fraction
        return replace(target, centre=(x + (tx - x) * fraction, y + (ty - y) * fraction), zoom=zoom)

    def panned(self, dx: float, dy: float) -> "Camera":
        """Camera panned so that the image shifts by (dx, dy) [pixels]."""
        x, y = self.vector_to_table(dx, dy)
        return replace(self, centre=(self.centre[0] - x, self.centre[1] - y))


def fit_camera(
    outline: Sequence[Point], area: tuple[float, float, float, float], margin: float = 0.0, quarter_turns: int = 0
) -> Camera:
    """Camera that fits an outline [m] into an area (x, y, width, height) with a margin [pixels]."""
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    x, y, w, h = area
    outline_width, outline_height = max(max(xs) - min(xs), 1e-6), max(max(ys) - min(ys), 1e-6)
    if quarter_turns % 2:
        outline_width, outline_height = outline_height, outline_width
    zoom = min(max(w - 2.0 * margin, 1.0) / outline_width, max(h - 2.0 * margin, 1.0) / outline_height)
    centre = ((min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0)
    return Camera(centre, zoom, (x + w / 2.0, y + h / 2.0), quarter_turns)


def fit_around(points: Sequence[Point], area: tuple[float, float, float, float], margin: float) -> Camera:
    """Camera that fits points of a mat [m] with room around them into an area (see `fit_camera`)."""
    (mx, dx), (my, dy) = (
        ((min(v) + max(v)) / 2.0, max(max(v) - min(v), _MIN_VISIBLE) / 2.0 + 0.03) for v in zip(*points, strict=True)
    )
    return fit_camera([(mx - dx, my - dy), (mx + dx, my + dy)], area, margin)


def best_quarter_turns(outline: Sequence[Point], area: tuple[float, float, float, float]) -> int:
    """Number of quarter turns with which an outline fills an area best: a long one is turned in a wide area."""
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    upright, wide = max(ys) - min(ys) > 1.2 * (max(xs) - min(xs)), area[2] > area[3]
    return 3 if upright and wide else 0
