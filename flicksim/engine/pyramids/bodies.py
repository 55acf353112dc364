"""Rigid-body state of pyramids as array rows, their vertices, faces and edges in space, and free flight.

Four walls make a body that turns like one that is round about its axis: angular momentum stays as it is in free
flight, and the attitude turns evenly about the axis and about it. So flight is exact, however long.
"""

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flicksim.engine.jit import njit_no_refcount
from flicksim.scene.pyramid import PyramidShape

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ASLEEP: Final = 0.0
"""At rest and not moved on; a touch wakes it."""
AWAKE: Final = 1.0
REMOVED: Final = 2.0
"""Off the table; touches nothing any more."""

CX, CY, CZ, VX, VY, VZ, LX, LY, LZ, WX, WY, WZ = range(12)
"""Columns of the bodies [N, BODY_COLUMNS]: centre of mass [m], velocity [m/s], angular momentum over mass [m^2/s],
angular velocity kept with it [rad/s]."""
SIDE_X, SIDE_Y, SIDE_Z, SIDE2_X, SIDE2_Y, SIDE2_Z, AXIS_X, AXIS_Y, AXIS_Z = range(12, 21)
"""The attitude: two sides of its base and its axis, unit vectors that make a right-handed three."""
(
    INV_MASS,
    INV_INERTIA,
    INV_INERTIA_AXIAL_DIFF,
    BOUNDING_RADIUS,
    BASE_DISTANCE,
    TIP_DISTANCE,
    HALF_BASE,
    HALF_HOLLOW_BASE,
    WALL_THICKNESS,
    SIN_HALF_APEX,
    COS_HALF_APEX,
) = range(21, 32)
"""Inverse mass [1/kg], inverse inertia over mass across the axis [1/m^2] and what is to be added to it about the axis,
how far its farthest point is from the centre of mass, how far from there its base and its tip are, half a side of its
base and of its hollow's mouth, thickness of its wall [m], sine and cosine of the angle between axis and walls."""
(
    STATE,
    SLOW_TIMER,
    STATIONARY_TIMER,
    TRAVEL_BOUND,
    EDGE_CHECK_TRAVEL,
    ISLAND,
    LOWEST_HEIGHT,
    LAST_CONTACT_TIME,
    LAST_HELD_TIME,
) = range(32, 41)
"""ASLEEP, AWAKE or REMOVED; for how long it has been slow, and still [s]; a bound on how far any of its points has
moved, and the travel before which it cannot reach the table's edge [m]; who rests with whom; how high its lowest corner
is [m]; when it last touched anything, and when it last was not held by the table alone [s]."""
PREV_MOTION: Final = 41
"""Velocity and angular momentum from before a step's pushes, six columns."""
ANCHOR_POSE: Final = 47
"""Columns of its centre of mass, a side and its axis when it began to be still, nine of them."""
ASLEEP_CHECK_TRAVEL: Final = 56
"""The travel before which it cannot meet anything that is asleep [m]."""
BODY_COLUMNS: Final = 57

VERTEX_COUNT: Final = 9
"""Points of a body: four corners of the base in order round it, the tip, four corners of the mouth."""
FACE_COUNT: Final = 5
"""Normals of a body: of the four walls outwards, wall k between corners k and k + 1, and of the base downwards."""
EDGE_COUNT: Final = 12
"""Edges: four of the base, from corner k to k + 1, four slopes from corner k to the tip, four of the mouth."""


@lru_cache(maxsize=64)
def make_body_row(shape: PyramidShape) -> Floats:
    """The row of a body of that shape, at rest nowhere yet. [BODY_COLUMNS]"""
    row = np.zeros(BODY_COLUMNS)
    row[INV_MASS], row[INV_INERTIA] = 1.0 / shape.mass, shape.mass / shape.transverse_inertia
    row[INV_INERTIA_AXIAL_DIFF] = shape.mass / shape.axial_inertia - row[INV_INERTIA]
    row[BOUNDING_RADIUS], row[BASE_DISTANCE], row[TIP_DISTANCE] = (
        shape.bounding_radius,
        shape.centroid,
        shape.height - shape.centroid,
    )
    row[HALF_BASE], row[HALF_HOLLOW_BASE], row[WALL_THICKNESS] = shape.base / 2.0, shape.hollow_base / 2.0, shape.wall
    row[SIN_HALF_APEX], row[COS_HALF_APEX] = math.sin(shape.half_apex_angle), math.cos(shape.half_apex_angle)
    return row


