"""Pyramids as pictures for files: a table, a launch, and all that came down in a turn as pictures one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pygame

from flicksim.drawing import Camera, fit
from flicksim.games.ice.seats import places
from flicksim.games.ice.state import State
from flicksim.play import Turn
from flicksim.referee import Game
from flicksim.table import Landing, Landings, Pyramid, PyramidScene, Surface
from flicksim.ui.faces.ice import log_lines, side
from flicksim.ui.faces.ice.film import Film, filmed
from flicksim.ui.faces.ice.painter import IcePainter
from flicksim.ui.faces.ice.view import lined
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas

SIZE = (1000, 1200)
"""Width and height where nobody asks for others [pixels]."""


def draw(canvas: Canvas, shown: PyramidScene | Landing | Landings, seats: Sequence[str]) -> None:
    """Fill the canvas: the table from above; under it what was launched, from the side."""
    w, h = canvas.size
    painter = IcePainter(seats)
    if isinstance(shown, PyramidScene):
        camera = fit(shown.surface.outline, (0, 0, w, h), canvas.px(30))
        painter.surface(canvas, camera, shown.surface)
        painter.pyramids(canvas, camera, shown.pieces)
        return
    film = filmed(shown)
    surface = film.before.surface
    above = pygame.Rect(0, 0, w, round(h * 0.66))
    camera = fit(surface.outline, (above.x, above.y, above.w, above.h), canvas.px(24))
    painter.surface(canvas, camera, surface)
    _table(canvas, camera, painter, film, film.duration)
    _side(canvas, pygame.Rect(0, above.bottom, w, h - above.bottom), film, film.duration, surface, seats, near=False)


def frames(
    game: Game, turn: Turn, every: int, rest: int, size: tuple[int, int]
) -> Iterator[tuple[pygame.Surface, int]]:
    """A turn from the first launch that came down in it until all lies: pictures, and how long each stays [ms].

    Args:
        every: between pictures. rest: how long the last stays. size: of the pictures [pixels].
    """
    state = turn.before
    if not isinstance(state, State) or not isinstance(turn.account, Landings) or not turn.account.landings:
        return
    surface = lined(state.scene.surface, places(state.options, state.seats), game.seat_names)
    film = filmed(turn.account)
    canvas = Canvas(pygame.Surface(size), size[0] / 700.0)
    painter = IcePainter(game.seat_names)
    painter.imaginary = not state.options.markers
    head = canvas.px(30)
    w, h = size
    above = pygame.Rect(0, head, w, w - canvas.px(10))
    camera = fit(surface.outline, (above.x, above.y, above.w, above.h), canvas.px(10))
    canvas.surface.fill(palette.GROUND)
    painter.surface(canvas, camera, surface)
    canvas.text(log_lines.line(game, turn), (canvas.px(10), canvas.px(6)), 15, bold=True, within=w - canvas.px(20))
    bare = canvas.surface.copy()
    count = int(film.duration * 1000.0 / every)
    for k in range(count + 1):
        t = film.duration if k == count else k * every / 1000.0
        canvas.surface.blit(bare, (0, 0))
        _table(canvas, camera, painter, film, t)
        _side(canvas, pygame.Rect(0, above.bottom, w, h - above.bottom), film, t, surface, game.seat_names)
        yield canvas.surface.copy(), rest if k == count else every


def _table(canvas: Canvas, camera: Camera, painter: IcePainter, film: Film, t: float) -> None:
    for start, landing in zip(film.starts, film.landings, strict=True):
        painter.way(canvas, camera, landing, t - start)
    pieces: Sequence[Pyramid] = film.pieces_at(t)
    painter.pyramids(canvas, camera, pieces)


def _side(
    canvas: Canvas, below: pygame.Rect, film: Film, t: float, surface: Surface, seats: Sequence[str], *,
    near: bool = True,
) -> None:  # fmt: skip
    seen = film.seen_at(t)
    if seen is None:
        return
    pad, head = canvas.px(14), canvas.px(24)
    rect = pygame.Rect(below.x + pad, below.y + head, below.w - 2 * pad, below.h - head - pad)
    landing, own = film.landings[seen[0]], seen[1]
    side.show(canvas, rect, landing, min(own, landing.duration), seats, line=side.own_line(surface, landing.launch),
              near=near, says=side.words(seats, landing.launch, own))  # fmt: skip
