"""Tables of pyramids set up by hand, and throws of a piece over them."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, pi, sin

import msgspec
import numpy as np

from flicksim.base.geometry import rectangle
from flicksim.physics.settings import Settings
from flicksim.physics.space import advance as loop
from flicksim.physics.space.bodies import AWAKE, IM, STATE, energy
from flicksim.physics.space.world import World
from flicksim.table.attitude import Point3
from flicksim.table.launch import Launch
from flicksim.table.pyramid import SIZES, Pyramid, Size, shape_of
from flicksim.table.pyramid_scene import PyramidScene
from flicksim.table.surface import Surface

SETTINGS = Settings()
PAIRS = SETTINGS.pairings.of("styrene", "wood"), SETTINGS.pairings.of("styrene", "styrene")
FLOOR = PyramidScene(surface=Surface(material="wood", outline=rectangle(8.0, 8.0, -4.0, -4.0)))
TABLE = PyramidScene(surface=Surface(material="wood", outline=rectangle(0.9, 0.9)))


def world_of(pieces: Sequence[Pyramid], scene: PyramidScene = FLOOR) -> World:
    """These pieces on a wooden table, all at rest."""
    return World(pieces, scene.surface.outline, *PAIRS, SETTINGS.gravity)


def thrown(
    piece: Pyramid, velocity: Point3 = (0.0, 0.0, 0.0), spin: Point3 = (0.0, 0.0, 0.0), others: Sequence[Pyramid] = ()
) -> World:
    """A world in which a piece has left where it is so, and all has come to rest."""
    world = world_of((*others, piece))
    world.throw(piece.id, velocity, spin)
    world.run()
    return world


def piece_of(world: World, name: str) -> Pyramid:
    return next(piece for piece in world.pieces() if piece.id == name)


def energies(world: World) -> list[float]:
    """Energy of all that moves [J], each time that nothing touches and nobody new moves, until all is at rest."""
    run, found = world._run, []
    bodies, clock = world._bodies, world._run.clock
    clock[loop.LEAST] = np.inf
    clock[loop.LEAST] = (
        sum(energy(bodies, i, SETTINGS.gravity) / bodies[i, IM] for i in _moving(world)) / clock[loop.UNIT]
    )
    why, before = loop.LATE, _moving(world)
    while why != loop.RESTED:
        clock[loop.T_MAX] = clock[loop.TIME] + 1e-3
        why = loop.advance(bodies, run, world._contacts, world._materials, SETTINGS.gravity)
        run.tally[loop.KNOTS] = run.tally[loop.HITS] = 0
        if _moving(world) != before:
            break
        if run.tally[loop.BEFORE] == 0:
            found.append(sum(energy(bodies, i, SETTINGS.gravity) / bodies[i, IM] for i in before))
    return found


def _moving(world: World) -> list[int]:
    return [int(i) for i in np.flatnonzero(world._bodies[:, STATE] == AWAKE)]


def over_an_edge(size: Size, tilt: float, heading: float = 0.0) -> Pyramid:
    """A piece held tilted over an edge of its base on the table, its middle of mass over (0, 0)."""
    shape = shape_of(size)
    heading = heading if tilt >= 0.0 else heading + pi
    flat = shape.centroid * sin(abs(tilt))
    return Pyramid(
        id="m", size=size, shape=shape, x=-flat * cos(heading), y=-flat * sin(heading),
        z=shape.base / 2.0 * sin(abs(tilt)), tilt=abs(tilt), heading=heading,
    )  # fmt: skip


def on_a_slant_edge(size: Size, off: float) -> Pyramid:
    """A piece on the edge between two of its sides, turned about its axis so far off balance."""
    shape = shape_of(size)
    down = standing("m", size, 0.0, 0.0, tilt=pi / 2 + atan2(shape.base / 2**0.5, shape.height), roll=off - pi / 4)
    return msgspec.structs.replace(down, z=-down.lowest)


def standing(name: str, size: Size, x: float, y: float, **more: object) -> Pyramid:
    return msgspec.structs.replace(Pyramid(id=name, size=size, shape=shape_of(size), x=x, y=y), **more)


def lying(name: str, size: Size, x: float, y: float, heading: float = 0.0) -> Pyramid:
    down = standing(name, size, x, y, tilt=shape_of(size).lying, heading=heading)
    return msgspec.structs.replace(down, z=round(-down.lowest, 9))


def stacked(*sizes: Size) -> PyramidScene:
    """Pieces nested on one another at their seats."""
    found: list[Pyramid] = []
    for size in sizes:
        shape, under = shape_of(size), found[-1] if found else None
        high = under.z + shape.seat(under.shape) if under is not None else 0.0
        on = (under.id,) if under is not None else ()
        found.append(standing(f"s{len(found)}", size, 0.45, 0.45, z=high, stands_on=on))
    return msgspec.structs.replace(TABLE, pieces=tuple(found)).checked()


def strewn(count: int, seed: int) -> PyramidScene:
    """So many pieces about the middle of a table, a third of them standing, none in another."""
    rng = np.random.default_rng(seed)
    rows = max(1, int(np.ceil(count**0.5)))
    step = max(0.6 / rows, 0.075)
    pieces = []
    for k in range(count):
        x, y = (0.15 + step * (at + 0.5 + 0.08 * (rng.random() - 0.5)) for at in (k % rows, k // rows))
        size, heading = SIZES[k % 3], float(rng.uniform(-pi, pi))
        make = (
            standing(f"p{k}", size, x, y, heading=heading)
            if rng.random() < 1 / 3
            else lying(f"p{k}", size, x, y, heading)
        )
        pieces.append(make)
    return msgspec.structs.replace(TABLE, pieces=tuple(pieces)).checked()


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
