"""History of a match in the window: its turns are recorded, taken back and done again."""

from collections.abc import Callable

from flicksim.core.errors import FlicksimError
from flicksim.gui.match_recorder import MatchRecorder
from flicksim.match import Forfeit, Match, Turn


class TurnHistory:
    """History of a match.

    Args:
        match: the match. recorder: writes turns and undos; None when there is no record.
    """

    def __init__(self, match: Match, recorder: MatchRecorder | None) -> None:
        self._match, self._recorder = match, recorder
        self.recording_error = ""
        self.undone_turns: list[Turn] = []
        """Undone turns; the next to be redone is the last."""

    @property
    def is_recorded(self) -> bool:
        """True if the match has turns, and they are in a record."""
        return self._recorder is not None and bool(self._match.turns)

    def record_turn(self, turn: Turn) -> None:
        """Record a turn of the match."""
        self._record(lambda recorder: recorder.write_turn(turn))

    def record_forfeit(self, forfeit: Forfeit) -> None:
        """Record the forfeit of a seat."""
        self._record(lambda recorder: recorder.write_forfeit(forfeit))

    def _record(self, write: Callable[[MatchRecorder], None]) -> None:
        """Write to the recorder; one that fails is dropped, and the game goes on."""
        if self._recorder is not None:
            try:
                write(self._recorder)
            except FlicksimError as error:
                self.recording_error, self._recorder = f"No longer recorded: {error}", None

    def undo_to(self, turn_count: int) -> None:
        """Undo until a number of turns is left."""
        while len(self._match.turns) > turn_count:
            turn = self._match.undo()
            assert turn is not None
            self.undone_turns.append(turn)
        self._record(lambda recorder: recorder.write_undo(turn_count))

    def redo(self) -> bool:
        """Redo to the next human decision; return False where there is nothing to redo."""
        if not self.undone_turns or self.undone_turns[-1].before is not self._match.state:
            return False
        while self.undone_turns:
            turn = self.undone_turns.pop()
            self._match.redo(turn)
            self.record_turn(turn)
            if self.undone_turns and self._match.players[self.undone_turns[-1].seat] is None:
                break
        return True

    def undo_refusal(self, turn_count: int) -> str:
        """Reason why a bot refuses an undo to a number of turns; empty if it agrees."""
        scoring = [turn for turn in self._match.turns[turn_count:] if any(turn.verdict.ruling.points)]
        return f"points were given on turn {scoring[0].number}" if scoring else ""
