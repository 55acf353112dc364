"""Simulation of a launch: release from the launcher, flight in 3D, and the table at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, inf, sin, sqrt

import msgspec
import numpy as np

from flicksim.core.errors import InvalidAction
from flicksim.core.geometry import clearance
from flicksim.core.units import to_mm
from flicksim.engine.launcher import Release, launch_yaw, simulate_launcher
from flicksim.engine.pyramids.pyramid_world import PyramidWorld
from flicksim.engine.settings import Settings
from flicksim.scene.launch import Launch, Volley
from flicksim.scene.launch_trajectory import (
    LAUNCHER_ID,
    Launched,
    LaunchFailed,
    LaunchTrajectory,
    Track,
    VolleyTrajectory,
)
from flicksim.scene.orientation import Point3, quaternions_from_axes
from flicksim.scene.pyramid import Pyramid
from flicksim.scene.pyramid_scene import PyramidScene

_MAX_REACH = 0.5
"""Largest distance beyond the table's edge at which a launcher can be held [m]."""


def simulate_launch(scene: PyramidScene, launch: Launch, settings: Settings) -> LaunchTrajectory:
    """Simulate a launch until the table is at rest.

    Raises:
        InvalidScene: pieces overlap, hang or balance.
        InvalidAction: the launcher cannot be held there.
        DidNotSettle: the table did not come to rest.
    """
    check_launch(scene, launch)
    return _simulate_one(scene, launch, settings)


def check_launch(scene: PyramidScene, launch: Launch) -> None:
    """Raise an error if a launch cannot be made over this table.

    Raises:
        InvalidScene: pieces overlap, hang or balance.
        InvalidAction: the launcher cannot be held there.
    """
    if wrong := launch_problem(scene.validated(), launch):
        raise InvalidAction(wrong)


def launch_problem(scene: PyramidScene, launch: Launch) -> str:
    """Error message if a launch cannot be made over this table; "" if it can."""
    if scene.has(launch.piece):
        return f"{launch.piece!r} lies on the table; a missile to launch is in the hand"
    x, y = launch.hold
    beyond = -clearance(launch.hold, scene.surface.outline)
    if beyond > _MAX_REACH:
        return (
            f"the launcher cannot be held over ({to_mm(x):g}, {to_mm(y):g}) mm: that is {to_mm(beyond):.0f} mm beyond "
            f"the table's edge; hold it within {to_mm(_MAX_REACH):.0f} mm of it"
        )
    if (piece := scene.find_obstruction(launch)) is not None:
        return (
            f"the launcher cannot be held {to_mm(launch.lift):g} mm over ({to_mm(x):g}, {to_mm(y):g}) mm: "
            f"{piece.id!r} stands up to {to_mm(piece.highest):.0f} mm there; hold it higher or elsewhere"
        )
    return ""


def simulate_volley(scene: PyramidScene, volley: Volley, settings: Settings) -> VolleyTrajectory:
    """Simulate overlapping launches one after another, in the order in which they land.

    Raises:
        InvalidScene: as for one launch.
        DidNotSettle: the table did not come to rest.
    """
    table = scene.validated()
    if lifted := tuple(name for name in volley.lift if scene.has(name)):
        table = _without_pieces(scene, lifted, settings)
    cleared = table
    landing_times = [_landing_time(scene, launch, settings) for launch in volley.launches]
    until = inf if volley.until is None else volley.until
    landings: list[LaunchTrajectory] = []
    rest_times: list[float] = []
    in_flight: list[Launch] = []
    for i in sorted(range(len(landing_times)), key=lambda i: (landing_times[i], i)):
        launch = volley.launches[i]
        if landing_times[i] > until:
            in_flight.append(launch)
            continue
        landing = _simulate_one(table, launch, settings)
        table = landing.after
        landings.append(landing)
        rest_times.append((launch.time or 0.0) + landing.duration)
        pause = volley.pauses[i] if volley.pauses else None
        if pause is not None:
            until = min(until, rest_times[-1] + pause)
    return VolleyTrajectory(
        before=scene,
        volley=volley,
        after_lift=cleared,
        after=table,
        trajectories=tuple(landings),
        rest_times=tuple(rest_times),
        in_flight=tuple(in_flight),
    )


def simulate_release(scene: PyramidScene, launch: Launch, settings: Settings) -> Release:
    """Simulate the launcher: the state of the missile as it leaves, in the plane of the launch."""
    kit = scene.kit
    pair = settings.pairings.lookup(kit.material, kit.material)
    shape = kit.shape(launch.size)
    return simulate_launcher(
        kit.large, shape, launch, pair.friction, pair.restitution, settings.gravity, settings.launcher
    )


def _landing_time(scene: PyramidScene, launch: Launch, settings: Settings) -> float:
    """Time at which a missile falls to the height of the table, on the clock of the volley [s].

    It depends on the launch alone, so that the order of landing is known before the table is.
    """
    free = simulate_release(scene, launch, settings)
    if not free.released:
        return (launch.time or 0.0) + free.time
    height, rise = launch.lift + free.position[1] - scene.kit.shape(launch.size).centroid, free.velocity[1]
    fall = (rise + sqrt(rise * rise + 2.0 * settings.gravity * height)) / settings.gravity
    return (launch.time or 0.0) + free.time + fall


