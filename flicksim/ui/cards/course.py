"""The course of a card match: moves of others stay a while, one's own go on at once, a closed round waits."""

from __future__ import annotations

from flicksim.play import Match, Turn, asker
from flicksim.ui.frame.sitting import Keeper
from flicksim.ui.kit.preferences import Preferences
from flicksim.ui.match.course import Course

_OTHERS = 0.85
"""Time that a move of another stays to be seen [s]."""
_LAST = 1.2
"""Time that the last move of a game stays [s]."""


def closed(turn: Turn | None) -> object:
    """The round that a turn finished; None when it went on."""
    return getattr(turn.verdict.ruling, "closed", None) if turn is not None else None


class CardCourse(Course):
    """A match of the card wing under way."""

    def __init__(self, match: Match, keeper: Keeper | None, preferences: Preferences) -> None:
        self._taste = preferences
        super().__init__(match, keeper, asker(match))

    def _weighty(self) -> bool:
        turn = self.turn
        return closed(turn) is not None and turn is not None and not turn.verdict.ruling.over

    def _hold_time(self) -> float:
        turn = self.turn
        if turn is None or self.match.players[turn.seat] is None:
            return 0.0 if turn is None or not turn.verdict.ruling.over else _LAST
        if turn.verdict.ruling.over:
            return _LAST
        return _OTHERS * self._taste.wait

    @property
    def doing(self) -> str:
        """The doing of the seat to act, in words."""
        return "thinking ..." if self.stage == "think" else "to play"
