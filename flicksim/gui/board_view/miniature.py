"""Animated miniature of a table for the main menu: one recorded flick in a loop."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import pygame

from flicksim.core.geometry import Point
from flicksim.core.paths import assets_dir
from flicksim.core.serialization import Value, from_json, read_bytes
from flicksim.gui.table_view import TablePainter
from flicksim.gui.toolkit import Canvas, palette
from flicksim.referee import Game
from flicksim.render import Camera, best_quarter_turns, fit_camera
from flicksim.scene import Surface, Trajectory

T = TypeVar("T")
_REST_TIME = 1.6
"""Time for which the end of the trajectory is shown [s]."""


class RecordedShot(Value, frozen=True, kw_only=True):
    """Flick shipped in the assets: its trajectory for display, without events, and the corners of the visible part of
    the table [m]; the whole table when empty."""

    trajectory: Trajectory
    viewport: tuple[Point, ...] = ()


class TableMiniature:
    """Miniature of a table on which a motion is repeated.

    Args:
        painter, surface: of the table. viewport: corners of its visible part [m]. duration: of the motion [s].
            draw_motion: draws it at a time [s]. margin: around the visible part [units].
    """

    def __init__(
        self, painter: TablePainter, surface: Surface, viewport: Sequence[Point], duration: float,
        draw_motion: Callable[[Canvas, Camera, float], None], *, margin: float = 6.0,
    ) -> None:  # fmt: skip
        self._painter, self._surface, self._viewport, self._margin = painter, surface, viewport, margin
        self._duration, self._draw_motion = duration, draw_motion
        self._surface_cache: tuple[object, pygame.Surface] | None = None

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Draw the table at a time [s]."""
        area = (rect.x, rect.y, rect.w, rect.h)
        turns = best_quarter_turns(self._viewport, area)
        camera = fit_camera(self._viewport, area, canvas.px(self._margin), turns)
        with canvas.clipped(rect):
            self._draw_surface(canvas, rect, camera)
            self._draw_motion(canvas, camera, min(t % (self._duration + _REST_TIME), self._duration))

    def _draw_surface(self, canvas: Canvas, rect: pygame.Rect, camera: Camera) -> None:
        """Draw the bare table from a cached image; render it anew when its place or the palette changes."""
        key = (rect.topleft, rect.size, palette.palette_name)
        if self._surface_cache is None or self._surface_cache[0] != key:
            canvas.surface.fill(palette.BACKGROUND, rect)
            self._painter.draw_surface(canvas, camera, self._surface, has_labels=False)
            self._surface_cache = (key, canvas.surface.subsurface(rect).copy())
        canvas.surface.blit(self._surface_cache[1], rect)


def load_recorded(game: Game, kind: type[T]) -> T:
    """Load what was recorded for the miniature of a game.

    Raises:
        FlicksimError: there is none, or it cannot be read.
    """
    path = assets_dir() / "miniatures" / f"{game.name}.json"
    return from_json(read_bytes(path), kind, name=path.name)


def load_miniature(game: Game, painter: TablePainter) -> TableMiniature:
    """Load the recorded flick of a game as a miniature (see `load_recorded`)."""
    recorded = load_recorded(game, RecordedShot)
    motion, surface = recorded.trajectory, recorded.trajectory.before.surface
    return TableMiniature(
        painter, surface, recorded.viewport or surface.outline, motion.duration,
        lambda canvas, camera, t: painter.draw_trajectory(canvas, camera, motion, t),
    )  # fmt: skip
