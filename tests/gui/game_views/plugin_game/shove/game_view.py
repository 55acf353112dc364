"""Game view of the plugin game of the tests: a screen, a miniature, a glossary, practice."""

from dataclasses import replace

import pygame

from flicksim.games import load
from flicksim.gui.app import App, GlossarySection, PracticeMode
from flicksim.gui.board_view.board_game_view import BOARD_GAME_VIEW
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.match.start_match import start_match
from flicksim.gui.toolkit import Canvas, key_bindings, palette
from flicksim.match import open_match, parse_seat

SHOVE_KEYS = replace(key_bindings.BOARD_KEYS, title="Shove")


class ShoveScreen(BoardScreen):
    """Pennies are shoved into beds."""

    def extra_keys(self) -> tuple[key_bindings.KeyMap, ...]:
        """Keys of the board, under an own heading."""
        return (SHOVE_KEYS,)


class BedsMiniature:
    """Miniature: three beds, highlighted in turn."""

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Draw the beds at a time [s]."""
        for k in range(3):
            bed = pygame.Rect(rect.x, rect.y + k * rect.h // 3, rect.w, rect.h // 3)
            canvas.box(bed, palette.HIGHLIGHT if int(t) % 3 == k else palette.FELT)


def _start_practice(app: App) -> None:
    game = load("shove")
    start_match(app, open_match(game, game.options(), [parse_seat("human")] * 2, 1), ("human", "human"))


GAME_VIEW = replace(
    BOARD_GAME_VIEW,
    screen=ShoveScreen,
    keys=(SHOVE_KEYS,),
    miniature=lambda _: BedsMiniature(),
    terms=GlossarySection("Shove", (("bed", "A strip across the board; a penny that rests in it counts."),)),
    practice=PracticeMode("Practise shoving", "V", "practise shoving", _start_practice),
)
