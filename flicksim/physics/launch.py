"""What comes of a launch: its slice, the falls of what it loosened, and the table afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, sin, sqrt

import msgspec
import numpy as np

from flicksim.base.errors import BadFlick
from flicksim.base.geometry import Point, clearance
from flicksim.base.units import to_mm
from flicksim.physics.settings import Settings
from flicksim.physics.slice.launcher import Release, release
from flicksim.physics.slice.rest import outcome
from flicksim.physics.slice.room import laid, make_room
from flicksim.physics.slice.world import SliceWorld
from flicksim.table.landing import LAUNCHER, Fell, Kept, Landing, LandingEvent, Landings, Launched, Slice
from flicksim.table.launch import Launch, Volley
from flicksim.table.pyramid import Pyramid
from flicksim.table.pyramid_scene import PyramidScene

_FALLS = 12
"""Falls of loosened pieces after one launch before the rest are simply laid down; most have none, few have three."""
_ROUNDS = 4
"""How often pieces are moved aside and what that loosened falls; once is enough nearly always."""
_SHIFTED = 5e-5
"""A piece that moved less still holds what it held [m]."""


def settle_launch(scene: PyramidScene, launch: Launch, settings: Settings) -> Landing:
    """Launch a missile and let the table come to rest.

    Raises:
        BadScene: pieces are in one another, hang or balance. BadFlick: the launcher cannot be held there.
        Unsettled: it would not come to rest.
    """
    if scene.checked().has(launch.piece):
        raise BadFlick(f"{launch.piece!r} lies on the table; a missile to launch is in the hand")
    if (piece := scene.in_the_way(launch)) is not None:
        x, y = launch.hold
        raise BadFlick(
            f"the launcher cannot be held {to_mm(launch.lift):g} mm over ({to_mm(x):g}, {to_mm(y):g}) mm: "
            f"{piece.id!r} stands up to {to_mm(piece.highest):.0f} mm there; hold it higher or elsewhere"
        )
    return _Course(scene, settings).launched(launch)


def settle_volley(scene: PyramidScene, volley: Volley, settings: Settings) -> Landings:
    """Launches under way together, settled in the order in which they come down.

    Raises:
        BadScene: as for one launch. Unsettled: it would not come to rest.
    """
    table = scene.checked()
    if lift := tuple(name for name in volley.lift if scene.has(name)):
        table = _Course(scene, settings).lifted(lift)
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
        landing = _Course(table, settings).launched(launch)
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


def _release(scene: PyramidScene, launch: Launch, settings: Settings) -> Release:
    kit = scene.kit
    pair = settings.pairings.of(kit.material, kit.material)
    shape = kit.shape(launch.size)
    return release(kit.large, shape, launch, pair.friction, pair.restitution, settings.gravity, settings.slice)


def _lands_at(scene: PyramidScene, launch: Launch, settings: Settings) -> float:
    """When a missile comes down to the table, by the clock of the volley [s]: its middle at a hand's breadth of it.

    It is told by the launch alone, so that the order is settled before the table is.
    """
    free = _release(scene, launch, settings)
    if not free.free:
        return (launch.time or 0.0) + free.t
    height, rise = launch.lift + free.place[1] - scene.kit.shape(launch.size).centroid, free.velocity[1]
    fall = (rise + sqrt(rise * rise + 2.0 * settings.gravity * height)) / settings.gravity
    return (launch.time or 0.0) + free.t + fall


def chord(outline: Sequence[Point], origin: Point, azimuth: float) -> tuple[float, float] | None:
    """From where to where a line through a point runs over a convex table [m]; None when it misses it."""
    ux, uy = cos(azimuth), sin(azimuth)
    low, high = -inf, inf
    for i in range(len(outline)):
        (ax, ay), (bx, by) = outline[i - 1], outline[i]
        ex, ey = bx - ax, by - ay
        gap = ex * (origin[1] - ay) - ey * (origin[0] - ax)  # positive on the table's side
        pace = ex * uy - ey * ux
        if pace == 0.0:
            if gap < 0.0:
                return None
        elif pace > 0.0:
            low = max(low, -gap / pace)
        else:
            high = min(high, -gap / pace)
    return (low, high) if high - low > 1e-6 else None


class _Course:
    """A table being settled: the pieces as they are by now, and what has been told so far."""

    def __init__(self, scene: PyramidScene, settings: Settings) -> None:
        self._scene, self._settings = scene, settings
        material, top = scene.kit.material, scene.surface.material
        self._pairs = settings.pairings.of(material, material), settings.pairings.of(material, top)
        self._pieces = {piece.id: piece for piece in scene.pieces}
        self._events: list[LandingEvent] = []
        self._slices: list[Slice] = []
        self._changed: dict[str, None] = {}
        self._loose: dict[str, None] = {}
        self._time = 0.0

    def launched(self, launch: Launch) -> Landing:
        """Launch a missile and let everything come to rest."""
        free = _release(self._scene, launch, self._settings)
        self._time = down = free.t
        if free.free:
            down = self._fly(launch, free)
            self._falls()
            self._tidy()
        else:
            self._events.append(Kept(t=free.t, piece=launch.piece))
        return Landing(
            before=self._scene, launch=launch, after=self._after(),
            events=tuple(sorted(self._events, key=lambda event: event.t)), slices=tuple(self._slices),
            down=down, duration=self._time,
        )  # fmt: skip

    def lifted(self, names: Sequence[str]) -> PyramidScene:
        """Pick pieces up and let fall what leaned on them."""
        for name in names:
            self._pieces.pop(name, None)
            self._changed[name] = None
        self._loosen(frozenset())
        self._falls()
        self._tidy()
        return self._after()

    def _after(self) -> PyramidScene:
        return msgspec.structs.replace(self._scene, pieces=tuple(self._pieces.values()))

    def _world(self, origin: Point, azimuth: float) -> SliceWorld:
        ground = chord(self._scene.surface.outline, origin, azimuth)
        pieces = self._pieces.values()
        return SliceWorld(pieces, origin, azimuth, ground, self._settings, *self._pairs, begin=self._time)

    def _fly(self, launch: Launch, free: Release) -> float:
        """From the launcher to rest.

        Returns:
            When the missile first met anything [s].
        """
        _, missile = self._scene.loaded(launch)
        world = self._world(launch.hold, launch.azimuth)
        s, z = free.place
        self._events.append(Launched(t=free.t, piece=launch.piece, velocity=free.velocity, spin=free.spin))
        world.throw(missile, (s, z + launch.lift), free.velocity, free.angle, free.spin)
        world.run()
        self._take(world, launch, free)
        return world.met if world.met < inf else world.time

    def _take(self, world: SliceWorld, launch: Launch | None = None, free: Release | None = None) -> None:
        """Read a slice that has come to rest."""
        self._events += world.events
        self._time = world.time
        self._slices.append(_told(world, launch, free))
        for name, member in world.members.items():
            if name in world.fallen:
                self._pieces.pop(name, None)
                self._changed[name] = None
                continue
            new = name not in self._pieces
            if not (new or member.moved or member.loosened):
                continue
            piece, loose = outcome(world, member)
            if loose:
                self._loose[name] = None
            if new or _far(piece, self._pieces[name]):
                self._changed[name] = None
            self._pieces[name] = piece
        self._loosen(frozenset(name for name, member in world.members.items() if member.stand.square and member.moved))

    def _loosen(self, told: frozenset[str]) -> None:
        """What rests on something that has changed is loose, unless its own slice has told what became of it."""
        for name, piece in self._pieces.items():
            if name not in told and any(under in self._changed for under in piece.rests_on):
                self._loose[name] = None

    def _falls(self) -> None:
        """What has lost its hold falls, each in its own plane, the lowest first."""
        for _ in range(_FALLS):
            names = [name for name in self._loose if name in self._pieces]
            if not names:
                return
            name = min(names, key=lambda name: (self._pieces[name].centre[2], name))
            piece = self._pieces[name]
            self._loose = {}
            others = [other for other in names if other != name]
            before = dict.fromkeys(self._changed)
            self._changed = {}
            world = self._world(piece.at, piece.heading)
            world.loosen(name)
            world.run()
            self._take(world)
            self._loose = {**self._loose, **dict.fromkeys(others)}
            self._loose.pop(name, None)
            self._changed = {**before, **self._changed}
        for name in self._loose:
            if name in self._pieces:
                self._pieces[name] = laid(self._pieces[name])
                self._changed[name] = None

    def _tidy(self) -> None:
        """No piece in another, none with its middle beside the table, none that nothing holds."""
        outline = self._scene.surface.outline
        for _ in range(_ROUNDS):
            self._pieces, moved, loose = make_room(self._pieces.values(), self._changed)
            for name in (*moved, *self._changed):
                if name in self._pieces:
                    x, y, _ = self._pieces[name].centre
                    if clearance((x, y), outline) < 0.0:
                        self._events.append(Fell(t=self._time, piece=name, point=(x, y)))
                        loose |= {other.id for other in self._pieces.values() if name in other.rests_on}
                        del self._pieces[name]
            if not loose:
                return
            self._loose = dict.fromkeys(sorted(loose & self._pieces.keys()))
            self._falls()


def _far(piece: Pyramid, before: Pyramid) -> bool:
    apart = hypot(hypot(piece.x - before.x, piece.y - before.y), piece.z - before.z)
    return apart > _SHIFTED or abs(piece.tilt - before.tilt) > 1e-3 or piece.heading != before.heading


def _told(world: SliceWorld, launch: Launch | None, free: Release | None) -> Slice:
    """The tracks of a slice, with the launcher's in front of the missile's flight."""
    rows = {name: member.track for name, member in world.members.items() if member.track}
    lateral = {name: world.members[name].stand.lateral for name in rows}
    if launch is not None and free is not None:
        lift = launch.lift
        rows[LAUNCHER] = [(t, s, z + lift, tilt) for t, s, z, tilt, *_ in free.knots]
        early = [(t, s, z + lift, tilt) for t, *_, s, z, tilt in free.knots]
        rows[launch.piece] = [*early[:-1], *rows[launch.piece]]
        lateral[LAUNCHER] = 0.0
    times = sorted({row[0] for track in rows.values() for row in track})
    states = np.full((len(times), len(rows), 3), np.nan)
    for column, (name, track) in enumerate(rows.items()):
        known = np.array(track)
        for axis in range(3):
            states[:, column, axis] = np.interp(times, known[:, 0], known[:, axis + 1])
        if name in world.fallen:
            states[np.array(times) > world.fallen[name], column] = np.nan
    return Slice(
        origin=world.origin, azimuth=world.azimuth, begin=0.0 if free is not None else world.begin,
        ground=world.ground if world.ground[1] > world.ground[0] else None, ids=tuple(rows),
        lateral=tuple(lateral[name] for name in rows), times=np.array(times), states=states,
    )  # fmt: skip


__all__ = ["chord", "settle_launch", "settle_volley"]
