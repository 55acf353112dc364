"""The face of tiddlywinks, and of any other game on a mat with a pot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from flicksim.base.kinds import State
from flicksim.play import SQUIDGES, WINKS
from flicksim.referee import Game
from flicksim.table import Motion, Scene
from flicksim.ui.board import pictures as pictures
from flicksim.ui.board.face import lies_on
from flicksim.ui.board.miniature import shipped
from flicksim.ui.faces.tiddlywinks import picture
from flicksim.ui.faces.tiddlywinks.keys import KEYS, PRACTISED
from flicksim.ui.faces.tiddlywinks.lesson import LESSON
from flicksim.ui.faces.tiddlywinks.painter import WinkPainter
from flicksim.ui.faces.tiddlywinks.practice_screen import PracticeScreen
from flicksim.ui.faces.tiddlywinks.screen import WinkScreen
from flicksim.ui.faces.tiddlywinks.view import WinkView
from flicksim.ui.faces.tiddlywinks.ways import way
from flicksim.ui.faces.tiddlywinks.words import WORDS
from flicksim.ui.frame.face import Face, Practice
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match.replay import LOOKING, ReplayScreen
from flicksim.ui.match.study import StudyScreen
from flicksim.ui.table.painter import scene_of


def _draws(shown: object) -> bool:
    """Tell whether it lies on a mat."""
    scene = lies_on(shown)
    return scene is not None and scene.surface.pot is not None


def _picture(shown: Scene | Motion, size: tuple[int, int] | None, seats: Sequence[str]) -> pygame.Surface:
    canvas = pictures.bare(size or picture.SIZE)
    picture.draw(canvas, shown, seats)
    return canvas.surface


_PRINTS = pictures.prints(_picture, WinkPainter)


def _look(canvas: Canvas, rect: pygame.Rect, game: Game, state: State) -> None:
    """The winks in play and the pot."""
    scene = scene_of(state)
    if scene is not None:
        there = [piece for piece in scene.pieces if state.book.in_play(piece.id)]
        pot = [scene.surface.pot.at] if scene.surface.pot is not None else []
        pictures.near(canvas, rect, WinkPainter(game.seat_names), scene, there, pot)


FACE = Face(
    screen=WinkScreen,
    replay=partial(ReplayScreen, prints=_PRINTS, view=WinkView, way=way, warmings=(WINKS, SQUIDGES)),
    prints=_PRINTS,
    draws=_draws,
    picture=_picture,
    miniature=lambda game: shipped(game, WinkPainter(game.seat_names)),
    look=_look,
    words=WORDS,
    practice=Practice("Practise winks", "P", "practise squidging", lambda app: app.push(PracticeScreen(app))),
    warming=WINKS,
    lesson=LESSON,
    keys=(KEYS, PRACTISED, LOOKING),
    study=partial(StudyScreen, view=WinkView, way=way, warmings=(WINKS, SQUIDGES)),
)
