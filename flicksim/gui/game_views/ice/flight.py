"""Missiles in flight, turns played in a worker thread, and slow replays of launches."""

from __future__ import annotations

from dataclasses import dataclass

from flicksim.gui.table_view.playback import PlaybackClock
from flicksim.match import Turn
from flicksim.scene import Launch, LaunchTrajectory


@dataclass(slots=True)
class Flight:
    """Missile in flight, or just at rest.

    Args:
        launch: as executed. start: time of the flick on the game's clock [s]. bare_trajectory: its fall on a bare
            table. trajectory: the real one; None until it has come down. order: number of missiles that had come
            down before it. intended: the launch as it was aimed. near_topple: time interval near toppling [s]; None
            if there is none, or it was already shown.
    """

    launch: Launch
    start: float
    bare_trajectory: LaunchTrajectory
    trajectory: LaunchTrajectory | None = None
    order: int = 0
    intended: Launch | None = None
    near_topple: tuple[float, float] | None = None

    @property
    def visible_trajectory(self) -> LaunchTrajectory:
        """Best trajectory known of it."""
        return self.trajectory or self.bare_trajectory

    @property
    def landing_time(self) -> float:
        """Time of its first contact [s]."""
        return self.start + self.visible_trajectory.first_contact_time

    @property
    def rest_time(self) -> float:
        """Time at which everything it moved is at rest [s]."""
        return self.start + self.visible_trajectory.duration


@dataclass(slots=True)
class PlayedTurns:
    """Turns played in a worker thread, each with the predicted flight of its missile, and a final error."""

    turns: list[tuple[Turn, Flight | None]]
    error: str = ""


class LaunchReplay(PlaybackClock):
    """Slow replay of a launch.

    Args:
        trajectory: of the launch. text: caption. rate: playback rate.
    """

    def __init__(self, trajectory: LaunchTrajectory, text: str, rate: int = 1) -> None:
        super().__init__(trajectory.duration + 0.6, rate, trajectory.duration)
        self.trajectory, self.text = trajectory, text
