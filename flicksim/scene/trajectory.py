"""Trajectory: the events and tracks that result from one flick, immutable."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from math import isnan

import numpy as np
import numpy.typing as npt

from flicksim.core.arrays import Floats
from flicksim.core.errors import InvalidInput
from flicksim.core.geometry import Point
from flicksim.core.rich_display import Animatable
from flicksim.core.serialization import Value
from flicksim.core.validation import short_repr
from flicksim.scene.flick import Flick, Squidge
from flicksim.scene.scene import Scene


class TimedEvent(Value, frozen=True, kw_only=True):
    """Base of events: time [s] and id of the piece."""

    t: float
    piece: str


class Struck(TimedEvent, tag="struck", tag_field="what", frozen=True, kw_only=True):
    """The nail struck a piece, which left with this velocity [m/s] and spin [rad/s]."""

    velocity: Point
    spin: float


class Collision(TimedEvent, tag="touched", tag_field="what", frozen=True, kw_only=True):
    """Two pieces collided: point [m], unit normal from `piece` to `other`, approach speed along it [m/s]."""

    other: str
    point: Point
    normal: Point
    speed: float


class LineCrossed(TimedEvent, tag="crossed", tag_field="what", frozen=True, kw_only=True):
    """A piece's centre crossed a drawn line; forward is from the line's right to its left."""

    line: str
    point: Point
    forward: bool


class LeftSurface(TimedEvent, tag="left", tag_field="what", frozen=True, kw_only=True):
    """A piece fell off as its centre passed the edge: point [m] and velocity [m/s]."""

    point: Point
    velocity: Point


class CameToRest(TimedEvent, tag="rested", tag_field="what", frozen=True, kw_only=True):
    """A moving piece came to rest at a point [m]. It may be struck again later."""

    point: Point


class Landed(TimedEvent, tag="landed", tag_field="what", frozen=True, kw_only=True):
    """A flying piece landed on "surface", "pot" or another piece (id): point [m], downward speed [m/s]."""

    on: str
    point: Point
    speed: float


Event = Struck | Collision | LineCrossed | LeftSurface | CameToRest | Landed


class SquidgerContact(Value, frozen=True, kw_only=True):
    """The squidger touched a piece.

    Args:
        piece: id. begin, end: first and last time of contact [s].
        way: distance the squidger moved meanwhile [m].
    """

    piece: str
    begin: float
    end: float
    way: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Tracks:
    """States of all pieces at keyframes.

    Between keyframes a piece slides straight with nearly constant deceleration, so the cubic through positions and
    velocities (Hermite) is exact for a pure slide and good to micrometres for a spinning one.

    Args:
        ids: the N pieces, in the order of the scene.
        times: times of keyframes [s], not decreasing; two at the same time are before and after an impact. [T]
        states: x, y [m], angle [rad], their rates [m/s, rad/s]. NaN once a piece has left. [T, N, 6]
        heights_and_normals: height of the centre [m] and unit face normal, interpolated linearly; None if all pieces
            stay flat on the surface. [T, N, 4]
    """

    ids: tuple[str, ...]
    times: Floats
    states: Floats
    heights_and_normals: Floats | None = None

    def poses_at(self, t: npt.ArrayLike) -> Floats:
        """Poses at a time, or at each of many, clamped to the trajectory: x, y, angle. [N, 3] or [..., N, 3]

        Raises:
            InvalidInput: `t` is no time and no array of times.
        """
        if not isinstance(t, float | int):
            return _evaluate_each(self.poses_at, t, (len(self.ids), 3))
        i, u = self._locate_keyframe(t)
        if u == 0.0:
            return self.states[i, :, :3].copy()
        before, after = self.states[i], self.states[i + 1]
        p0, p1 = before[:, :3], after[:, :3]
        poses: Floats
        if self.heights_and_normals is not None:
            poses = p0 + (p1 - p0) * u
        else:
            h = float(self.times[i + 1] - self.times[i])
            v0, v1 = before[:, 3:] * h, after[:, 3:] * h
            poses = (
                p0 * (1 + 2 * u) * (1 - u) ** 2
                + v0 * u * (1 - u) ** 2
                + p1 * u * u * (3 - 2 * u)
                + v1 * u * u * (u - 1)
            )
        poses[np.isnan(poses).any(axis=1)] = np.nan
        return poses

    def heights_and_normals_at(self, t: npt.ArrayLike) -> Floats:
        """Heights and face normals at a time, or at each of many. [N, 4] or [..., N, 4]

        Between keyframes they are straight lines, so a wink in flight is told too low: by 0.4 mm at most with the
        default `Settings.output_interval`, by less with a shorter one. About a bounce too slow for a keyframe of its
        own (below 0.1 m/s) it may be 2 mm.

        Raises:
            InvalidInput: no piece left the surface, or `t` is no time and no array of times.
        """
        if self.heights_and_normals is None:
            raise InvalidInput("these tracks are flat: nothing left the surface")
        if not isinstance(t, float | int):
            return _evaluate_each(self.heights_and_normals_at, t, (len(self.ids), 4))
        i, u = self._locate_keyframe(t)
        if u == 0.0:
            values_at_keyframe: Floats = self.heights_and_normals[i].copy()
            return values_at_keyframe
        before, after = self.heights_and_normals[i : i + 2]
        values: Floats = before + (after - before) * u
        lengths = np.linalg.norm(values[:, 1:], axis=1, keepdims=True)
        values[:, 1:] /= np.where(lengths > 0.0, lengths, 1.0)
        return values

    def __eq__(self, other: object) -> bool:
        """Compare by value; NaN equals NaN here."""
        if type(other) is not Tracks:
            return NotImplemented
        one, two = self.heights_and_normals, other.heights_and_normals
        return (
            self.ids == other.ids
            and np.array_equal(self.times, other.times)
            and np.array_equal(self.states, other.states, equal_nan=True)
            and (one is two or (one is not None and two is not None and np.array_equal(one, two, equal_nan=True)))
        )

    def __hash__(self) -> int:
        return hash((self.ids, tuple(self.times.tolist())))

    def __repr__(self) -> str:
        span = f"{self.times[0]:g} to {self.times[-1]:.3f} s" if len(self.times) else "no time"
        return f"<tracks of {', '.join(self.ids)}: {len(self.times)} keyframes, {span}>"

    def _locate_keyframe(self, t: float) -> tuple[int, float]:
        """Index of the keyframe before a time, and the fraction of the interval to the next."""
        if isnan(t):
            raise InvalidInput("time cannot be nan; give seconds, or an array of them")
        times = self.times
        if t <= times[0] or len(times) == 1:
            return 0, 0.0
        if t >= times[-1]:
            return len(times) - 1, 0.0
        i = bisect_right(times, t) - 1
        return i, (t - float(times[i])) / float(times[i + 1] - times[i])


def _evaluate_each(evaluate: Callable[[float], Floats], times: npt.ArrayLike, shape: tuple[int, int]) -> Floats:
    """Evaluate a function of time at each of many times."""
    try:
        array = np.asarray(times, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(f"time cannot be {short_repr(times)}; give seconds, or an array of them") from None
    values = np.empty((array.size, *shape))
    for row, t in enumerate(array.ravel().tolist()):
        values[row] = evaluate(t)
    return values.reshape((*array.shape, *shape))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Trajectory(Animatable):
    """Result of simulating one flick.

    Args:
        before: scene before the flick.
        flick: the flick as made.
        after: scene of all pieces still on the surface, at rest, positions rounded to the nanometre.
        events: in order of time.
        tracks: states of all pieces over time.
        duration: time until the last piece rested or left [s].
        settled: whether everything came to rest.
        squidger: contacts of the squidger, in order; empty for a finger, or if they were not recorded.
    """

    before: Scene
    flick: Flick | Squidge
    after: Scene
    events: tuple[Event, ...]
    tracks: Tracks = field(repr=False)
    duration: float
    settled: bool = True
    squidger: tuple[SquidgerContact, ...] = ()

    @property
    def motion_end(self) -> float:
        """Time after which nothing moves on the surface [s]; a wink that has left it may fly on until the duration."""
        stops = [event.t for event in self.events if isinstance(event, CameToRest | LeftSurface)]
        return max(stops, default=self.duration) if self.settled else self.duration

    def __repr__(self) -> str:
        shot = f"{self.flick.piece!r} at {self.flick.speed:g} m/s"
        end = "at rest" if self.settled else "not at rest"
        return f"<trajectory of {shot}: {len(self.events)} events, {end} after {self.duration:.3f} s>"
