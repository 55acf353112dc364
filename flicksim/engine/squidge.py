"""Simulation of a squidge until all winks are at rest: a scene in, a `Trajectory` out."""

from __future__ import annotations

from dataclasses import replace
from math import acos, atan2, cos, hypot, sin

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.core.errors import DidNotSettle, InvalidAction
from flicksim.core.geometry import Point, is_inside_convex
from flicksim.engine.hybrid_simulation import HybridSimulation
from flicksim.engine.settings import Settings
from flicksim.engine.squidge_motion import follow_through_below, follow_through_contacts, squidge_motion
from flicksim.engine.winks import (
    FELT,
    PLAY_PARAMS,
    POT,
    ContactParams,
    ContactRecord,
    Status,
    WinkParams,
    WinkResult,
    WinkSimulation,
    WinkStates,
    damping_from_restitution,
)
from flicksim.engine.winks import Cup as Cup
from flicksim.engine.winks.narrowphase_cup import is_in_cup
from flicksim.scene.flick import Squidge
from flicksim.scene.piece import Piece, Support
from flicksim.scene.pot import Pot
from flicksim.scene.scene import Scene
from flicksim.scene.trajectory import (
    CameToRest,
    Collision,
    Event,
    Landed,
    LeftSurface,
    LineCrossed,
    SquidgerContact,
    Struck,
    Tracks,
    Trajectory,
)
from flicksim.scene.wink_stacking import place_flat, supporting_ids

Array = npt.NDArray[np.float64]

_MIN_LANDING_SPEED = 0.02
"""Smallest impact speed of a landing [m/s]; slower touches of felt or pot are rolling and rattling."""
MOVE_TOLERANCE = 1e-6
"""Displacement below which a wink counts as unmoved [m]."""
_MAX_SUPPORT_SHIFT = 1e-4
"""Largest displacement of a wink that still supports the one on it [m]."""
LEVEL_TILT = 0.002
"""Tilt below which a resting wink counts as level [rad]: contact depth causes a little of it."""
ROLLING_RESISTANCE_FACTORS = (1.0, 8.0, 64.0)
"""Successive factors on rolling resistance, for winks that still whirl at the time limit."""
_SUPPORT_BY_STATUS: dict[Status, Support] = {Status.POTTED: "pot", Status.ON_RIM: "rim"}


def simulate_squidge(scene: Scene, squidge: Squidge, settings: Settings) -> Trajectory:
    """Simulate a squidge until the mat is at rest. Pure, as `simulate`.

    Raises:
        InvalidAction: the wink is absent, or cannot be placed where the squidge starts.
        InvalidScene: materials without a known pairing.
        DidNotSettle: the mat did not come to rest; names the winks that still moved.
    """
    if not scene.has(squidge.piece):
        present = ", ".join(repr(p.id) for p in scene.pieces) or "none"
        raise InvalidAction(f"there is no piece {squidge.piece!r} to squidge; pieces on the table: {present}")
    before = scene
    if squidge.start is not None:
        if not is_inside_convex(squidge.start, scene.surface.outline):
            raise InvalidAction(f"start {squidge.start!r} of {squidge.piece!r} is off the surface")
        before = scene.with_piece(place_flat(scene.piece(squidge.piece), squidge.start))
        if wrong := [one for one in before.problems() if repr(squidge.piece) in one]:
            raise InvalidAction(f"start {squidge.start!r} of {squidge.piece!r} cannot be: {wrong[0]}")
    result, log = simulate_flight(before, squidge, settings)
    tracks = _tracks([p.id for p in before.pieces], result)
    velocity = (squidge.speed * cos(squidge.elevation) * cos(squidge.azimuth),
                squidge.speed * cos(squidge.elevation) * sin(squidge.azimuth))  # fmt: skip
    events: list[Event] = [Struck(t=0.0, piece=squidge.piece, velocity=velocity, spin=0.0)]
    events += _events(before, result, tracks)
    return Trajectory(
        before=before,
        flick=squidge,
        after=_final_scene(before, result),
        events=tuple(sorted(events, key=lambda event: event.t)),
        tracks=tracks,
        duration=result.time,
        squidger=log,
    )


