"""What a hand does becomes the first motion of a piece."""

from __future__ import annotations

from math import asin, cos, sin

from flicksim.base.geometry import Point
from flicksim.physics.friction import INERTIA
from flicksim.table.flick import Flick
from flicksim.table.piece import Piece


def finger(piece: Piece, flick: Flick, nail_friction: float) -> tuple[Point, float]:
    """Velocity [m/s] and spin [rad/s] of a flat piece flicked by a nail.

    The nail gives an impulse m*speed along its way at a point of the rim `offset` radii to the side. While that
    lies in the friction cone about the rim's normal the nail holds: the piece goes straight along and spins. Further
    out the nail slips: the rim takes the normal part whole, and of the sideways part what friction can carry.
    """
    lean = asin(flick.offset)  # angle from the inward normal to the nail's way, positive for a hit on the left
    normal = cos(lean)
    tangent = max(-nail_friction * normal, min(nail_friction * normal, sin(lean)))
    ux, uy = flick.direction
    # inward normal at the point struck: the way turned by the lean towards the centre (clockwise for a left hit)
    c, s = cos(lean), sin(lean)
    nx, ny = ux * c + uy * s, uy * c - ux * s
    vx = flick.speed * (normal * nx - tangent * ny)
    vy = flick.speed * (normal * ny + tangent * nx)
    spin = -flick.speed * tangent / (INERTIA * piece.radius)
    return (vx, vy), spin
