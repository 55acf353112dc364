"""Slides and flights with nothing in the way: how far they go, and how hard it takes to go so far.

The reckoning of players and of those who aim for them; what comes of a shot is the physics' to say.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin, sqrt, tan

from flicksim.base.units import GRAVITY, mm
from flicksim.table.flick import MAX_SPEED
from flicksim.table.piece import Piece

_AIR = 1.17 * 1.204
"""Drag coefficient of a tumbling disc on its mean area [-], times the density of air [kg/m^3]."""
_STEPS = 40
_NEAR = mm(3.0)
"""Closer than this nothing is aimed at [m]."""


def sliding(way: float, pull: float) -> float:
    """Speed from which a piece slowed by that much [m/s^2] comes to rest after a way [m] [m/s]."""
    return sqrt(2.0 * pull * way)


def drag_rates(piece: Piece) -> tuple[float, float]:
    """Deceleration by the air over speed squared, broadside to the wind and edge-on [1/m]; .31 and .04 for a small
    wink, .22 for one that tumbles."""
    face, side = pi * piece.radius**2, 2.0 * piece.radius * piece.thickness
    mean_area = 0.5 * pi * piece.radius * (piece.radius + piece.thickness)
    each = _AIR * mean_area / (2.0 * piece.mass) * pi / (2.0 * (face + side))
    return each * face, each * side


def speed_to(piece: Piece, way: float, height: float, elevation: float, tumble: float = 0.0) -> float:
    """Speed from which a wink, squidged flat off the mat with that backspin, passes a height so far away as it comes
    down [m/s]."""
    face, side = drag_rates(piece)
    return _speed(*rounded(way, height, elevation), tumble, round(face, 5), round(side, 5))


@lru_cache(maxsize=4096)
def _speed(way: float, height: float, elevation: float, tumble: float, face: float, side: float) -> float:
    return speed_for(way, height, elevation, tumble, face, side, reach)


def rounded(way: float, height: float, elevation: float) -> tuple[float, float, float]:
    """These as finely as they are reckoned with [m, m, rad]."""
    return round(max(way, _NEAR), 5), round(height, 5), round(elevation, 4)


def speed_for(
    way: float, height: float, elevation: float, tumble: float, face: float, side: float,
    reach: Callable[[float, float, float, float, float, float], float],
) -> float:  # fmt: skip
    """`speed_to` of numbers alone; it and `reach` may also be compiled."""
    rise = way * tan(elevation) - height
    if rise <= 0.0:
        return MAX_SPEED
    speed = sqrt(GRAVITY * way * way / (2.0 * cos(elevation) ** 2 * rise))
    for _ in range(8):
        far = reach(speed, height, elevation, tumble, face, side)
        if abs(far - way) < 2e-5:
            break
        # reach grows about as the square of the speed
        speed = min(MAX_SPEED, speed * (sqrt(way / far) if far > 0.0 else 1.1))
    return speed


def reach(speed: float, height: float, elevation: float, tumble: float, face: float, side: float) -> float:
    """Distance at which a wink passes a height on its way down [m]; 0 if it never gets so high."""
    vx, vz = speed * cos(elevation), speed * sin(elevation)
    room = vz * vz - 2.0 * GRAVITY * height
    time = (vz + sqrt(max(room, 0.0))) / GRAVITY
    steps = _STEPS + round(2.0 * abs(tumble) * time)
    dt = time / steps
    x = z = 0.0
    for k in range(2 * steps):
        turned = tumble * (k + 0.5) * dt
        s, c = sin(turned), cos(turned)
        pull = face * abs(vz * c - vx * s) + side * abs(vx * c + vz * s)
        mx, mz = vx - 0.5 * dt * pull * vx, vz - 0.5 * dt * (pull * vz + GRAVITY)
        pull = face * abs(mz * c - mx * s) + side * abs(mx * c + mz * s)
        px, pz = x, z
        x, z = x + mx * dt, z + mz * dt
        vx, vz = vx - dt * pull * mx, vz - dt * (pull * mz + GRAVITY)
        if vz < 0.0 and z <= height:
            return px + (x - px) * (pz - height) / (pz - z) if pz > height else 0.0
    return x
