"""Game view of tiddlywinks, and of other games on a mat with a pot."""

from __future__ import annotations

from functools import partial
from typing import Any

import pygame

from flicksim.core.type_aliases import State
from flicksim.gui.app.game_view import GameView, PracticeMode
from flicksim.gui.app.lesson import action_made
from flicksim.gui.board_view import images as pictures
from flicksim.gui.board_view.board_game_view import scene_of_content
from flicksim.gui.board_view.miniature import load_miniature
from flicksim.gui.game_view_kit.texts import load_texts
from flicksim.gui.game_views.tiddlywinks import image_export
from flicksim.gui.game_views.tiddlywinks.ballistic_arc import shot_path
from flicksim.gui.game_views.tiddlywinks.camera_view import WinkView
from flicksim.gui.game_views.tiddlywinks.key_bindings import KEY_MAP, PRACTICE_KEYS
from flicksim.gui.game_views.tiddlywinks.painter import WinkPainter
from flicksim.gui.game_views.tiddlywinks.practice_screen import PracticeScreen
from flicksim.gui.game_views.tiddlywinks.tiddlywinks_screen import TiddlywinksScreen
from flicksim.gui.match.position_editor import PositionEditorScreen
from flicksim.gui.match.replay import REPLAY_KEYS, ReplayScreen
from flicksim.gui.table_view.painter import scene_of
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.match import WINK_BATCH_WARMUP, WINK_WARMUP
from flicksim.referee import Game
from flicksim.scene import Squidge


def _can_draw(content: object) -> bool:
    """Return True if the content lies on a mat."""
    scene = scene_of_content(content)
    return scene is not None and scene.surface.pot is not None


_render = pictures.image_renderer(image_export.draw_image, image_export.DEFAULT_SIZE)
_TURN_RENDERER = pictures.turn_renderer(_render, WinkPainter)


def _draw_state(canvas: Canvas, rect: pygame.Rect, game: Game, state: State) -> None:
    """Draw the winks in play and the pot."""
    scene = scene_of(state)
    if scene is not None:
        in_play = [piece for piece in scene.pieces if state.book.in_play(piece.id)]
        pot = [scene.surface.pot.position] if scene.surface.pot is not None else []
        pictures.draw_close_up(canvas, rect, WinkPainter(game.seat_names), scene, in_play, pot)


_TERMS, _LESSON = load_texts(__package__, {"squidge": action_made(Squidge)})
_VIEW_PARTS: dict[str, Any] = {"view": WinkView, "shot_path": shot_path, "warmups": (WINK_WARMUP, WINK_BATCH_WARMUP)}
GAME_VIEW = GameView(
    screen=TiddlywinksScreen,
    replay=partial(ReplayScreen, renderer=_TURN_RENDERER, **_VIEW_PARTS),
    turn_renderer=_TURN_RENDERER,
    can_draw=_can_draw,
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
