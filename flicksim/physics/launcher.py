"""From the flick to the moment the missile is free: the launcher in its fingers, the missile nested on its tip."""

from __future__ import annotations

from functools import lru_cache
from math import cos, exp, sin, sqrt

import pymunk
from pymunk._chipmunk_cffi import lib

from flicksim.base.codec import Value
from flicksim.base.geometry import Point
from flicksim.base.units import mm
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


class LauncherSettings(Value, frozen=True, kw_only=True):
    """The settings of a launcher.

    Args:
        grip: how high over the launcher's base the fingers hold it, at most; they leave the missile's rim free [m].
        stiffness: of the fingers against being pushed [N/m]. damping: share of critical [-].
        turn_stiffness: of the fingers against being turned [N m/rad]. turn_damping: share of critical [-].
        push: how long the nail pushes [s].
        slop: overlap that the engine leaves alone [m].
    """

    grip: float = mm(14.0)
    stiffness: float = 500.0
    damping: float = 0.3
    turn_stiffness: float = 0.02
    turn_damping: float = 1.5
    push: float = 1e-3
    slop: float = 1e-5

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not 0.0 < value < 1e6:
                raise ValueError(f"{name} {value!r} of the launcher must be above 0")


class Release(Value, frozen=True, kw_only=True):
    """A missile as it leaves the launcher, in the plane: z from the launcher's base as held, s along the flick.

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
    launcher: Shape,
    missile: Shape,
    launch: Launch,
    friction: float,
    bounce: float,
    gravity: float,
    how: LauncherSettings,
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
    how: LauncherSettings,
) -> Release:
    space = pymunk.Space()
    space.gravity = (0.0, -gravity)
    space.iterations = 30
    space.collision_slop = how.slop
    seat, under, over = missile.seat(launcher), launcher.centroid, missile.centroid
    held = pymunk.Body(launcher.mass, launcher.inertia)
    held.position = (0.0, under)
    solid = pymunk.Poly(held, profile(launcher))
    flying = pymunk.Body(missile.mass, missile.inertia)
    flying.position = (0.0, seat + over + how.slop)
    walls = [pymunk.Poly(flying, part) for part in walled(missile)]
    for shape in (solid, *walls):
        shape.friction, shape.elasticity = sqrt(friction), sqrt(bounce)
    space.add(held, solid, flying, *walls, *_fingers(space.static_body, held, launcher, seat, how))
    # the nail comes up from behind and below, and meets the near side at that height
    strike = (-(launcher.base / 2.0) * (1.0 - height / launcher.height), height)
    push = launcher.mass * speed / how.push
    force = (push * cos(slant), push * sin(slant))
    nest = launcher.height - seat  # how far it must rise to be off the tip
    knots = []
    t, count, before = 0.0, 0, 0.0
    free = False
    while t < _LONGEST:
        if count % _KNOT == 0:
            knots.append((t, *_state(held, under), *_state(flying, over)))
        if t < how.push:
            held.apply_force_at_world_point(force, strike)
            dt = _STEP
        else:
            dt = _GLIDE
        stepped(space, dt, before)
        t, before = t + dt, dt
        count += 1
        if count % 4 == 0:
            (ls, lz, tilt), (ms, mz, _) = _state(held, under), _state(flying, over)
            if (ms - ls) * sin(tilt) + (mz - lz) * cos(tilt) - seat > nest:
                free = True
                break
    x, y = flying.position
    vx, vy = flying.velocity
    knots.append((t, *_state(held, under), *_state(flying, over)))
    return Release(
        free=free, t=t, place=(x, y), angle=-flying.angle, velocity=(vx, vy), spin=-flying.angular_velocity,
        knots=tuple(knots),
    )  # fmt: skip


def yaw(launcher: Shape, missile: Shape, launch: Launch, t: float, how: LauncherSettings) -> tuple[float, float]:
    """Angle and rate by which launcher and missile, nested, are turned about their axis by then [rad, rad/s].

    A nail that strikes beside the middle turns both; the fingers hold them against it as they do against tipping.
    """
    inertia = launcher.spin_inertia + missile.spin_inertia
    rate = launcher.mass * launch.speed * cos(launch.slant) * -launch.aside / inertia
    swing = sqrt(how.turn_stiffness / inertia)
    drag = how.turn_damping * swing
    pull = sqrt(abs(drag * drag - swing * swing))
    if pull < 1e-6 * swing:
        return rate * t * exp(-drag * t), rate * (1.0 - drag * t) * exp(-drag * t)
    if drag > swing:
        slow, fast = drag - pull, drag + pull
        a, b = exp(-slow * t), exp(-fast * t)
        return rate * (a - b) / (2.0 * pull), rate * (fast * b - slow * a) / (2.0 * pull)
    fade = rate * exp(-drag * t)
    return fade * sin(pull * t) / pull, fade * (cos(pull * t) - drag / pull * sin(pull * t))


def _fingers(
    room: pymunk.Body, held: pymunk.Body, launcher: Shape, seat: float, how: LauncherSettings
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


def _state(body: pymunk.Body, centroid: float) -> tuple[float, float, float]:
    """s, z of the middle of the base, and tilt."""
    at, angle = lib.cpBodyGetPosition(body._body), body.angle
    c, s = cos(angle), sin(angle)
    return (at.x + s * centroid, at.y - c * centroid, -angle)


@lru_cache(maxsize=64)
def profile(shape: Shape) -> tuple[Point, ...]:
    """An upright piece from the side, about its middle of mass."""
    half, low = shape.base / 2.0, -shape.centroid
    return ((-half, low), (half, low), (0.0, low + shape.height))


@lru_cache(maxsize=64)
def walled(shape: Shape) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The same as the two walls of a shell that is open below."""
    half, mouth = shape.base / 2.0, shape.hollow_base / 2.0
    low = -shape.centroid
    tip, peak = (0.0, low + shape.height), (0.0, low + shape.hollow_height)
    return ((-half, low), (-mouth, low), peak, tip), ((mouth, low), (half, low), tip, peak)


def stepped(space: pymunk.Space, dt: float, before: float) -> None:
    """A step, perhaps of another length than the last [s].

    The engine begins a step with the impulses of contacts in the one before, made longer or shorter as the step is, but
    when it takes back what was too much of them it counts them as they were. So a step that is longer than the last by
    a quarter gives a quarter of an impact once again; one that is shorter pulls. It is told that the last was as long,
    for which pymunk has no public word. Nothing is added or called during a step, so the engine's own is asked for.
    """
    if dt != before:
        lib.cpSpaceSetCurrentTimeStep(space._space, dt)
    lib.cpSpaceStep(space._space, dt)