@njit_no_refcount
def update_angular_velocity(b: Floats, i: int) -> None:
    """Angular velocity of body `i` from its angular momentum and attitude."""
    nx, ny, nz = b[i, AXIS_X], b[i, AXIS_Y], b[i, AXIS_Z]
    axial = b[i, INV_INERTIA_AXIAL_DIFF] * (b[i, LX] * nx + b[i, LY] * ny + b[i, LZ] * nz)
    it = b[i, INV_INERTIA]
    b[i, WX] = it * b[i, LX] + axial * nx
    b[i, WY] = it * b[i, LY] + axial * ny
    b[i, WZ] = it * b[i, LZ] + axial * nz


@njit_no_refcount
def update_angular_momentum(b: Floats, i: int) -> None:
    """Angular momentum of body `i` from its angular velocity and attitude: the inverse of `update_angular_velocity`."""
    nx, ny, nz = b[i, AXIS_X], b[i, AXIS_Y], b[i, AXIS_Z]
    across, about = 1.0 / b[i, INV_INERTIA], 1.0 / (b[i, INV_INERTIA] + b[i, INV_INERTIA_AXIAL_DIFF])
    axial = (about - across) * (b[i, WX] * nx + b[i, WY] * ny + b[i, WZ] * nz)
    b[i, LX] = across * b[i, WX] + axial * nx
    b[i, LY] = across * b[i, WY] + axial * ny
    b[i, LZ] = across * b[i, WZ] + axial * nz


@njit_no_refcount
def _rotate(b: Floats, i: int, x: float, y: float, z: float, angle: float, axis: bool) -> None:
    """Turn the side of body `i`, and its axis too if asked to, about a unit vector."""
    co, si = math.cos(angle), math.sin(angle)
    for first in range(SIDE_X, AXIS_X + 1 if axis else SIDE_X + 1, AXIS_X - SIDE_X):
        px, py, pz = b[i, first], b[i, first + 1], b[i, first + 2]
        along = (1.0 - co) * (x * px + y * py + z * pz)
        b[i, first] = co * px + si * (y * pz - z * py) + along * x
        b[i, first + 1] = co * py + si * (z * px - x * pz) + along * y
        b[i, first + 2] = co * pz + si * (x * py - y * px) + along * z


@njit_no_refcount
def _orthonormalize(b: Floats, i: int) -> None:
    """Keep the attitude's three vectors of unit length and square to each other."""
    nx, ny, nz = b[i, AXIS_X], b[i, AXIS_Y], b[i, AXIS_Z]
    size = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx * size, ny * size, nz * size
    px, py, pz = b[i, SIDE_X], b[i, SIDE_Y], b[i, SIDE_Z]
    dot = px * nx + py * ny + pz * nz
    px, py, pz = px - dot * nx, py - dot * ny, pz - dot * nz
    size = 1.0 / math.sqrt(px * px + py * py + pz * pz)
    px, py, pz = px * size, py * size, pz * size
    b[i, AXIS_X], b[i, AXIS_Y], b[i, AXIS_Z] = nx, ny, nz
    b[i, SIDE_X], b[i, SIDE_Y], b[i, SIDE_Z] = px, py, pz
    b[i, SIDE2_X], b[i, SIDE2_Y], b[i, SIDE2_Z] = ny * pz - nz * py, nz * px - nx * pz, nx * py - ny * px


@njit_no_refcount
def integrate_free_flight(b: Floats, i: int, dt: float, gravity: float) -> None:
    """Body `i` after `dt` of free flight: a parabola, and a steady turning about its axis and its momentum."""
    b[i, CX] += b[i, VX] * dt
    b[i, CY] += b[i, VY] * dt
    b[i, CZ] += b[i, VZ] * dt - 0.5 * gravity * dt * dt
    b[i, VZ] -= gravity * dt
    lx, ly, lz = b[i, LX], b[i, LY], b[i, LZ]
    size = math.sqrt(lx * lx + ly * ly + lz * lz)
    if size > 1e-14:
        nx, ny, nz = b[i, AXIS_X], b[i, AXIS_Y], b[i, AXIS_Z]
        _rotate(b, i, nx, ny, nz, b[i, INV_INERTIA_AXIAL_DIFF] * (lx * nx + ly * ny + lz * nz) * dt, False)
        _rotate(b, i, lx / size, ly / size, lz / size, size * b[i, INV_INERTIA] * dt, True)
        _orthonormalize(b, i)
    update_angular_velocity(b, i)


