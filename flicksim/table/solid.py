"""Whether two pyramids are in one another: how deep, walls against walls, for they are hollow."""

from __future__ import annotations

from functools import lru_cache
from math import hypot

import numpy as np
import numpy.typing as npt

from flicksim.table.pyramid import Pyramid

Floats = npt.NDArray[np.float64]


class _Solid:
    """A convex body: corners [N, 3], normals of its faces [F, 3], directions of its edges [E, 3]."""

    __slots__ = ("corners", "edges", "normals")

    def __init__(self, corners: Floats, faces: list[tuple[int, ...]]) -> None:
        self.corners = corners
        normals, edges = [], {}
        for face in faces:
            a, b, c = corners[face[0]], corners[face[1]], corners[face[2]]
            normals.append(_unit(np.cross(b - a, c - a)))
            for i in range(len(face)):
                pair = (min(face[i - 1], face[i]), max(face[i - 1], face[i]))
                edges[pair] = _unit(corners[pair[1]] - corners[pair[0]])
        self.normals = np.array(normals)
        self.edges = np.array(list(edges.values()))


def _unit(vector: Floats) -> Floats:
    size = float(np.linalg.norm(vector))
    return vector / size if size > 0.0 else vector


_HULL = [(0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
_WALL = [(0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (0, 2, 5, 3), (1, 4, 5, 2)]


@lru_cache(maxsize=4096)
def _outside(piece: Pyramid) -> _Solid:
    return _Solid(np.array([*piece.corners(), piece.tip]), _HULL)


@lru_cache(maxsize=1024)
def _walls(piece: Pyramid) -> tuple[_Solid, ...]:
    ax, ay, az = piece.axis
    up = piece.shape.hollow_height
    outer, inner, tip = piece.corners(), piece.mouth(), piece.tip
    peak = (piece.x + ax * up, piece.y + ay * up, piece.z + az * up)
    found = []
    for i in range(4):
        j = (i + 1) % 4
        found.append(_Solid(np.array([outer[i], outer[j], tip, inner[i], inner[j], peak]), _WALL))
    return tuple(found)


def _depth(a: _Solid, b: _Solid) -> float:
    """How far one must be moved to part two convex bodies [m]; negative is a gap along some direction."""
    crosses = np.cross(a.edges[:, None, :], b.edges[None, :, :]).reshape(-1, 3)
    sizes = np.linalg.norm(crosses, axis=1)
    good = sizes > 1e-6
    ways = np.concatenate([a.normals, b.normals, crosses[good] / sizes[good, None]])
    pa, pb = ways @ a.corners.T, ways @ b.corners.T
    over = np.minimum(pa.max(axis=1) - pb.min(axis=1), pb.max(axis=1) - pa.min(axis=1))
    return float(over.min())


def depth(a: Pyramid, b: Pyramid) -> float:
    """How deep two pyramids are in one another [m]; zero or less when they are not.

    The hollow counts as empty: a piece capped over another is not in it.
    """
    ca, cb = a.centre, b.centre
    reach = a.shape.reach + b.shape.reach
    apart = hypot(ca[0] - cb[0], ca[1] - cb[1])
    if apart > reach:
        return reach - apart
    outside = _depth(_outside(a), _outside(b))
    if outside <= 0.0:
        return outside
    return min(outside, max(_depth(one, other) for one in _walls(a) for other in _walls(b)))
