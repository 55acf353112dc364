"""Boards and mats as pictures: a scene, a motion with the ways that pieces went, turns as frames, a nearer look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import pygame

from flicksim.base.geometry import Point
from flicksim.drawing import fit
from flicksim.play import Turn
from flicksim.referee import Game
from flicksim.table import Motion, Piece, Scene
from flicksim.ui.frame.face import Prints
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.pictures import Frame
from flicksim.ui.table import standing
from flicksim.ui.table.painter import TablePainter, places, scene_of

SIZE = (900, 1200)
"""Width and height of a board where nobody asks for others [pixels]."""
FINE, COARSE = 40, 100
"""Between frames of one turn, and of a whole game [ms]."""
REST = 900
"""Time that the end of a turn stays [ms]."""
PainterOf = Callable[[Sequence[str]], TablePainter]


def bare(size: tuple[int, int]) -> Canvas:
    """Bare ground of that size [pixels]."""
    surface = pygame.Surface(size)
    surface.fill(palette.GROUND)
    return Canvas(surface, max(0.5, min(size) / 700.0))


def picture(shown: Scene | Motion, size: tuple[int, int] | None, seats: Sequence[str]) -> pygame.Surface:
    """A board from above, all of it."""
    scene = shown.before if isinstance(shown, Motion) else shown
    size = size or SIZE
    canvas, painter = bare(size), TablePainter(seats)
    camera = fit(scene.surface.outline, (0, 0, *size), canvas.px(64))
    painter.surface(canvas, camera, scene.surface)
    if isinstance(shown, Motion):
        for piece in shown.before.pieces:
            painter.piece(canvas, camera, piece, faded=True)
        painter.ways(canvas, camera, shown)
        last = places(shown, shown.duration)
        painter.pieces(canvas, camera, (p for p in scene.pieces if p.id in last), last)
    else:
        painter.pieces(canvas, camera, scene.pieces)
    return canvas.surface


def prints(
    picture: Callable[[Scene | Motion, tuple[int, int] | None, Sequence[str]], pygame.Surface], painter: PainterOf
) -> Prints:
    """The pictures of a kind of board, for files.

    Args:
        picture: draws one of its scenes or motions. painter: of such boards, by names of seats.
    """

    def frames(game: Game, turns: Iterable[Turn], *, fine: bool = True) -> Iterator[Frame]:
        for turn in turns:
            scene = turn.account.before if isinstance(turn.account, Motion) else scene_of(turn.after)
            if scene is not None:
                yield from _moved(game, turn, scene, painter(game.seat_names), FINE if fine else COARSE)

    def still(game: Game, turn: Turn) -> pygame.Surface | None:
        shown = turn.account if isinstance(turn.account, Motion) else scene_of(turn.after)
        return picture(shown, None, game.seat_names) if shown is not None else None

    return Prints(frames=frames, still=still)


def _moved(game: Game, turn: Turn, scene: Scene, painter: TablePainter, every: int) -> Iterator[Frame]:
    """A flick from beginning to end; where nothing moved, the table as it lies then."""
    xs, ys = [p[0] for p in scene.surface.outline], [p[1] for p in scene.surface.outline]
    upright = max(ys) - min(ys) > max(xs) - min(xs)
    size = (400, 720) if upright else (720, 480)
    canvas = Canvas(pygame.Surface(size), 0.8)
    head = canvas.px(30)
    camera = fit(scene.surface.outline, (0, head, size[0], size[1] - head), canvas.px(52 if upright else 30))
    canvas.surface.fill(palette.GROUND)
    painter.surface(canvas, camera, scene.surface)
    canvas.text(standing.line(game, turn), (canvas.px(10), canvas.px(8)), 15, bold=True,
                within=size[0] - canvas.px(20))  # fmt: skip
    empty = canvas.surface.copy()
    motion = turn.account
    if not isinstance(motion, Motion):
        painter.pieces(canvas, camera, scene.pieces)
        yield canvas.surface.copy(), REST
        return
    count = int(motion.duration * 1000.0 / every)
    for k in range(count + 1):
        canvas.surface.blit(empty, (0, 0))
        painter.motion(canvas, camera, motion, motion.duration if k == count else k * every / 1000.0)
        yield canvas.surface.copy(), REST if k == count else every


def near(
    canvas: Canvas, rect: pygame.Rect, painter: TablePainter, scene: Scene, pieces: Iterable[Piece],
    more: Sequence[Point] = (),
) -> None:  # fmt: skip
    """The part of a table where some of its pieces lie, and more points [m] that are to be seen."""
    around = [*(p.at for p in pieces), *more]
    xs, ys = [p[0] for p in around] or [0.0], [p[1] for p in around] or [0.0]
    box = [(min(xs) - 0.06, min(ys) - 0.06), (max(xs) + 0.06, max(ys) + 0.06)]
    camera = fit(box, (rect.x, rect.y, rect.w, rect.h), canvas.px(10))
    with canvas.clipped(rect):
        painter.surface(canvas, camera, scene.surface)
        painter.pieces(canvas, camera, scene.pieces)
