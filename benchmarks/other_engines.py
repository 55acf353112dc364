"""The same shots in other engines: a plain pymunk script, pooltool, MuJoCo; all of them optional."""

import os
import tempfile
from collections.abc import Callable
from importlib import import_module
from math import cos, hypot, pi, sin, sqrt
from typing import Any
from unittest.mock import patch

import numpy as np
import pymunk

from flicksim.engine import Settings
from flicksim.engine.winks import damping_from_restitution
from flicksim.scene import Flick, Scene, Squidge

_MIN_SPIN = 1e-3
"""Slower than this a script takes a coin to be at rest [m/s]."""
_STEP = 1e-4
"""MuJoCo's step [s]: twice ours while something touches, but it keeps to it in the air too."""
_REST_SPEED, _REST_TIME, _MAX_TIME = 0.02, 0.03, 3.0
"""Rest of MuJoCo's wink: rim speed [m/s], and for how long [s]; and the longest wait [s]."""
_SEGMENTS = 32


def pymunk_script(scene: Scene, settings: Settings) -> Callable[[Flick], float]:
    """Script that one writes first: a Space, friction in a Python `velocity_func`, small steps until all is slow.

    It returns how far the two coins' middles lie apart at rest [m].
    """
    a, b = scene.pieces[:2]
    pull = settings.gravity * settings.pairings.lookup(a.material, scene.surface.material).friction
    pair = settings.pairings.lookup(a.material, b.material)

    def drag(body: pymunk.Body, gravity: tuple[float, float], damping: float, dt: float) -> None:
        pymunk.Body.update_velocity(body, gravity, damping, dt)
        speed = body.velocity.length
        body.velocity = body.velocity * max(0.0, 1.0 - pull * dt / speed) if speed > 0.0 else (0.0, 0.0)

    def shot(flick: Flick) -> float:
        space = pymunk.Space()
        bodies = []
        for piece in (a, b):
            body = pymunk.Body(piece.mass, pymunk.moment_for_circle(piece.mass, 0.0, piece.radius))
            body.position, body.velocity_func = piece.position, drag
            shape = pymunk.Circle(body, piece.radius)
            shape.elasticity, shape.friction = sqrt(pair.restitution), sqrt(pair.friction)
            space.add(body, shape)
            bodies.append(body)
        bodies[0].velocity = (flick.speed * cos(flick.azimuth), flick.speed * sin(flick.azimuth))
        dt = 0.1 * a.radius / flick.speed  # a tenth of a radius at most, or a fast coin is through before it is seen
        while any(body.velocity.length > _MIN_SPIN for body in bodies):
            space.step(dt)
        return float((bodies[1].position - bodies[0].position).length)

    return shot


def pooltool() -> Callable[[Flick], Any]:
    """Two balls on its own table, the cue ball sent at the other one with the flick's speed and error of direction.

    Raises:
        ImportError: it is not installed.
    """
    # it keeps settings in the home folder when imported, and falls over those another version left there
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, HOME=folder):
        pool: Any = import_module("pooltool")

    def shot(flick: Flick) -> Any:
        table = pool.Table.default()
        balls = {
            "cue": pool.Ball.create("cue", xy=(0.5 * table.w, 0.25 * table.l)),
            "1": pool.Ball.create("1", xy=(0.5 * table.w, 0.25 * table.l + 0.5)),
        }
        system = pool.System(cue=pool.Cue(cue_ball_id="cue"), table=table, balls=balls)
        system.strike(V0=flick.speed, phi=flick.azimuth * 180.0 / pi)
        return pool.simulate(system, inplace=True)

    return shot


def mujoco(scene: Scene, settings: Settings) -> Callable[[Squidge], bool]:
    """One wink squidged at the pot, its wall a ring of boxes; whether it stays in.

    Contacts are springs as stiff as its step allows, damped and rubbing as ours are.

    Raises:
        ImportError: it is not installed.
    """
    engine: Any = import_module("mujoco")
    wink, pot = scene.pieces[0], scene.surface.pot
    assert pot is not None
    model = engine.MjModel.from_xml_string(_mujoco_model(scene, settings))
    data = engine.MjData(model)
    still = int(_REST_TIME / _STEP)

    def shot(squidge: Squidge) -> bool:
        engine.mj_resetData(model, data)
        flat = squidge.speed * cos(squidge.elevation)
        c, s = cos(squidge.azimuth), sin(squidge.azimuth)
        data.qvel[:3] = (flat * c, flat * s, squidge.speed * sin(squidge.elevation))
        data.qvel[3:] = (squidge.tumble * s, -squidge.tumble * c, 0.0)
        quiet = 0
        while quiet < still and data.time < _MAX_TIME:
            engine.mj_step(model, data)
            pace = np.linalg.norm(data.qvel[:3]) + np.linalg.norm(data.qvel[3:]) * wink.radius
            quiet = quiet + 1 if pace < _REST_SPEED else 0
        x, y, z = data.qpos[:3]
        return bool(z < pot.height and hypot(x - pot.x, y - pot.y) < pot.top_radius)

    return shot


def _mujoco_model(scene: Scene, settings: Settings) -> str:
    wink, pot = scene.pieces[0], scene.surface.pot
    assert pot is not None

    def contact(other: str) -> str:
        pairing = settings.pairings.lookup(wink.material, other)
        damping = damping_from_restitution(pairing.restitution)
        stiffness = (0.5 / _STEP) ** 2  # half a radian of the spring's swing a step, as ours
        law = f"-{stiffness:g} -{2.0 * damping * sqrt(stiffness):g}"
        return f'solref="{law}" solimp="0.95 0.99 0.0001" friction="{pairing.friction:g} 0 0" priority="1"'

    middle, tall, half = pot.top_radius - 0.5 * pot.wall, 0.5 * pot.height, 0.5 * pot.wall
    width = (middle + half) * sin(pi / _SEGMENTS)
    wall = "\n".join(
        f'<geom type="box" size="{half:g} {width:g} {tall:g}" {contact(pot.material)} '
        f'pos="{pot.x + middle * cos(azimuth):g} {pot.y + middle * sin(azimuth):g} {tall:g}" euler="0 0 {azimuth:g}"/>'
        for azimuth in (2.0 * pi * k / _SEGMENTS for k in range(_SEGMENTS))
    )
    return f"""<mujoco><compiler angle="radian" autolimits="true"/>
    <option timestep="{_STEP:g}" cone="elliptic" integrator="implicitfast"/>
    <worldbody>
      <geom type="plane" size="2 2 .1" {contact(scene.surface.material)}/>
      {wall}
      <geom type="cylinder" size="{middle:g} {0.5 * pot.floor:g}" pos="{pot.x:g} {pot.y:g} {0.5 * pot.floor:g}"
        {contact(pot.material)}/>
      <body pos="{wink.x:g} {wink.y:g} {0.5 * wink.thickness + 1e-4:g}"><freejoint/>
        <geom type="cylinder" size="{wink.radius:g} {0.5 * wink.thickness:g}" mass="{wink.mass:g}"/></body>
    </worldbody></mujoco>"""


__all__ = ["mujoco", "pooltool", "pymunk_script"]
