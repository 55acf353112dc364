"""Scenes of pyramids for tests, and simulations of a piece thrown onto them."""

from collections.abc import Sequence
from math import atan2, cos, pi, sin

import msgspec
import numpy as np

from flicksim.core.geometry import rectangle
from flicksim.engine.pyramids import integrator as loop
from flicksim.engine.pyramids import recorder as R
from flicksim.engine.pyramids.pyramid_world import PyramidWorld
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import energy
from flicksim.engine.settings import Settings
from flicksim.scene import SIZES, Launch, Point3, Pyramid, PyramidScene, Size, Surface, standard_shape

SETTINGS = Settings()
PAIRS = SETTINGS.pairings.lookup("styrene", "wood"), SETTINGS.pairings.lookup("styrene", "styrene")
FLOOR = PyramidScene(surface=Surface(material="wood", outline=rectangle(8.0, 8.0, -4.0, -4.0)))
TABLE = PyramidScene(surface=Surface(material="wood", outline=rectangle(0.9, 0.9)))


def world_of(pieces: Sequence[Pyramid], scene: PyramidScene = FLOOR) -> PyramidWorld:
    """World with these pieces at rest on a wooden table."""
    return PyramidWorld(pieces, scene.surface.outline, *PAIRS, SETTINGS.gravity)


def throw_piece(
    piece: Pyramid, velocity: Point3 = (0.0, 0.0, 0.0), spin: Point3 = (0.0, 0.0, 0.0), others: Sequence[Pyramid] = ()
) -> PyramidWorld:
    """World after a piece was thrown and everything has come to rest."""
    world = world_of((*others, piece))
    world.set_velocity(piece.id, velocity, spin)
    world.run()
    return world


def piece_of(world: PyramidWorld, name: str) -> Pyramid:
    return next(piece for piece in world.pieces() if piece.id == name)


def advance(world: PyramidWorld, duration: float) -> int:
    """Simulate a world in which something moves so long [s], and say why it ended."""
    run, bodies = world._state, world._bodies
    if run.clock[R.TIME] == 0.0:
        run.clock[R.MIN_ENERGY] = np.inf
    run.clock[R.MAX_TIME] = run.clock[R.TIME] + duration
    why = loop.simulate_until(bodies, run, world._contacts, world._materials, SETTINGS.gravity)
    run.counters[R.KEYFRAME_COUNT] = run.counters[R.HIT_COUNT] = 0
    return int(why)


def energies(world: PyramidWorld) -> list[float]:
    """Energy of all that moves [J], each time that nothing touches and nobody new moves, until all is at rest."""
    run, found = world._state, []
    bodies, clock = world._bodies, world._state.clock
    clock[R.MIN_ENERGY] = np.inf
    clock[R.MIN_ENERGY] = (
        sum(energy(bodies, i, SETTINGS.gravity) / bodies[i, B.INV_MASS] for i in _kinetic_energy(world))
        / clock[R.MASS_UNIT]
    )
    why, before = loop.TIMED_OUT, _kinetic_energy(world)
    while why != loop.ALL_ASLEEP:
        clock[R.MAX_TIME] = clock[R.TIME] + 1e-3
        why = loop.simulate_until(bodies, run, world._contacts, world._materials, SETTINGS.gravity)
        run.counters[R.KEYFRAME_COUNT] = run.counters[R.HIT_COUNT] = 0
        if _kinetic_energy(world) != before:
            break
        if run.counters[R.PREV_CONTACT_COUNT] == 0:
            found.append(sum(energy(bodies, i, SETTINGS.gravity) / bodies[i, B.INV_MASS] for i in before))
    return found


def _kinetic_energy(world: PyramidWorld) -> list[int]:
    return [int(i) for i in np.flatnonzero(world._bodies[:, B.STATE] == B.AWAKE)]


def over_an_edge(size: Size, tilt: float, heading: float = 0.0) -> Pyramid:
    """A piece held tilted over an edge of its base on the table, its middle of mass over (0, 0)."""
    shape = standard_shape(size)
    heading = heading if tilt >= 0.0 else heading + pi
    flat = shape.centroid * sin(abs(tilt))
    return Pyramid(
        id="m", size=size, shape=shape, x=-flat * cos(heading), y=-flat * sin(heading),
        z=shape.base / 2.0 * sin(abs(tilt)), tilt=abs(tilt), heading=heading,
    )  # fmt: skip


def on_a_slant_edge(size: Size, off: float) -> Pyramid:
    """A piece on the edge between two of its sides, turned about its axis so far off balance."""
    shape = standard_shape(size)
    down = standing("m", size, 0.0, 0.0, tilt=pi / 2 + atan2(shape.base / 2**0.5, shape.height), roll=off - pi / 4)
    return msgspec.structs.replace(down, z=-down.lowest)


def standing(name: str, size: Size, x: float, y: float, **more: object) -> Pyramid:
    return msgspec.structs.replace(Pyramid(id=name, size=size, shape=standard_shape(size), x=x, y=y), **more)


def lying(name: str, size: Size, x: float, y: float, heading: float = 0.0) -> Pyramid:
    down = standing(name, size, x, y, tilt=standard_shape(size).lying_tilt, heading=heading)
    return msgspec.structs.replace(down, z=round(-down.lowest, 9))


def stacked(*sizes: Size) -> PyramidScene:
    """Pieces nested on one another."""
    found: list[Pyramid] = []
    for size in sizes:
        shape, under = standard_shape(size), found[-1] if found else None
        high = under.z + shape.stacking_height(under.shape) if under is not None else 0.0
        on = (under.id,) if under is not None else ()
        found.append(standing(f"s{len(found)}", size, 0.45, 0.45, z=high, stands_on=on))
    return msgspec.structs.replace(TABLE, pieces=tuple(found)).validated()


def scattered(count: int, seed: int) -> PyramidScene:
    """So many pieces about the middle of a table, a third of them standing, none in another."""
    rng = np.random.default_rng(seed)
    rows = max(1, int(np.ceil(count**0.5)))
    step = max(0.6 / rows, 0.075)
    pieces = []
    for k in range(count):
        x, y = (0.15 + step * (at + 0.5 + 0.08 * (rng.random() - 0.5)) for at in (k % rows, k // rows))
        size, heading = SIZES[k % 3], float(rng.uniform(-pi, pi))
        make = standing if rng.random() < 1 / 3 else lying
        pieces.append(make(f"p{k}", size, x, y, heading=heading))
    return msgspec.structs.replace(TABLE, pieces=tuple(pieces)).validated()


def launches(count: int, seed: int) -> list[Launch]:
    """Launches of every size from one side of a table, as hard and steep as they come, the launcher held anyhow."""
    rng = np.random.default_rng(seed)
    return [
        Launch(
            piece="missile", size=SIZES[k % 3], hold=(0.45, 0.075), azimuth=float(rng.uniform(0.9, 2.2)),
            speed=float(rng.uniform(1.5, 5.0)), height=float(rng.uniform(0.0, 0.008)),
            slant=float(rng.uniform(0.8, 1.48)), askew=float(rng.normal(0.0, 0.03)),
            twist=float(rng.normal(0.0, 0.06)), aside=float(rng.normal(0.0, 0.0005)),
        )
        for k in range(count)
    ]  # fmt: skip
