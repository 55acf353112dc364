"""A small living table for the first screen: one flick, recorded long before, made over and over."""

from __future__ import annotations

import numpy as np
import pygame

from flicksim.base.codec import Value, from_json, read_bytes
from flicksim.base.geometry import Point
from flicksim.base.places import assets
from flicksim.drawing import Camera, fit, lying
from flicksim.referee import Game
from flicksim.table import Flick, Motion, Scene, Squidge, Tracks
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.painter import TablePainter

_REST = 1.6
"""Time that the end of a motion is left to be seen [s]."""


class Sketch(Value, frozen=True, kw_only=True):
    """A motion as it is shipped: enough to be seen, not to be ruled on.

    Args:
        scene: before it. flick: what was done. times: knots [s]. states, air: as `Tracks` has them.
        look: corners of the part of the table that is shown [m]; the whole table when empty.
    """

    scene: Scene
    flick: Flick | Squidge
    times: tuple[float, ...]
    states: tuple[tuple[tuple[float, ...], ...], ...]
    air: tuple[tuple[tuple[float, ...], ...], ...] | None = None
    look: tuple[Point, ...] = ()

    def motion(self) -> Motion:
        """The motion to be shown."""
        tracks = Tracks(
            ids=tuple(piece.id for piece in self.scene.pieces),
            times=np.array(self.times),
            states=np.array(self.states),
            air=None if self.air is None else np.array(self.air),
        )
        return Motion(
            before=self.scene, flick=self.flick, after=self.scene, events=(), tracks=tracks, duration=self.times[-1]
        )


def sketched(motion: Motion, look: tuple[Point, ...] = (), every: float = 1.0 / 40.0) -> Sketch:
    """A motion with fewer knots and digits, to be shipped as assets/miniatures/GAME.json."""
    tracks = motion.tracks
    count = int(motion.duration / every) + 2
    at = [min(k * every, motion.duration) for k in range(count)]
    rows = [np.clip(np.searchsorted(tracks.times, t, side="right") - 1, 0, len(tracks.times) - 1) for t in at]
    states = [[[round(float(v), 5) for v in piece] for piece in tracks.states[k]] for k in rows]
    for t, row in zip(at, states, strict=True):
        for piece, (x, y, angle) in zip(row, tracks.at(t), strict=True):
            piece[:3] = [round(float(x), 5), round(float(y), 5), round(float(angle), 3)]
    air = None
    if tracks.air is not None:
        air = tuple(tuple(tuple(round(float(v), 5) for v in piece) for piece in tracks.air_at(t)) for t in at)
    kept = tuple(tuple(tuple(piece) for piece in row) for row in states)
    return Sketch(scene=motion.before, flick=motion.flick, times=tuple(at), states=kept, air=air, look=look)


class TableMiniature:
    """A table on which one flick is made over and over."""

    def __init__(self, sketch: Sketch, painter: TablePainter) -> None:
        self._motion, self._look = sketch.motion(), sketch.look or sketch.scene.surface.outline
        self._painter = painter
        self._bare: tuple[object, pygame.Surface] | None = None

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """The table as it is at a time [s]."""
        area = (rect.x, rect.y, rect.w, rect.h)
        camera = fit(self._look, area, canvas.px(6), lying(self._look, area))
        whole = self._motion.duration + _REST
        with canvas.clipped(rect):
            self._surface(canvas, rect, camera)
            self._painter.motion(canvas, camera, self._motion, min(t % whole, self._motion.duration))

    def _surface(self, canvas: Canvas, rect: pygame.Rect, camera: Camera) -> None:
        """The bare table, drawn anew only when it is seen otherwise than the last time."""
        key = (rect.topleft, rect.size, palette.name)
        if self._bare is None or self._bare[0] != key:
            canvas.surface.fill(palette.GROUND, rect)
            self._painter.surface(canvas, camera, self._motion.before.surface, words=False)
            self._bare = (key, canvas.surface.subsurface(rect).copy())
        canvas.surface.blit(self._bare[1], rect)


def shipped(game: Game, painter: TablePainter) -> TableMiniature:
    """The miniature that was recorded of a game.

    Raises:
        FlicksimError: none was, or it cannot be read.
    """
    path = assets() / "miniatures" / f"{game.name}.json"
    return TableMiniature(from_json(read_bytes(path), Sketch, name=path.name), painter)
