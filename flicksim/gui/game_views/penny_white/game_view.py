"""Game view of Penny White: the board view, with the white preset at its usual spot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flicksim.challenges import attempt_status, find_challenge
from flicksim.core.units import mm
from flicksim.games.penny_white.state import PlaceWhite
from flicksim.gui.app.glossary import GlossarySection
from flicksim.gui.app.lesson import (
    Lesson,
    LessonStep,
    action_made,
    challenge_feedback,
    challenge_match,
    challenge_solved,
)
from flicksim.gui.board_view.board_game_view import BOARD_GAME_VIEW
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.match import Turn
from flicksim.scene import Flick

TERMS = GlossarySection(
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


_NEAR_DISTANCE = 100.0
"""Distance from the white that a beginner's lesson accepts [mm]."""
_DRAW_CHALLENGE, _NEAREST_CHALLENGE, _LAST_CHALLENGE = (
    "penny-white/draw-30",
    "penny-white/nearest-of-5",
    "penny-white/last-penny",
)


def _is_near(turns: Sequence[Turn]) -> bool:
    measure = attempt_status(find_challenge(_NEAREST_CHALLENGE), turns).measure
    return measure is not None and measure <= _NEAR_DISTANCE


LESSON = Lesson(
    (
        LessonStep(
            "Your penny lies at the end of the board, the white in the middle. Press the mouse on the board, draw back "
            "like a slingshot, and let go. By keys: arrows aim, Space flicks.",
            action_made(Flick),
            "A flick! The farther back you draw, the farther it slides.",
            challenge_match(_DRAW_CHALLENGE),
        ),
        LessonStep(
            "Only nearness to the white counts. You have five pennies: bring one to rest within 10 cm of it. The ring "
            "about your coin closes when your hand is calm: wait for that.",
            _is_near,
            "Near! Every penny of yours that lies nearer than Red's best is a point.",
            challenge_match(_NEAREST_CHALLENGE),
            challenge_feedback(_NEAREST_CHALLENGE),
        ),
        LessonStep(
            "Red lies near the white, and you have one penny left. Lie nearer, or push Red away. Do not knock the "
            "white off: that loses the end.",
            challenge_solved(_LAST_CHALLENGE),
            "The end is yours.",
            challenge_match(_LAST_CHALLENGE),
            challenge_feedback(_LAST_CHALLENGE),
        ),
    ),
    "The nearest penny wins the end, a point for each that is nearer than the other's best. Knock a red penny off and "
    "you may lose one of yours; knock the white off and the end is lost. H shows what a club player would do.",
)


_DEFAULT_WHITE_Y = mm(575.0)
"""Usual place of the white, y of its centre [m]: it suits both measures (PW-2a)."""


class PennyWhiteScreen(BoardScreen):
    """A match of Penny White in the window (see `BoardScreen`)."""

    def _default_decision(self) -> int:
        """Index of the usual spot, where the white is to be placed."""
        spots = {k: one.action.y for k, one in enumerate(self.decisions) if isinstance(one.action, PlaceWhite)}
        return min(spots, key=lambda k: abs(spots[k] - _DEFAULT_WHITE_Y), default=super()._default_decision())


GAME_VIEW = replace(BOARD_GAME_VIEW, screen=PennyWhiteScreen, terms=TERMS, lesson=LESSON)
