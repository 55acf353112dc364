"""Match session: a match with its recorder, its online bar, and what its screen needs."""

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from flicksim.gui.app.activity_card import ActivityCard
from flicksim.gui.match_recorder import MatchRecorder
from flicksim.gui.toolkit import Canvas
from flicksim.match import Match


class TableBar:
    """Base class of bars of a match whose turns are settled by a host elsewhere.

    It lies under the screens of the match, and takes input before them. A match screen with a bar leaves what needs the
    others to it: undo and another game.
    """

    HEIGHT = 50.0
    """Height of a bar [units]."""
    is_host = False
    """True if the table is hosted in this window: leaving it ends the connections of all others."""

    def set_area(self, area: pygame.Rect) -> None:
        """Set the area of the bar in the window [pixels]."""

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event before the screen on top does; return True if it was used."""
        del event
        return False

    def update(self) -> None:
        """Take what the host has told since the last frame."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the bar."""

    @property
    def has_turn(self) -> bool:
        """True if the host has told a turn that is not applied yet."""
        return False

    @property
    def leaving_text(self) -> str:
        """Consequences of leaving the table, in sentences."""
        return ""

    def propose_undo(self, turn_count: int | None) -> None:
        """Ask the others to take turns back until so many are left; None: the last own one and those after it."""

    def close(self) -> None:
        """Release the resources of the bar, with the screen of its match."""


@dataclass(frozen=True, slots=True)
class MatchSession:
    """Match with everything its screen needs.

    Args:
        match: the match. recorder: writes turns and undos. restart: begins the same game anew; None if that is
        impossible.
        owns_recorder: the recorder is closed with the screen.
        requires_undo_consent: a turn is taken back only if the other seat agrees.
        bots_wait: bots wait for the people where all play at once.
        activity_card: card of a lesson or challenge; it replaces the result and the menu.
        bar: of an online match, to which undo and another game are left.
    """

    match: Match
    recorder: MatchRecorder | None = None
    restart: Callable[[], None] | None = None
    owns_recorder: bool = False
    requires_undo_consent: bool = False
    bots_wait: bool = False
    activity_card: ActivityCard | None = None
    bar: TableBar | None = None

    def close(self) -> None:
        """Close the recorder, if it is the session's own, and the bar."""
        if self.owns_recorder and self.recorder is not None:
            self.recorder.close()
        if self.bar is not None:
            self.bar.close()
