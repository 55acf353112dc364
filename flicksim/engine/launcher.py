"""Planar simulation of the launcher, from the flick to the release of the missile.

The launcher is held by three fingers, modelled as damped springs; the missile is nested on its tip.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, exp, sin, sqrt
from typing import ClassVar

import msgspec
import pymunk

from flicksim.core.errors import InvalidValue
from flicksim.core.geometry import Point
from flicksim.core.serialization import RenamedFields, Value
from flicksim.core.units import mm
from flicksim.scene.launch import Launch
from flicksim.scene.pyramid import PyramidShape

_PUSH_TIME_STEP = 5e-5
"""Time step while the nail pushes [s]."""
_RELEASE_TIME_STEP = 2e-4
"""Time step while the missile slides off the tip [s]."""
_MAX_TIME = 0.25
"""Time after which a missile that is not free stays on the launcher [s]; fingers swing for a hundredth of that."""
_ITERATIONS = 5
"""Iterations of the solver in a step; with 30 a release is no nearer to that of steps ten times finer."""
_STEPS_PER_CHECK = 10
"""Steps between tests of whether the missile is off the tip."""
_STEPS_PER_KEYFRAME = 20
"""Steps between keyframes of the tracks."""


class LauncherSettings(Value, metaclass=RenamedFields, frozen=True, kw_only=True):
    """Settings of the launcher of pyramids and of the fingers that hold it.

    Args:
        grip_height: greatest height of the fingers over the launcher's base; they leave the missile's rim free [m].
            JSON: grip.
        stiffness: of the fingers against displacement [N/m].
        damping: of that displacement, as a fraction of critical [-].
        angular_stiffness: of the fingers against rotation [N m/rad]. JSON: turn_stiffness.
        angular_damping: of that rotation, as a fraction of critical [-]. JSON: turn_damping.
        push_duration: time for which the nail pushes [s]. JSON: push.
        contact_tolerance: overlap that the contact solver does not correct [m]. JSON: slop.
    """

    old_keywords: ClassVar[dict[str, str]] = {
        "grip": "grip_height", "turn_stiffness": "angular_stiffness", "turn_damping": "angular_damping",
        "push": "push_duration", "slop": "contact_tolerance",
    }  # fmt: skip
    grip_height: float = msgspec.field(default=mm(14.0), name="grip")
    stiffness: float = 500.0
    damping: float = 0.3
    angular_stiffness: float = msgspec.field(default=0.02, name="turn_stiffness")
    angular_damping: float = msgspec.field(default=1.5, name="turn_damping")
    push_duration: float = msgspec.field(default=1e-3, name="push")
    contact_tolerance: float = msgspec.field(default=1e-5, name="slop")

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not 0.0 < value < 1e6:
                raise InvalidValue(f"{name} {value!r} of the launcher must be above 0")


class Release(Value, frozen=True, kw_only=True):
    """State of a missile as it leaves the launcher, in the plane of the launch: s along the flick, z up from the base.

    Args:
        released: True if it left at all.
        time: of the release [s].
        position: of its centre of mass, s and z [m].
        angle: clockwise from upright [rad].
        velocity: [m/s].
        spin: clockwise, tip forward [rad/s].
        keyframes: t, then s, z, tilt of the launcher's and of the missile's base [s, m, m, rad].
    """

    released: bool
    time: float
    position: tuple[float, float]
    angle: float
    velocity: tuple[float, float]
    spin: float
    keyframes: tuple[tuple[float, ...], ...]


def simulate_launcher(
    launcher: PyramidShape,
    missile: PyramidShape,
    launch: Launch,
    friction: float,
    restitution: float,
    gravity: float,
    settings: LauncherSettings,
) -> Release:
    """Simulate the launcher until the missile is free; cached, for it does not depend on the place on the table."""
    return _simulate_launcher(
        launcher, missile, launch.speed, launch.height, launch.slant, friction, restitution, gravity, settings
    )  # fmt: skip


@lru_cache(maxsize=512)
def _simulate_launcher(
    launcher: PyramidShape,
    missile: PyramidShape,
    speed: float,
    height: float,
    slant: float,
    friction: float,
    restitution: float,
    gravity: float,
    settings: LauncherSettings,
) -> Release:
    slower = _PUSH_TIME_STEP / _RELEASE_TIME_STEP  # see `_rescale_time`
    space = pymunk.Space()
    space.gravity = (0.0, -gravity * slower**2)
    space.collision_bias **= slower
    space.iterations = _ITERATIONS
    space.collision_slop = settings.contact_tolerance
    seat, under, over = missile.stacking_height(launcher), launcher.centroid, missile.centroid
    held = pymunk.Body(launcher.mass, launcher.transverse_inertia)
    held.position = (0.0, under)
    solid = pymunk.Poly(held, side_profile(launcher))
    flying = pymunk.Body(missile.mass, missile.transverse_inertia)
    flying.position = (0.0, seat + over + settings.contact_tolerance)
    walls = [pymunk.Poly(flying, part) for part in shell_profile(missile)]
    for shape in (solid, *walls):
        shape.friction, shape.elasticity = sqrt(friction), sqrt(restitution)
    slowed = msgspec.structs.replace(
        settings, stiffness=settings.stiffness * slower**2, angular_stiffness=settings.angular_stiffness * slower**2
    )
    space.add(held, solid, flying, *walls, *_finger_springs(space.static_body, held, launcher, seat, slowed))
    # the nail comes from behind and below, and strikes the near side at that height
    strike_point = (-(launcher.base / 2.0) * (1.0 - height / launcher.height), height)
    impulse_force = launcher.mass * speed / settings.push_duration * slower**2
    force = (impulse_force * cos(slant), impulse_force * sin(slant))
    keyframes = []
    t, count, released = 0.0, 0, False
    dt = _PUSH_TIME_STEP
    while t < _MAX_TIME:
        if count % _STEPS_PER_KEYFRAME == 0:
            keyframes.append((t, *_base_pose(held, under), *_base_pose(flying, over)))
        if t < settings.push_duration:
            held.apply_force_at_world_point(force, strike_point)
        elif dt != _RELEASE_TIME_STEP:
            dt = _RELEASE_TIME_STEP
            _rescale_time(space, 1.0 / slower)
        space.step(_RELEASE_TIME_STEP)
        t += dt
        count += 1
        if count % _STEPS_PER_CHECK == 0:
            _, rise = held.world_to_local(flying.local_to_world((0.0, -over)))
            if rise > launcher.height - under:
                released = True
                break
    x, y = flying.position
    (vx, vy), pace = flying.velocity, _RELEASE_TIME_STEP / dt  # above 1 if it left while the nail still pushed
    keyframes.append((t, *_base_pose(held, under), *_base_pose(flying, over)))
    # on Python 3.14 the collector in another thread may free pieces of a space that is just being freed: a crash
    space.remove(*space.constraints, *space.shapes, *space.bodies)
    return Release(
        released=released,
        time=t,
        position=(x, y),
        angle=-flying.angle,
        velocity=(vx * pace, vy * pace),
        spin=-flying.angular_velocity * pace,
        keyframes=tuple(keyframes),
    )


def launch_yaw(
    launcher: PyramidShape, missile: PyramidShape, launch: Launch, t: float, settings: LauncherSettings
) -> tuple[float, float]:
    """Yaw and yaw rate of the nested launcher and missile at time t [rad, rad/s].

    A nail that strikes off-centre turns both about their axis, against the fingers: a damped oscillator in closed form.
    """
    inertia = launcher.axial_inertia + missile.axial_inertia
    rate = launcher.mass * launch.speed * cos(launch.slant) * -launch.aside / inertia
    frequency = sqrt(settings.angular_stiffness / inertia)
    decay = settings.angular_damping * frequency
    root = sqrt(abs(decay * decay - frequency * frequency))
    if root < 1e-6 * frequency:
        return rate * t * exp(-decay * t), rate * (1.0 - decay * t) * exp(-decay * t)
    if decay > frequency:
        slow, fast = decay - root, decay + root
        a, b = exp(-slow * t), exp(-fast * t)
        return rate * (a - b) / (2.0 * root), rate * (fast * b - slow * a) / (2.0 * root)
    amplitude = rate * exp(-decay * t)
    return amplitude * sin(root * t) / root, amplitude * (cos(root * t) - decay / root * sin(root * t))


def _finger_springs(
    static_body: pymunk.Body, body: pymunk.Body, launcher: PyramidShape, seat: float, settings: LauncherSettings
) -> list[pymunk.Constraint]:
    """Damped springs of the three fingers: two against displacement, one against rotation."""
    height = min(settings.grip_height, seat)
    at = (0.0, height - launcher.centroid)
    damping = 2.0 * settings.damping * sqrt(settings.stiffness * launcher.mass)
    angular_damping = 2.0 * settings.angular_damping * sqrt(settings.angular_stiffness * launcher.transverse_inertia)
    arm = 1.0  # long beside the millimetres it moves, so that each spring acts in one direction only
    return [
        pymunk.DampedSpring(static_body, body, (-arm, height), at, arm, settings.stiffness, damping),
        pymunk.DampedSpring(static_body, body, (0.0, height + arm), at, arm, settings.stiffness, damping),
        pymunk.DampedRotarySpring(static_body, body, 0.0, settings.angular_stiffness, angular_damping),
    ]


def _base_pose(body: pymunk.Body, centroid: float) -> tuple[float, float, float]:
    """Position s, z of the centre of the base, and tilt."""
    (x, y), angle = body.position, body.angle
    c, s = cos(angle), sin(angle)
    return (x + s * centroid, y - c * centroid, -angle)


@lru_cache(maxsize=64)
def side_profile(shape: PyramidShape) -> tuple[Point, ...]:
    """Side view of an upright piece about its centre of mass: a triangle."""
    half, low = shape.base / 2.0, -shape.centroid
    return ((-half, low), (half, low), (0.0, low + shape.height))


@lru_cache(maxsize=64)
def shell_profile(shape: PyramidShape) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """Side view of a shell that is open below: its two walls."""
    half, mouth = shape.base / 2.0, shape.hollow_base / 2.0
    low = -shape.centroid
    tip, peak = (0.0, low + shape.height), (0.0, low + shape.hollow_height)
    return ((-half, low), (-mouth, low), peak, tip), ((mouth, low), (half, low), tip, peak)


def _rescale_time(space: pymunk.Space, factor: float) -> None:
    """Let a step of the same length advance a space by `factor` times as much: time is counted in another unit.

    Chipmunk warm-starts a step with the contact impulses of the one before, scaled by the ratio of the steps, but when
    it removes the excess it counts them unscaled: a step four times the last would repeat three times an impact. So
    all steps are of one length to it.
    """
    x, y = space.gravity
    space.gravity = (x * factor**2, y * factor**2)
    space.collision_bias **= factor
    for spring in space.constraints:
        if isinstance(spring, pymunk.DampedSpring | pymunk.DampedRotarySpring):
            spring.stiffness *= factor**2
            spring.damping *= factor
    for body in space.bodies:
        body.velocity, body.angular_velocity = body.velocity * factor, body.angular_velocity * factor
