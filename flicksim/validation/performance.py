"""Performance of the planar simulation, as ratios within one run on one machine.

The simulation is event-driven. For comparison, a shot counts as the number of steps that a time-stepping simulation
would take if no piece moved more than a tenth of the smallest radius in a step. Times are process times; only ratios
within a run are meaningful. The scenes are `scene.samples`.
"""

import gc
import timeit
from collections.abc import Callable, Iterator
from math import hypot, nan
from time import process_time

import numpy as np
import pymunk

from flicksim.core.arrays import Floats
from flicksim.core.serialization import Value
from flicksim.engine.friction import INERTIA_FACTOR
from flicksim.engine.planar_world import PlanarWorld
from flicksim.engine.settings import Settings
from flicksim.engine.simulate import simulate
from flicksim.scene import Scene, Trajectory, sample

SCENES = ("draw", "late-end", "crowd", "break-up")
"""Samples measured: 2, 9, 26 and 26 discs."""

MAX_TIME_STEP = 1.0 / 120.0
"""Longest time step of the reference [s]."""


class Timing(Value, frozen=True, kw_only=True):
    """One measurement.

    Args:
        scene: name of the sample. discs: number of discs. what: what was timed. unit: "us a step" or "ms a shot".
        median, p95: over the repeats. ratio: of the median to plain stepping; NaN for the build.
    """

    scene: str
    discs: int
    what: str
    unit: str
    median: float
    p95: float
    ratio: float


def reference_time_steps(motion: Trajectory) -> list[float]:
    """Time steps of a time-stepping simulation of this trajectory [s]."""
    times, states = motion.tracks.times, motion.tracks.states
    fastest = np.nan_to_num(np.hypot(states[:, :, 3], states[:, :, 4])).max(axis=1)
    tenth = 0.1 * min(piece.radius for piece in motion.before.pieces)
    steps, t = [], 0.0
    while t < motion.duration:
        speed = float(np.interp(t, times, fastest))
        steps.append(min(MAX_TIME_STEP, tenth / max(speed, 1e-9)))
        t += steps[-1]
    return steps


def pymunk_space(scene: Scene, motion: Trajectory, friction: str, settings: Settings) -> pymunk.Space:
    """Space with the same discs: without friction, with joint friction, or with a velocity function in Python."""
    space = pymunk.Space()
    space.collision_slop = 1e-6
    board = scene.surface.material
    for i, piece in enumerate(scene.pieces):
        body = pymunk.Body(piece.mass, INERTIA_FACTOR * piece.mass * piece.radius**2)
        body.position = piece.position
        struck = motion.events[0]
        if struck.piece == piece.id:
            body.velocity = tuple(motion.tracks.states[1, i, 3:5])
        shape = pymunk.Circle(body, piece.radius)
        shape.elasticity = 0.9
        space.add(body, shape)
        mu = settings.pairings.lookup(piece.material, board).friction
        pull = mu * settings.gravity
        if friction == "joints":
            pivot = pymunk.PivotJoint(space.static_body, body, (0.0, 0.0), (0.0, 0.0))
            gear = pymunk.GearJoint(space.static_body, body, 0.0, 1.0)
            pivot.max_bias = gear.max_bias = 0.0
            pivot.max_force, gear.max_force = pull * piece.mass, 2.0 / 3.0 * pull * piece.mass * piece.radius
            space.add(pivot, gear)
        elif friction == "velocity_func":
            body.velocity_func = _friction_velocity_func(pull)
    return space


def _friction_velocity_func(pull: float) -> Callable[[pymunk.Body, tuple[float, float], float, float], None]:
    def drag(body: pymunk.Body, gravity: tuple[float, float], damping: float, dt: float) -> None:
        pymunk.Body.update_velocity(body, gravity, damping, dt)
        vx, vy = body.velocity
        speed = hypot(vx, vy)
        remaining = max(0.0, 1.0 - pull * dt / speed) if speed > 0.0 else 0.0
        body.velocity = (vx * remaining, vy * remaining)

    return drag


def measure_timings(name: str, *, repeats: int = 50) -> Iterator[Timing]:
    """Timings of one sample.

    Args:
        name: of the sample. repeats: number of repeats of each timing.
    """
    settings = Settings()
    scene, flick = sample(name)
    discs = len(scene.pieces)
    motion = simulate(scene, flick, settings)
    steps = reference_time_steps(motion)

    def cost(what: str, unit: str, seconds: Floats, scale: float, yardstick: float) -> Timing:
        median, p95 = float(np.median(seconds)) * scale, float(np.percentile(seconds, 95)) * scale
        ratio = median / yardstick if yardstick else nan
        return Timing(scene=name, discs=discs, what=what, unit=unit, median=median, p95=p95, ratio=ratio)

    def stepped(friction: str) -> Floats:
        times = []
        for _ in range(max(1, repeats // 5)):
            space = pymunk_space(scene, motion, friction, settings)
            begin = process_time()
            for dt in steps:
                space.step(dt)
            times.append(process_time() - begin)
        return np.array(times)

    shots, builds = (
        np.array(timeit.repeat(work, setup=gc.enable, timer=process_time, repeat=repeats, number=1))
        for work in (lambda: simulate(scene, flick, settings), lambda: PlanarWorld(scene, settings))
    )
    per_step = 1e6 / len(steps)
    plain = stepped("none")
    plain_step = float(np.median(plain)) * per_step
    yield cost("bare Space.step", "us a step", plain, per_step, plain_step)
    yield cost("Space.step with joint friction", "us a step", stepped("joints"), per_step, plain_step)
    yield cost("Space.step with velocity_func", "us a step", stepped("velocity_func"), per_step, plain_step)
    yield cost(f"ours, as if in {len(steps)} steps", "us a step", shots, per_step, plain_step)
    yield cost("whole shot, built and told", "ms a shot", shots, 1e3, float(np.median(plain)) * 1e3)
    yield cost("of which build", "ms a shot", builds, 1e3, 0.0)
