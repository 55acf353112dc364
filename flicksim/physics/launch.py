"""A launch: the launcher's part, the flight in space, and the table afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, inf, sin, sqrt

import msgspec
import numpy as np

from flicksim.base.errors import BadFlick
from flicksim.base.geometry import clearance
from flicksim.base.units import to_mm
from flicksim.physics.launcher import Release, release, yaw
from flicksim.physics.settings import Settings
from flicksim.physics.space.world import World
from flicksim.table.attitude import Point3, turn_of
from flicksim.table.landing import LAUNCHER, Kept, Landing, Landings, Launched, Track
from flicksim.table.launch import Launch, Volley
from flicksim.table.pyramid import Pyramid
from flicksim.table.pyramid_scene import PyramidScene

_ARM = 0.5
"""No hand holds a launcher farther beyond the table's edge [m]."""


def settle_launch(scene: PyramidScene, launch: Launch, settings: Settings) -> Landing:
    """Launch a missile and let the table come to rest.

    Raises:
        BadScene: pieces are in one another, hang or balance. BadFlick: the launcher cannot be held there.
        Unsettled: it would not come to rest.
    """
    if wrong := refused(scene.checked(), launch):
        raise BadFlick(wrong)
    return _launched(scene, launch, settings)


def refused(scene: PyramidScene, launch: Launch) -> str:
    """The reason why a launch cannot be made over this table; "" when it can."""
    if scene.has(launch.piece):
        return f"{launch.piece!r} lies on the table; a missile to launch is in the hand"
    x, y = launch.hold
    beyond = -clearance(launch.hold, scene.surface.outline)
    if beyond > _ARM:
        return (
            f"the launcher cannot be held over ({to_mm(x):g}, {to_mm(y):g}) mm: that is {to_mm(beyond):.0f} mm beyond "
            f"the table's edge; hold it within {to_mm(_ARM):.0f} mm of it"
        )
    if (piece := scene.in_the_way(launch)) is not None:
        return (
            f"the launcher cannot be held {to_mm(launch.lift):g} mm over ({to_mm(x):g}, {to_mm(y):g}) mm: "
            f"{piece.id!r} stands up to {to_mm(piece.highest):.0f} mm there; hold it higher or elsewhere"
        )
    return ""


def settle_volley(scene: PyramidScene, volley: Volley, settings: Settings) -> Landings:
    """Launches under way together, settled in the order in which they come down.

    Raises:
        BadScene: as for one launch. Unsettled: it would not come to rest.
    """
    table = scene.checked()
    if lift := tuple(name for name in volley.lift if scene.has(name)):
        table = _lifted(scene, lift, settings)
    cleared = table
    lands = [_lands_at(scene, launch, settings) for launch in volley.launches]
    until = inf if volley.until is None else volley.until
    landings: list[Landing] = []
    rests: list[float] = []
    aloft: list[Launch] = []
    for i in sorted(range(len(lands)), key=lambda i: (lands[i], i)):
        launch = volley.launches[i]
        if lands[i] > until:
            aloft.append(launch)
            continue
        landing = _launched(table, launch, settings)
        table = landing.after
        landings.append(landing)
        rests.append((launch.time or 0.0) + landing.duration)
        pause = volley.pauses[i] if volley.pauses else None
        if pause is not None:
            until = min(until, rests[-1] + pause)
    return Landings(
        before=scene, volley=volley, cleared=cleared, after=table, landings=tuple(landings), rests=tuple(rests),
        aloft=tuple(aloft),
    )  # fmt: skip


def released(scene: PyramidScene, launch: Launch, settings: Settings) -> Release:
    """The missile as it leaves the launcher, in the plane of the launch."""
    kit = scene.kit
    pair = settings.pairings.of(kit.material, kit.material)
    shape = kit.shape(launch.size)
    return release(kit.large, shape, launch, pair.friction, pair.restitution, settings.gravity, settings.launcher)


def _lands_at(scene: PyramidScene, launch: Launch, settings: Settings) -> float:
    """Time at which a missile comes down to the table, by the clock of the volley [s]: its middle at a hand's breadth
    of it.

    It is told by the launch alone, so that the order is settled before the table is.
    """
    free = released(scene, launch, settings)
    if not free.free:
        return (launch.time or 0.0) + free.t
    height, rise = launch.lift + free.place[1] - scene.kit.shape(launch.size).centroid, free.velocity[1]
    fall = (rise + sqrt(rise * rise + 2.0 * settings.gravity * height)) / settings.gravity
    return (launch.time or 0.0) + free.t + fall