def simulate_flight(
    scene: Scene, squidge: Squidge, settings: Settings
) -> tuple[WinkResult, tuple[SquidgerContact, ...]]:
    """Simulate the winks after a squidge until they rest; also return the contacts of the squidger.

    Raises:
        DidNotSettle: the mat did not come to rest; names the winks that still moved.
    """
    names = [p.id for p in scene.pieces]
    shooter = names.index(squidge.piece)
    follows_through = squidge.press or squidge.drag
    below = [names.index(name) for name in _winks_below(scene, squidge.piece)] if follows_through else []
    winks, log = _apply_squidge(scene, squidge, shooter, below)
    free = not scene.pieces[shooter].lies_on and not any(squidge.piece in p.lies_on for p in scene.pieces)
    return _simulate_to_rest(scene, winks, shooter if free else None, settings), log


def piece_normal(piece: Piece) -> tuple[float, float, float]:
    """Unit normal of a piece's upper face; it leans in the direction in which the piece slopes down."""
    slope = sin(piece.tilt)
    return (slope * cos(piece.lean), slope * sin(piece.lean), cos(piece.tilt))


def wink_states(scene: Scene) -> WinkStates:
    """States of all winks of a scene, at rest."""
    centres = np.array([(p.x, p.y, p.height) for p in scene.pieces])
    normals = np.array([piece_normal(p) for p in scene.pieces])
    return WinkStates.at_rest(centres, [(p.radius, p.thickness / 2.0, p.mass) for p in scene.pieces], normals)


def _winks_below(scene: Scene, name: str) -> list[str]:
    """Ids of the winks under a wink, directly or further down, that the squidger can reach; from the top."""
    first = scene.piece(name)
    under = [scene.piece(lower) for lower in supporting_ids(scene.pieces, name)]
    reachable = [p for p in under if hypot(p.x - first.x, p.y - first.y) < p.radius + first.radius]
    return [p.id for p in sorted(reachable, key=lambda p: -p.height)]


def _apply_squidge(
    scene: Scene, squidge: Squidge, first: int, below: list[int]
) -> tuple[WinkStates, tuple[SquidgerContact, ...]]:
    """States of the winks as the squidger leaves them, and its contacts."""
    winks = wink_states(scene)
    top = scene.pieces[first]
    v, spin = squidge_motion(top, piece_normal(top), squidge)
    winks = winks.with_motion(first, v, spin)
    pushed, log = follow_through_below(top, [scene.pieces[i] for i in below], squidge)
    for i, (velocity, momentum) in zip(below, pushed, strict=True):
        winks = winks.with_motion(i, velocity, momentum)
    beside = [piece for i, piece in enumerate(scene.pieces) if i != first and i not in below]
    touches = (*log, *follow_through_contacts(top, beside, squidge))
    return winks, tuple(sorted(touches, key=lambda touch: touch.begin))


def wink_params(scene: Scene, settings: Settings) -> WinkParams:
    """Wink parameters for the materials of a scene."""
    wink = scene.pieces[0].material

    def contact(other: str) -> ContactParams:
        pairing = settings.pairings.lookup(wink, other)
        return ContactParams(
            damping_ratio=damping_from_restitution(pairing.restitution),
            friction=pairing.friction,
            rolling_resistance=settings.rolling_resistance,
        )

    pot = scene.surface.pot
    return WinkParams(
        felt=contact(scene.surface.material),
        pot=contact(pot.material if pot is not None else scene.surface.material),
        wink=contact(wink),
        drag_coefficient=settings.drag_coefficient,
        gravity=settings.gravity,
        stiffness=PLAY_PARAMS.stiffness / settings.step_factor**2,
        time_step=PLAY_PARAMS.time_step * settings.step_factor,
    )


def cup_geometry(pot: Pot | None) -> Cup | None:
    """Geometry of a pot for the wink simulation; None without a pot."""
    if pot is None:
        return None
    return Cup(
        x=pot.x,
        y=pot.y,
        height=pot.height,
        top_radius=pot.top_radius,
        base_radius=pot.base_radius,
        wall_thickness=pot.wall,
        floor_height=pot.floor,
    )


def _simulate_to_rest(scene: Scene, winks: WinkStates, shooter: int | None, settings: Settings) -> WinkResult:
    """Simulate until all winks are at rest."""
    params, cup = wink_params(scene, settings), cup_geometry(scene.surface.pot)
    index_of = {p.id: i for i, p in enumerate(scene.pieces)}
    stacked = [(i, index_of[lower]) for i, p in enumerate(scene.pieces) for lower in p.lies_on if lower in index_of]
    flight = WinkSimulation(
        winks, params, cup, shooter=shooter, stacked=stacked, outline=np.array(scene.surface.outline),
        keyframe_interval=settings.output_interval / 4.0,
    )  # fmt: skip
    hybrid = HybridSimulation(scene, flight, settings)
    for factor in ROLLING_RESISTANCE_FACTORS:
        flight.params = with_rolling_factor(params, factor)
        if hybrid.run(settings.max_flight_time):
            break
    result = hybrid.result()
    if not result.settled:
        result = _place_in_pot(result, cup)
    if not result.settled:
        names = ", ".join(repr(scene.pieces[i].id) for i in result.unsettled)
        raise DidNotSettle(f"after {result.time:.1f} s {names or 'something'} still moved")
    return result


