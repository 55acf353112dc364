"""Missiles on their way, turns played beside the window, and a launch shown again."""

from __future__ import annotations

from dataclasses import dataclass

from flicksim.play import Turn
from flicksim.table import Landing, Launch
from flicksim.ui.table.playback import Clock


@dataclass(slots=True)
class Flight:
    """A missile on its way, or at rest a moment ago.

    Args:
        launch: as made. start: when it was flicked, on the game's clock [s]. alone: as it would fall on a bare table.
        landing: what it really did; None while it has not come down. order: how many had come down before it.
        meant: the launch as it was aimed. close: from when to when it tottered [s]; None: not, or seen already.
    """

    launch: Launch
    start: float
    alone: Landing
    landing: Landing | None = None
    order: int = 0
    meant: Launch | None = None
    close: tuple[float, float] | None = None

    @property
    def shown(self) -> Landing:
        """The facts known of it."""
        return self.landing or self.alone

    @property
    def down(self) -> float:
        """Time at which it meets anything [s]."""
        return self.start + self.shown.down

    @property
    def end(self) -> float:
        """Time at which all it moved is at rest [s]."""
        return self.start + self.shown.duration


@dataclass(slots=True)
class Played:
    """Turns played beside the window, each with how its missile would fly; and why no more could be."""

    turns: list[tuple[Turn, Flight | None]]
    wrong: str = ""


class Reel(Clock):
    """A launch shown again, slowly.

    Args:
        landing: which. says: why.
    """

    def __init__(self, landing: Landing, says: str, rate: int = 1) -> None:
        super().__init__(landing.duration + 0.6, rate, landing.duration)
        self.landing, self.says = landing, says
