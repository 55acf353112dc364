"""The pose in which a disc rests on other discs and the surface when its middle is held over one place.

The height of the middle at which a disc of some attitude touches what lies under it is minimised over attitudes
(minimax descent: Osborne and Watson, 1969). Whatever attitude that ends in, the disc touches there and is in nothing.
Discs are cylinders; their rims are taken at `_AROUND` points. Of arrays there are sums, products and roots alone, which
come out alike on every processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import acos, atan2, cos, hypot, pi, sin, sqrt

import numpy as np
import numpy.typing as npt

from flicksim.table.piece import Piece

Floats = npt.NDArray[np.float64]
Point3 = tuple[float, float, float]

STEEP = 1.4
"""Discs that lie steeper stand: their faces carry nothing, and none is laid down so [rad]."""
TOUCHING = 1e-5
"""Gap at which discs touch still [m]."""
_AROUND = 360
_COS, _SIN = (np.array([f(2.0 * pi * k / _AROUND) for k in range(_AROUND)]) for f in (cos, sin))
_TURNS, _HALVINGS = 60, 12
"""Turns, and halvings of one, after which a disc is left as it is; few need ten turns."""
_EXCHANGES = 200
_FARTHEST = 0.1
"""A turn is no greater [rad]: heights are linear in small turns only."""
_LOWER = 1e-9
"""A turn that lowers the middle by less ends the descent [m]."""


def resting(piece: Piece, under: Sequence[Piece]) -> tuple[float, float, float, frozenset[str]]:
    """Height of its middle [m], tilt and lean [rad] of a disc at rest there, and the ids of the discs it touches."""
    discs = [_Disc.of(other, piece) for other in under]
    own = _Disc((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), piece.radius, piece.thickness / 2.0)
    touches = _touches(own, discs)
    for _ in range(_TURNS):
        x, y, lowest = _best_turn(touches)
        if lowest > touches.highest - _LOWER:
            break
        share = min(1.0, _FARTHEST / max(hypot(x, y), 1e-12))
        for turned in (own.turned(share * x / 2**k, share * y / 2**k) for k in range(_HALVINGS)):
            if turned.n[2] > cos(STEEP) and (then := _touches(turned, discs)).highest < touches.highest - _LOWER:
                own, touches = turned, then
                break
        else:
            break
    nx, ny, nz = own.n
    on = {under[k].id for k in touches.on[touches.high > touches.highest - TOUCHING].tolist() if k >= 0}
    return touches.highest + own.h / nz, acos(min(1.0, nz)), atan2(ny, nx), frozenset(on)


@dataclass(frozen=True, slots=True)
class _Touches:
    """Points at which a disc of some attitude may touch what lies under it.

    Attributes:
        high: height of its lower face, under its middle, at which it touches there [m]. [N]
        by_x, by_y: how much higher that is for each radian by which the disc is turned about x and y [m]. [N]
        on: number of the disc touched, -1 the surface. [N]
    """

    high: Floats
    by_x: Floats
    by_y: Floats
    on: npt.NDArray[np.intp]

    @property
    def highest(self) -> float:
        """The height at which it touches anything [m]."""
        return float(self.high.max())


@dataclass(frozen=True, slots=True)
class _Upper:
    """The upper side of a disc over points of the plan.

    Attributes:
        high: its height, -inf beside the disc [m]. [N]
        by_x, by_y: its slope. [N]
        within: by how much the square of its radius exceeds that of where the plane of its upper face is met [m^2]. [N]
    """

    high: Floats
    by_x: Floats
    by_y: Floats
    within: Floats


@dataclass(frozen=True, slots=True)
class _Disc:
    """A disc: its centre, the unit normal of its upper face, its radius and half its thickness."""

    c: Point3
    n: Point3
    r: float
    h: float

    @classmethod
    def of(cls, piece: Piece, seen: Piece) -> _Disc:
        """A piece, seen from the place of another."""
        slope = sin(piece.tilt)
        n = (slope * cos(piece.lean), slope * sin(piece.lean), cos(piece.tilt))
        return cls((piece.x - seen.x, piece.y - seen.y, piece.height), n, piece.radius, piece.thickness / 2.0)

    def turned(self, x: float, y: float) -> _Disc:
        """It turned about its centre by an axis in plan times an angle [rad]."""
        angle = hypot(x, y)
        ax, ay = (x / angle, y / angle) if angle else (0.0, 0.0)
        c, s = cos(angle), sin(angle)
        nx, ny, nz = self.n
        along = (ax * nx + ay * ny) * (1.0 - c)
        nx, ny, nz = (
            nx * c + ay * nz * s + ax * along, ny * c - ax * nz * s + ay * along, nz * c + (ax * ny - ay * nx) * s,
        )  # fmt: skip
        size = sqrt(nx * nx + ny * ny + nz * nz)
        return _Disc(self.c, (nx / size, ny / size, nz / size), self.r, self.h)

    def mirrored(self) -> _Disc:
        """It with up and down changed."""
        (x, y, z), (nx, ny, nz) = self.c, self.n
        return _Disc((x, y, -z), (-nx, -ny, nz), self.r, self.h)

    def rims(self) -> Floats:
        """Points around its lower rim, then as many around its upper one. [3, 2 N]"""
        nx, ny, nz = self.n
        across = -nx * ny / (1.0 + nz)
        one, other = (1.0 - nx * nx / (1.0 + nz), across, -nx), (across, 1.0 - ny * ny / (1.0 + nz), -ny)
        axes = zip(self.c, self.n, one, other, strict=True)
        rounds = [(c, self.h * n, self.r * (_COS * e + _SIN * f)) for c, n, e, f in axes]
        return np.stack([np.concatenate([c - up + ring, c + up + ring]) for c, up, ring in rounds])

    def upper(self, x: Floats, y: Floats) -> _Upper:
        """Its upper side: its face, and beside that its wall."""
        nx, ny, nz = self.n
        x, y = x - self.c[0], y - self.c[1]
        along, far, steep = nx * x + ny * y, x * x + y * y, nx * nx + ny * ny
        face = (self.h - along) / nz
        within = self.r**2 + self.h**2 - far - face**2
        if steep < 1e-12:
            return _Upper(np.where(within >= 0.0, self.c[2] + face, -np.inf), 0.0 * x, 0.0 * x, within)
        root = np.sqrt(np.maximum(0.0, (along * nz) ** 2 - steep * (far - along**2 - self.r**2)))
        wall = (along * nz + root) / steep
        high = np.minimum(face, wall)
        met = (root > 0.0) & (high >= (-self.h - along) / nz) & (high >= (along * nz - root) / steep)
        # outward from the axis, where the wall is met
        out = along + high * nz
        up = np.maximum(high - out * nz, 1e-6 * self.r)
        by_x, by_y = (np.where(wall < face, -(at - out * n) / up, -n / nz) for at, n in ((x, nx), (y, ny)))
        return _Upper(np.where(met, self.c[2] + high, -np.inf), by_x, by_y, within)


def _touches(own: _Disc, discs: Sequence[_Disc]) -> _Touches:
    """Contacts that a disc may have: its rims on what lies under it, rims of that on it, and rims that cross."""
    found = []

    def touch(k: int, at: Floats, high: Floats, by_x: Floats, by_y: Floats) -> None:
        """Points of the disc slide up or down what slopes so as it turns."""
        there = np.flatnonzero(high - at[2] > -np.inf)
        (x, y, z), high, by_x, by_y = at[:, there], high[there], by_x[there], by_y[there]
        found.append((high - z, -z * by_y - y, z * by_x + x, np.full(len(there), k)))

    rims, below, level = own.rims(), own.mirrored(), np.zeros(2 * _AROUND)
    touch(-1, rims, level, level, level)
    for k, disc in enumerate(discs):
        upper = disc.upper(rims[0], rims[1])
        touch(k, rims, upper.high, upper.by_x, upper.by_y)
        x, y, z = disc.rims()
        lower = below.upper(x, y)
        touch(k, np.stack([x, y, -lower.high]), z, -lower.by_x, -lower.by_y)
        rim, within = rims[:, :_AROUND], upper.within[:_AROUND]
        after = np.roll(within, -1)
        cut = np.flatnonzero((within > 0.0) != (after > 0.0))
        share = within[cut] / (within[cut] - after[cut])
        x, y, z = (1.0 - share) * rim[:, cut] + share * np.roll(rim, -1, axis=1)[:, cut]
        by_x, by_y = (np.full(len(cut), -n / disc.n[2]) for n in disc.n[:2])
        high = disc.c[2] + disc.h / disc.n[2] + by_x * (x - disc.c[0]) + by_y * (y - disc.c[1])
        touch(k, np.stack([x, y, z]), high, by_x, by_y)
    high, by_x, by_y, on = (np.concatenate(part) for part in zip(*found, strict=True))
    nx, ny, nz = own.n
    sunk = own.h / nz
    return _Touches(high - sunk, by_x + sunk * ny / nz, by_y - sunk * nx / nz, on)


def _best_turn(touches: _Touches) -> tuple[float, float, float]:
    """The turn about x and y [rad] that brings it lowest if heights were linear, and how low [m]: dual simplex method.

    Of three touches that carry it, one gives way to the touch that would then be highest.
    """
    high, by_x, by_y = touches.high, touches.by_x, touches.by_y
    three = [0, _AROUND // 3, 2 * _AROUND // 3]
    x = y = height = 0.0
    for _ in range(_EXCHANGES):
        (a, ax, ay), (b, bx, by), (c, cx, cy) = ((float(high[k]), float(by_x[k]), float(by_y[k])) for k in three)
        b, bx, by, c, cx, cy = b - a, bx - ax, by - ay, c - a, cx - ax, cy - ay
        area = bx * cy - by * cx
        x, y = (by * c - cy * b) / area, (cx * b - bx * c) / area
        height = a + ax * x + ay * y
        then = high + by_x * x + by_y * y
        new = int(then.argmax())
        if then[new] <= height + 1e-12:
            break
        held, gained = (
            (1.0 - (p * (cy - by) - q * (cx - bx)) / area, (p * cy - q * cx) / area, (q * bx - p * by) / area)
            for p, q in ((-ax, -ay), (float(by_x[new]) - ax, float(by_y[new]) - ay))
        )
        three[min((max(0.0, held[k]) / gained[k], k) for k in range(3) if gained[k] > 1e-9)[1]] = new
    return x, y, height
