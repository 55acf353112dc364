"""A match somebody sits down to, and whoever writes it down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from flicksim.play import Forfeit, Match, Turn

if TYPE_CHECKING:  # the shell keeps games by a keeper of these, and opens no window
    from flicksim.ui.frame.beside import Beside


class Keeper(Protocol):
    """Whatever writes a match down while it is played in the window."""

    def turn(self, turn: Turn) -> None:
        """A turn was played."""

    def undo(self, turns: int) -> None:
        """Turns were taken back; so many are left."""

    def forfeit(self, forfeit: Forfeit) -> None:
        """A seat lost because its player could not go on."""

    def close(self) -> None:
        """No more turns will come."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """All that the screen of a match is handed.

    Args:
        match: which. keeper: told of turns and undos. again: begins the same game anew; None when that cannot be.
        own: whether the keeper is the screen's, to be closed with it.
        serious: whether a turn is taken back only if the other seat agrees.
        patient: whether bots wait for the people, where all play at once.
        beside: what goes along with it; then there is no result and no menu but its own.
    """

    match: Match
    keeper: Keeper | None = None
    again: Callable[[], None] | None = None
    own: bool = False
    serious: bool = False
    patient: bool = False
    beside: Beside | None = None
