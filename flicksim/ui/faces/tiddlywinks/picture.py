"""A picture of a mat for a file: what happened from above, as large as it fits; under it the flight from the side."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import pygame

from flicksim.base.geometry import Point
from flicksim.drawing import Camera, fit
from flicksim.table import Motion, Scene, Squidge
from flicksim.ui.faces.tiddlywinks import extent, side_view
from flicksim.ui.faces.tiddlywinks.painter import WinkPainter
from flicksim.ui.faces.tiddlywinks.pose import at_time
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table import profile

SIZE = (1200, 900)
"""Width and height where nobody asks for others [pixels]."""
_LEAST = 0.2
"""The least of the mat that is shown [m]."""


def draw(canvas: Canvas, shown: Scene | Motion, seats: Sequence[str]) -> None:
    """Fill the canvas with it."""
    w, h = canvas.size
    motion = shown if isinstance(shown, Motion) else None
    squidged = motion is not None and isinstance(motion.flick, Squidge)
    above = pygame.Rect(0, 0, w, round(h * 0.64) if squidged else h)
    scene = shown.before if isinstance(shown, Motion) else shown
    painter = WinkPainter(seats)
    camera = _camera(canvas, above, _points(shown))
    with canvas.clipped(above):
        painter.surface(canvas, camera, scene.surface)
        if motion is None:
            painter.pieces(canvas, camera, scene.pieces)
        else:
            flick = motion.flick.piece
            painter.piece(canvas, camera, motion.before.piece(flick), faded=True)
            painter.motion(canvas, camera, motion, motion.duration + 1.0)
    if motion is not None and squidged:
        _from_the_side(canvas, pygame.Rect(0, above.bottom, w, h - above.bottom), motion, painter)


def _points(shown: Scene | Motion) -> list[Point]:
    """The corners of what is to be seen [m]: all that moved and the pot; at rest, the winks that are in the field."""
    if isinstance(shown, Motion):
        flicked = shown.before.piece(shown.flick.piece)
        return [*extent.moving(shown), *extent.corners(flicked)]
    field = [piece for piece in shown.pieces if not shown.surface.behind(piece.at)] or list(shown.pieces)
    found = [corner for piece in field for corner in extent.corners(piece)]
    return [*found, shown.surface.pot.at] if shown.surface.pot is not None else found


def _camera(canvas: Canvas, rect: pygame.Rect, points: list[Point]) -> Camera:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    mx, my = (min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0
    dx, dy = (max(max(v) - min(v), _LEAST) / 2.0 + 0.03 for v in (xs, ys))
    return fit([(mx - dx, my - dy), (mx + dx, my + dy)], (rect.x, rect.y, rect.w, rect.h), canvas.px(24))


def _from_the_side(canvas: Canvas, below: pygame.Rect, motion: Motion, painter: WinkPainter) -> None:
    made, pad = motion.flick, canvas.px(16)
    assert isinstance(made, Squidge)
    rect = pygame.Rect(below.x + pad, below.y + canvas.px(26), below.w - 2 * pad, below.h - canvas.px(26) - pad)
    origin = motion.before.piece(made.piece).at
    points = [p for p in side_view.span_of(motion) if not isnan(p[0])]
    plane = profile.placed(rect, origin, made.azimuth, points, canvas.scale)
    side_view.framed(canvas, rect, plane, motion.before.surface.pot, f"{motion.duration:.2f} s")
    keys = {piece.id: painter.key(piece) for piece in motion.before.pieces}
    with canvas.clipped(rect.inflate(-4, -4)):
        side_view.flown(canvas, plane, motion, motion.duration, keys)
        side_view.winks(canvas, plane, at_time(motion, motion.duration), keys, made.piece)
