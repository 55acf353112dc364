"""Penetration depth and distance of winks, by sampling both edges."""

from math import cos, pi, sin

import numpy as np
import numpy.typing as npt

from flicksim.scene.piece import Piece

Floats = npt.NDArray[np.float64]

_ROUND = np.linspace(0.0, 2.0 * pi, 721)[:-1]


def wink_distance(a: Piece, b: Piece) -> float:
    """Gap of two winks, or less than 0 by how deep one lies in the other [m]."""
    return min(float(_min_clearance(_edges(a), b).min()), float(_min_clearance(_edges(b), a).min()))


def lowest_point(piece: Piece) -> float:
    """Height of its lowest point over the mat [m]."""
    return float(_edges(piece)[:, 2].min())


def _edges(piece: Piece) -> Floats:
    """Points of both rims and of the wall between them, turned about y by the tilt and about z by the lean. [N, 3]"""
    c, s = cos(piece.tilt), sin(piece.tilt)
    levels = np.linspace(-0.5, 0.5, 5) * piece.thickness
    x, up = (one.ravel() for one in np.meshgrid(piece.radius * np.cos(_ROUND), levels))
    y = np.tile(piece.radius * np.sin(_ROUND), len(levels))
    along, z = c * x + s * up, c * up - s * x
    cl, sl = cos(piece.lean), sin(piece.lean)
    return np.column_stack([piece.x + cl * along - sl * y, piece.y + sl * along + cl * y, piece.height + z])


def _min_clearance(points: Floats, piece: Piece) -> Floats:
    """Distance of points from a wink, inside it less than 0 [m]. [N]"""
    cl, sl, c, s = cos(piece.lean), sin(piece.lean), cos(piece.tilt), sin(piece.tilt)
    x, y, z = (points - (piece.x, piece.y, piece.height)).T
    along, y = cl * x + sl * y, cl * y - sl * x
    out = np.hypot(c * along - s * z, y) - piece.radius
    over = np.abs(s * along + c * z) - piece.thickness / 2.0
    return np.where((out > 0.0) & (over > 0.0), np.hypot(out, over), np.maximum(out, over))