@njit_no_refcount
def energy(b: Floats, i: int, gravity: float) -> float:
    """Kinetic energy and height of body `i` over the table, per own mass [J/kg]."""
    moving = b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ]
    turning = b[i, WX] * b[i, LX] + b[i, WY] * b[i, LY] + b[i, WZ] * b[i, LZ]
    return float(0.5 * (moving + turning) + gravity * b[i, CZ])


@njit_no_refcount
def max_point_speed(b: Floats, i: int) -> float:
    """A bound on the speed of any point of body `i` now [m/s]."""
    moving = math.sqrt(b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ])
    turning = math.sqrt(b[i, WX] * b[i, WX] + b[i, WY] * b[i, WY] + b[i, WZ] * b[i, WZ])
    return float(moving + turning * b[i, BOUNDING_RADIUS])


@njit_no_refcount
def update_vertices(b: Floats, i: int, p: Floats, w: Floats, e: Floats) -> None:
    """Corners [N, 9, 3], walls [N, 5, 3] and directions of base edges and slopes [N, 8, 3] of body `i` where it is."""
    cx, cy, cz = b[i, CX], b[i, CY], b[i, CZ]
    px, py, pz, qx, qy, qz = b[i, SIDE_X], b[i, SIDE_Y], b[i, SIDE_Z], b[i, SIDE2_X], b[i, SIDE2_Y], b[i, SIDE2_Z]
    nx, ny, nz = b[i, AXIS_X], b[i, AXIS_Y], b[i, AXIS_Z]
    low, top, h, m = b[i, BASE_DISTANCE], b[i, TIP_DISTANCE], b[i, HALF_BASE], b[i, HALF_HOLLOW_BASE]
    fx, fy, fz = cx - low * nx, cy - low * ny, cz - low * nz
    for k in range(4):
        s = 1.0 if k < 2 else -1.0
        t = 1.0 if k == 1 or k == 2 else -1.0
        ox, oy, oz = s * px + t * qx, s * py + t * qy, s * pz + t * qz
        p[i, k, 0], p[i, k, 1], p[i, k, 2] = fx + h * ox, fy + h * oy, fz + h * oz
        p[i, 5 + k, 0], p[i, 5 + k, 1], p[i, 5 + k, 2] = fx + m * ox, fy + m * oy, fz + m * oz
    p[i, 4, 0], p[i, 4, 1], p[i, 4, 2] = cx + top * nx, cy + top * ny, cz + top * nz
    si, co = b[i, SIN_HALF_APEX], b[i, COS_HALF_APEX]
    size = 1.0 / math.sqrt(2.0 * h * h + (low + top) * (low + top))
    for x in range(3):
        dp, dq, dn = b[i, SIDE_X + x], b[i, SIDE2_X + x], b[i, AXIS_X + x]
        w[i, 0, x], w[i, 2, x] = co * dp + si * dn, si * dn - co * dp
        w[i, 1, x], w[i, 3, x] = co * dq + si * dn, si * dn - co * dq
        w[i, 4, x] = -dn
        e[i, 0, x], e[i, 1, x], e[i, 2, x], e[i, 3, x] = dq, -dp, -dq, dp
        for k in range(4):
            e[i, 4 + k, x] = (p[i, 4, x] - p[i, k, x]) * size
    low = p[i, 0, 2]
    for k in range(1, 5):
        low = min(low, p[i, k, 2])
    b[i, LOWEST_HEIGHT] = low


@njit_no_refcount
def update_all_vertices(b: Floats, p: Floats, w: Floats, e: Floats) -> None:
    """The same for all bodies."""
    for i in range(len(b)):
        update_vertices(b, i, p, w, e)
