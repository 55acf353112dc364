"""A squidge, from the hand to the last wink at rest: a scene goes into the height layer and comes back as a Motion."""

from __future__ import annotations

from dataclasses import replace
from math import acos, atan2, cos, hypot, sin

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.base.errors import BadFlick, Unsettled
from flicksim.base.geometry import Point, inside
from flicksim.physics.flight import (
    FELT,
    PLAY,
    POT,
    Contact,
    Flight,
    FlightResult,
    Impact,
    Params,
    Status,
    Winks,
    zeta_from_e,
)
from flicksim.physics.flight import Pot as Cup
from flicksim.physics.flight.wall import in_pot
from flicksim.physics.mat import Mat
from flicksim.physics.settings import Settings
from flicksim.physics.strike import drawn_through, passed_over, squidged
from flicksim.table.flick import Squidge
from flicksim.table.motion import Crossed, Event, Landed, Left, Motion, Rested, SquidgerTouch, Struck, Touched, Tracks
from flicksim.table.piece import Piece, Support
from flicksim.table.pile import beneath, flat
from flicksim.table.pot import Pot
from flicksim.table.scene import Scene

Array = npt.NDArray[np.float64]

_LANDING = 0.02
"""Slower touches of felt or pot are rolling and rattling, not landings [m/s]."""
STILL = 1e-6
"""A wink that has moved less than this has not moved [m]."""
_SUPPORT_SHIFT = 1e-4
"""Largest move of a jostled wink on which another still lies [m]."""
LEVEL_REST = 0.002
"""Tilt below which a resting wink lies level [rad]: contact depth gives a little of it."""
DEADENING = (1.0, 8.0, 64.0)
"""Rolling resistance grows by these when something whirls on past the time limit: felt and air take what is left."""
_SUPPORT: dict[Status, Support] = {Status.POTTED: "pot", Status.ON_RIM: "rim"}


def settle_squidge(scene: Scene, squidge: Squidge, settings: Settings) -> Motion:
    """Squidge a wink and let the mat come to rest. Pure, as `settle`.

    Raises:
        BadFlick: the wink is not there, or cannot be put where the squidge starts.
        BadScene: materials the table of pairings does not know.
        Unsettled: it would not come to rest; names what still moved.
    """
    if not scene.has(squidge.piece):
        there = ", ".join(repr(p.id) for p in scene.pieces) or "none"
        raise BadFlick(f"there is no piece {squidge.piece!r} to squidge; pieces on the table: {there}")
    before = scene
    if squidge.start is not None:
        if not inside(squidge.start, scene.surface.outline):
            raise BadFlick(f"start {squidge.start!r} of {squidge.piece!r} is off the surface")
        before = scene.with_piece(flat(scene.piece(squidge.piece), squidge.start))
        if wrong := [one for one in before.problems() if repr(squidge.piece) in one]:
            raise BadFlick(f"start {squidge.start!r} of {squidge.piece!r} cannot be: {wrong[0]}")
    result, log = flown(before, squidge, settings)
    tracks = _tracks([p.id for p in before.pieces], result)
    velocity = (squidge.speed * cos(squidge.elevation) * cos(squidge.azimuth),
                squidge.speed * cos(squidge.elevation) * sin(squidge.azimuth))  # fmt: skip
    events: list[Event] = [Struck(t=0.0, piece=squidge.piece, velocity=velocity, spin=0.0)]
    events += _told(before, result, tracks)
    return Motion(
        before=before,
        flick=squidge,
        after=_resting(before, result),
        events=tuple(sorted(events, key=lambda event: event.t)),
        tracks=tracks,
        duration=result.time,
        squidger=log,
    )


def flown(scene: Scene, squidge: Squidge, settings: Settings) -> tuple[FlightResult, tuple[SquidgerTouch, ...]]:
    """The flight itself, to rest, as the height layer tells it, and what the squidger touched.

    Raises:
        Unsettled: it would not come to rest; names what still moved.
    """
    names = [p.id for p in scene.pieces]
    first = names.index(squidge.piece)
    goes_on = squidge.press or squidge.drag
    below = [names.index(name) for name in _down_through(scene, squidge.piece)] if goes_on else []
    winks, log = _struck(scene, squidge, first, below)
    free = not scene.pieces[first].lies_on and not any(squidge.piece in p.lies_on for p in scene.pieces)
    return _settled(scene, winks, first if free else None, settings), log


