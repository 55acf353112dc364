"""Simulation of a squidge until all winks are at rest: a scene in, a `Trajectory` out.

A single squidge is a batch of one: this module lays out its row, calls the compiled loop, and reads the keyframes and
the contact log that the loop has left.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from math import cos, hypot, sin
from typing import Final, NamedTuple

import numpy as np

from flicksim.core.arrays import Floats
from flicksim.core.errors import DidNotSettle, InvalidAction
from flicksim.core.geometry import Point, is_inside_convex
from flicksim.engine.planar_discs.board import BoardArrays, make_board
from flicksim.engine.settings import Settings
from flicksim.engine.squidge_motion import follow_through_below, follow_through_contacts, squidge_motion
from flicksim.engine.wink_scenes import final_scene, mat_arrays, wink_states
from flicksim.engine.winks import FELT, POT, ContactRecord, Status, WinkResult, shot_arrays
from flicksim.engine.winks.integrator import UNTIL_SLIDE
from flicksim.engine.winks.outcome import MIN_LANDING_RISE, MIN_LANDING_SPEED, MOVE_TOLERANCE
from flicksim.engine.winks.result import make_result
from flicksim.engine.winks.shot_arrays import LIMIT_REACHED, SETTLED
from flicksim.engine.winks.shots import simulate_rows
from flicksim.engine.winks.wink_states import WinkStates
from flicksim.scene import trajectory
from flicksim.scene.flick import Squidge
from flicksim.scene.resting_pose import upper_normal
from flicksim.scene.scene import Scene
from flicksim.scene.trajectory import Event, SquidgerContact, Tracks, Trajectory
from flicksim.scene.wink_stacking import place_flat, supporting_ids


def simulate_squidge(scene: Scene, squidge: Squidge, settings: Settings) -> Trajectory:
    """Simulate a squidge until the mat is at rest. Pure, as `simulate`.

    Raises:
        InvalidAction: the wink is absent, or cannot be placed where the squidge starts.
        InvalidScene: materials without a known pairing.
        DidNotSettle: the mat did not come to rest; names the winks that still moved.
    """
    before = scene_at_start(scene, squidge)
    result, log = simulate_flight(before, squidge, settings)
    tracks = _tracks([p.id for p in before.pieces], result)
    poses = np.concatenate([result.winks.c, result.winks.n], axis=1)
    velocity = (squidge.speed * cos(squidge.elevation) * cos(squidge.azimuth),
                squidge.speed * cos(squidge.elevation) * sin(squidge.azimuth))  # fmt: skip
    events: list[Event] = [trajectory.Struck(t=0.0, piece=squidge.piece, velocity=velocity, spin=0.0)]
    events += _events(before, result, tracks)
    return Trajectory(
        before=before,
        flick=squidge,
        after=final_scene(before, poses, result.status, [(one.upper, one.lower) for one in result.lies_on]),
        events=tuple(sorted(events, key=lambda event: event.t)),
        tracks=tracks,
        duration=result.time,
        squidger=log,
    )


def scene_at_start(scene: Scene, squidge: Squidge) -> Scene:
    """Scene with the wink where its squidge starts.

    Raises:
        InvalidAction: the wink is absent, or cannot be placed there.
    """
    if not scene.has(squidge.piece):
        present = ", ".join(repr(p.id) for p in scene.pieces) or "none"
        raise InvalidAction(f"there is no piece {squidge.piece!r} to squidge; pieces on the table: {present}")
    if squidge.start is None:
        return scene
    if not is_inside_convex(squidge.start, scene.surface.outline):
        raise InvalidAction(f"start {squidge.start!r} of {squidge.piece!r} is off the surface")
    before = scene.with_piece(place_flat(scene.piece(squidge.piece), squidge.start))
    if wrong := [one for one in before.problems() if repr(squidge.piece) in one]:
        raise InvalidAction(f"start {squidge.start!r} of {squidge.piece!r} cannot be: {wrong[0]}")
    return before


def simulate_flight(
    scene: Scene, squidge: Squidge, settings: Settings
) -> tuple[WinkResult, tuple[SquidgerContact, ...]]:
    """Simulate the winks after a squidge until they rest; also return the contacts of the squidger.

    Raises:
        InvalidScene: materials without a known pairing.
        DidNotSettle: the mat did not come to rest; names the winks that still moved.
    """
    setup = _shot_setup(scene, settings)
    launched, motions, log = launched_winks(scene, squidge)
    shots = shot_arrays.ShotArrays(
        mat=np.zeros(1, np.int64), shooter=np.array([launched[0] if is_free(scene, squidge.piece) else -1]),
        launched=np.array([launched]), velocity=np.array([[v for v, _ in motions]]),
        angular_momentum=np.array([[spin for _, spin in motions]]), positions=np.zeros((1, 0, 2)),
    )  # fmt: skip
    results = shot_arrays.make_results(1, len(scene.pieces), len(scene.surface.lines))
    work = simulate_rows(0, 1, UNTIL_SLIDE, setup.mats, shots, setup.board, results, setup.work)
    result = make_result(work, results, 0, setup.winks, None)
    status = int(results.status[0]) if result.time <= settings.max_time else LIMIT_REACHED
    if message := unsettled_message(status, result.time, [p.id for p in scene.pieces], result.status, settings):
        raise DidNotSettle(message)
    return result, log


class _ShotSetup(NamedTuple):
    """Arrays that the shots in a scene share; `work` has the state of the last one."""

    scene: Scene
    settings: Settings
    winks: WinkStates
    mats: shot_arrays.MatArrays
    board: BoardArrays
    work: shot_arrays.Workspace


_LAST_SETUP: Final = threading.local()


def _shot_setup(scene: Scene, settings: Settings) -> _ShotSetup:
    """Arrays for a shot; those of this thread's last one again if it had the same scene and settings.

    Raises:
        InvalidScene: materials without a known pairing.
    """
    last: _ShotSetup | None = getattr(_LAST_SETUP, "setup", None)
    if last is None or last.scene is not scene or last.settings != settings:
        rings = tuple(sorted({piece.ring for piece in scene.pieces}))
        lines = tuple((*line.a, *line.b) for line in scene.surface.lines)
        mats, board = mat_arrays([(scene, settings)], rings), make_board(tuple(scene.surface.outline), lines, rings)
        work = shot_arrays.make_workspace(len(scene.pieces), mats.outline)
        last = _LAST_SETUP.setup = _ShotSetup(scene, settings, wink_states(scene), mats, board, work)
    return last


def unsettled_message(
    status: int, time: float, names: Sequence[str], statuses: Sequence[Status], settings: Settings
) -> str:
    """Reason why a shot did not come to rest, naming the winks that still moved; "" if it did."""
    if status == SETTLED:
        return ""
    moving = ", ".join(repr(name) for name, one in zip(names, statuses, strict=True) if one is Status.MOVING)
    impacts = f" and {settings.max_impacts + 1} impacts" if status == shot_arrays.TOO_MANY_IMPACTS else ""
    return f"after {min(time, settings.max_time):.3g} s{impacts} {moving or 'a wink'} still moved"


def is_free(scene: Scene, name: str) -> bool:
    """True if a wink lies on no other and none lies on it."""
    return not scene.piece(name).lies_on and not any(name in p.lies_on for p in scene.pieces)


def launched_winks(
    scene: Scene, squidge: Squidge
) -> tuple[list[int], list[tuple[Floats, Floats]], tuple[SquidgerContact, ...]]:
    """Indices of the winks that a squidge sets in motion, the one played first; their velocity [m/s] and angular
    momentum per mass [m^2/s] as the squidger leaves them; and its contacts."""
    index_of = {p.id: i for i, p in enumerate(scene.pieces)}
    first, top = index_of[squidge.piece], scene.piece(squidge.piece)
    below = [index_of[name] for name in _winks_below(scene, squidge.piece)] if squidge.press or squidge.drag else []
    pushed, log = follow_through_below(top, [scene.pieces[i] for i in below], squidge)
    beside = [piece for i, piece in enumerate(scene.pieces) if i != first and i not in below]
    touches = (*log, *follow_through_contacts(top, beside, squidge))
    motions = [squidge_motion(top, upper_normal(top), squidge), *pushed]
    return [first, *below], motions, tuple(sorted(touches, key=lambda touch: touch.begin))


def _winks_below(scene: Scene, name: str) -> list[str]:
    """Ids of the winks under a wink, directly or further down, that the squidger can reach; from the top."""
    first = scene.piece(name)
    under = [scene.piece(lower) for lower in supporting_ids(scene.pieces, name)]
    reachable = [p for p in under if hypot(p.x - first.x, p.y - first.y) < p.radius + first.radius]
    return [p.id for p in sorted(reachable, key=lambda p: -p.height)]


def _tracks(names: list[str], result: WinkResult) -> Tracks:
    """Recorded poses as tracks, linear between keyframes; every impact is a keyframe."""
    times, track = result.track_times, result.track_poses
    states = np.zeros((len(times), len(names), 6))
    states[:, :, :2] = track[:, :, :2]
    if len(times) > 1:
        intervals = np.diff(times)
        speeds = np.diff(track[:, :, :2], axis=0) / np.where(intervals > 0.0, intervals, np.inf)[:, None, None]
        states[:-1, :, 3:5] = speeds
    air = track[:, :, 2:6].copy()
    for departure in result.exits:
        late = times > departure.time
        states[late, departure.disc] = np.nan
        air[late, departure.disc] = np.nan
    for array in (times, states, air):
        array.setflags(write=False)
    return Tracks(ids=tuple(names), times=times, states=states, heights_and_normals=air)


def _events(scene: Scene, result: WinkResult, tracks: Tracks) -> list[Event]:
    """Events of a simulation: contacts, crossings, departures and stops."""
    names, events = tracks.ids, list[Event]()
    for impact in result.contacts:
        events += _contact_events(names, impact, tracks)
    for departure in result.exits:
        i = int(np.searchsorted(tracks.times, departure.time)) - 1
        vx, vy = tracks.states[max(i, 0), departure.disc, 3:5].tolist()
        piece, point = names[departure.disc], (departure.x, departure.y)
        events.append(trajectory.LeftSurface(t=departure.time, piece=piece, point=point, velocity=(vx, vy)))
    left = {departure.disc for departure in result.exits}
    moved = (np.abs(result.track_poses - result.track_poses[-1]) > MOVE_TOLERANCE).any(axis=2)
    for i in np.flatnonzero(moved.any(axis=0)).tolist():
        path, is_away = result.track_poses[:, i, :], moved[:, i]
        events += _crossing_events(scene, names[i], result.track_times, path)
        if i not in left:
            k = min(int(np.flatnonzero(is_away)[-1]) + 1, len(path) - 1)
            at = (float(path[-1, 0]), float(path[-1, 1]))
            events.append(trajectory.CameToRest(t=float(result.track_times[k]), piece=names[i], point=at))
    return events


def _contact_events(names: tuple[str, ...], impact: ContactRecord, tracks: Tracks) -> list[Event]:
    """Events of one contact: a landing, a collision, or both; none if it is too slow."""
    at: Point = (impact.point[0], impact.point[1])
    piece = names[impact.disc]
    if impact.other in (FELT, POT):
        if impact.speed < MIN_LANDING_SPEED:
            return []
        on = "surface" if impact.other == FELT else "pot"
        return [trajectory.Landed(t=impact.time, piece=piece, on=on, point=at, speed=impact.speed)]
    positions, air = tracks.poses_at(impact.time), tracks.heights_and_normals_at(impact.time)
    a, b = impact.disc, impact.other
    dx, dy = float(positions[b, 0] - positions[a, 0]), float(positions[b, 1] - positions[a, 1])
    d = hypot(dx, dy)
    normal = (dx / d, dy / d) if d > 0.0 else (1.0, 0.0)
    events: list[Event] = [
        trajectory.Collision(t=impact.time, piece=piece, other=names[b], point=at, normal=normal, speed=impact.speed)
    ]
    upper, lower = (a, b) if air[a, 0] >= air[b, 0] else (b, a)
    if air[upper, 0] - air[lower, 0] > MIN_LANDING_RISE and impact.speed >= MIN_LANDING_SPEED:
        events.append(
            trajectory.Landed(t=impact.time, piece=names[upper], on=names[lower], point=at, speed=impact.speed)
        )
    return events


def _crossing_events(scene: Scene, name: str, times: Floats, path: Floats) -> list[Event]:
    """Events of a wink's centre crossing drawn lines."""
    found, lines = list[Event](), scene.surface.lines
    starts, ends = (np.array([getattr(line, end) for line in lines]).reshape(-1, 2) for end in ("a", "b"))
    along = ends - starts
    away = path[None, :, :2] - starts[:, None]
    sides = along[:, :1] * away[:, :, 1] - along[:, 1:] * away[:, :, 0]
    for q, k in np.argwhere((sides[:, :-1] < 0.0) != (sides[:, 1:] < 0.0)).tolist():
        before, after = sides[q, k : k + 2].tolist()
        fraction = before / (before - after)
        x, y = (path[k, :2] + fraction * (path[k + 1, :2] - path[k, :2])).tolist()
        (ax, ay), (ex, ey) = lines[q].a, along[q].tolist()
        if 0.0 <= ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey) <= 1.0:
            t = float(times[k] + fraction * (times[k + 1] - times[k]))
            found.append(
                trajectory.LineCrossed(t=t, piece=name, line=lines[q].name, point=(x, y), forward=after >= 0.0)
            )
    return found
