"""Flights of missiles: launches on one time axis with their sounds and key moments, replays, and predictions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import acos, cos, sin

import numpy as np

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, SimulationResult, State
from flicksim.core.units import deg2rad
from flicksim.engine import simulate
from flicksim.games.ice.aiming import carry_for
from flicksim.gui.table_view import PlaybackClock
from flicksim.gui.table_view.key_moments import loudest
from flicksim.gui.toolkit import SoundCue
from flicksim.match import BackgroundTask, PhysicsSimulator, Warmup
from flicksim.referee import Game
from flicksim.scene import (
    Launch,
    LaunchTrajectory,
    Pyramid,
    PyramidCollision,
    PyramidLeftSurface,
    PyramidScene,
    PyramidSet,
    Surface,
    VolleyTrajectory,
    axes_from_quaternion,
)

_MAX_SPEED = 2.0
"""Collision speed that is played at full volume [m/s]."""
_MIN_SPEED = 0.12
"""Collision speed below which nothing is played [m/s]."""

_TOPPLE_MARGIN = deg2rad(14.0)
"""Tilt from the toppling angle within which a missile is near toppling [rad]."""
_MIN_DURATION, _MAX_DURATION = 0.06, 0.35
"""Least and greatest duration of a near topple that is shown in slow motion [s]."""
_TIME_STEP = 0.01
"""Time step for scanning a trajectory [s]."""
_END_TIME = 0.4
"""Time for which the end of a sequence is shown [s]."""


@dataclass(frozen=True, slots=True)
class LaunchSequence:
    """Several launches on one clock.

    Args:
        before: the table at the beginning. trajectories: in the order of landing. starts: launch times on the
            sequence's clock [s].
    """

    before: PyramidScene
    trajectories: tuple[LaunchTrajectory, ...]
    starts: tuple[float, ...]

    @property
    def duration(self) -> float:
        """Duration until the last piece is at rest [s]."""
        return max((start + one.duration for start, one in self.timed_launches()), default=0.0)

    def timed_launches(self) -> list[tuple[float, LaunchTrajectory]]:
        """Start times [s] and trajectories of the launches."""
        return list(zip(self.starts, self.trajectories, strict=True))

    def pieces_at(self, t: float) -> tuple[Pyramid, ...]:
        """Every piece at a time [s]."""
        pieces = {piece.id: piece for piece in self.before.pieces}
        for start, trajectory in self.timed_launches():
            if t < start:
                continue
            now = {piece.id: piece for piece in trajectory.pieces_at(t - start)}
            if t - start < trajectory.first_contact_time:  # before it lands it moves no other piece
                pieces |= {name: piece for name, piece in now.items() if name == trajectory.launch.piece}
                continue
            before = {piece.id: piece for piece in trajectory.before.pieces}
            # pieces it has not moved may still move from the launch before
            pieces |= {name: piece for name, piece in now.items() if before.get(name) != piece}
            for name in before.keys() - now.keys():
                pieces.pop(name, None)
        return tuple(pieces.values())

    def launch_at(self, t: float) -> tuple[int, float] | None:
        """Launch to be shown from the side and the time since its flick [s]; None before the first.

        The latest launch is shown until it rests, but not before its predecessor has come down.
        """
        started = [k for k, start in enumerate(self.starts) if start <= t]
        if not started:
            return None
        flying = [k for k in started if t - self.starts[k] < self.trajectories[k].first_contact_time + 0.25]
        k = min(flying, key=lambda k: self.starts[k] + self.trajectories[k].first_contact_time) if flying else max(
            started, key=lambda k: self.starts[k] + self.trajectories[k].first_contact_time)  # fmt: skip
        return k, t - self.starts[k]

    def sounds_between(self, start_time: float, end_time: float) -> list[SoundCue]:
        """Sounds of the events in a time interval [s], excluding its start."""
        return loudest(
            cue
            for start, trajectory in self.timed_launches()
            for cue in launch_sounds(trajectory, start_time - start, end_time - start)
        )


def launch_sounds(trajectory: LaunchTrajectory, start_time: float, end_time: float) -> list[SoundCue]:
    """Sounds of a launch in a time interval after the flick [s], excluding its start; each sound once."""
    return loudest(_launch_cues(trajectory, start_time, end_time))


def _launch_cues(trajectory: LaunchTrajectory, start_time: float, end_time: float) -> Iterator[SoundCue]:
    if start_time < 0.0 <= end_time or start_time == 0.0 < end_time:
        yield "snap", 0.3 + trajectory.launch.speed / 8.0
    for event in trajectory.events:
        if not start_time < event.t <= end_time:
            continue
        match event:
            case PyramidCollision(on="surface", speed=speed) if speed > _MIN_SPEED:
                yield "tile", (speed / _MAX_SPEED) ** 0.7
            case PyramidCollision(speed=speed) if speed > _MIN_SPEED:
                yield "click", (speed / _MAX_SPEED) ** 0.7
            case PyramidLeftSurface():
                yield "fall", 0.7


def make_sequence(result: LaunchTrajectory | VolleyTrajectory) -> LaunchSequence:
    """Sequence of a launch, or of all launches of a turn, beginning with the first flick."""
    if isinstance(result, LaunchTrajectory):
        return LaunchSequence(result.before, (result,), (0.0,))
    times = [trajectory.launch.time or 0.0 for trajectory in result.trajectories]
    first = min(times, default=0.0)
    return LaunchSequence(result.before, result.trajectories, tuple(time - first for time in times))


def best_launch(trajectories: Sequence[LaunchTrajectory]) -> LaunchTrajectory | None:
    """Best launch for a replay: leaning or stacked missiles first, then standing ones by size, then lying ones."""

    def value(trajectory: LaunchTrajectory) -> tuple[float, float]:
        missile = trajectory.missile
        if missile is None:
            return (0.0, 0.0)
        leans = not missile.is_upright and not missile.is_on_side
        capped = missile.is_upright and bool(missile.stands_on)
        score = missile.shape.pips * (2.0 if leans else 1.5 if capped else 1.0 if missile.is_upright else 0.1)
        return (score, trajectory.duration)

    best = max(trajectories, key=value, default=None)
    return best if best is not None and value(best)[0] > 0.0 else None


def near_topple_interval(trajectory: LaunchTrajectory) -> tuple[float, float] | None:
    """Time interval in which a missile was near toppling [s]; None if it never was."""
    track, shape = trajectory.track(trajectory.launch.piece), trajectory.before.kit.shape(trajectory.launch.size)
    if track is None or trajectory.duration - trajectory.first_contact_time < _MIN_DURATION:
        return None
    times = np.arange(trajectory.first_contact_time, trajectory.duration, _TIME_STEP).tolist()
    start: float | None = None
    for t in times:
        now = track.pose_at(t)
        up = axes_from_quaternion(now[1])[1][2] if now is not None else -1.0
        if abs(acos(min(1.0, max(-1.0, up))) - shape.toppling_angle) > _TOPPLE_MARGIN:
            start = None
            continue
        start = t if start is None else start
        if t - start >= _MIN_DURATION:
            return start, min(start + _MAX_DURATION, trajectory.duration)
    return None


# -- flights of a match ----------------------------------------------------------------------------------------------


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


class SequenceClock(PlaybackClock):
    """Playback clock of all launches of a turn.

    Args:
        result: the launches. rate: playback rate.
    """

    def __init__(self, result: LaunchTrajectory | VolleyTrajectory, rate: int) -> None:
        self.sequence = make_sequence(result)
        super().__init__(self.sequence.duration + _END_TIME, rate, self.sequence.duration)

    @property
    def sequence_time(self) -> float:
        """Time in the sequence [s]; its end while that is shown."""
        return min(self.time, self.motion_duration)


def sequence_clock(result: SimulationResult, rate: int) -> SequenceClock | None:
    """Clock of the launches of a result; None if nothing came down."""
    is_volley = isinstance(result, VolleyTrajectory) and bool(result.trajectories)
    return SequenceClock(result, rate) if is_volley or isinstance(result, LaunchTrajectory) else None


class LaunchReplay(PlaybackClock):
    """Slow replay of a launch.

    Args:
        trajectory: of the launch. text: caption. rate: playback rate.
    """

    def __init__(self, trajectory: LaunchTrajectory, text: str, rate: int = 1) -> None:
        super().__init__(trajectory.duration + 0.6, rate, trajectory.duration)
        self.trajectory, self.text = trajectory, text


class FlightPredictor:
    """Predictor of the flights of launches on a bare table.

    Args:
        surface, kit: of the table. warmup: of the physics.
    """

    def __init__(self, surface: Surface, kit: PyramidSet, warmup: Warmup) -> None:
        self._scene, self._warmup = PyramidScene(surface=surface, kit=kit), warmup
        self._requests: dict[int | None, tuple[Launch, BackgroundTask[LaunchTrajectory]]] = {}
        self._results: dict[int | None, LaunchTrajectory] = {}
        """Last launch requested, with its prediction, and last prediction received, by seat."""

    def predict_now(self, launch: Launch) -> LaunchTrajectory | None:
        """Predicted flight; None while the physics is being compiled."""
        return predict_flight(self._scene, launch) if self._warmup.is_ready else None

    def prediction(self, launch: Launch) -> LaunchTrajectory | None:
        """Predicted flight; while the physics is being compiled that of a recent launch of the seat or None."""
        if (ready := self.predict_now(launch)) is not None:
            return ready
        requested, job = self._requests.get(launch.owner, (None, None))
        if job is not None and job.is_done:
            self._results[launch.owner] = job.result()
        if requested != launch and (job is None or job.is_done):
            job = BackgroundTask(lambda: self._predict_in_background(launch))
            self._requests[launch.owner] = launch, job
        return self._results.get(launch.owner)

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
