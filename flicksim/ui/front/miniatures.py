"""The small tables of the front door; a still one for a game nobody has recorded anything of."""

from __future__ import annotations

import pygame

from flicksim.base.errors import FlicksimError
from flicksim.referee import Game
from flicksim.ui.frame.face import Faces, Miniature
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas


class Still:
    """The miniature of a game nobody has recorded anything of: its name on a bare cloth."""

    def __init__(self, title: str) -> None:
        self._title = title

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """The cloth and the name."""
        del t
        canvas.box(rect, palette.FELT, 6)
        canvas.text(self._title, rect.center, 17, palette.CHALK, bold=True, anchor="center", within=rect.w)


def miniature(faces: Faces, game: Game) -> Miniature:
    """The small table of a game; still where it has none that lives."""
    try:
        return faces.of(game).miniature(game)
    except FlicksimError:
        return Still(game.title)
