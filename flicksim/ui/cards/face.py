"""The face of a game of cards or tiles, by its cloth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import pygame

from flicksim.play import Turn
from flicksim.referee import Game
from flicksim.ui.cards.cloth import Cloth
from flicksim.ui.cards.review import LOOKING, CardReplay, lay_open
from flicksim.ui.cards.screen import CardScreen, all_keys
from flicksim.ui.frame.face import Face, Miniature, Prints
from flicksim.ui.frame.glossary import Words
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.pictures import Frame
from flicksim.ui.kit.preferences import Preferences
from flicksim.ui.kit.sounds import Sounds
from flicksim.ui.table import standing

_REST = 900
"""Time that the end of a turn stays [ms]."""


def card_face(cloth: type[Cloth], miniature: Callable[[], Miniature], words: Words | None = None) -> Face:
    """The face of a game that is played on such a cloth."""

    def frames(game: Game, turns: Iterable[Turn], *, fine: bool = True) -> Iterator[Frame]:
        """The cloth as it lay after each move; hands stay hidden."""
        del fine
        canvas = Canvas(pygame.Surface((720, 480)), 0.72)
        shown = cloth(game, lambda _: "", Preferences(quiet=True), Sounds(Preferences(quiet=True)))
        head = canvas.px(30)
        for turn in turns:
            shown.place(pygame.Rect(0, head, 720, 480 - head), canvas.scale)
            lay_open(shown, game, turn, None)
            canvas.surface.fill(palette.GROUND)
            shown.draw(canvas)
            canvas.text(standing.line(game, turn), (canvas.px(10), canvas.px(6)), 16, bold=True,
                        within=720 - canvas.px(20))  # fmt: skip
            yield canvas.surface.copy(), _REST

    prints = Prints(frames=frames)

    return Face(
        screen=partial(CardScreen, cloth=cloth),
        replay=partial(CardReplay, prints=prints, cloth=cloth),
        prints=prints,
        miniature=lambda _: miniature(),
        words=words,
        keys=(all_keys(cloth), LOOKING),
    )
