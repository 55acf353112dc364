"""Launches on one time axis: all pieces on the table and in flight at any time, with overlapping flights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import acos

import numpy as np

from flicksim.core.units import deg2rad
from flicksim.gui.table_view.effects import Impact
from flicksim.gui.toolkit.sounds import SoundCue
from flicksim.scene import (
    Launched,
    LaunchFailed,
    LaunchTrajectory,
    Pyramid,
    PyramidCameToRest,
    PyramidCollision,
    PyramidLeftSurface,
    PyramidScene,
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
        times: dict[str, float] = {}
        for start, trajectory in self.timed_launches():
            for name, volume in launch_sounds(trajectory, start_time - start, end_time - start):
                times[name] = max(times.get(name, 0.0), volume)
        return list(times.items())


def launch_sounds(trajectory: LaunchTrajectory, start_time: float, end_time: float) -> list[SoundCue]:
    """Sounds of a launch in a time interval after the flick [s], excluding its start; each sound once."""
    times: dict[str, float] = {}

    def add(name: str, volume: float) -> None:
        times[name] = max(times.get(name, 0.0), min(volume, 1.0))

    if start_time < 0.0 <= end_time or start_time == 0.0 < end_time:
        add("snap", 0.3 + trajectory.launch.speed / 8.0)
    for event in trajectory.events:
        if not start_time < event.t <= end_time:
            continue
        match event:
            case PyramidCollision(on="surface", speed=speed) if speed > _MIN_SPEED:
                add("tile", (speed / _MAX_SPEED) ** 0.7)
            case PyramidCollision(speed=speed) if speed > _MIN_SPEED:
                add("click", (speed / _MAX_SPEED) ** 0.7)
            case PyramidLeftSurface():
                add("fall", 0.7)
            case Launched() | LaunchFailed() | PyramidCameToRest():
                pass
    return list(times.items())


def recent_impacts(trajectory: LaunchTrajectory, t: float) -> Iterator[Impact]:
    """Collisions to be shown at a time after the flick [s]."""
    for event in trajectory.events:
        if isinstance(event, PyramidCollision):
            yield Impact(t - event.t, event.point, event.speed, event.on == "surface")


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
