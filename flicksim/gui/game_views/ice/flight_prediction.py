"""Prediction of the flight of an aimed launch: at once when the physics is compiled, else in a worker process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from flicksim.engine import simulate
from flicksim.match import BackgroundTask, PhysicsSimulator, Warmup
from flicksim.scene import Launch, LaunchTrajectory, PyramidScene, PyramidSet, Surface


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
