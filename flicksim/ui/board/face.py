"""The face of boards on which pieces are flicked: the face of games of the table wing that have none of their own."""

from __future__ import annotations

from functools import partial

import pygame

from flicksim.base.kinds import State
from flicksim.play import FLICKS
from flicksim.referee import Game
from flicksim.table import Motion, Scene
from flicksim.ui.board.miniature import shipped
from flicksim.ui.board.pictures import near, picture, prints
from flicksim.ui.board.screen import PlayScreen
from flicksim.ui.board.ways import way
from flicksim.ui.frame.face import Face
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.keys import BOARD as BOARD_KEYS
from flicksim.ui.match.replay import LOOKING, ReplayScreen
from flicksim.ui.match.study import StudyScreen
from flicksim.ui.table.painter import TablePainter, scene_of

_PRINTS = prints(picture, TablePainter)


def lies_on(shown: object) -> Scene | None:
    """The scene of a thing that lies or moves on a board or a mat; None of any other."""
    scene = shown.before if isinstance(shown, Motion) else shown
    return scene if isinstance(scene, Scene) else None


def _draws(shown: object) -> bool:
    """Tell whether it lies on a flat board."""
    scene = lies_on(shown)
    return scene is not None and scene.surface.pot is None


def _look(canvas: Canvas, rect: pygame.Rect, game: Game, state: State) -> None:
    scene = scene_of(state)
    if scene is not None:
        near(canvas, rect, TablePainter(game.seat_names), scene, scene.pieces)


BOARD = Face(
    screen=PlayScreen,
    replay=partial(ReplayScreen, prints=_PRINTS, way=way, warmings=(FLICKS,)),
    prints=_PRINTS,
    draws=_draws,
    picture=picture,
    miniature=lambda game: shipped(game, TablePainter(game.seat_names)),
    look=_look,
    warming=FLICKS,
    keys=(BOARD_KEYS, LOOKING),
    study=partial(StudyScreen, way=way, warmings=(FLICKS,)),
)
