"""Take turns back and play them again in the window, with the consent of the others where it is needed."""

from collections.abc import Callable

from flicksim.gui.app import App, MatchSession
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.match.overlays import ConfirmScreen
from flicksim.gui.table_view import match_text

NO_UNDO_TEXT = "Here it stays as it is: begin again instead."
_NO_REDO_TEXT = "What the others have agreed to take back is played anew."


class UndoRequests:
    """Undo and redo of a match in the window; in a serious game the next seat has to consent, online the host.

    Args:
        on_undone: called after each. has_turns: True if seats play in turn.
    """

    def __init__(self, app: App, session: MatchSession, on_undone: Callable[[], None], *, has_turns: bool) -> None:
        self._app, self._session, self._on_undone, self._has_turns = app, session, on_undone, has_turns

    def undo(self, controller: MatchController) -> str:
        """Undo to the last decision of a person at the window. Return a notice; empty for none."""
        session, turn_count = self._session, controller.undo_target()
        if session.activity_card is not None:
            return NO_UNDO_TEXT
        if session.bar is not None:
            if not controller.withdraw():
                session.bar.propose_undo(turn_count)
        elif turn_count is None:
            return "There is nothing of yours to take back."
        elif not session.requires_undo_consent or turn_count == len(session.match.turns):
            self._undo_to(controller, turn_count)
        else:
            return self._ask_next_seat(controller, turn_count)
        return ""

    def redo(self, controller: MatchController) -> str:
        """Play the turn undone last again. Return a notice; empty for none."""
        if self._session.bar is not None:
            return _NO_REDO_TEXT
        if not controller.redo():
            return "There is nothing to do again."
        self._on_undone()
        return ""

    def go_to(self, controller: MatchController, turn_count: int) -> None:
        """Undo, or redo, to a number of turns."""
        turns = self._session.match.turns
        if turn_count > len(turns):
            while len(turns) < turn_count and controller.redo():
                pass
        else:
            self._undo_to(controller, turn_count)

    def can_undo(self, controller: MatchController) -> bool:
        """True if an undo is possible: never in a challenge or lesson."""
        return self._session.activity_card is None and controller.undo_target() is not None

    def _undo_to(self, controller: MatchController, turn_count: int) -> None:
        if controller.undo(turn_count):
            self._on_undone()

    def _ask_next_seat(self, controller: MatchController, turn_count: int) -> str:
        """Ask the next seat for its consent to an undo, a bot at once. Return a notice; empty for none."""
        match = self._session.match
        seat = match.turns[turn_count].seat
        other_seat = (seat + 1) % len(match.players)
        names = match_text.seat_text(match, seat), match_text.seat_text(match, other_seat)
        if match.players[other_seat] is None:
            undone = match_text.undone_text(turn_count + 1, len(match.turns), has_turns=self._has_turns)
            question = f"{names[1]}: may {names[0]} take {undone} back?"
            self._app.push(ConfirmScreen(self._app, question, lambda: self._undo_to(controller, turn_count)))
            return ""
        if reason := controller.history.undo_refusal(turn_count):
            return f"{names[1]} does not let you take it back: {reason}."
        self._undo_to(controller, turn_count)
        return f"{names[1]} lets you take it back."
