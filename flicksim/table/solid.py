"""Pyramids in one another: how deep, walls against walls, for they are hollow."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import hypot, sqrt

import numpy as np
import numpy.typing as npt

from flicksim.base.geometry import convex_gap
from flicksim.table.pyramid import Pyramid, Shape

Floats = npt.NDArray[np.float64]

_HULL = ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))
"""Faces of a pyramid, by its four corners and its tip, each seen from outside counter-clockwise."""
_WALL = ((0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (0, 2, 5, 3), (1, 4, 5, 2))
"""Faces of one of its walls, by the outer triangle and the inner one."""


def _edges(faces: tuple[tuple[int, ...], ...]) -> Floats:
    return np.array(sorted({(min(p), max(p)) for face in faces for p in pairwise((*face, face[0]))}))


_HULL_EDGES, _WALL_EDGES = _edges(_HULL), _edges(_WALL)


class _Solid:
    """A convex body: corners [N, 3], normals of its faces [F, 3], directions of its edges [E, 3]."""

    __slots__ = ("corners", "edges", "normals")

    def __init__(self, corners: Floats, faces: tuple[tuple[int, ...], ...], edges: Floats) -> None:
        self.corners = corners
        first = corners[[face[0] for face in faces]]
        second, third = corners[[face[1] for face in faces]], corners[[face[2] for face in faces]]
        self.normals = _cross(second - first, third - first)
        self.normals /= np.sqrt((self.normals**2).sum(axis=1))[:, None]
        self.edges = corners[edges[:, 1]] - corners[edges[:, 0]]
        self.edges /= np.sqrt((self.edges**2).sum(axis=1))[:, None]


def _cross(a: Floats, b: Floats) -> Floats:
    return np.stack(
        [
            a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1],
            a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
            a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0],
        ],
        axis=-1,
    )


def _axes(a: _Solid, b: _Solid) -> Floats:
    """Every direction along which two convex bodies can first be told apart. [A, 3]"""
    crosses = _cross(a.edges[:, None, :], b.edges[None, :, :]).reshape(-1, 3)
    sizes = np.sqrt((crosses**2).sum(axis=1))
    good = sizes > 1e-6
    return np.concatenate([a.normals, b.normals, crosses[good] / sizes[good, None]])


class _Form:
    """The figures asked of a piece again and again: where it is about, its outline from above, its solid."""

    __slots__ = ("high", "low", "middle", "plan", "reach", "solid", "walls")

    def __init__(self, piece: Pyramid) -> None:
        corners, tip = piece.corners(), piece.tip
        self.middle, self.reach = piece.centre, piece.shape.reach
        self.low = min(tip[2], *(corner[2] for corner in corners))
        self.high = max(tip[2], *(corner[2] for corner in corners))
        self.plan = piece.footprint()
        self.solid = _Solid(np.array([*corners, tip]), _HULL, _HULL_EDGES)
        self.walls: tuple[_Solid, ...] = ()


@lru_cache(maxsize=1024)  # some kilobytes each
def _form(piece: Pyramid) -> _Form:
    return _Form(piece)


def middle_of(piece: Pyramid) -> tuple[float, float, float]:
    """Its middle of mass [m], remembered."""
    return _form(piece).middle


def _walls(piece: Pyramid) -> tuple[_Solid, ...]:
    form = _form(piece)
    if not form.walls:
        (ax, ay, az), up = piece.axis, piece.shape.hollow_height
        outer, inner, tip = piece.corners(), piece.mouth(), piece.tip
        peak = (piece.x + ax * up, piece.y + ay * up, piece.z + az * up)
        form.walls = tuple(
            _Solid(np.array([outer[i], outer[i - 3], tip, inner[i], inner[i - 3], peak]), _WALL, _WALL_EDGES)
            for i in range(4)
        )
    return form.walls


def span(shape: Shape) -> float:
    """A distance that no point of a piece is from the middle of its base [m]."""
    return max(shape.height, shape.base)


def _gap(a: _Form, b: _Form) -> float:
    """A gap between two pieces that is cheap to see [m]; zero or less when none is seen."""
    (ax, ay, az), (bx, by, bz) = a.middle, b.middle
    apart = sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2) - a.reach - b.reach
    if apart > 0.0:
        return apart
    apart = max(a.low - b.high, b.low - a.high)
    if apart > 0.0:
        return apart
    return convex_gap(a.plan, b.plan)


def _depth(a: _Solid, b: _Solid) -> float:
    """The way one must be moved to part two convex bodies [m]; negative is a gap along some direction."""
    ways = _axes(a, b)
    pa, pb = ways @ a.corners.T, ways @ b.corners.T
    over = np.minimum(pa.max(axis=1) - pb.min(axis=1), pb.max(axis=1) - pa.min(axis=1))
    return float(over.min())


@lru_cache(maxsize=2048)
def depth(a: Pyramid, b: Pyramid) -> float:
    """Depth of two pyramids in one another [m], remembered; zero or less when they are not.

    The hollow counts as empty: a piece capped over another is not in it.
    """
    apart = hypot(b.x - a.x, b.y - a.y) - span(a.shape) - span(b.shape)
    if apart > 0.0:
        return -apart
    fa, fb = _form(a), _form(b)
    seen = _gap(fa, fb)
    if seen >= 0.0:
        return -seen
    outside = _depth(fa.solid, fb.solid)
    if outside <= 0.0:
        return outside
    return min(outside, max(_depth(one, other) for one in _walls(a) for other in _walls(b)))
