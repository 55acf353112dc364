"""Star rating row."""

from math import cos, pi, sin

from flicksim.core.geometry import Point
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas

_INNER_RADIUS = 0.44
"""Depth of a star between its points."""


def draw_stars(canvas: Canvas, center: Point, size: float, filled: int, total: int) -> None:
    """Draw stars of an outer radius [pixels] around a point: those won are filled."""
    for k in range(total):
        x = center[0] + (k - (total - 1) / 2.0) * 2.3 * size
        corners = [
            (x + r * sin(pi * n / 5.0), center[1] - r * cos(pi * n / 5.0))
            for n in range(10)
            for r in (size if n % 2 == 0 else _INNER_RADIUS * size,)
        ]
        if k < filled:
            canvas.polygon(corners, palette.HIGHLIGHT)
        else:
            canvas.polyline([*corners, corners[0]], palette.BORDER, max(1.2, size / 9.0))
