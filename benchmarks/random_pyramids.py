"""Random tables of pyramids, random launches over them, and invariants of the results."""

from collections.abc import Iterator
from math import atan2, pi
from typing import Any, Literal

import numpy as np

from flicksim import scene as scenes
from flicksim.core.geometry import rectangle
from flicksim.engine import Settings, simulate
from flicksim.scene.flick import MAX_SPEED
from flicksim.scene.launch import BASE_HEIGHT_RANGE, STRIKE_ELEVATION_RANGE, STRIKE_HEIGHT_RANGE
from flicksim.scene.pyramid import Pyramid

_SIZES: tuple[Literal["small", "medium", "large"], ...] = ("small", "medium", "large")
_TABLE_MATERIALS = ("wood", "polished", "slate", "cloth")
_SIDE = 0.25
"""Half of a side of the table [m]: small, so that much falls off it."""
_MAX_DURATION = 30.0
"""No launch takes longer [s]."""
_SPIN_ENERGY_TOLERANCE = 1e-4
"""Energy by which a nail beside the middle turns a missile, which its release does not tell, over all energy [-]."""


def position(rng: np.random.Generator) -> scenes.PyramidScene:
    """Up to a dozen pyramids: standing, on a side, nested on one another, near together, at the edge."""
    outline = rectangle(2.0 * _SIDE, 2.0 * _SIDE, -_SIDE, -_SIDE)
    scene = scenes.PyramidScene(
        surface=scenes.Surface(material=_TABLE_MATERIALS[int(rng.integers(len(_TABLE_MATERIALS)))], outline=outline)
    )
    for k in range(int(rng.integers(0, 13))):
        more = scene.with_piece(_piece(rng, scene, f"piece-{k}"))
        if not more.problems():
            scene = more
    return scene


def _piece(rng: np.random.Generator, scene: scenes.PyramidScene, name: str) -> Pyramid:
    size = _SIZES[int(rng.integers(3))]
    shape = scene.kit.shape(size)
    neighbour = scene.pieces[int(rng.integers(len(scene.pieces)))] if scene.pieces else None
    heading, kind = float(rng.uniform(-pi, pi)), rng.random()
    topped = {name for piece in scene.pieces for name in piece.rests_on}
    if neighbour is not None and kind < 0.2 and neighbour.is_upright and neighbour.id not in topped:
        return Pyramid(
            id=name, size=size, shape=shape, x=neighbour.x, y=neighbour.y,
            z=neighbour.z + shape.stacking_height(neighbour.shape),
            heading=neighbour.heading, stands_on=(neighbour.id,),
        )  # fmt: skip
    x, y = (float(part) for part in rng.uniform(-_SIDE, _SIDE, 2))
    if neighbour is not None and kind < 0.7:
        x, y = (float(part) for part in rng.normal((neighbour.x, neighbour.y), 0.025))
    tilt = shape.lying_tilt if rng.random() < 0.3 else 0.0
    return Pyramid(id=name, size=size, shape=shape, x=x, y=y, heading=heading, tilt=tilt)


def flick(rng: np.random.Generator, scene: scenes.PyramidScene) -> scenes.Launch | None:
    """Any launch a hand can give, mostly at something; None if the launcher does not fit there."""
    x, y = (float(part) for part in rng.uniform(-1.2 * _SIDE, 1.2 * _SIDE, 2))
    azimuth = float(rng.uniform(-pi, pi))
    if scene.pieces and rng.random() < 0.7:
        aim = scene.pieces[int(rng.integers(len(scene.pieces)))]
        azimuth = float(np.clip(atan2(aim.y - y, aim.x - x) + rng.normal(0.0, 0.05), -pi, pi))
    hard = rng.uniform(0.5, 5.0) if rng.random() < 0.8 else MAX_SPEED ** rng.uniform(-0.3, 1.0)
    launch = scenes.Launch(
        piece=f"missile-{len(scene.pieces)}-{int(rng.integers(10**6))}",
        size=_SIZES[int(rng.integers(3))],
        hold=(x, y),
        azimuth=azimuth,
        speed=float(hard),
        height=float(rng.uniform(*STRIKE_HEIGHT_RANGE)),
        slant=float(rng.uniform(*STRIKE_ELEVATION_RANGE)),
        lift=float(rng.uniform(*BASE_HEIGHT_RANGE)),
    )
    return launch if scene.find_obstruction(launch) is None else None


def simulate_checked(scene: scenes.PyramidScene, launch: Any) -> tuple[scenes.LaunchTrajectory, Iterator[str]]:
    """Make the launch; return its landing and what is wrong with it."""
    landing = simulate(scene, launch)
    return landing, _problems(landing)


def _problems(landing: scenes.LaunchTrajectory) -> Iterator[str]:
    yield from landing.after.problems()
    if not 0.0 <= landing.duration <= _MAX_DURATION:
        yield f"it took {landing.duration:.1f} s"
    times = [event.t for event in landing.events]
    if times != sorted(times) or not all(0.0 <= t <= landing.duration + 1e-9 for t in times):
        yield "its events are not in order, or not within its duration"
    yield from _unexplained_events(landing)
    yield from _energy(landing)


def _unexplained_events(landing: scenes.LaunchTrajectory) -> Iterator[str]:
    """Pieces that are nowhere, or in two places."""
    fell = {event.piece for event in landing.events if isinstance(event, scenes.PyramidLeftSurface)}
    retained = {event.piece for event in landing.events if isinstance(event, scenes.LaunchFailed)}
    there = {piece.id for piece in landing.after.pieces}
    played = {piece.id for piece in landing.before.pieces} | {landing.launch.piece}
    if missing := played - fell - retained - there:
        yield f"{', '.join(sorted(missing))} neither fell, nor stayed on the launcher, nor lies anywhere"
    if twice := there & (fell | retained):
        yield f"{', '.join(sorted(twice))} lies there and is told not to"
    if there - played:
        yield f"{', '.join(sorted(there - played))} came from nowhere"
    reported = {event.piece for event in landing.events if isinstance(event, scenes.PyramidCameToRest)}
    if strange := reported - played:
        yield f"{', '.join(sorted(strange))} is told to lie there and was never played"
    for track in landing.tracks:
        if not all(np.isfinite(rows).all() for rows in (track.times, track.positions, track.orientations)):
            yield "a track is not finite"


def _energy(landing: scenes.LaunchTrajectory) -> Iterator[str]:
    """Nothing ever rises above the height that all the energy there is would lift it to."""
    released = next((event for event in landing.events if isinstance(event, scenes.Launched)), None)
    if released is None:
        return
    gravity, launch = Settings().gravity, landing.launch
    shapes = {piece.id: piece.shape for piece in landing.before.pieces}
    shapes[launch.piece] = shape = landing.before.kit.shape(launch.size)
    flown = landing.track(launch.piece)
    start = flown.pose_at(released.t) if flown is not None else None
    assert start is not None
    energy = 0.5 * shape.mass * (released.velocity[0] ** 2 + released.velocity[1] ** 2)
    energy += 0.5 * shape.transverse_inertia * released.spin**2 + shape.mass * gravity * start[0][2]
    energy += sum(piece.mass * gravity * piece.centre_of_mass[2] for piece in landing.before.pieces)
    for track in landing.tracks:
        if track.id not in shapes:
            continue
        high = float(track.positions[track.times >= released.t, 2].max(initial=0.0))
        share = shapes[track.id].mass * gravity * high / energy
        if share > 1.0 + _SPIN_ENERGY_TOLERANCE:
            yield f"{track.id} rose to {high:.3f} m, for which it needs {share:.3f} of all energy there was"
