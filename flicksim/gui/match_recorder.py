"""Protocol of the recorder of a match; it needs no window, so that the shell can name it without one."""

from typing import Protocol

from flicksim.match import Forfeit, Turn


class MatchRecorder(Protocol):
    """Recorder of a match played in the window."""

    def write_turn(self, turn: Turn) -> None:
        """Record a turn."""

    def write_undo(self, turns: int) -> None:
        """Record an undo down to a number of turns."""

    def write_forfeit(self, forfeit: Forfeit) -> None:
        """Record the forfeit of a seat whose player failed."""

    def close(self) -> None:
        """Close the record."""
