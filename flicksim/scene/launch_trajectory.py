"""Trajectory of a launch or a volley of pyramids: events and tracks, immutable.

Each moving piece has a track in space, so that it can be drawn from the side and from above.
"""

from bisect import bisect_right
from dataclasses import InitVar, dataclass, field

import numpy as np

from flicksim.core.arrays import Floats
from flicksim.core.geometry import Point
from flicksim.core.rich_display import Animatable
from flicksim.scene.launch import Launch, Volley
from flicksim.scene.orientation import Point3, Quaternion, axes_from_quaternion, slerp
from flicksim.scene.pyramid import Pyramid
from flicksim.scene.pyramid_scene import PyramidScene
from flicksim.scene.trajectory import TimedEvent

LAUNCHER_ID = "launcher"
"""Id of the launcher in tracks; it is held and never on the table."""


class Launched(TimedEvent, tag="launched", tag_field="what", frozen=True, kw_only=True):
    """The missile left the launcher: velocity forward and up [m/s], and spin, tip forward [rad/s]."""

    velocity: Point
    spin: float


class LaunchFailed(TimedEvent, tag="kept", tag_field="what", frozen=True, kw_only=True):
    """The flick was too weak: the missile stayed on the launcher."""


class PyramidCollision(TimedEvent, tag="hit", tag_field="what", frozen=True, kw_only=True):
    """A piece collided with the table ("surface") or another piece: point in plan [m], height [m], speed [m/s].

    Contacts count again only after the two were apart.
    """

    on: str
    point: Point
    height: float
    speed: float


class PyramidLeftSurface(TimedEvent, tag="fell", tag_field="what", frozen=True, kw_only=True):
    """A piece fell off the table; its centre of mass in plan then [m]."""

    point: Point


class PyramidCameToRest(TimedEvent, tag="lay", tag_field="what", frozen=True, kw_only=True):
    """A moving piece came to rest; the centre of its base in plan, as of the piece at rest [m]."""

    point: Point


LaunchEvent = Launched | LaunchFailed | PyramidCollision | PyramidLeftSurface | PyramidCameToRest


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """Path of one piece.

    Args:
        id: a piece that moved, or the launcher.
        times: times of keyframes from the flick [s]. [K]
        positions: centre of mass [m]. [K, 3] orientations: unit quaternions (see `Quaternion`). [K, 4]
        has_left_table: whether it left the table at the last keyframe.
    """

    id: str
    times: Floats = field(repr=False)
    positions: Floats = field(repr=False)
    orientations: Floats = field(repr=False)
    has_left_table: bool = False

    def __eq__(self, other: object) -> bool:
        if type(other) is not Track:
            return NotImplemented
        arrays = ((self.times, other.times), (self.positions, other.positions), (self.orientations, other.orientations))
        is_same_piece = (self.id, self.has_left_table) == (other.id, other.has_left_table)
        return is_same_piece and all(np.array_equal(one, two) for one, two in arrays)

    def __hash__(self) -> int:
        return hash((self.id, self.has_left_table, tuple(self.times.tolist())))

    def pose_at(self, t: float) -> tuple[Point3, Quaternion] | None:
        """Centre of mass and orientation at a time, clamped to its span; None once it has left."""
        times = self.times
        if self.has_left_table and t > times[-1]:
            return None
        i = min(max(bisect_right(times, t) - 1, 0), len(times) - 1)
        (x, y, z), (a, b, c, d) = self.positions[i].tolist(), self.orientations[i].tolist()
        if i + 1 >= len(times) or t <= times[0]:
            return (x, y, z), (a, b, c, d)
        u = (t - float(times[i])) / float(times[i + 1] - times[i])
        ex, ey, ez = self.positions[i + 1].tolist()
        p, q, r, s = self.orientations[i + 1].tolist()
        return (x + u * (ex - x), y + u * (ey - y), z + u * (ez - z)), slerp((a, b, c, d), (p, q, r, s), u)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LaunchTrajectory(Animatable):
    """Result of simulating one launch.

    Args:
        before: scene before its missile came down. launch: as made.
        after: scene of all pieces still on the table, at rest.
        events: in order of time from the flick [s].
        tracks: tracks of all that moved, the launcher first.
        first_contact_time: time of the missile's first contact, its time of flight [s].
        duration: time until the last piece was at rest or gone [s].
        slices: ignored; accepted for trajectories of the former planar model.
    """

    before: PyramidScene
    launch: Launch
    after: PyramidScene
    events: tuple[LaunchEvent, ...]
    tracks: tuple[Track, ...] = field(default=(), repr=False)
    first_contact_time: float
    duration: float
    slices: InitVar[tuple[()]] = ()

    def __repr__(self) -> str:
        launch, pose = self.launch, "off the table" if self.missile is None else self.missile.pose_text
        return f"<launch trajectory of {launch.piece!r} at {launch.speed:g} m/s: {pose} after {self.duration:.3f} s>"

    def track(self, name: str) -> Track | None:
        """Path of a piece, or of the launcher; None when it did not move."""
        return next((track for track in self.tracks if track.id == name), None)

    @property
    def missile(self) -> Pyramid | None:
        """The missile where it came to rest; None when it is not on the table."""
        return self.after.piece(self.launch.piece) if self.after.has(self.launch.piece) else None

    def pieces_at(self, t: float) -> tuple[Pyramid, ...]:
        """All pieces at a time [s] after the flick, the missile last while it is in the air."""
        if t >= self.duration:
            return self.after.pieces
        pieces = {piece.id: piece for piece in self.before.pieces}
        size = self.launch.size
        pieces[self.launch.piece] = Pyramid(
            id=self.launch.piece, size=size, shape=self.before.kit.shape(size), owner=self.launch.owner,
            x=0.0, y=0.0, heading=self.launch.azimuth,
        )  # fmt: skip
        for track in self.tracks:
            if track.id not in pieces or t < track.times[0]:
                continue
            pose = track.pose_at(t)
            if pose is None:
                del pieces[track.id]
            else:
                pieces[track.id] = pieces[track.id].with_pose(pose[0], *axes_from_quaternion(pose[1]))
        return tuple(pieces.values())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VolleyTrajectory(Animatable):
    """Result of simulating a volley.

    Args:
        before: scene before the volley. volley: as made. after: scene at its end.
        after_lift: scene after pieces were lifted and those that leaned on them had fallen.
        trajectories: one for each missile that came down, in order.
        rest_times: time at which each of them was at rest [s], from the start of the volley.
        in_flight: launches still in the air.
    """

    before: PyramidScene
    volley: Volley
    after_lift: PyramidScene
    after: PyramidScene
    trajectories: tuple[LaunchTrajectory, ...]
    rest_times: tuple[float, ...]
    in_flight: tuple[Launch, ...]

    def __repr__(self) -> str:
        down, up = len(self.trajectories), len(self.in_flight)
        return f"<volley trajectory of {len(self.volley.launches)} launches: {down} down, {up} in the air>"