def _place_in_pot(result: WinkResult, cup: Cup | None) -> WinkResult:
    """Lay winks that jam in the pot and never rest flat on the others there; change nothing if any moves elsewhere."""
    c, n, half = result.winks.c.copy(), result.winks.n.copy(), result.winks.h
    if cup is None:
        return result
    inside = [i for i in range(len(c)) if is_in_cup(c[i, 0] - cup.x, c[i, 1] - cup.y, c[i, 2], cup.to_array())]
    if not set(result.unsettled) <= set(inside):
        return result
    still = [i for i in inside if i not in result.unsettled]
    tops = [c[i, 2] + result.winks.R[i] * hypot(n[i, 0], n[i, 1]) + half[i] * abs(n[i, 2]) for i in still]
    top = max(tops, default=cup.floor_height)
    for i in sorted(result.unsettled, key=lambda i: float(c[i, 2])):
        c[i], n[i] = (cup.x, cup.y, top + half[i]), (0.0, 0.0, 1.0 if n[i, 2] >= 0.0 else -1.0)
        top += 2.0 * half[i]
    return replace(
        result,
        winks=replace(result.winks, c=c, n=n),
        status=tuple(Status.POTTED if i in result.unsettled else status for i, status in enumerate(result.status)),
        settled=True,
        unsettled=(),
        track_times=np.append(result.track_times, result.time),
        track_poses=np.concatenate([result.track_poses, np.concatenate([c, n], axis=1)[None]]),
    )


def with_rolling_factor(params: WinkParams, factor: float) -> WinkParams:
    """Copy wink parameters with every rolling resistance multiplied by a factor."""
    if factor == 1.0:
        return params

    def scaled(material: ContactParams) -> ContactParams:
        return replace(material, rolling_resistance=factor * material.rolling_resistance)

    return replace(params, felt=scaled(params.felt), pot=scaled(params.pot), wink=scaled(params.wink))


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
        velocity = (
            float(tracks.states[max(i, 0), departure.disc, 3]),
            float(tracks.states[max(i, 0), departure.disc, 4]),
        )
        events.append(
            LeftSurface(
                t=departure.time, piece=names[departure.disc], point=(departure.x, departure.y), velocity=velocity
            )
        )
    left = {departure.disc for departure in result.exits}
    moved = (np.abs(result.track_poses - result.track_poses[-1]) > MOVE_TOLERANCE).any(axis=2)
    for i in np.flatnonzero(moved.any(axis=0)).tolist():
        path, is_away = result.track_poses[:, i, :], moved[:, i]
        events += _crossing_events(scene, names[i], result.track_times, path)
        if i not in left:
            k = min(int(np.flatnonzero(is_away)[-1]) + 1, len(path) - 1)
            at = (float(path[-1, 0]), float(path[-1, 1]))
            events.append(CameToRest(t=float(result.track_times[k]), piece=names[i], point=at))
    return events


def _contact_events(names: tuple[str, ...], impact: ContactRecord, tracks: Tracks) -> list[Event]:
    """Events of one contact: a landing, a collision, or both; none if it is too slow."""
    at: Point = (impact.point[0], impact.point[1])
    piece = names[impact.disc]
    if impact.other in (FELT, POT):
        if impact.speed < _MIN_LANDING_SPEED:
            return []
        on = "surface" if impact.other == FELT else "pot"
        return [Landed(t=impact.time, piece=piece, on=on, point=at, speed=impact.speed)]
    positions, air = tracks.poses_at(impact.time), tracks.heights_and_normals_at(impact.time)
    a, b = impact.disc, impact.other
    dx, dy = float(positions[b, 0] - positions[a, 0]), float(positions[b, 1] - positions[a, 1])
    d = hypot(dx, dy)
    normal = (dx / d, dy / d) if d > 0.0 else (1.0, 0.0)
    events: list[Event] = [
        Collision(t=impact.time, piece=piece, other=names[b], point=at, normal=normal, speed=impact.speed)
    ]
    upper, lower = (a, b) if air[a, 0] >= air[b, 0] else (b, a)
    if air[upper, 0] - air[lower, 0] > 5e-4 and impact.speed >= _MIN_LANDING_SPEED:
        events.append(Landed(t=impact.time, piece=names[upper], on=names[lower], point=at, speed=impact.speed))
    return events


