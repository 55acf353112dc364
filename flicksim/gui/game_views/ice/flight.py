"""Missiles in flight, turns played in a worker thread, and slow replays of launches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, sin

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, State
from flicksim.engine import simulate
from flicksim.games.ice.aiming import carry_for
from flicksim.gui.table_view.playback import PlaybackClock
from flicksim.match import BackgroundTask, PhysicsSimulator, Turn, Warmup
from flicksim.referee import Game
from flicksim.scene import Launch, LaunchTrajectory, PyramidScene, PyramidSet, Surface


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


@dataclass(slots=True)
class _PendingPrediction:
    """Last requested launch of a seat, its pending prediction, and the last one received."""

    requested: Launch | None = None
    job: BackgroundTask[LaunchTrajectory] | None = None
    last_result: LaunchTrajectory | None = None


class FlightPredictor:
    """Predictor of the flights of launches on a bare table.

    Args:
        surface, kit: of the table. warmup: of the physics.
    """

    def __init__(self, surface: Surface, kit: PyramidSet, warmup: Warmup) -> None:
        self._scene, self._warmup = PyramidScene(surface=surface, kit=kit), warmup
        self._pending: dict[int | None, _PendingPrediction] = {}
        """Pending predictions by seat."""

    def predict_now(self, launch: Launch) -> LaunchTrajectory | None:
        """Predicted flight; None while the physics is being compiled."""
        return predict_flight(self._scene, launch) if self._warmup.is_ready else None

    def prediction(self, launch: Launch) -> LaunchTrajectory | None:
        """Predicted flight; while the physics is being compiled that of a recent launch of the seat or None."""
        if (ready := self.predict_now(launch)) is not None:
            return ready
        aim = self._pending.setdefault(launch.owner, _PendingPrediction())
        if aim.job is not None and aim.job.is_done:
            job, aim.job = aim.job, None
            aim.last_result = job.result()
        if aim.job is None and launch != aim.requested:
            aim.requested, aim.job = launch, BackgroundTask(lambda: self._predict_in_background(launch))
        return aim.last_result

    def _predict_in_background(self, launch: Launch) -> LaunchTrajectory:
        trajectory = self._warmup.simulate(self._scene, launch, PhysicsSimulator())
        assert isinstance(trajectory, LaunchTrajectory)
        return trajectory


@lru_cache(maxsize=256)
def predict_flight(scene: PyramidScene, launch: Launch) -> LaunchTrajectory:
    """Flight of a launch with no pieces on the table."""
    return simulate(scene, launch)


def shot_path(game: Game, state: State, shot: Action) -> tuple[Point, Point] | None:
    """Approximate path of a launch from the launcher to the landing [m]; None if the action is no launch."""
    del game, state
    if not isinstance(shot, Launch):
        return None
    x, y = shot.hold
    carry = carry_for(shot.size, shot.slant, shot.speed)
    return shot.hold, (x + carry * cos(shot.azimuth), y + carry * sin(shot.azimuth))
