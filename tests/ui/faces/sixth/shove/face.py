"""Face of the sixth game of the tests: a table of its own, a small one at the front door, words, practice."""

from __future__ import annotations

from dataclasses import replace

import pygame

from flicksim.games import load
from flicksim.play import open_match, parse_seat
from flicksim.ui.board.face import BOARD
from flicksim.ui.board.screen import PlayScreen
from flicksim.ui.frame.app import App
from flicksim.ui.frame.face import Practice
from flicksim.ui.frame.glossary import Words
from flicksim.ui.kit import keys, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match.starting import begin

SHOVING = replace(keys.BOARD, where="Shove")


class ShoveScreen(PlayScreen):
    """Pennies are shoved into beds."""

    def own_keys(self) -> tuple[keys.Keys, ...]:
        """The keys of the board, under a word of its own."""
        return (SHOVING,)


class Beds:
    """Three beds, one after another alight."""

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Show them as they are at a time [s]."""
        for k in range(3):
            bed = pygame.Rect(rect.x, rect.y + k * rect.h // 3, rect.w, rect.h // 3)
            canvas.box(bed, palette.GLOW if int(t) % 3 == k else palette.FELT)


def _practise(app: App) -> None:
    game = load("shove")
    begin(app, open_match(game, game.options(), [parse_seat("human")] * 2, 1), ("human", "human"))


FACE = replace(
    BOARD,
    screen=ShoveScreen,
    keys=(SHOVING,),
    miniature=lambda _: Beds(),
    words=Words("Shove", (("bed", "A strip across the board; a penny that rests in it counts."),)),
    practice=Practice("Practise shoving", "V", "practise shoving", _practise),
)