def normal_of(piece: Piece) -> tuple[float, float, float]:
    """Unit normal of a piece's upper side; it leans the way the piece slopes down."""
    slope = sin(piece.tilt)
    return (slope * cos(piece.lean), slope * sin(piece.lean), cos(piece.tilt))


def winks_of(scene: Scene) -> Winks:
    """All winks of a scene, lying still, as the height layer knows them."""
    centres = np.array([(p.x, p.y, p.height) for p in scene.pieces])
    normals = np.array([normal_of(p) for p in scene.pieces])
    return Winks.at_rest(centres, [(p.radius, p.thickness / 2.0, p.mass) for p in scene.pieces], normals)


def _down_through(scene: Scene, name: str) -> list[str]:
    """The winks under a wink, directly or further down, where the squidger can come through; from the top."""
    first = scene.piece(name)
    under = [scene.piece(lower) for lower in beneath(scene.pieces, name)]
    over = [p for p in under if hypot(p.x - first.x, p.y - first.y) < p.radius + first.radius]
    return [p.id for p in sorted(over, key=lambda p: -p.height)]


def _struck(scene: Scene, squidge: Squidge, first: int, below: list[int]) -> tuple[Winks, tuple[SquidgerTouch, ...]]:
    """The winks as the squidger leaves them, and what it touched."""
    winks = winks_of(scene)
    top = scene.pieces[first]
    v, spin = squidged(top, normal_of(top), squidge)
    winks = winks.moved(first, v, spin)
    pushed, log = drawn_through(top, [scene.pieces[i] for i in below], squidge)
    for i, (push, turn) in zip(below, pushed, strict=True):
        winks = winks.moved(i, push, turn)
    beside = [piece for i, piece in enumerate(scene.pieces) if i != first and i not in below]
    touches = (*log, *passed_over(top, beside, squidge))
    return winks, tuple(sorted(touches, key=lambda touch: touch.begin))


def params_of(scene: Scene, settings: Settings) -> Params:
    """The parameters of the height layer, from the pairings of this scene's materials."""
    wink = scene.pieces[0].material

    def contact(other: str) -> Contact:
        pairing = settings.pairings.of(wink, other)
        return Contact(zeta=zeta_from_e(pairing.restitution), mu=pairing.friction, roll=settings.rolling)

    pot = scene.surface.pot
    return Params(
        felt=contact(scene.surface.material),
        pot=contact(pot.material if pot is not None else scene.surface.material),
        wink=contact(wink),
        drag=settings.drag,
        gravity=settings.gravity,
        stiffness=PLAY.stiffness / settings.coarse**2,
        step=PLAY.step * settings.coarse,
    )


def cup_of(pot: Pot | None) -> Cup | None:
    """The pot as the height layer knows it."""
    if pot is None:
        return None
    return Cup(
        x=pot.x, y=pot.y, height=pot.height, top=pot.top_radius, base=pot.base_radius, wall=pot.wall, floor=pot.floor
    )


def _settled(scene: Scene, winks: Winks, shooter: int | None, settings: Settings) -> FlightResult:
    """Go on until all is at rest."""
    params, cup = params_of(scene, settings), cup_of(scene.surface.pot)
    at = {p.id: i for i, p in enumerate(scene.pieces)}
    laid = [(i, at[lower]) for i, p in enumerate(scene.pieces) for lower in p.lies_on if lower in at]
    flight = Flight(
        winks, params, cup, shooter=shooter, laid=laid, edge=np.array(scene.surface.outline),
        record=settings.frame / 4.0,
    )  # fmt: skip
    mat = Mat(scene, flight, settings)
    for more in DEADENING:
        flight.params = deadened(params, more)
        if mat.run(settings.max_flight):
            break
    result = mat.account()
    if not result.settled:
        result = _laid_in_pot(result, cup)
    if not result.settled:
        names = ", ".join(repr(scene.pieces[i].id) for i in result.restless)
        raise Unsettled(f"after {result.time:.1f} s {names or 'something'} still moved")
    return result


