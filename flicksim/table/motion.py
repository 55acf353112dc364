"""A motion: the finished, frozen account of what one flick did. Rules read it; nothing in it moves any more."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from math import isnan

import numpy as np
import numpy.typing as npt

from flicksim.base.asked import shown
from flicksim.base.codec import Value
from flicksim.base.errors import BadInput
from flicksim.base.geometry import Point
from flicksim.base.showing import Moves
from flicksim.table.flick import Flick, Squidge
from flicksim.table.scene import Scene


class Struck(Value, tag="struck", tag_field="what", frozen=True, kw_only=True):
    """The nail sent a piece off, with this velocity [m/s] and spin [rad/s]."""

    t: float
    piece: str
    velocity: Point
    spin: float


class Touched(Value, tag="touched", tag_field="what", frozen=True, kw_only=True):
    """Two pieces met: where [m], unit normal from `piece` to `other`, approach speed along it [m/s]."""

    t: float
    piece: str
    other: str
    point: Point
    normal: Point
    speed: float


class Crossed(Value, tag="crossed", tag_field="what", frozen=True, kw_only=True):
    """A piece's centre crossed a drawn line; forward is from the line's right to its left."""

    t: float
    piece: str
    line: str
    point: Point
    forward: bool


class Left(Value, tag="left", tag_field="what", frozen=True, kw_only=True):
    """A piece's centre passed the edge and it fell off: where [m] and how fast [m/s]."""

    t: float
    piece: str
    point: Point
    velocity: Point


class Rested(Value, tag="rested", tag_field="what", frozen=True, kw_only=True):
    """A piece that had moved came to rest there [m]. It may be struck again later."""

    t: float
    piece: str
    point: Point


class Landed(Value, tag="landed", tag_field="what", frozen=True, kw_only=True):
    """A flying piece came down: on "surface", "pot" or another piece's id, where [m], how fast it came down [m/s]."""

    t: float
    piece: str
    on: str
    point: Point
    speed: float


Event = Struck | Touched | Crossed | Left | Rested | Landed


class SquidgerTouch(Value, frozen=True, kw_only=True):
    """The squidger touched a piece.

    Args:
        piece: id. begin, end: from when till when [s].
        way: how far the squidger went meanwhile [m].
    """

    piece: str
    begin: float
    end: float
    way: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Tracks:
    """States of everything at each knot.

    Between knots a piece slides straight with nearly constant deceleration, so the cubic through places and
    velocities is exact for a pure slide and good to micrometres for a spinning one.

    Args:
        ids: the N pieces, in the order of the scene.
        times: knots [s], not falling; two at the same time stand before and after an impact. [T]
        states: x, y [m], angle [rad], their rates [m/s, rad/s]. NaN once a piece has left. [T, N, 6]
        air: height of the centre [m] and unit face normal, for pieces that leave the surface; they move straight
            between knots. None when all stays flat. [T, N, 4]
    """

    ids: tuple[str, ...]
    times: npt.NDArray[np.float64]
    states: npt.NDArray[np.float64]
    air: npt.NDArray[np.float64] | None = None

    def at(self, t: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Places at a time, or at each of many, clamped to the account's span: x, y, angle. [N, 3] or [..., N, 3]

        Raises:
            BadInput: it is no time and no array of times.
        """
        if not isinstance(t, float | int):
            return _at_each(self.at, t, (len(self.ids), 3))
        i, u = self._between(t)
        if u == 0.0:
            return self.states[i, :, :3].copy()
        before, after = self.states[i], self.states[i + 1]
        p0, p1 = before[:, :3], after[:, :3]
        there: npt.NDArray[np.float64]
        if self.air is not None:
            there = p0 + (p1 - p0) * u
        else:
            h = float(self.times[i + 1] - self.times[i])
            v0, v1 = before[:, 3:] * h, after[:, 3:] * h
            there = (
                p0 * (1 + 2 * u) * (1 - u) ** 2
                + v0 * u * (1 - u) ** 2
                + p1 * u * u * (3 - 2 * u)
                + v1 * u * u * (u - 1)
            )
        there[np.isnan(there).any(axis=1)] = np.nan
        return there

    def air_at(self, t: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Heights and face normals at a time, or at each of many. [N, 4] or [..., N, 4]

        Raises:
            BadInput: nothing here ever left the surface, or it is no time and no array of times.
        """
        if self.air is None:
            raise BadInput("these tracks are flat: nothing left the surface")
        if not isinstance(t, float | int):
            return _at_each(self.air_at, t, (len(self.ids), 4))
        i, u = self._between(t)
        if u == 0.0:
            here: npt.NDArray[np.float64] = self.air[i].copy()
            return here
        there: npt.NDArray[np.float64] = self.air[i] + (self.air[i + 1] - self.air[i]) * u
        size = np.linalg.norm(there[:, 1:], axis=1, keepdims=True)
        there[:, 1:] /= np.where(size > 0.0, size, 1.0)
        return there

    def __repr__(self) -> str:
        span = f"{self.times[0]:g} to {self.times[-1]:.3f} s" if len(self.times) else "no time"
        return f"<tracks of {', '.join(self.ids)}: {len(self.times)} knots, {span}>"

    def _between(self, t: float) -> tuple[int, float]:
        """The knot before a time, and the share of the way to the next."""
        if isnan(t):
            raise BadInput("time cannot be nan; give seconds, or an array of them")
        times = self.times
        if t <= times[0] or len(times) == 1:
            return 0, 0.0
        if t >= times[-1]:
            return len(times) - 1, 0.0
        i = bisect_right(times, t) - 1
        return i, (t - float(times[i])) / float(times[i + 1] - times[i])


def _at_each(
    at: Callable[[float], npt.NDArray[np.float64]], times: npt.ArrayLike, shape: tuple[int, int]
) -> npt.NDArray[np.float64]:
    """The things at each of many times."""
    try:
        array = np.asarray(times, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"time cannot be {shown(times)}; give seconds, or an array of them") from None
    found = np.empty((array.size, *shape))
    for row, t in enumerate(array.ravel().tolist()):
        found[row] = at(t)
    return found.reshape((*array.shape, *shape))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Motion(Moves):
    """The account of one flick.

    Args:
        before: the scene as it was struck.
        flick: the flick as made.
        after: everything still on the surface, at rest, places kept to the nanometre.
        events: in order of time.
        tracks: where everything was meanwhile.
        duration: until the last piece rested or left [s].
        settled: whether everything came to rest.
        squidger: what the squidger touched, in order; empty for a finger, or when nobody kept the log.
    """

    before: Scene
    flick: Flick | Squidge
    after: Scene
    events: tuple[Event, ...]
    tracks: Tracks = field(repr=False)
    duration: float
    settled: bool = True
    squidger: tuple[SquidgerTouch, ...] = ()

    def __repr__(self) -> str:
        what = f"{self.flick.piece!r} at {self.flick.speed:g} m/s"
        end = "at rest" if self.settled else "not at rest"
        return f"<motion of {what}: {len(self.events)} events, {end} after {self.duration:.3f} s>"
