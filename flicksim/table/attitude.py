"""Attitudes in space: unit quaternions (w, x, y, z), and the side and axis of a piece that they turn."""

from __future__ import annotations

from math import acos, sin, sqrt

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Point3 = tuple[float, float, float]
Turn = tuple[float, float, float, float]
"""A unit quaternion: how a piece is turned from standing with its first side along +x."""


def cross(a: Point3, b: Point3) -> Point3:
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def outward(a: Point3, b: Point3, c: Point3) -> Point3:
    """The normal of a side, of unit length; the corners go round counter-clockwise as seen from outside."""
    x, y, z = cross((b[0] - a[0], b[1] - a[1], b[2] - a[2]), (c[0] - a[0], c[1] - a[1], c[2] - a[2]))
    size = max((x**2 + y**2 + z**2) ** 0.5, 1e-12)
    return (x / size, y / size, z / size)


def turn_of(side: Point3, axis: Point3) -> Turn:
    """The turn that takes +x to a side of the base and +z to the axis: unit vectors square to each other."""
    other = cross(axis, side)
    spare = (
        1.0 + side[0] + other[1] + axis[2], 1.0 + side[0] - other[1] - axis[2],
        1.0 - side[0] + other[1] - axis[2], 1.0 - side[0] - other[1] + axis[2],
    )  # fmt: skip
    lead = spare.index(max(spare))
    yz, zx, xy = other[2] - axis[1], axis[0] - side[2], side[1] - other[0]
    rows = (
        (spare[0], yz, zx, xy),
        (yz, spare[1], side[1] + other[0], side[2] + axis[0]),
        (zx, side[1] + other[0], spare[2], other[2] + axis[1]),
        (xy, side[2] + axis[0], other[2] + axis[1], spare[3]),
    )
    w, x, y, z = rows[lead]
    size = sqrt(w * w + x * x + y * y + z * z)
    return (w / size, x / size, y / size, z / size)


def turns_of(sides: Floats, axes: Floats) -> Floats:
    """The same for many. [K, 3], [K, 3] -> [K, 4]"""
    others = np.stack([axes[:, x - 2] * sides[:, x - 1] - axes[:, x - 1] * sides[:, x - 2] for x in range(3)], axis=1)
    (a, b, c), (d, e, f), (g, h, i) = sides.T, others.T, axes.T
    yz, zx, xy = f - h, g - c, b - d
    rows = np.array(
        [
            (1.0 + a + e + i, yz, zx, xy),
            (yz, 1.0 + a - e - i, b + d, c + g),
            (zx, b + d, 1.0 - a + e - i, f + h),
            (xy, c + g, f + h, 1.0 - a - e + i),
        ]
    )
    lead = np.argmax(rows[range(4), range(4)], axis=0)
    w, x, y, z = found = rows[lead, :, np.arange(len(lead))].T
    turns: Floats = (found / np.sqrt(w * w + x * x + y * y + z * z)).T
    return turns


def frame_of(turn: Turn) -> tuple[Point3, Point3]:
    """Directions to which a turn takes +x, a side of the base, and +z, the axis."""
    w, x, y, z = turn
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def between(a: Turn, b: Turn, share: float) -> Turn:
    """On the way from one turn to another, by the shorter way, evenly."""
    dot = sum(p * q for p, q in zip(a, b, strict=True))
    sign = 1.0 if dot >= 0.0 else -1.0
    angle = acos(min(1.0, abs(dot)))
    if angle < 1e-6:
        return a
    f, g = sin((1.0 - share) * angle) / sin(angle), sign * sin(share * angle) / sin(angle)
    w, x, y, z = (f * p + g * q for p, q in zip(a, b, strict=True))
    return (w, x, y, z)