def _laid_in_pot(result: FlightResult, cup: Cup | None) -> FlightResult:
    """Winks that jam in the pot and never rest, laid flat on the others there; anything else is left as it is."""
    c, n, half = result.winks.c.copy(), result.winks.n.copy(), result.winks.h
    if cup is None:
        return result
    inside = [i for i in range(len(c)) if in_pot(c[i, 0] - cup.x, c[i, 1] - cup.y, c[i, 2], cup.numbers())]
    if not set(result.restless) <= set(inside):
        return result
    still = [i for i in inside if i not in result.restless]
    tops = [c[i, 2] + result.winks.R[i] * hypot(n[i, 0], n[i, 1]) + half[i] * abs(n[i, 2]) for i in still]
    top = max(tops, default=cup.floor)
    for i in sorted(result.restless, key=lambda i: float(c[i, 2])):
        c[i], n[i] = (cup.x, cup.y, top + half[i]), (0.0, 0.0, 1.0 if n[i, 2] >= 0.0 else -1.0)
        top += 2.0 * half[i]
    return replace(
        result,
        winks=replace(result.winks, c=c, n=n),
        status=tuple(Status.POTTED if i in result.restless else status for i, status in enumerate(result.status)),
        settled=True,
        restless=(),
        times=np.append(result.times, result.time),
        track=np.concatenate([result.track, np.concatenate([c, n], axis=1)[None]]),
    )


def deadened(params: Params, times: float) -> Params:
    parts = {
        name: replace(getattr(params, name), roll=times * getattr(params, name).roll)
        for name in ("felt", "pot", "wink")
    }
    return replace(params, **parts)


def _tracks(names: list[str], result: FlightResult) -> Tracks:
    """The recorded poses; straight between knots, which stand at every blow."""
    times, track = result.times, result.track
    states = np.zeros((len(times), len(names), 6))
    states[:, :, :2] = track[:, :, :2]
    if len(times) > 1:
        gaps = np.diff(times)
        speeds = np.diff(track[:, :, :2], axis=0) / np.where(gaps > 0.0, gaps, np.inf)[:, None, None]
        states[:-1, :, 3:5] = speeds
    air = track[:, :, 2:6].copy()
    for gone in result.exits:
        late = times > gone.time
        states[late, gone.disc] = np.nan
        air[late, gone.disc] = np.nan
    for array in (times, states, air):
        array.setflags(write=False)
    return Tracks(ids=tuple(names), times=times, states=states, air=air)


def _told(scene: Scene, result: FlightResult, tracks: Tracks) -> list[Event]:
    """The happenings on the way, as events."""
    names, told = tracks.ids, list[Event]()
    for impact in result.impacts:
        told += _touch(names, impact, tracks)
    for gone in result.exits:
        i = int(np.searchsorted(tracks.times, gone.time)) - 1
        velocity = (float(tracks.states[max(i, 0), gone.disc, 3]), float(tracks.states[max(i, 0), gone.disc, 4]))
        told.append(Left(t=gone.time, piece=names[gone.disc], point=(gone.x, gone.y), velocity=velocity))
    left = {gone.disc for gone in result.exits}
    moved = (np.abs(result.track - result.track[-1]) > STILL).any(axis=2)
    for i in np.flatnonzero(moved.any(axis=0)).tolist():
        path, away = result.track[:, i, :], moved[:, i]
        told += _crossings(scene, names[i], result.times, path)
        if i not in left:
            k = min(int(np.flatnonzero(away)[-1]) + 1, len(path) - 1)
            at = (float(path[-1, 0]), float(path[-1, 1]))
            told.append(Rested(t=float(result.times[k]), piece=names[i], point=at))
    return told


