"""The table of Penny White."""

from __future__ import annotations

from flicksim.base.units import mm
from flicksim.games.penny_white.state import PlaceWhite
from flicksim.ui.board.screen import PlayScreen

_USUAL = mm(575.0)
"""Usual place of the white, y of its centre [m]: it suits both measures (PW-2a)."""


class PennyScreen(PlayScreen):
    """A match of Penny White in the window (see `PlayScreen`)."""

    def _first(self) -> int:
        """The usual spot, where the white is to be placed."""
        spots = {k: one.action.y for k, one in enumerate(self.decisions) if isinstance(one.action, PlaceWhite)}
        return min(spots, key=lambda k: abs(spots[k] - _USUAL), default=super()._first())
