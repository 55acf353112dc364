"""Game view of Penny White: the board view, with the white preset at its usual spot."""

from collections.abc import Sequence
from dataclasses import replace

from flicksim.challenges import attempt_status, find_challenge
from flicksim.core.units import mm
from flicksim.games.penny_white.state import PlaceWhite
from flicksim.gui.app import action_made
from flicksim.gui.board_view.board_game_view import BOARD_GAME_VIEW
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.game_views import load_texts
from flicksim.match import Turn
from flicksim.scene import Flick

_NEAR_DISTANCE = 100.0
"""Distance from the white that a beginner's lesson accepts [mm]."""
_DEFAULT_WHITE_Y = mm(575.0)
"""Usual place of the white, y of its centre [m]: it suits both measures (PW-2a)."""


def _is_near(turns: Sequence[Turn]) -> bool:
    measure = attempt_status(find_challenge("penny-white/nearest-of-5"), turns).measure
    return measure is not None and measure <= _NEAR_DISTANCE


class PennyWhiteScreen(BoardScreen):
    """A match of Penny White in the window (see `BoardScreen`)."""

    def _default_decision(self) -> int:
        """Index of the usual spot, where the white is to be placed."""
        spots = {k: one.action.y for k, one in enumerate(self.decisions) if isinstance(one.action, PlaceWhite)}
        return min(spots, key=lambda k: abs(spots[k] - _DEFAULT_WHITE_Y), default=super()._default_decision())


_TERMS, _LESSON = load_texts(__package__, {"flick": action_made(Flick), "near": _is_near})
GAME_VIEW = replace(BOARD_GAME_VIEW, screen=PennyWhiteScreen, terms=_TERMS, lesson=_LESSON)