def _touch(names: tuple[str, ...], impact: Impact, tracks: Tracks) -> list[Event]:
    at: Point = (impact.point[0], impact.point[1])
    piece = names[impact.disc]
    if impact.against in (FELT, POT):
        if impact.speed < _LANDING:
            return []
        on = "surface" if impact.against == FELT else "pot"
        return [Landed(t=impact.time, piece=piece, on=on, point=at, speed=impact.speed)]
    places, air = tracks.at(impact.time), tracks.air_at(impact.time)
    a, b = impact.disc, impact.against
    dx, dy = float(places[b, 0] - places[a, 0]), float(places[b, 1] - places[a, 1])
    d = hypot(dx, dy)
    normal = (dx / d, dy / d) if d > 0.0 else (1.0, 0.0)
    told: list[Event] = [
        Touched(t=impact.time, piece=piece, other=names[b], point=at, normal=normal, speed=impact.speed)
    ]
    upper, lower = (a, b) if air[a, 0] >= air[b, 0] else (b, a)
    if air[upper, 0] - air[lower, 0] > 5e-4 and impact.speed >= _LANDING:
        told.append(Landed(t=impact.time, piece=names[upper], on=names[lower], point=at, speed=impact.speed))
    return told


def _crossings(scene: Scene, name: str, times: Array, path: Array) -> list[Event]:
    """Events of a wink's centre going over drawn lines."""
    found: list[Event] = []
    for line in scene.surface.lines:
        (ax, ay), (bx, by) = line.a, line.b
        ex, ey = bx - ax, by - ay
        beside = ex * (path[:, 1] - ay) - ey * (path[:, 0] - ax)
        for k in np.flatnonzero((beside[:-1] < 0.0) != (beside[1:] < 0.0)):
            part = float(beside[k] / (beside[k] - beside[k + 1]))
            x, y = (float(path[k, q] + part * (path[k + 1, q] - path[k, q])) for q in (0, 1))
            along = ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey)
            if 0.0 <= along <= 1.0:
                t = float(times[k] + part * (times[k + 1] - times[k]))
                forward = bool(beside[k + 1] >= 0.0)
                found.append(Crossed(t=t, piece=name, line=line.name, point=(x, y), forward=forward))
    return found


def _resting(scene: Scene, result: FlightResult) -> Scene:
    """The winks where they lie now; those that have not moved are left bit for bit."""
    gone = {one.disc for one in result.exits}
    here = [(i, p) for i, p in enumerate(scene.pieces) if i not in gone]
    kept = [[*scene.surface.kept((x, y)), z] for x, y, z in result.winks.c.tolist()]
    poses = list(zip(kept, result.winks.n.tolist(), strict=True))
    under = {p.id for i, p in here if _same(p, *poses[i], _SUPPORT_SHIFT)}
    # hands may have laid it on what the height layer sees it only near to
    lies_on = {i: tuple(name for name in p.lies_on if name in under) for i, p in here if _same(p, *poses[i])}
    for one in result.lies_on:
        lower, held = scene.pieces[one.lower].id, lies_on.get(one.upper, ())
        lies_on[one.upper] = held if lower in held else (*held, lower)
    pieces = tuple(lying(p, *poses[i], result.status[i], lies_on.get(i, ())) for i, p in here)
    return msgspec.structs.replace(scene, pieces=pieces)


def _same(piece: Piece, c: list[float], n: list[float], within: float = STILL) -> bool:
    """True if it lies as it lay, to so much [m]."""
    apart = max(abs(c[0] - piece.x), abs(c[1] - piece.y), abs(c[2] - piece.height))
    return apart < within and abs(acos(min(1.0, abs(n[2]))) - piece.tilt) < 1e-4


def lying(piece: Piece, c: list[float], n: list[float], status: Status, lies_on: tuple[str, ...]) -> Piece:
    (x, y, z), (nx, ny, nz) = c, n
    support = _SUPPORT.get(status, "surface")
    if status is Status.LEANING and not lies_on:
        support = "leaning"
    if support == "pot":
        lies_on = ()
    tilt = acos(min(1.0, abs(nz)))
    if _same(piece, c, n):
        return piece if lies_on == piece.lies_on else msgspec.structs.replace(piece, lies_on=lies_on)
    turned = nz < 0.0
    level = tilt < LEVEL_REST
    up = -1.0 if turned else 1.0
    flat = level and not lies_on and support == "surface"
    return msgspec.structs.replace(
        piece,
        x=x,
        y=y,
        z=None if flat else round(z, 9),
        tilt=0.0 if level else round(tilt, 9),
        lean=0.0 if level else round(atan2(up * ny, up * nx), 9),
        face=-piece.face if turned else piece.face,
        lies_on=lies_on,
        support=support,
    )
