"""Initial velocity and spin of flat pieces that are flicked."""

from __future__ import annotations

from math import asin, cos, sin

from flicksim.core.geometry import Point
from flicksim.engine.friction import INERTIA_FACTOR
from flicksim.scene.flick import Flick
from flicksim.scene.piece import Piece


def flick_velocity(piece: Piece, flick: Flick, nail_friction: float) -> tuple[Point, float]:
    """Velocity [m/s] and spin [rad/s] of a flat piece flicked by a nail.

    The nail gives an impulse m*speed in its direction of motion at a point of the rim `offset` radii to the side. If
    that lies in the friction cone about the rim's normal the nail sticks: the piece goes straight along and spins.
    Further out the nail slips: the rim takes the whole normal part, and of the tangential part what friction carries.
    """
    vx, vy, spin = nail_velocity(flick.speed, flick.azimuth, flick.offset, nail_friction, piece.radius)
    return (vx, vy), spin


def nail_velocity(
    speed: float, azimuth: float, offset: float, nail_friction: float, radius: float
) -> tuple[float, float, float]:
    """Velocity in x and y [m/s] and spin [rad/s] by `flick_velocity`, of numbers alone, so that it may be compiled."""
    lean = asin(offset)  # angle from the inward normal to the direction of the nail, positive for a hit on the left
    normal = cos(lean)
    tangent = max(-nail_friction * normal, min(nail_friction * normal, sin(lean)))
    ux, uy = cos(azimuth), sin(azimuth)
    # inward normal at the point struck: the direction rotated by the lean towards the centre (clockwise for a left hit)
    c, s = cos(lean), sin(lean)
    nx, ny = ux * c + uy * s, uy * c - ux * s
    vx = speed * (normal * nx - tangent * ny)
    vy = speed * (normal * ny + tangent * nx)
    return vx, vy, -speed * tangent / (INERTIA_FACTOR * radius)
