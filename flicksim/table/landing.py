"""A landing: the finished account of one launch. Rules read it; nothing in it moves any more.

What moved is told by tracks in space, piece by piece, so that the same can be seen from the side and from above.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import InitVar, dataclass, field

import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value
from flicksim.base.geometry import Point
from flicksim.base.showing import Moves
from flicksim.table.attitude import Point3, Turn, between, frame_of
from flicksim.table.launch import Launch, Volley
from flicksim.table.pyramid import Pyramid
from flicksim.table.pyramid_scene import PyramidScene

LAUNCHER = "launcher"
"""Name of the launcher in tracks; it is held by a hand and never on the table."""


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
class Track:
    """Path of one piece.

    Args:
        id: whose: a piece that moved, or the launcher.
        times: knots, counted from the flick [s]. [K]
        middles: its middle of mass [m]. [K, 3] turns: its attitude (see `attitude`). [K, 4]
        gone: whether it left the table at the last knot.
    """

    id: str
    times: npt.NDArray[np.float64] = field(repr=False)
    middles: npt.NDArray[np.float64] = field(repr=False)
    turns: npt.NDArray[np.float64] = field(repr=False)
    gone: bool = False

    def at(self, t: float) -> tuple[Point3, Turn] | None:
        """Its middle of mass and its attitude at a time, clamped to its span; None once it is gone."""
        times = self.times
        if self.gone and t > times[-1]:
            return None
        i = min(max(bisect_right(times, t) - 1, 0), len(times) - 1)
        (x, y, z), (a, b, c, d) = self.middles[i].tolist(), self.turns[i].tolist()
        if i + 1 >= len(times) or t <= times[0]:
            return (x, y, z), (a, b, c, d)
        u = (t - float(times[i])) / float(times[i + 1] - times[i])
        ex, ey, ez = self.middles[i + 1].tolist()
        p, q, r, s = self.turns[i + 1].tolist()
        return (x + u * (ex - x), y + u * (ey - y), z + u * (ez - z)), between((a, b, c, d), (p, q, r, s), u)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Landing(Moves):
    """The account of one launch.

    Args:
        before: the scene as it was when the launch began to matter. launch: as made.
        after: everything still on the table, at rest.
        events: in order of time, which counts from the flick [s].
        tracks: of all that moved, the launcher first.
        down: when the missile first met anything [s]; how long it flew.
        duration: until the last piece was at rest or gone [s].
        slices: nothing; accounts told by hand when pyramids moved in planes still name them.
    """

    before: PyramidScene
    launch: Launch
    after: PyramidScene
    events: tuple[LandingEvent, ...]
    tracks: tuple[Track, ...] = field(default=(), repr=False)
    down: float
    duration: float
    slices: InitVar[tuple[()]] = ()

    def __repr__(self) -> str:
        launch, piece = self.launch, self.missile
        how = (
            "gone" if piece is None else "standing" if piece.standing else "on its side" if piece.on_side else "leaning"
        )
        return f"<launch of {launch.piece!r} at {launch.speed:g} m/s: {how} after {self.duration:.3f} s>"

    def track(self, name: str) -> Track | None:
        """Path of a piece, or of the launcher; None when it did not move."""
        return next((track for track in self.tracks if track.id == name), None)

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
        for track in self.tracks:
            if track.id not in found or t < track.times[0]:
                continue
            now = track.at(t)
            if now is None:
                del found[track.id]
            else:
                found[track.id] = found[track.id].posed(now[0], *frame_of(now[1]))
        return tuple(found.values())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Landings(Moves):
    """The account of a volley.

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

    def __repr__(self) -> str:
        return (
            f"<volley of {len(self.volley.launches)} launches: {len(self.landings)} down, {len(self.aloft)} in the air>"
        )
