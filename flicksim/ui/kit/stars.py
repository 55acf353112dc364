"""Stars: so many won of so many, in a row."""

from __future__ import annotations

from math import cos, pi, sin

from flicksim.base.geometry import Point
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas

_INNER = 0.44
"""Depth of a star between its points."""


def stars(canvas: Canvas, at: Point, size: float, won: int, most: int) -> None:
    """Stars about a point, that far from their middle to their tips [pixels]: those won are filled."""
    for k in range(most):
        x = at[0] + (k - (most - 1) / 2.0) * 2.3 * size
        corners = [
            (x + r * sin(pi * n / 5.0), at[1] - r * cos(pi * n / 5.0))
            for n in range(10)
            for r in (size if n % 2 == 0 else _INNER * size,)
        ]
        if k < won:
            canvas.polygon(corners, palette.GLOW)
        else:
            canvas.path([*corners, corners[0]], palette.EDGE, max(1.2, size / 9.0))
