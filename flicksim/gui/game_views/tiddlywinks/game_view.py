"""Game view of tiddlywinks, and of other games on a mat with a pot; its images for files."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pygame

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import State
from flicksim.gui.app import GameView, PracticeMode, action_made
from flicksim.gui.board_view import images as pictures
from flicksim.gui.board_view.board_game_view import can_draw
from flicksim.gui.board_view.images import load_miniature
from flicksim.gui.game_views import load_texts
from flicksim.gui.game_views.tiddlywinks import KEY_MAP, PRACTICE_KEYS, camera_view, side_view
from flicksim.gui.game_views.tiddlywinks.camera_view import WinkView
from flicksim.gui.game_views.tiddlywinks.painter import WinkPainter
from flicksim.gui.game_views.tiddlywinks.practice_screen import PracticeScreen
from flicksim.gui.game_views.tiddlywinks.squidge_aim import shot_path
from flicksim.gui.game_views.tiddlywinks.tiddlywinks_screen import TiddlywinksScreen
from flicksim.gui.match.position_editor import PositionEditorScreen
from flicksim.gui.match.replay import REPLAY_KEYS, ReplayScreen
from flicksim.gui.table_view import inner_rect, scene_of
from flicksim.gui.toolkit import Canvas
from flicksim.match import WINK_WARMUP
from flicksim.referee import Game
from flicksim.render import fit_around
from flicksim.scene import Scene, Squidge, Trajectory


def _draw_image(canvas: Canvas, content: Scene | Trajectory, seats: Sequence[str]) -> None:
    """Draw the content on the whole canvas."""
    w, h = canvas.size
    motion = content if isinstance(content, Trajectory) else None
    squidged = motion is not None and isinstance(motion.flick, Squidge)
    above = pygame.Rect(0, 0, w, round(h * 0.64) if squidged else h)
    scene = content.before if isinstance(content, Trajectory) else content
    painter = WinkPainter(seats)
    camera = fit_around(_visible_points(content), (0, 0, w, above.h), canvas.px(24))
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
        return [*camera_view.moving_corners(content), *camera_view.piece_corners(flicked)]
    field = [piece for piece in content.pieces if not content.surface.is_behind_line(piece.position)] or list(
        content.pieces
    )
    corners = [corner for piece in field for corner in camera_view.piece_corners(piece)]
    return [*corners, content.surface.pot.position] if content.surface.pot is not None else corners


_render = pictures.image_renderer(_draw_image, (1200, 900))
_TURN_RENDERER = pictures.turn_renderer(_render, WinkPainter)


def _draw_state(canvas: Canvas, rect: pygame.Rect, game: Game, state: State) -> None:
    """Draw the winks in play and the pot."""
    scene = scene_of(state)
    if scene is not None:
        in_play = [piece for piece in scene.pieces if state.book.in_play(piece.id)]
        pot = [scene.surface.pot.position] if scene.surface.pot is not None else []
        pictures.draw_close_up(canvas, rect, WinkPainter(game.seat_names), scene, in_play, pot)


_TERMS, _LESSON = load_texts(__package__, {"squidge": action_made(Squidge)})
_VIEW_PARTS: dict[str, Any] = {"view": WinkView, "shot_path": shot_path, "warmups": (WINK_WARMUP,)}
GAME_VIEW = GameView(
    screen=TiddlywinksScreen,
    replay=partial(ReplayScreen, renderer=_TURN_RENDERER, **_VIEW_PARTS),
    turn_renderer=_TURN_RENDERER,
    can_draw=partial(can_draw, has_pot=True),
    render=_render,
    miniature=lambda game: load_miniature(game, WinkPainter(game.seat_names)),
    draw_state=_draw_state,
    terms=_TERMS,
    practice=PracticeMode("Practise winks", "P", "practise squidging", lambda app: app.push(PracticeScreen(app))),
    warmup=WINK_WARMUP,
    lesson=_LESSON,
    keys=(KEY_MAP, PRACTICE_KEYS, REPLAY_KEYS),
    position_editor=partial(PositionEditorScreen, **_VIEW_PARTS),
)
