"""Penetration depth and distance of winks, by sampling both edges."""

from math import pi

import numpy as np

from benchmarks.random_mats import edge_points, penetration
from flicksim.scene.piece import Piece

_ROUND = np.linspace(0.0, 2.0 * pi, 720, endpoint=False)


def wink_distance(a: Piece, b: Piece) -> float:
    """Gap of two winks, at least 1/√2 of it, or less than 0 by how deep one lies in the other [m]."""
    return -max(penetration(a, b, _ROUND), penetration(b, a, _ROUND))


def lowest_point(piece: Piece) -> float:
    """Height of its lowest point over the mat [m]."""
    return float(edge_points(piece, _ROUND)[:, 2].min())
