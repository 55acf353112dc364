"""Image export of a mat: a shot from above, as large as it fits, and its flight from the side below."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.game_view_kit.side_view import inner_rect
from flicksim.gui.game_views.tiddlywinks import side_view, view_extent
from flicksim.gui.game_views.tiddlywinks.painter import WinkPainter
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.render import Camera, fit_camera
from flicksim.scene import Scene, Squidge, Trajectory

DEFAULT_SIZE = (1200, 900)
"""Default width and height [pixels]."""
_MIN_WIDTH = 0.2
"""Least width of the mat shown [m]."""


def draw_image(canvas: Canvas, content: Scene | Trajectory, seats: Sequence[str]) -> None:
    """Draw the content on the whole canvas."""
    w, h = canvas.size
    motion = content if isinstance(content, Trajectory) else None
    squidged = motion is not None and isinstance(motion.flick, Squidge)
    above = pygame.Rect(0, 0, w, round(h * 0.64) if squidged else h)
    scene = content.before if isinstance(content, Trajectory) else content
    painter = WinkPainter(seats)
    camera = _fit_camera(canvas, above, _visible_points(content))
    with canvas.clipped(above):
        painter.draw_surface(canvas, camera, scene.surface)
        if motion is None:
            painter.draw_pieces(canvas, camera, scene.pieces)
        else:
            flick = motion.flick.piece
            painter.draw_piece(canvas, camera, motion.before.piece(flick), is_faded=True)
            painter.draw_trajectory(canvas, camera, motion, motion.duration + 1.0)
    if motion is not None and squidged:
        rect = inner_rect(canvas, pygame.Rect(0, above.bottom, w, h - above.bottom), 16, 26)
        side_view.draw_flight(canvas, rect, painter, motion, motion.duration)


def _visible_points(content: Scene | Trajectory) -> list[Point]:
    """Corners of the visible part [m]: all that moved and the pot; at rest, the winks that are in the field."""
    if isinstance(content, Trajectory):
        flicked = content.before.piece(content.flick.piece)
        return [*view_extent.moving_corners(content), *view_extent.piece_corners(flicked)]
    field = [piece for piece in content.pieces if not content.surface.is_behind_line(piece.position)] or list(
        content.pieces
    )
    corners = [corner for piece in field for corner in view_extent.piece_corners(piece)]
    return [*corners, content.surface.pot.position] if content.surface.pot is not None else corners


def _fit_camera(canvas: Canvas, rect: pygame.Rect, points: list[Point]) -> Camera:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    mx, my = (min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0
    dx, dy = (max(max(v) - min(v), _MIN_WIDTH) / 2.0 + 0.03 for v in (xs, ys))
    return fit_camera([(mx - dx, my - dy), (mx + dx, my + dy)], (rect.x, rect.y, rect.w, rect.h), canvas.px(24))