@dataclass(frozen=True, slots=True)
class _Aim:
    """The plane of a launch as the hand holds it, in space: along the flick, to its left, and up along the launcher."""

    hold: Point3
    along: Point3
    left: Point3
    up: Point3

    def at(self, s: float, z: float) -> Point3:
        """A point of the plane."""
        return _sum(self.hold, self.way(s, z))

    def way(self, s: float, z: float) -> Point3:
        """A vector in the plane."""
        return _mixed((s, self.along), (z, self.up))

    def frame(self, tilt: float, turned: float) -> tuple[Point3, Point3]:
        """A side of the base and the axis of a piece that leans along the flick and is turned about its axis."""
        c, s = cos(tilt), sin(tilt)
        axis, ahead = _mixed((s, self.along), (c, self.up)), _mixed((c, self.along), (-s, self.up))
        return _mixed((cos(turned), ahead), (sin(turned), self.left)), axis


def _mixed(*parts: tuple[float, Point3]) -> Point3:
    x = y = z = 0.0
    for share, (a, b, c) in parts:
        x, y, z = x + share * a, y + share * b, z + share * c
    return (x, y, z)


def _sum(a: Point3, b: Point3) -> Point3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _aim(launch: Launch) -> _Aim:
    c, s, upright, aside = cos(launch.azimuth), sin(launch.azimuth), cos(launch.askew), sin(launch.askew)
    return _Aim(
        hold=(*launch.hold, launch.lift), along=(c, s, 0.0), left=(-s * upright, c * upright, -aside),
        up=(-s * aside, c * aside, upright),
    )  # fmt: skip


def flown(scene: PyramidScene, launch: Launch, free: Release, settings: Settings) -> World:
    """The table at rest again, after the missile has left the launcher so."""
    aim, shape = _aim(launch), scene.kit.shape(launch.size)
    turned, turning = yaw(scene.kit.large, shape, launch, free.t, settings.launcher)
    side, axis = aim.frame(free.angle, launch.twist + turned)
    _, nested = scene.loaded(launch)
    missile = nested.posed(aim.at(*free.place), side, axis)
    world = _world(scene, (*scene.pieces, missile), settings, free.t)
    world.throw(missile.id, aim.way(*free.velocity), _mixed((free.spin, aim.left), (turning, axis)))
    world.run()
    return world


def _launched(scene: PyramidScene, launch: Launch, settings: Settings) -> Landing:
    """Launch a missile and let everything come to rest."""
    free, aim, name = released(scene, launch, settings), _aim(launch), launch.piece
    early = (
        _early(LAUNCHER, free, aim, launch, scene.kit.large.centroid, 1),
        _early(name, free, aim, launch, scene.kit.shape(launch.size).centroid, 4),
    )
    if not free.free:
        return Landing(
            before=scene, launch=launch, after=scene, events=(Kept(t=free.t, piece=name),), tracks=early,
            down=free.t, duration=free.t,
        )  # fmt: skip
    world = flown(scene, launch, free, settings)
    tracks = world.tracks()
    events = [Launched(t=free.t, piece=name, velocity=free.velocity, spin=free.spin), *world.events(tracks)]
    return Landing(
        before=scene, launch=launch, after=msgspec.structs.replace(scene, pieces=world.pieces()),
        events=tuple(sorted(events, key=lambda event: event.t)),
        tracks=(early[0], *(_joined(early[1], track) if track.id == name else track for track in tracks)),
        down=min(world.met, world.time), duration=world.time,
    )  # fmt: skip


def _lifted(scene: PyramidScene, names: Sequence[str], settings: Settings) -> PyramidScene:
    """Pick pieces up and let fall what they bore."""
    world = _world(scene, scene.pieces, settings, 0.0)
    for name in names:
        world.take(name)
    world.run()
    return msgspec.structs.replace(scene, pieces=world.pieces())


def _world(scene: PyramidScene, pieces: Sequence[Pyramid], settings: Settings, begin: float) -> World:
    material, top = scene.kit.material, scene.surface.material
    return World(
        pieces, scene.surface.outline, settings.pairings.of(material, top), settings.pairings.of(material, material),
        settings.gravity, begin,
    )  # fmt: skip


def _early(name: str, free: Release, aim: _Aim, launch: Launch, up: float, column: int) -> Track:
    """Path of the launcher, or of the missile on it, until the missile was free.

    Args:
        up: its middle of mass above its base [m]. column: of the knots, where its state begins.
    """
    times, middles, turns = [], [], []
    for knot in free.knots:
        s, z, tilt = knot[column : column + 3]
        times.append(knot[0])
        middles.append(aim.at(s + up * sin(tilt), z + up * cos(tilt)))
        turns.append(turn_of(*aim.frame(tilt, launch.twist)))
    return Track(id=name, times=np.array(times), middles=np.array(middles), turns=np.array(turns))


def _joined(early: Track, late: Track) -> Track:
    """One track after another; where they meet the later one is right."""
    return Track(
        id=late.id, times=np.concatenate([early.times[:-1], late.times]),
        middles=np.concatenate([early.middles[:-1], late.middles]),
        turns=np.concatenate([early.turns[:-1], late.turns]), gone=late.gone,
    )  # fmt: skip
