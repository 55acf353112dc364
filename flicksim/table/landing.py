"""A landing: the finished account of one launch. Rules read it; nothing in it moves any more.

What happened is told in vertical slices: first that of the launch, then those in which pieces fell that had lost
what they leaned on. Each slice says how it stands on the table, so the same tracks can be seen from the side and
from above.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from math import atan2, cos, hypot, pi, sin

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value
from flicksim.base.geometry import Point
from flicksim.table.launch import Launch, Volley
from flicksim.table.pyramid import Pyramid
from flicksim.table.pyramid_scene import PyramidScene

LAUNCHER = "launcher"
"""What tracks call the launcher; it is held by a hand and never on the table."""


class Launched(Value, tag="launched", tag_field="what", frozen=True, kw_only=True):
    """The missile left the launcher: its speed along the way and up [m/s], and its turning, tip forward [rad/s]."""

    t: float
    piece: str
    velocity: Point
    spin: float


class Kept(Value, tag="kept", tag_field="what", frozen=True, kw_only=True):
    """The flick was too weak: the missile stayed on the launcher."""

    t: float
    piece: str


class Hit(Value, tag="hit", tag_field="what", frozen=True, kw_only=True):
    """A piece met the table ("surface") or another piece, anew after being free of it: where in plan [m], how high
    [m], how fast [m/s]."""

    t: float
    piece: str
    on: str
    point: Point
    height: float
    speed: float


class Fell(Value, tag="fell", tag_field="what", frozen=True, kw_only=True):
    """A piece went off the table; where in plan its middle was then [m]."""

    t: float
    piece: str
    point: Point


class Lay(Value, tag="lay", tag_field="what", frozen=True, kw_only=True):
    """A piece that had moved came to rest there [m]."""

    t: float
    piece: str
    point: Point


LandingEvent = Launched | Kept | Hit | Fell | Lay


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """What moved in one vertical plane.

    Args:
        origin: a point of the plane [m]; s counts from it. azimuth: which way s grows [rad].
        begin: when it began, counted from the flick [s].
        ground: from where to where there is table under it [m]; None where the plane misses the table.
        ids: the N pieces in it that moved, and maybe the launcher.
        lateral: how far each is to the left of the plane, by its middle [m]. [N]
        times: knots, counted from the flick [s]. [T]
        states: s [m], z [m] of the middle of the base, and tilt, positive with the tip towards +s [rad]. [T, N, 3]
    """

    origin: Point
    azimuth: float
    begin: float
    ground: tuple[float, float] | None
    ids: tuple[str, ...]
    lateral: tuple[float, ...]
    times: npt.NDArray[np.float64] = field(repr=False)
    states: npt.NDArray[np.float64] = field(repr=False)

    @property
    def end(self) -> float:
        """When everything in it was at rest [s]."""
        return float(self.times[-1])

    def at(self, t: float) -> npt.NDArray[np.float64]:
        """s, z, tilt of each at a time, clamped to its span. [N, 3]"""
        times = self.times
        i = min(max(bisect_right(times, t) - 1, 0), len(times) - 1)
        here: npt.NDArray[np.float64] = self.states[i]
        if i + 1 >= len(times) or t <= times[0]:
            return here.copy()
        u = (t - float(times[i])) / float(times[i + 1] - times[i])
        there: npt.NDArray[np.float64] = here + (self.states[i + 1] - here) * u
        return there

    def across(self, point: Point) -> Point:
        """A point of the plan as s along the plane and how far to its left [m]."""
        c, q = cos(self.azimuth), sin(self.azimuth)
        dx, dy = point[0] - self.origin[0], point[1] - self.origin[1]
        return (dx * c + dy * q, dy * c - dx * q)

    def on_table(self, s: float, lateral: float = 0.0) -> Point:
        """A point of the slice in plan [m]."""
        c, q = cos(self.azimuth), sin(self.azimuth)
        return (self.origin[0] + s * c - lateral * q, self.origin[1] + s * q + lateral * c)

    def placed(self, piece: Pyramid, state: npt.NDArray[np.float64], lateral: float) -> Pyramid:
        """A piece where a state of its track puts it. One that turns over is shown square to the plane."""
        s, z, tilt = (float(part) for part in state)
        x, y = self.on_table(s, lateral)
        place = {"x": x, "y": y, "z": z, "stands_on": (), "leans_on": ()}
        full = (tilt + pi) % (2.0 * pi) - pi
        if abs(full - signed_tilt(piece, self.azimuth)) < 1e-9:
            return msgspec.structs.replace(piece, **place)
        heading = self.azimuth if full >= 0.0 else self.azimuth + pi
        return msgspec.structs.replace(piece, tilt=abs(full), heading=heading, **place)


def signed_tilt(piece: Pyramid, azimuth: float) -> float:
    """How far a piece leans along a plane [rad]: positive with the tip towards its azimuth."""
    ax, ay, az = piece.axis
    along = ax * cos(azimuth) + ay * sin(azimuth)
    return atan2(along, az) if hypot(along, az) > 1e-9 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """What one launch did.

    Args:
        before: the scene as it was when the launch began to matter. launch: as made.
        after: everything still on the table, at rest.
        events: in order of time, which counts from the flick [s].
        slices: the planes in which things moved; the first is the launch's own.
        down: when the missile first met anything [s]; how long it flew.
        duration: until the last piece was at rest or gone [s].
    """

    before: PyramidScene
    launch: Launch
    after: PyramidScene
    events: tuple[LandingEvent, ...]
    slices: tuple[Slice, ...] = field(repr=False)
    down: float
    duration: float

    @property
    def missile(self) -> Pyramid | None:
        """The missile where it came to rest; None when it is not on the table."""
        return self.after.piece(self.launch.piece) if self.after.has(self.launch.piece) else None

    def pieces_at(self, t: float) -> tuple[Pyramid, ...]:
        """Every piece where it is at a time [s] after the flick, the missile last while it is in the air."""
        if t >= self.duration:
            return self.after.pieces
        found = {piece.id: piece for piece in self.before.pieces}
        size = self.launch.size
        found[self.launch.piece] = Pyramid(
            id=self.launch.piece, size=size, shape=self.before.kit.shape(size), owner=self.launch.owner,
            x=0.0, y=0.0, heading=self.launch.azimuth,
        )  # fmt: skip
        for part in self.slices:
            if t < part.begin:
                continue
            for name, state, lateral in zip(part.ids, part.at(t), part.lateral, strict=True):
                if name in found:
                    if np.isnan(state[0]):
                        del found[name]
                    else:
                        found[name] = part.placed(found[name], state, lateral)
        return tuple(found.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Landings:
    """What a volley did.

    Args:
        cleared: the scene once hands had picked up what they lift, and what leaned on it had fallen.
        landings: one for each missile that came down, in order.
        rests: when each landing was all at rest [s], by the clock of the volley.
        aloft: the launches still in the air.
    """

    before: PyramidScene
    volley: Volley
    cleared: PyramidScene
    after: PyramidScene
    landings: tuple[Landing, ...]
    rests: tuple[float, ...]
    aloft: tuple[Launch, ...]
