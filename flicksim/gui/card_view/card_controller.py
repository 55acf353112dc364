"""Match controller of card games: moves of others stay visible for a while, a finished round waits."""

from flicksim.gui.app.match_session import MatchRecorder
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.toolkit.preferences import Preferences
from flicksim.match import Match, Turn, action_chooser

_MOVE_TIME = 0.85
"""Time for which a move of another seat stays visible [s]."""
_FINAL_MOVE_TIME = 1.2
"""Time for which the last move of a game stays visible [s]."""


def closed_round(turn: Turn | None) -> object:
    """Round that a turn finished; None if the round goes on."""
    return getattr(turn.verdict.ruling, "closed", None) if turn is not None else None


class CardMatchController(MatchController):
    """Controller of a match of a card game."""

    def __init__(self, match: Match, recorder: MatchRecorder | None, preferences: Preferences) -> None:
        self._preferences = preferences
        super().__init__(match, recorder, action_chooser(match))

    def _is_significant(self) -> bool:
        turn = self.turn
        return closed_round(turn) is not None and turn is not None and not turn.verdict.ruling.is_over

    def _hold_duration(self) -> float:
        turn = self.turn
        if turn is None or self.match.players[turn.seat] is None:
            return 0.0 if turn is None or not turn.verdict.ruling.is_over else _FINAL_MOVE_TIME
        if turn.verdict.ruling.is_over:
            return _FINAL_MOVE_TIME
        return _MOVE_TIME * self._preferences.turn_delay_scale

    @property
    def seat_activity(self) -> str:
        return "thinking ..." if self.phase == "think" else "to play"