@dataclass(frozen=True, slots=True)
class _LaunchFrame:
    """Frame of a launch in space: origin, and unit vectors along the flick, to its left, and up along the launcher."""

    hold: Point3
    along: Point3
    left: Point3
    up: Point3

    def point(self, s: float, z: float) -> Point3:
        """Point of the launch plane, in space."""
        return _add(self.hold, self.vector(s, z))

    def vector(self, s: float, z: float) -> Point3:
        """Vector of the launch plane, in space."""
        return _linear_combination((s, self.along), (z, self.up))

    def piece_axes(self, tilt: float, turned: float) -> tuple[Point3, Point3]:
        """Side direction and axis of a piece tilted along the flick and rotated about its axis."""
        c, s = cos(tilt), sin(tilt)
        axis = _linear_combination((s, self.along), (c, self.up))
        ahead = _linear_combination((c, self.along), (-s, self.up))
        return _linear_combination((cos(turned), ahead), (sin(turned), self.left)), axis


def _linear_combination(*parts: tuple[float, Point3]) -> Point3:
    x = y = z = 0.0
    for share, (a, b, c) in parts:
        x, y, z = x + share * a, y + share * b, z + share * c
    return (x, y, z)


def _add(a: Point3, b: Point3) -> Point3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _launch_frame(launch: Launch) -> _LaunchFrame:
    c, s, upright, aside = cos(launch.azimuth), sin(launch.azimuth), cos(launch.askew), sin(launch.askew)
    return _LaunchFrame(
        hold=(*launch.hold, launch.lift), along=(c, s, 0.0), left=(-s * upright, c * upright, -aside),
        up=(-s * aside, c * aside, upright),
    )  # fmt: skip


def simulate_flight(scene: PyramidScene, launch: Launch, free: Release, settings: Settings) -> PyramidWorld:
    """Simulate a released missile until the table is at rest; return the world."""
    frame, shape = _launch_frame(launch), scene.kit.shape(launch.size)
    yaw, yaw_rate = launch_yaw(scene.kit.large, shape, launch, free.time, settings.launcher)
    side, axis = frame.piece_axes(free.angle, launch.twist + yaw)
    _, nested = scene.launcher_and_missile(launch)
    missile = nested.with_pose(frame.point(*free.position), side, axis)
    world = make_world(scene, (*scene.pieces, missile), settings, free.time)
    world.set_velocity(
        missile.id, frame.vector(*free.velocity), _linear_combination((free.spin, frame.left), (yaw_rate, axis))
    )
    world.run()
    return world


def _simulate_one(scene: PyramidScene, launch: Launch, settings: Settings) -> LaunchTrajectory:
    """Simulate one valid launch until everything is at rest."""
    free, frame, name = simulate_release(scene, launch, settings), _launch_frame(launch), launch.piece
    early = (
        _launcher_track(LAUNCHER_ID, free, frame, launch, scene.kit.large.centroid, 1),
        _launcher_track(name, free, frame, launch, scene.kit.shape(launch.size).centroid, 4),
    )
    if not free.released:
        return LaunchTrajectory(
            before=scene, launch=launch, after=scene, events=(LaunchFailed(t=free.time, piece=name),), tracks=early,
            first_contact_time=free.time, duration=free.time,
        )  # fmt: skip
    world = simulate_flight(scene, launch, free, settings)
    tracks, pieces = world.tracks(), world.pieces()
    events = [Launched(t=free.time, piece=name, velocity=free.velocity, spin=free.spin), *world.events(tracks, pieces)]
    return LaunchTrajectory(
        before=scene, launch=launch, after=msgspec.structs.replace(scene, pieces=pieces),
        events=tuple(sorted(events, key=lambda event: event.t)),
        tracks=(early[0], *(_join_tracks(early[1], track) if track.id == name else track for track in tracks)),
        first_contact_time=min(world.first_contact_time, world.time), duration=world.time,
    )  # fmt: skip


def _without_pieces(scene: PyramidScene, names: Sequence[str], settings: Settings) -> PyramidScene:
    """Remove pieces and let what they supported fall."""
    world = make_world(scene, scene.pieces, settings, 0.0)
    for name in names:
        world.remove(name)
    world.run()
    return msgspec.structs.replace(scene, pieces=world.pieces())


def make_world(scene: PyramidScene, pieces: Sequence[Pyramid], settings: Settings, begin: float) -> PyramidWorld:
    """World of pieces on the table of a scene, from a time [s] on."""
    material, top = scene.kit.material, scene.surface
    pairs = settings.pairings.lookup(material, top.material), settings.pairings.lookup(material, material)
    return PyramidWorld(pieces, top.outline, *pairs, settings.gravity, begin, settings.max_time)


def _launcher_track(name: str, free: Release, aim: _LaunchFrame, launch: Launch, up: float, column: int) -> Track:
    """Track of the launcher, or of the missile on it, until the release.

    Args:
        up: height of its centre of mass above its base [m].
        column: of the keyframes, at which its state begins.
    """
    times, positions, sides, axes = [], [], [], []
    for keyframe in free.keyframes:
        s, z, tilt = keyframe[column : column + 3]
        times.append(keyframe[0])
        positions.append(aim.point(s + up * sin(tilt), z + up * cos(tilt)))
        side, axis = aim.piece_axes(tilt, launch.twist)
        sides.append(side)
        axes.append(axis)
    orientations = quaternions_from_axes(np.array(sides), np.array(axes))
    return Track(id=name, times=np.array(times), positions=np.array(positions), orientations=orientations)


def _join_tracks(early: Track, late: Track) -> Track:
    """Concatenate two tracks; where they meet the later one holds."""
    return Track(
        id=late.id, times=np.concatenate([early.times[:-1], late.times]),
        positions=np.concatenate([early.positions[:-1], late.positions]),
        orientations=np.concatenate([early.orientations[:-1], late.orientations]), has_left_table=late.has_left_table,
    )  # fmt: skip
