"""From the flick to the moment the missile is free: the launcher in its fingers, the missile nested on its tip."""

from __future__ import annotations

from functools import lru_cache
from math import cos, sin, sqrt

import pymunk

from flicksim.base.codec import Value
from flicksim.physics.slice.bodies import profile, walled
from flicksim.physics.slice.params import SliceSettings
from flicksim.physics.slice.stepping import stepped
from flicksim.table.launch import Launch
from flicksim.table.pyramid import Shape

_STEP = 5e-5
"""While the nail pushes [s]."""
_GLIDE = 2e-4
"""While the missile slides off the tip [s]."""
_LONGEST = 0.25
"""A missile that is not free by then stays on the launcher [s]: fingers swing for a hundredth of that."""
_KNOT = 20
"""Every so many steps a knot of the tracks."""


class Release(Value, frozen=True, kw_only=True):
    """How a missile leaves the launcher, in the plane: z from the launcher's base as held, s along the flick.

    Args:
        free: whether it left at all. t: when [s]. place: of its middle of mass [m]. angle: clockwise from upright
            [rad]. velocity: [m/s]. spin: clockwise, tip forward [rad/s].
        knots: t, then s, z, tilt of the launcher's and of the missile's base [s, m, m, rad].
    """

    free: bool
    t: float
    place: tuple[float, float]
    angle: float
    velocity: tuple[float, float]
    spin: float
    knots: tuple[tuple[float, ...], ...]


def release(
    launcher: Shape, missile: Shape, launch: Launch, friction: float, bounce: float, gravity: float, how: SliceSettings
) -> Release:
    """The launcher's part of a launch. It does not depend on where on the table it is held."""
    return _release(
        launcher, missile, launch.speed, launch.height, launch.slant, friction, bounce, gravity, how
    )  # fmt: skip


@lru_cache(maxsize=512)
def _release(
    launcher: Shape,
    missile: Shape,
    speed: float,
    height: float,
    slant: float,
    friction: float,
    bounce: float,
    gravity: float,
    how: SliceSettings,
) -> Release:
    space = pymunk.Space()
    space.gravity = (0.0, -gravity)
    space.iterations = 30
    space.collision_slop = how.slop
    seat = missile.seat(launcher)
    held = pymunk.Body(launcher.mass, launcher.inertia)
    held.position = (0.0, launcher.centroid)
    solid = pymunk.Poly(held, profile(launcher, 1.0))
    flying = pymunk.Body(missile.mass, missile.inertia)
    flying.position = (0.0, seat + missile.centroid + how.slop)
    walls = [pymunk.Poly(flying, part) for part in walled(missile, 1.0)]
    for shape in (solid, *walls):
        shape.friction, shape.elasticity = sqrt(friction), sqrt(bounce)
    space.add(held, solid, flying, *walls, *_fingers(space.static_body, held, launcher, seat, how))
    # the nail comes up from behind and below, and meets the near side at that height
    strike = (-(launcher.base / 2.0) * (1.0 - height / launcher.height), height)
    push = launcher.mass * speed / how.push
    force = (push * cos(slant), push * sin(slant))
    nest = launcher.height - seat  # how far it must rise to be off the tip
    knots = []
    t, count = 0.0, 0
    free = False
    while t < _LONGEST:
        if count % _KNOT == 0:
            knots.append((t, *_state(held, launcher), *_state(flying, missile)))
        if t < how.push:
            held.apply_force_at_world_point(force, strike)
            dt = _STEP
        else:
            dt = _GLIDE
        stepped(space, dt)
        t += dt
        count += 1
        if count % 4 == 0 and _rise(held, launcher, flying, missile) > nest:
            free = True
            break
    x, y = flying.position
    vx, vy = flying.velocity
    knots.append((t, *_state(held, launcher), *_state(flying, missile)))
    return Release(
        free=free, t=t, place=(x, y), angle=-flying.angle, velocity=(vx, vy), spin=-flying.angular_velocity,
        knots=tuple(knots),
    )  # fmt: skip


def _fingers(
    room: pymunk.Body, held: pymunk.Body, launcher: Shape, seat: float, how: SliceSettings
) -> list[pymunk.Constraint]:
    """Three fingers as damped springs: against being pushed either way, and against being turned."""
    grip = min(how.grip, seat)
    at = (0.0, grip - launcher.centroid)
    rub = 2.0 * how.damping * sqrt(how.stiffness * launcher.mass)
    twist = 2.0 * how.turn_damping * sqrt(how.turn_stiffness * launcher.inertia)
    arm = 1.0  # long beside the millimetres it moves, so that each spring pulls one way only
    return [
        pymunk.DampedSpring(room, held, (-arm, grip), at, arm, how.stiffness, rub),
        pymunk.DampedSpring(room, held, (0.0, grip + arm), at, arm, how.stiffness, rub),
        pymunk.DampedRotarySpring(room, held, 0.0, how.turn_stiffness, twist),
    ]


def _state(body: pymunk.Body, shape: Shape) -> tuple[float, float, float]:
    """s, z of the middle of the base, and tilt."""
    x, y = body.position
    c, s = cos(body.angle), sin(body.angle)
    return (x + s * shape.centroid, y - c * shape.centroid, -body.angle)


def _rise(held: pymunk.Body, launcher: Shape, flying: pymunk.Body, missile: Shape) -> float:
    """How far the missile's base has risen along the launcher from the launcher's own base, less nothing."""
    ls, lz, tilt = _state(held, launcher)
    ms, mz, _ = _state(flying, missile)
    return (ms - ls) * sin(tilt) + (mz - lz) * cos(tilt) - missile.seat(launcher)
