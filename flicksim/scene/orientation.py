"""Orientations as unit quaternions (w, x, y, z), and conversions to and from axes."""

from math import acos, sin

import numpy as np

from flicksim.core.arrays import Floats

Point3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
"""Unit quaternion: rotation of a piece from standing with its first side along +x."""


def cross(a: Point3, b: Point3) -> Point3:
    """Cross product of two vectors."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def face_normal(a: Point3, b: Point3, c: Point3) -> Point3:
    """Unit normal of a face with corners counter-clockwise as seen from outside."""
    x, y, z = cross((b[0] - a[0], b[1] - a[1], b[2] - a[2]), (c[0] - a[0], c[1] - a[1], c[2] - a[2]))
    length = max((x**2 + y**2 + z**2) ** 0.5, 1e-12)
    return (x / length, y / length, z / length)


def quaternions_from_axes(x_axes: Floats, z_axes: Floats) -> Floats:
    """Quaternions of rotations that take +x and +z to these perpendicular unit vectors (Shepperd, 1978).

    [K, 3], [K, 3] -> [K, 4]
    """
    y_axes = np.stack(
        [z_axes[:, x - 2] * x_axes[:, x - 1] - z_axes[:, x - 1] * x_axes[:, x - 2] for x in range(3)], axis=1
    )
    (a, b, c), (d, e, f), (g, h, i) = x_axes.T, y_axes.T, z_axes.T
    yz, zx, xy = f - h, g - c, b - d
    rows = np.array(
        [
            (1.0 + a + e + i, yz, zx, xy),
            (yz, 1.0 + a - e - i, b + d, c + g),
            (zx, b + d, 1.0 - a + e - i, f + h),
            (xy, c + g, f + h, 1.0 - a - e + i),
        ]
    )
    largest = np.argmax(rows[range(4), range(4)], axis=0)
    w, x, y, z = chosen = rows[largest, :, np.arange(len(largest))].T
    quaternions: Floats = (chosen / np.sqrt(w * w + x * x + y * y + z * z)).T
    return quaternions


def axes_from_quaternion(quaternion: Quaternion) -> tuple[Point3, Point3]:
    """Images of +x (a side of the base) and +z (the axis) under a rotation."""
    w, x, y, z = quaternion
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def slerp(a: Quaternion, b: Quaternion, fraction: float) -> Quaternion:
    """Spherical linear interpolation between two rotations, along the shorter arc (Shoemake, 1985)."""
    dot = sum(p * q for p, q in zip(a, b, strict=True))
    sign = 1.0 if dot >= 0.0 else -1.0
    angle = acos(min(1.0, abs(dot)))
    if angle < 1e-6:
        return a
    f, g = sin((1.0 - fraction) * angle) / sin(angle), sign * sin(fraction * angle) / sin(angle)
    w, x, y, z = (f * p + g * q for p, q in zip(a, b, strict=True))
    return (w, x, y, z)
