"""Images of boards and mats: scenes, trajectories with their paths, turns as frames, close-ups, miniatures."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import pygame

from flicksim.core.geometry import Point
from flicksim.core.paths import assets_dir
from flicksim.core.serialization import Value, from_json, read_bytes
from flicksim.gui.app import TurnRenderer
from flicksim.gui.table_view import Playback, TablePainter, match_text, scene_of
from flicksim.gui.toolkit import Canvas, Frame, palette
from flicksim.match import Turn
from flicksim.referee import Game
from flicksim.render import Camera, best_quarter_turns, fit_camera, pieces_at
from flicksim.scene import Piece, Scene, Surface, Trajectory

FINE_INTERVAL, COARSE_INTERVAL = 40, 100
"""Intervals between frames of one turn, and of a whole game [ms]."""
REST_TIME = 900
"""Time for which the end of a turn is shown [ms]."""
PainterFactory = Callable[[Sequence[str]], TablePainter]


def image_renderer(
    draw: Callable[[Canvas, Any, Sequence[str]], None], default_size: tuple[int, int]
) -> Callable[[Any, tuple[int, int] | None, Sequence[str]], pygame.Surface]:
    """Renderer of content, with the names of the seats, on a canvas of a size or the default [pixels]."""

    def render(content: Any, size: tuple[int, int] | None, seats: Sequence[str]) -> pygame.Surface:
        surface = pygame.Surface(size or default_size)
        surface.fill(palette.BACKGROUND)
        draw(Canvas(surface, max(0.5, min(surface.get_size()) / 700.0)), content, seats)
        return surface

    return render


def _draw_board(canvas: Canvas, content: Scene | Trajectory, seats: Sequence[str]) -> None:
    """Draw a whole board from above."""
    scene = content.before if isinstance(content, Trajectory) else content
    painter, outline, area = TablePainter(seats), scene.surface.outline, (0.0, 0.0, *canvas.size)
    camera = fit_camera(outline, area, canvas.px(64), best_quarter_turns(outline, area))
    painter.draw_surface(canvas, camera, scene.surface)
    if isinstance(content, Trajectory):
        for piece in content.before.pieces:
            painter.draw_piece(canvas, camera, piece, is_faded=True)
        painter.draw_paths(canvas, camera, content)
        painter.draw_pieces(canvas, camera, pieces_at(content, content.duration).values())
    else:
        painter.draw_pieces(canvas, camera, scene.pieces)


board_image = image_renderer(_draw_board, (900, 1200))
"""Renderer of whole boards."""


def turn_renderer(
    render: Callable[[Scene | Trajectory, tuple[int, int] | None, Sequence[str]], pygame.Surface],
    painter: PainterFactory,
) -> TurnRenderer:
    """Renderer of turns on a kind of board, for image files.

    Args:
        render: draws a scene or trajectory. painter: makes a painter from seat names.
    """

    def frames(game: Game, turns: Iterable[Turn], *, is_detailed: bool = True) -> Iterator[Frame]:
        for turn in turns:
            scene = turn.result.before if isinstance(turn.result, Trajectory) else scene_of(turn.after)
            if scene is not None:
                yield from _shot_frames(
                    game, turn, scene, painter(game.seat_names), FINE_INTERVAL if is_detailed else COARSE_INTERVAL
                )

    def still(game: Game, turn: Turn) -> pygame.Surface | None:
        content = turn.result if isinstance(turn.result, Trajectory) else scene_of(turn.after)
        return render(content, None, game.seat_names) if content is not None else None

    return TurnRenderer(frames=frames, still_image=still)


def _shot_frames(game: Game, turn: Turn, scene: Scene, painter: TablePainter, interval: int) -> Iterator[Frame]:
    """Frames of a flick from beginning to end; a single frame of the table if nothing moved."""
    xs, ys = [p[0] for p in scene.surface.outline], [p[1] for p in scene.surface.outline]
    aspect_ratio, header_height = (max(ys) - min(ys)) / (max(xs) - min(xs)), 24
    margin, size = 42, (400, 720)
    if aspect_ratio <= 1.0:  # as high as a flat table needs
        margin = 24
        size = (720, header_height + 2 * margin + round((720 - 2 * margin) * aspect_ratio))
    canvas = Canvas(pygame.Surface(size), 0.8)
    camera = fit_camera(scene.surface.outline, (0, header_height, size[0], size[1] - header_height), margin)
    canvas.surface.fill(palette.BACKGROUND)
    painter.draw_surface(canvas, camera, scene.surface)
    canvas.text(match_text.turn_text(game, turn), (canvas.px(10), canvas.px(8)), 15, bold=True,
                max_width=size[0] - canvas.px(20))  # fmt: skip
    trajectory = turn.result
    if not isinstance(trajectory, Trajectory):
        painter.draw_pieces(canvas, camera, scene.pieces)
        yield canvas.surface.copy(), REST_TIME
        return
    duration = Playback(trajectory).duration
    yield from motion_frames(
        canvas, duration, interval, lambda t: painter.draw_trajectory(canvas, camera, trajectory, t)
    )


def motion_frames(canvas: Canvas, duration: float, interval: int, draw: Callable[[float], None]) -> Iterator[Frame]:
    """Frames of a motion over what the canvas shows; its end is shown for `REST_TIME`.

    Args:
        canvas: with the background. duration: of the motion [s]. interval: between frames [ms]. draw: draws the motion
            at a time [s].
    """
    background, count = canvas.surface.copy(), int(duration * 1000.0 / interval)
    for k in range(count + 1):
        canvas.surface.blit(background, (0, 0))
        draw(duration if k == count else k * interval / 1000.0)
        yield canvas.surface.copy(), REST_TIME if k == count else interval


def draw_close_up(
    canvas: Canvas, rect: pygame.Rect, painter: TablePainter, scene: Scene, pieces: Iterable[Piece],
    extra_points: Sequence[Point] = (),
) -> None:  # fmt: skip
    """Draw the part of a table that holds some of its pieces and extra points [m]."""
    points = [*(p.position for p in pieces), *extra_points]
    xs, ys = [p[0] for p in points] or [0.0], [p[1] for p in points] or [0.0]
    box = [(min(xs) - 0.06, min(ys) - 0.06), (max(xs) + 0.06, max(ys) + 0.06)]
    camera = fit_camera(box, (rect.x, rect.y, rect.w, rect.h), canvas.px(10))
    with canvas.clipped(rect):
        painter.draw_surface(canvas, camera, scene.surface)
        painter.draw_pieces(canvas, camera, scene.pieces)


T = TypeVar("T")
_MINIATURE_REST_TIME = 1.6
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
            self._draw_motion(canvas, camera, min(t % (self._duration + _MINIATURE_REST_TIME), self._duration))

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
