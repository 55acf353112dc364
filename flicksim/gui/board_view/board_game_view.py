"""Default game view of board games: for games on a flat board that bring no view of their own."""

from functools import partial

import pygame

from flicksim.core.type_aliases import State
from flicksim.gui.app import GameView
from flicksim.gui.board_view.board_replay import BoardReplay
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.board_view.images import board_image, draw_close_up, load_miniature, turn_renderer
from flicksim.gui.match.position_editor import PositionEditorScreen
from flicksim.gui.match.replay import REPLAY_KEYS
from flicksim.gui.table_view import TablePainter, scene_of
from flicksim.gui.table_view.shot_painter import shot_path
from flicksim.gui.toolkit import BOARD_KEYS as BOARD_KEYS
from flicksim.gui.toolkit import Canvas
from flicksim.match import DISC_BATCH_WARMUP
from flicksim.referee import Game
from flicksim.scene import Scene, Trajectory

_TURN_RENDERER = turn_renderer(board_image, TablePainter)


def can_draw(content: object, *, has_pot: bool = False) -> bool:
    """Return True if the content is a scene or trajectory on a flat board, or with a pot on a mat."""
    scene = content.before if isinstance(content, Trajectory) else content
    return isinstance(scene, Scene) and (scene.surface.pot is not None) == has_pot


def _draw_state(canvas: Canvas, rect: pygame.Rect, game: Game, state: State) -> None:
    scene = scene_of(state)
    if scene is not None:
        draw_close_up(canvas, rect, TablePainter(game.seat_names), scene, scene.pieces)


BOARD_GAME_VIEW = GameView(
    screen=BoardScreen,
    replay=partial(BoardReplay, renderer=_TURN_RENDERER, shot_path=shot_path, warmups=(DISC_BATCH_WARMUP,)),
    turn_renderer=_TURN_RENDERER,
    can_draw=can_draw,
    render=board_image,
    miniature=lambda game: load_miniature(game, TablePainter(game.seat_names)),
    draw_state=_draw_state,
    warmup=DISC_BATCH_WARMUP,
    keys=(BOARD_KEYS, REPLAY_KEYS),
    position_editor=partial(PositionEditorScreen, shot_path=shot_path, warmups=(DISC_BATCH_WARMUP,)),
)
