"""Animated miniature of a table for the main menu: one recorded flick in a loop."""

from __future__ import annotations

import msgspec
import numpy as np
import pygame

from flicksim.core.geometry import Point
from flicksim.core.paths import assets_dir
from flicksim.core.serialization import Value, from_json, read_bytes
from flicksim.gui.table_view.painter import TablePainter
from flicksim.gui.toolkit import Canvas, palette
from flicksim.referee import Game
from flicksim.render import Camera, best_quarter_turns, fit_camera
from flicksim.scene import Flick, Scene, Squidge, Tracks, Trajectory

_REST_TIME = 1.6
"""Time for which the end of the trajectory is shown [s]."""


class RecordedShot(Value, frozen=True, kw_only=True):
    """Trajectory shipped in the assets: for display, without events.

    Args:
        scene: before the shot. flick: the shot. times: of the keyframes [s]. states, air: states, and heights and
            normals, as in `Tracks`. viewport: corners of the visible part of the table [m]; the whole table when empty.
    """

    scene: Scene
    flick: Flick | Squidge
    times: tuple[float, ...]
    states: tuple[tuple[tuple[float, ...], ...], ...]
    air: tuple[tuple[tuple[float, ...], ...], ...] | None = None
    viewport: tuple[Point, ...] = msgspec.field(default=(), name="look")

    def to_trajectory(self) -> Trajectory:
        """Trajectory to be shown."""
        tracks = Tracks(
            ids=tuple(piece.id for piece in self.scene.pieces),
            times=np.array(self.times),
            states=np.array(self.states),
            heights_and_normals=None if self.air is None else np.array(self.air),
        )
        return Trajectory(
            before=self.scene, flick=self.flick, after=self.scene, events=(), tracks=tracks, duration=self.times[-1]
        )


class TableMiniature:
    """Miniature of a table on which one flick is repeated."""

    def __init__(self, recorded: RecordedShot, painter: TablePainter) -> None:
        self._trajectory, self._viewport = recorded.to_trajectory(), recorded.viewport or recorded.scene.surface.outline
        self._painter = painter
        self._surface_cache: tuple[object, pygame.Surface] | None = None

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Draw the table at a time [s]."""
        area = (rect.x, rect.y, rect.w, rect.h)
        camera = fit_camera(self._viewport, area, canvas.px(6), best_quarter_turns(self._viewport, area))
        period = self._trajectory.duration + _REST_TIME
        with canvas.clipped(rect):
            self._draw_surface(canvas, rect, camera)
            self._painter.draw_trajectory(canvas, camera, self._trajectory, min(t % period, self._trajectory.duration))

    def _draw_surface(self, canvas: Canvas, rect: pygame.Rect, camera: Camera) -> None:
        """Draw the bare table from a cached image; render it anew when its place or the palette changes."""
        key = (rect.topleft, rect.size, palette.palette_name)
        if self._surface_cache is None or self._surface_cache[0] != key:
            canvas.surface.fill(palette.BACKGROUND, rect)
            self._painter.draw_surface(canvas, camera, self._trajectory.before.surface, has_labels=False)
            self._surface_cache = (key, canvas.surface.subsurface(rect).copy())
        canvas.surface.blit(self._surface_cache[1], rect)


def load_miniature(game: Game, painter: TablePainter) -> TableMiniature:
    """Load the recorded miniature of a game.

    Raises:
        FlicksimError: there is none, or it cannot be read.
    """
    path = assets_dir() / "miniatures" / f"{game.name}.json"
    return TableMiniature(from_json(read_bytes(path), RecordedShot, name=path.name), painter)