def _crossing_events(scene: Scene, name: str, times: Array, path: Array) -> list[Event]:
    """Events of a wink's centre crossing drawn lines."""
    found: list[Event] = []
    for line in scene.surface.lines:
        (ax, ay), (bx, by) = line.a, line.b
        ex, ey = bx - ax, by - ay
        side = ex * (path[:, 1] - ay) - ey * (path[:, 0] - ax)
        for k in np.flatnonzero((side[:-1] < 0.0) != (side[1:] < 0.0)):
            fraction = float(side[k] / (side[k] - side[k + 1]))
            x, y = (float(path[k, q] + fraction * (path[k + 1, q] - path[k, q])) for q in (0, 1))
            along = ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey)
            if 0.0 <= along <= 1.0:
                t = float(times[k] + fraction * (times[k + 1] - times[k]))
                forward = bool(side[k + 1] >= 0.0)
                found.append(LineCrossed(t=t, piece=name, line=line.name, point=(x, y), forward=forward))
    return found


def _final_scene(scene: Scene, result: WinkResult) -> Scene:
    """Scene with the winks at their final poses; unmoved ones stay bit for bit."""
    departed = {one.disc for one in result.exits}
    present = [(i, p) for i, p in enumerate(scene.pieces) if i not in departed]
    centres, normals = result.winks.c.tolist(), result.winks.n.tolist()
    asleep = {i for i, p in present if centres[i] == [p.x, p.y, p.height]}  # was never awake
    poses = {
        i: (centres[i] if i in asleep else [*scene.surface.round_inside(centres[i][:2]), centres[i][2]], normals[i])
        for i, _ in present
    }
    under = {p.id for i, p in present if i in asleep or _is_unmoved(p, *poses[i], _MAX_SUPPORT_SHIFT)}
    # a wink may have been laid by hand on one that the simulation sees only near it
    lies_on = {
        i: tuple(name for name in p.lies_on if name in under)
        for i, p in present
        if i in asleep or _is_unmoved(p, *poses[i])
    }
    upper = {one.upper for one in result.lies_on}
    for one in result.lies_on:
        lower, held = scene.pieces[one.lower].id, lies_on.get(one.upper, ())
        lies_on[one.upper] = held if lower in held else (*held, lower)
    pieces = tuple(
        p
        if i in asleep and not p.lies_on and i not in upper
        else resting_piece(p, *poses[i], result.status[i], lies_on.get(i, ()))
        for i, p in present
    )
    return msgspec.structs.replace(scene, pieces=pieces)


def _is_unmoved(piece: Piece, c: list[float], n: list[float], tolerance: float = MOVE_TOLERANCE) -> bool:
    """True if a piece lies as before, within a tolerance [m]."""
    displacement = max(abs(c[0] - piece.x), abs(c[1] - piece.y), abs(c[2] - piece.height))
    return displacement < tolerance and abs(acos(min(1.0, abs(n[2]))) - piece.tilt) < 1e-4


def resting_piece(piece: Piece, c: list[float], n: list[float], status: Status, lies_on: tuple[str, ...]) -> Piece:
    """Piece at rest with centre `c`, normal `n` and this support."""
    (x, y, z), (nx, ny, nz) = c, n
    support = _SUPPORT_BY_STATUS.get(status, "surface")
    if status is Status.LEANING and not lies_on:
        support = "leaning"
    if support == "pot":
        lies_on = ()
    tilt = acos(min(1.0, abs(nz)))
    if _is_unmoved(piece, c, n):
        return piece if lies_on == piece.lies_on else msgspec.structs.replace(piece, lies_on=lies_on)
    flipped = nz < 0.0
    level = tilt < LEVEL_TILT
    up = -1.0 if flipped else 1.0
    flat = level and not lies_on and support == "surface"
    return msgspec.structs.replace(
        piece,
        x=x,
        y=y,
        z=None if flat else round(z, 9),
        tilt=0.0 if level else round(tilt, 9),
        lean=0.0 if level else round(atan2(up * ny, up * nx), 9),
        face=-piece.face if flipped else piece.face,
        lies_on=lies_on,
        support=support,
    )
