"""Bar under the screens of a match between machines; it stays there, and takes input, under overlays too."""

import pygame

from flicksim.gui.toolkit import Canvas


class TableBar:
    """Base class of bars of a match whose turns are settled by a host elsewhere.

    A match screen with a bar leaves what needs the others to it: undo and another game.
    """

    HEIGHT = 50.0
    """Height of a bar [units]."""

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
    def remote_people(self) -> frozenset[int]:
        """Seats of people at other machines."""
        return frozenset()

    @property
    def is_host(self) -> bool:
        """True if the table is hosted in this window: leaving it ends the connections of all others."""
        return False

    @property
    def leaving_text(self) -> str:
        """Consequences of leaving the table, in sentences."""
        return ""

    def propose_undo(self) -> None:
        """Ask the others to take back the last own decision."""

    def close(self) -> None:
        """Release the resources of the bar, with the screen of its match."""
