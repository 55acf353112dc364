"""Image export of pyramids: a table, a launch, and the frames of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pygame

from flicksim.games.ice.state import State
from flicksim.games.ice.table_layout import seat_areas
from flicksim.gui.game_view_kit.side_view import inner_rect
from flicksim.gui.game_views.ice import launch_log, side_view
from flicksim.gui.game_views.ice.camera_view import with_start_lines
from flicksim.gui.game_views.ice.flight import LaunchSequence, make_sequence
from flicksim.gui.game_views.ice.painter import IcePainter
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.match import Turn
from flicksim.referee import Game
from flicksim.render import fit_camera
from flicksim.scene import LaunchTrajectory, PyramidScene, Surface, VolleyTrajectory

DEFAULT_SIZE = (1000, 1200)
"""Default width and height [pixels]."""


def draw_image(
    canvas: Canvas, content: PyramidScene | LaunchTrajectory | VolleyTrajectory, seats: Sequence[str]
) -> None:
    """Draw the table from above, and a launch from the side below it."""
    w, h = canvas.size
    painter = IcePainter(seats)
    if isinstance(content, PyramidScene):
        camera = fit_camera(content.surface.outline, (0, 0, w, h), canvas.px(30))
        painter.draw_surface(canvas, camera, content.surface)
        painter.draw_pyramids(canvas, camera, content.pieces)
        return
    sequence = make_sequence(content)
    surface = sequence.before.surface
    above = pygame.Rect(0, 0, w, round(h * 0.66))
    camera = fit_camera(surface.outline, (above.x, above.y, above.w, above.h), canvas.px(24))
    painter.draw_surface(canvas, camera, surface)
    painter.draw_sequence(canvas, camera, sequence, sequence.duration)
    below = pygame.Rect(0, above.bottom, w, h - above.bottom)
    _draw_side(canvas, below, sequence, sequence.duration, surface, seats, ends_close=False)


def turn_frames(
    game: Game, turn: Turn, interval: int, rest_time: int, size: tuple[int, int]
) -> Iterator[tuple[pygame.Surface, int]]:
    """Frames of a turn from the first launch that came down until everything rests, with their durations [ms].

    Args:
        game, turn: to be drawn. interval: between frames [ms]. rest_time: duration of the last frame [ms]. size: of
            the frames [pixels].
    """
    state = turn.before
    if not isinstance(state, State) or not isinstance(turn.result, VolleyTrajectory) or not turn.result.trajectories:
        return
    surface = with_start_lines(state.scene.surface, seat_areas(state.options, state.seats), game.seat_names)
    sequence = make_sequence(turn.result)
    canvas = Canvas(pygame.Surface(size), size[0] / 700.0)
    painter = IcePainter(game.seat_names)
    painter.unmarked_lines = not state.options.markers
    head = canvas.px(30)
    w, h = size
    above = pygame.Rect(0, head, w, w - canvas.px(10))
    camera = fit_camera(surface.outline, (above.x, above.y, above.w, above.h), canvas.px(10))
    canvas.surface.fill(palette.BACKGROUND)
    painter.draw_surface(canvas, camera, surface)
    canvas.text(
        launch_log.turn_text(game, turn), (canvas.px(10), canvas.px(6)), 15, bold=True, max_width=w - canvas.px(20)
    )
    bare = canvas.surface.copy()
    count = int(sequence.duration * 1000.0 / interval)
    for k in range(count + 1):
        t = sequence.duration if k == count else k * interval / 1000.0
        canvas.surface.blit(bare, (0, 0))
        painter.draw_sequence(canvas, camera, sequence, t)
        _draw_side(canvas, pygame.Rect(0, above.bottom, w, h - above.bottom), sequence, t, surface, game.seat_names)
        yield canvas.surface.copy(), rest_time if k == count else interval


def _draw_side(
    canvas: Canvas, area: pygame.Rect, sequence: LaunchSequence, t: float, surface: Surface, seats: Sequence[str], *,
    ends_close: bool = True,
) -> None:  # fmt: skip
    launch = sequence.launch_at(t)
    if launch is not None:
        rect, trajectory = inner_rect(canvas, area, 14, 24), sequence.trajectories[launch[0]]
        side_view.draw_launch(canvas, rect, trajectory, launch[1], seats, surface, ends_close=ends_close)
