"""Match session: a match with its recorder and what its screen needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from flicksim.match import Forfeit, Match, Turn

if TYPE_CHECKING:  # the shell uses recorders without opening a window
    from flicksim.gui.app.activity_card import ActivityCard
    from flicksim.gui.app.table_bar import TableBar


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


@dataclass(frozen=True, slots=True)
class MatchSession:
    """Match with everything its screen needs.

    Args:
        match: the match. recorder: writes turns and undos. restart: begins the same game anew; None if that is
        impossible.
        owns_recorder: the screen closes the recorder when it closes.
        requires_undo_consent: a turn is taken back only if the other seat agrees.
        bots_wait: bots wait for the people where all play at once.
        activity_card: card of a lesson or challenge; it replaces the result and the menu.
        bar: of a match between machines, to which undo and another game are left.
    """

    match: Match
    recorder: MatchRecorder | None = None
    restart: Callable[[], None] | None = None
    owns_recorder: bool = False
    requires_undo_consent: bool = False
    bots_wait: bool = False
    activity_card: ActivityCard | None = None
    bar: TableBar | None = None
