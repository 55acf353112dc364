"""Penetration depth of two hollow pyramids: separating axis test (SAT) of their hulls, then of their walls."""

from functools import cached_property, lru_cache
from itertools import pairwise
from math import hypot, sqrt

import numpy as np

from flicksim.core.arrays import Floats
from flicksim.core.geometry import convex_separation
from flicksim.scene.pyramid import Pyramid, PyramidShape

_HULL_FACES = ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))
"""Faces of a pyramid by index of its four corners and its tip, counter-clockwise seen from outside."""
_WALL_FACES = ((0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (0, 2, 5, 3), (1, 4, 5, 2))
"""Faces of one of its walls by index of the outer triangle, then the inner one."""


def _edges(faces: tuple[tuple[int, ...], ...]) -> Floats:
    return np.array(sorted({(min(p), max(p)) for face in faces for p in pairwise((*face, face[0]))}))


_HULL_EDGES, _WALL_EDGES = _edges(_HULL_FACES), _edges(_WALL_FACES)


class _ConvexBody:
    """Convex body: corners [N, 3], face normals [F, 3], edge directions [E, 3]."""

    __slots__ = ("corners", "edges", "normals")

    def __init__(self, corners: Floats, faces: tuple[tuple[int, ...], ...], edges: Floats) -> None:
        self.corners = corners
        first = corners[[face[0] for face in faces]]
        second, third = corners[[face[1] for face in faces]], corners[[face[2] for face in faces]]
        self.normals = np.cross(second - first, third - first)
        self.normals /= np.sqrt((self.normals**2).sum(axis=1))[:, None]
        self.edges = corners[edges[:, 1]] - corners[edges[:, 0]]
        self.edges /= np.sqrt((self.edges**2).sum(axis=1))[:, None]


def _separating_axes(a: _ConvexBody, b: _ConvexBody) -> Floats:
    """Candidate separating axes of two convex bodies: face normals and cross products of edges. [A, 3]"""
    crosses = np.cross(a.edges[:, None, :], b.edges[None, :, :]).reshape(-1, 3)
    lengths = np.sqrt((crosses**2).sum(axis=1))
    is_valid = lengths > 1e-6
    return np.concatenate([a.normals, b.normals, crosses[is_valid] / lengths[is_valid, None]])


class _PyramidGeometry:
    """Geometry of a pyramid: bounds, footprint, hull and walls."""

    def __init__(self, piece: Pyramid) -> None:
        self._piece, corners, tip = piece, piece.base_corners(), piece.tip
        self.centre_of_mass, self.bounding_radius = piece.centre_of_mass, piece.shape.bounding_radius
        self.lowest = min(tip[2], *(corner[2] for corner in corners))
        self.highest = max(tip[2], *(corner[2] for corner in corners))
        self.footprint = piece.footprint()
        self.hull_body = _ConvexBody(np.array([*corners, tip]), _HULL_FACES, _HULL_EDGES)

    @cached_property
    def wall_bodies(self) -> tuple[_ConvexBody, ...]:
        """Its four walls; most pieces never need them."""
        piece = self._piece
        (ax, ay, az), up = piece.axis, piece.shape.hollow_height
        outer, inner, tip = piece.base_corners(), piece.hollow_corners(), piece.tip
        apex = (piece.x + ax * up, piece.y + ay * up, piece.z + az * up)
        return tuple(
            _ConvexBody(np.array([outer[i], outer[i - 3], tip, inner[i], inner[i - 3], apex]), _WALL_FACES, _WALL_EDGES)
            for i in range(4)
        )


_cached_geometry = lru_cache(maxsize=1024)(_PyramidGeometry)  # some kilobytes each


def cached_centre_of_mass(piece: Pyramid) -> tuple[float, float, float]:
    """Centre of mass of a piece [m], cached."""
    return _cached_geometry(piece).centre_of_mass


def max_extent(shape: PyramidShape) -> float:
    """Upper bound of the distance of any point of a piece from the centre of its base [m]."""
    return max(shape.height, shape.base)


def _quick_separation(a: _PyramidGeometry, b: _PyramidGeometry) -> float:
    """Lower bound of the gap between two pieces by cheap tests [m]; zero or less if none shows a gap."""
    (ax, ay, az), (bx, by, bz) = a.centre_of_mass, b.centre_of_mass
    gap = sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2) - a.bounding_radius - b.bounding_radius
    if gap > 0.0:
        return gap
    gap = max(a.lowest - b.highest, b.lowest - a.highest)
    if gap > 0.0:
        return gap
    return convex_separation(a.footprint, b.footprint)


def _sat_depth(a: _ConvexBody, b: _ConvexBody) -> float:
    """Penetration depth of two convex bodies over the candidate axes [m]; negative: a gap along some axis."""
    axes = _separating_axes(a, b)
    pa, pb = axes @ a.corners.T, axes @ b.corners.T
    overlaps = np.minimum(pa.max(axis=1) - pb.min(axis=1), pb.max(axis=1) - pa.min(axis=1))
    return float(overlaps.min())


@lru_cache(maxsize=2048)
def penetration_depth(a: Pyramid, b: Pyramid) -> float:
    """Penetration depth of two pyramids [m], cached; zero or less if they do not intersect.

    The hollow counts as empty: a piece stacked over another does not penetrate it.
    """
    gap = hypot(b.x - a.x, b.y - a.y) - max_extent(a.shape) - max_extent(b.shape)
    if gap > 0.0:
        return -gap
    fa, fb = _cached_geometry(a), _cached_geometry(b)
    quick_gap = _quick_separation(fa, fb)
    if quick_gap >= 0.0:
        return -quick_gap
    hull_depth = _sat_depth(fa.hull_body, fb.hull_body)
    if hull_depth <= 0.0:
        return hull_depth
    return min(hull_depth, max(_sat_depth(one, other) for one in fa.wall_bodies for other in fb.wall_bodies))
