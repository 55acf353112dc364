"""Resting pose of a disc on other discs and the surface: minimum height over its tilts.

The height of the centre at which a disc of given orientation touches what lies under it is minimised over orientations
(minimax descent: Osborne and Watson, 1969). In the resulting pose the disc touches its supports and penetrates nothing.
Discs are cylinders whose rims are sampled at `_RIM_POINTS` points. Array operations are sums, products and roots only,
which give the same bits on every processor.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import acos, atan2, cos, hypot, pi, sin, sqrt

import numpy as np
import numpy.typing as npt

from flicksim.core.arrays import Floats
from flicksim.scene.piece import Piece

Point3 = tuple[float, float, float]

MAX_TILT = 1.4
"""Largest tilt of a lying disc [rad]; steeper ones stand on edge and support nothing."""
CONTACT_TOLERANCE = 1e-5
"""Largest gap at which discs count as touching [m]."""
_RIM_POINTS = 360
_COS, _SIN = (np.array([f(2.0 * pi * k / _RIM_POINTS) for k in range(_RIM_POINTS)]) for f in (cos, sin))
_MAX_ROTATIONS, _MAX_HALVINGS = 60, 12
"""Largest number of descent steps, and of halvings of one step; few poses need ten steps."""
_MAX_PIVOTS = 200
_MAX_ROTATION = 0.1
"""Largest rotation in one step [rad]: heights are linear in small rotations only."""
_MIN_DESCENT = 1e-9
"""Descent of the centre in one step below which the search ends [m]."""


def resting_pose(piece: Piece, supports: Sequence[Piece]) -> tuple[float, float, float, frozenset[str]]:
    """Pose of a disc at rest on supports: height of its centre [m], tilt, lean [rad], ids of discs it touches."""
    discs = [_Disc.from_piece(other, piece) for other in supports]
    disc = _Disc((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), piece.radius, piece.thickness / 2.0)
    contacts = _contact_candidates(disc, discs)
    for _ in range(_MAX_ROTATIONS):
        x, y, lowest = _best_rotation(contacts)
        if lowest > contacts.max_height - _MIN_DESCENT:
            break
        scale = min(1.0, _MAX_ROTATION / max(hypot(x, y), 1e-12))
        for rotated in (disc.rotated(scale * x / 2**k, scale * y / 2**k) for k in range(_MAX_HALVINGS)):
            if rotated.normal[2] <= cos(MAX_TILT):
                continue
            lower = _contact_candidates(rotated, discs)
            if lower.max_height < contacts.max_height - _MIN_DESCENT:
                disc, contacts = rotated, lower
                break
        else:
            break
    nx, ny, nz = disc.normal
    highest = contacts.disc_indices[contacts.heights > contacts.max_height - CONTACT_TOLERANCE]
    touched = {supports[k].id for k in highest.tolist() if k >= 0}
    return contacts.max_height + disc.half_thickness / nz, acos(min(1.0, nz)), atan2(ny, nx), frozenset(touched)


@dataclass(frozen=True, slots=True)
class _ContactCandidates:
    """Points at which a disc of given orientation may touch what lies under it.

    Attributes:
        heights: height of the centre of its lower face at which it touches there [m]. [N]
        slope_x, slope_y: derivatives of that height by rotations about x and y [m/rad]. [N]
        disc_indices: index of the disc touched, -1 the surface. [N]
    """

    heights: Floats
    slope_x: Floats
    slope_y: Floats
    disc_indices: npt.NDArray[np.intp]

    @property
    def max_height(self) -> float:
        """Height at which it first touches something [m]."""
        return float(self.heights.max())


@dataclass(frozen=True, slots=True)
class _UpperSurface:
    """Upper surface of a disc over points in plan.

    Attributes:
        heights: height, -inf beside the disc [m]. [N]
        slope_x, slope_y: derivatives of the height by x and y [-]. [N]
        radius_margin: squared radius less squared distance from the axis, in the plane of its upper face [m^2]. [N]
    """

    heights: Floats
    slope_x: Floats
    slope_y: Floats
    radius_margin: Floats


def upper_normal(piece: Piece) -> Point3:
    """Unit normal of the upper face of a disc; it leans in the direction in which the disc slopes down."""
    slope = sin(piece.tilt)
    return slope * cos(piece.lean), slope * sin(piece.lean), cos(piece.tilt)


@dataclass(frozen=True, slots=True)
class _Disc:
    """Disc: centre, unit normal of its upper face, radius and half thickness."""

    centre: Point3
    normal: Point3
    radius: float
    half_thickness: float

    @classmethod
    def from_piece(cls, piece: Piece, origin: Piece) -> "_Disc":
        """Disc of a piece, in plan relative to another piece."""
        centre = (piece.x - origin.x, piece.y - origin.y, piece.height)
        return cls(centre, upper_normal(piece), piece.radius, piece.thickness / 2.0)

    def rotated(self, x: float, y: float) -> "_Disc":
        """Copy rotated about its centre by a rotation vector in plan [rad]."""
        angle = hypot(x, y)
        ax, ay = (x / angle, y / angle) if angle else (0.0, 0.0)
        c, s = cos(angle), sin(angle)
        nx, ny, nz = self.normal
        along = (ax * nx + ay * ny) * (1.0 - c)
        nx, ny, nz = (
            nx * c + ay * nz * s + ax * along, ny * c - ax * nz * s + ay * along, nz * c + (ax * ny - ay * nx) * s,
        )  # fmt: skip
        size = sqrt(nx * nx + ny * ny + nz * nz)
        return _Disc(self.centre, (nx / size, ny / size, nz / size), self.radius, self.half_thickness)

    def mirrored(self) -> "_Disc":
        """Copy mirrored in the horizontal plane."""
        (x, y, z), (nx, ny, nz) = self.centre, self.normal
        return _Disc((x, y, -z), (-nx, -ny, nz), self.radius, self.half_thickness)

    def rim_points(self) -> Floats:
        """Points around its lower rim, then as many around its upper one. [3, 2 N]"""
        nx, ny, nz = self.normal
        across = -nx * ny / (1.0 + nz)
        one, other = (1.0 - nx * nx / (1.0 + nz), across, -nx), (across, 1.0 - ny * ny / (1.0 + nz), -ny)
        axes = zip(self.centre, self.normal, one, other, strict=True)
        circles = [(c, self.half_thickness * n, self.radius * (_COS * e + _SIN * f)) for c, n, e, f in axes]
        return np.stack([np.concatenate([c - up + ring, c + up + ring]) for c, up, ring in circles])

    def upper_surface(self, x: Floats, y: Floats) -> _UpperSurface:
        """Upper surface: its face, and beyond that its side."""
        nx, ny, nz = self.normal
        x, y = x - self.centre[0], y - self.centre[1]
        along, squared_distance, squared_slope = nx * x + ny * y, x * x + y * y, nx * nx + ny * ny
        face = (self.half_thickness - along) / nz
        radius_margin = self.radius**2 + self.half_thickness**2 - squared_distance - face**2
        if squared_slope < 1e-12:
            return _UpperSurface(
                np.where(radius_margin >= 0.0, self.centre[2] + face, -np.inf), 0.0 * x, 0.0 * x, radius_margin
            )
        root = np.sqrt(
            np.maximum(0.0, (along * nz) ** 2 - squared_slope * (squared_distance - along**2 - self.radius**2))
        )
        side = (along * nz + root) / squared_slope
        heights = np.minimum(face, side)
        lower_face, far_side = (-self.half_thickness - along) / nz, (along * nz - root) / squared_slope
        is_met = (root > 0.0) & (heights >= lower_face) & (heights >= far_side)
        # outward from the axis, where the side is met
        radial = along + heights * nz
        up = np.maximum(heights - radial * nz, 1e-6 * self.radius)
        slope_x, slope_y = (np.where(side < face, -(at - radial * n) / up, -n / nz) for at, n in ((x, nx), (y, ny)))
        return _UpperSurface(np.where(is_met, self.centre[2] + heights, -np.inf), slope_x, slope_y, radius_margin)


def _contact_candidates(disc: _Disc, supports: Sequence[_Disc]) -> _ContactCandidates:
    """Candidate contacts of a disc: its rims on the supports, rims of supports on it, and crossing rims."""
    found = []

    def add_candidates(k: int, at: Floats, heights: Floats, slope_x: Floats, slope_y: Floats) -> None:
        """Add points `at` of the disc over a surface of given height and slopes."""
        there = np.flatnonzero(heights - at[2] > -np.inf)
        (x, y, z), heights, slope_x, slope_y = at[:, there], heights[there], slope_x[there], slope_y[there]
        found.append((heights - z, -z * slope_y - y, z * slope_x + x, np.full(len(there), k)))

    rims, below, level = disc.rim_points(), disc.mirrored(), np.zeros(2 * _RIM_POINTS)
    add_candidates(-1, rims, level, level, level)
    for k, support in enumerate(supports):
        upper = support.upper_surface(rims[0], rims[1])
        add_candidates(k, rims, upper.heights, upper.slope_x, upper.slope_y)
        x, y, z = support.rim_points()
        lower = below.upper_surface(x, y)
        add_candidates(k, np.stack([x, y, -lower.heights]), z, -lower.slope_x, -lower.slope_y)
        rim, margin = rims[:, :_RIM_POINTS], upper.radius_margin[:_RIM_POINTS]
        next_margin = np.roll(margin, -1)
        crossings = np.flatnonzero((margin > 0.0) != (next_margin > 0.0))
        fraction = margin[crossings] / (margin[crossings] - next_margin[crossings])
        x, y, z = (1.0 - fraction) * rim[:, crossings] + fraction * np.roll(rim, -1, axis=1)[:, crossings]
        slope_x, slope_y = (np.full(len(crossings), -n / support.normal[2]) for n in support.normal[:2])
        cx, cy, cz = support.centre
        heights = cz + support.half_thickness / support.normal[2] + slope_x * (x - cx) + slope_y * (y - cy)
        add_candidates(k, np.stack([x, y, z]), heights, slope_x, slope_y)
    heights, slope_x, slope_y, on = (np.concatenate(part) for part in zip(*found, strict=True))
    nx, ny, nz = disc.normal
    half_height = disc.half_thickness / nz
    return _ContactCandidates(
        heights - half_height, slope_x + half_height * ny / nz, slope_y - half_height * nx / nz, on
    )


def _best_rotation(contacts: _ContactCandidates) -> tuple[float, float, float]:
    """Rotation about x and y [rad] that minimises the linearised height, and that height [m]: dual simplex method.

    In each pivot one of the three contacts in the basis is replaced by the contact that would be highest.
    """
    heights, slope_x, slope_y = contacts.heights, contacts.slope_x, contacts.slope_y
    basis = [0, _RIM_POINTS // 3, 2 * _RIM_POINTS // 3]
    x = y = height = 0.0
    for _ in range(_MAX_PIVOTS):
        (a, ax, ay), (b, bx, by), (c, cx, cy) = (
            (float(heights[k]), float(slope_x[k]), float(slope_y[k])) for k in basis
        )
        b, bx, by, c, cx, cy = b - a, bx - ax, by - ay, c - a, cx - ax, cy - ay
        determinant = bx * cy - by * cx
        x, y = (by * c - cy * b) / determinant, (cx * b - bx * c) / determinant
        height = a + ax * x + ay * y
        rotated_heights = heights + slope_x * x + slope_y * y
        entering = int(rotated_heights.argmax())
        if rotated_heights[entering] <= height + 1e-12:
            break
        weights, changes = (
            (
                1.0 - (p * (cy - by) - q * (cx - bx)) / determinant,
                (p * cy - q * cx) / determinant,
                (q * bx - p * by) / determinant,
            )
            for p, q in ((-ax, -ay), (float(slope_x[entering]) - ax, float(slope_y[entering]) - ay))
        )
        basis[min((max(0.0, weights[k]) / changes[k], k) for k in range(3) if changes[k] > 1e-9)[1]] = entering
    return x, y, height
