"""Pictures for files: a scene or a motion on a surface of its own, without any display."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from flicksim.table import Landing, Landings, Motion, PyramidScene, Scene
from flicksim.ui import palette
from flicksim.ui.app import save
from flicksim.ui.camera import fit
from flicksim.ui.canvas import Canvas
from flicksim.ui.ice import picture as pyramids
from flicksim.ui.table_painter import places
from flicksim.ui.views import painter_of
from flicksim.ui.winks import picture as winks

_UPRIGHT = (900, 1200)
Drawn = Scene | Motion | PyramidScene | Landing | Landings


def write(shown: Drawn, path: Path, size: tuple[int, int] | None, seats: Sequence[str]) -> Path:
    """Write a PNG (see `flicksim.ui.picture`)."""
    if isinstance(shown, PyramidScene | Landing | Landings):
        canvas = _canvas(size or pyramids.SIZE)
        pyramids.draw(canvas, shown, seats)
        return save(canvas.surface, path)
    scene = shown.before if isinstance(shown, Motion) else shown
    mat = scene.surface.pot is not None
    size = size or (winks.SIZE if mat else _UPRIGHT)
    canvas = _canvas(size)
    if mat:
        winks.draw(canvas, shown, seats)
        return save(canvas.surface, path)
    painter = painter_of(seats, scene.surface)
    margin = canvas.px(64)
    camera = fit(scene.surface.outline, (0, 0, *size), margin)
    painter.surface(canvas, camera, scene.surface)
    if isinstance(shown, Motion):
        for piece in shown.before.pieces:
            painter.piece(canvas, camera, piece, faded=True)
        painter.ways(canvas, camera, shown)
        last = places(shown, shown.duration)
        painter.pieces(canvas, camera, (p for p in scene.pieces if p.id in last), last)
    else:
        painter.pieces(canvas, camera, scene.pieces)
    return save(canvas.surface, path)


def _canvas(size: tuple[int, int]) -> Canvas:
    """Bare ground of that size."""
    surface = pygame.Surface(size)
    surface.fill(palette.GROUND)
    return Canvas(surface, max(0.5, min(size) / 700.0))
