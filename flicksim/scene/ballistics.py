"""Closed-form slides and numerically integrated flights without obstacles: range and required speed.

Estimates for choosing an aim; the outcome of a shot is simulated by the engine.
"""

from functools import lru_cache
from math import cos, pi, sin, sqrt, tan

from flicksim.core.units import GRAVITY, mm
from flicksim.scene.flick import MAX_SPEED
from flicksim.scene.piece import Piece

_DRAG_DENSITY = 1.17 * 1.204
"""Drag coefficient of a tumbling disc on its mean area [-], times the density of air [kg/m^3]."""
_STEPS = 40
_MIN_DISTANCE = mm(3.0)
"""Shortest distance that is aimed at [m]."""


def sliding_speed(distance: float, deceleration: float) -> float:
    """Initial speed [m/s] from which a piece comes to rest after a distance [m] at a constant deceleration [m/s^2]."""
    return sqrt(2.0 * deceleration * distance)


def drag_deceleration_rates(piece: Piece) -> tuple[float, float]:
    """Air drag deceleration over speed squared, broadside and edge-on to the wind [1/m].

    A small wink has 0.31 and 0.04, and 0.22 while it tumbles.
    """
    face, side = pi * piece.radius**2, 2.0 * piece.radius * piece.thickness
    mean_area = 0.5 * pi * piece.radius * (piece.radius + piece.thickness)
    scale = _DRAG_DENSITY * mean_area / (2.0 * piece.mass) * pi / (2.0 * (face + side))
    return scale * face, scale * side


def launch_speed_to_reach(piece: Piece, distance: float, height: float, elevation: float, tumble: float = 0.0) -> float:
    """Launch speed [m/s] at which a wink passes a height on its way down, at a distance.

    Args:
        piece: wink, lying flat. distance: in plan [m]. height: above the start [m]. elevation: of the launch [rad].
        tumble: backspin [rad/s].
    """
    face, side = drag_deceleration_rates(piece)
    return _cached_launch_speed(*round_inputs(distance, height, elevation), tumble, round(face, 5), round(side, 5))


def round_inputs(distance: float, height: float, elevation: float) -> tuple[float, float, float]:
    """Round distance, height and elevation for the cache [m, m, rad]."""
    return round(max(distance, _MIN_DISTANCE), 5), round(height, 5), round(elevation, 4)


def solve_launch_speed(
    distance: float, height: float, elevation: float, tumble: float, broadside_drag: float, edge_drag: float
) -> float:
    """Solve `launch_speed_to_reach` by fixed-point iteration on numbers alone, so that it may be compiled."""
    rise = distance * tan(elevation) - height
    if rise <= 0.0:
        return MAX_SPEED
    speed = sqrt(GRAVITY * distance * distance / (2.0 * cos(elevation) ** 2 * rise))
    for _ in range(8):
        distance_reached = flight_range(speed, height, elevation, tumble, broadside_drag, edge_drag)
        if abs(distance_reached - distance) < 2e-5:
            break
        # range grows about as the square of the speed
        speed = min(MAX_SPEED, speed * (sqrt(distance / distance_reached) if distance_reached > 0.0 else 1.1))
    return speed


_cached_launch_speed = lru_cache(maxsize=4096)(solve_launch_speed)


def flight_range(
    speed: float, height: float, elevation: float, tumble: float, broadside_drag: float, edge_drag: float
) -> float:
    """Distance at which a wink passes a height on its way down [m], by the midpoint method; 0 if it stays below."""
    vx, vz = speed * cos(elevation), speed * sin(elevation)
    discriminant = vz * vz - 2.0 * GRAVITY * height
    time = (vz + sqrt(max(discriminant, 0.0))) / GRAVITY
    steps = _STEPS + round(2.0 * abs(tumble) * time)
    dt = time / steps
    x = z = 0.0
    for k in range(2 * steps):
        tilt = tumble * (k + 0.5) * dt
        s, c = sin(tilt), cos(tilt)
        drag = broadside_drag * abs(vz * c - vx * s) + edge_drag * abs(vx * c + vz * s)
        mx, mz = vx - 0.5 * dt * drag * vx, vz - 0.5 * dt * (drag * vz + GRAVITY)
        drag = broadside_drag * abs(mz * c - mx * s) + edge_drag * abs(mx * c + mz * s)
        px, pz = x, z
        x, z = x + mx * dt, z + mz * dt
        vx, vz = vx - dt * drag * mx, vz - dt * (drag * mz + GRAVITY)
        if vz < 0.0 and z <= height:
            return px + (x - px) * (pz - height) / (pz - z) if pz > height else 0.0
    return x
