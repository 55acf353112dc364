"""The face of Penny White: as any board, with the white put down where it is usual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flicksim.base.units import mm
from flicksim.challenges import find, stood
from flicksim.games.penny_white.state import PlaceWhite
from flicksim.play import Turn
from flicksim.table import Flick
from flicksim.ui.board.face import BOARD
from flicksim.ui.board.screen import PlayScreen
from flicksim.ui.frame.glossary import Words
from flicksim.ui.frame.lesson import Lesson, Step, at, came, made, reached

WORDS = Words(
    "Penny White",
    (
        ("white", "The piece all aim at. Lying nearest to it at the end of a part scores."),
        ("end", "One part of the game: all pennies are flicked or the white is knocked off, then points are given."),
        ("nail", "Where your finger strikes the coin. Off the middle, it sends the coin off at an angle."),
        (
            "start zone",
            "The strip at the players' edge where a penny is put before it is flicked. It may hang over an edge of the "
            "board there as long as its centre is on it; an option bars that.",
        ),
    ),
)


_NEAR = 100.0
"""Distance from the white that is near enough for a beginner [mm]."""
_DRAW, _FIVE, _LAST = "penny-white/draw-30", "penny-white/nearest-of-5", "penny-white/last-penny"


def _near(turns: Sequence[Turn]) -> bool:
    measure = stood(find(_FIVE), turns).measure
    return measure is not None and measure <= _NEAR


LESSON = Lesson(
    (
        Step(
            "Your penny lies at the end of the board, the white in the middle. Press the mouse on the board, draw back "
            "like a slingshot, and let go. By keys: arrows aim, Space flicks.",
            made(Flick), "A flick! The farther back you draw, the farther it slides.", at(_DRAW),
        ),
        Step(
            "Only nearness to the white counts. You have five pennies: bring one to rest within 10 cm of it. The ring "
            "about your coin closes when your hand is calm: wait for that.",
            _near, "Near! Every penny of yours that lies nearer than Red's best is a point.", at(_FIVE), came(_FIVE),
        ),
        Step(
            "Red lies near the white, and you have one penny left. Lie nearer, or push Red away. Do not knock the "
            "white off: that loses the end.",
            reached(_LAST), "The end is yours.", at(_LAST), came(_LAST),
        ),
    ),
    "The nearest penny wins the end, a point for each that is nearer than the other's best. Knock a red penny off and "
    "you may lose one of yours; knock the white off and the end is lost. H shows what a club player would do.",
)  # fmt: skip


_USUAL = mm(575.0)
"""Usual place of the white, y of its centre [m]: it suits both measures (PW-2a)."""


class PennyScreen(PlayScreen):
    """A match of Penny White in the window (see `PlayScreen`)."""

    def _first(self) -> int:
        """The usual spot, where the white is to be placed."""
        spots = {k: one.action.y for k, one in enumerate(self.decisions) if isinstance(one.action, PlaceWhite)}
        return min(spots, key=lambda k: abs(spots[k] - _USUAL), default=super()._first())


FACE = replace(BOARD, screen=PennyScreen, words=WORDS, lesson=LESSON)
