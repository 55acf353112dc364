"""Body rows of pyramids, their vertices, faces and edges in space, and exact integration in free flight.

Four equal walls have the inertia of a symmetric top: angular momentum is constant in free flight, and the orientation
rotates uniformly about the axis and about the angular momentum, for steps of any length.
"""

import math
from functools import lru_cache
from typing import Final

import numpy as np

from flicksim.engine.jit import njit_entry, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import Floats, update_angular_velocity
from flicksim.scene.pyramid import PyramidShape

SIDE_X, SIDE_Y, SIDE_Z, SIDE2_X, SIDE2_Y, SIDE2_Z = range(B.COMMON_COLUMNS, B.COMMON_COLUMNS + 6)
"""Columns of the orientation: unit vectors along two sides of the base, a right-handed basis with the axis."""
(
    BASE_DISTANCE, TIP_DISTANCE, HALF_BASE, HALF_HOLLOW_BASE, WALL_THICKNESS, SIN_HALF_APEX, COS_HALF_APEX,
) = range(SIDE2_Z + 1, SIDE2_Z + 8)  # fmt: skip
"""Distances of base and tip from the centre of mass, half a side of the base and of the hollow's mouth, thickness of
the walls [m]; sine and cosine of the angle between axis and walls."""
(
    STATIONARY_TIMER, EDGE_CHECK_TRAVEL, ASLEEP_CHECK_TRAVEL, LOWEST_HEIGHT, LAST_CONTACT_TIME, LAST_HELD_TIME,
) = range(COS_HALF_APEX + 1, COS_HALF_APEX + 7)  # fmt: skip
"""Time within `DRIFT_TOLERANCE` of the anchor pose [s]; travel before which it cannot reach the table's edge, and
anything asleep [m]; height of its lowest vertex [m]; times of the last contact, and of the last contact with anything
but the table's top [s]."""
ANCHOR_POSE: Final = LAST_HELD_TIME + 1
"""Centre of mass, first side and axis when it began to be stationary, nine columns."""
BODY_COLUMNS: Final = ANCHOR_POSE + 9

VERTEX_COUNT: Final = 9
"""Vertices of a body: four of the base in order, the tip, four of the hollow's mouth."""
FACE_COUNT: Final = 5
"""Face normals of a body: of the four walls outwards, wall k between vertices k and k + 1, and of the base."""
EDGE_COUNT: Final = 12
"""Edges: four of the base, from vertex k to k + 1, four slopes from vertex k to the tip, four of the mouth."""


@lru_cache(maxsize=64)
def make_body_row(shape: PyramidShape) -> Floats:
    """Body row of a shape, without a pose. [BODY_COLUMNS]"""
    row = np.zeros(BODY_COLUMNS)
    row[B.INV_MASS], row[B.INV_INERTIA] = 1.0 / shape.mass, shape.mass / shape.transverse_inertia
    row[B.INV_INERTIA_AXIAL_DIFF] = shape.mass / shape.axial_inertia - row[B.INV_INERTIA]
    row[B.BOUNDING_RADIUS] = shape.bounding_radius
    row[BASE_DISTANCE], row[TIP_DISTANCE] = shape.centroid, shape.height - shape.centroid
    row[HALF_BASE], row[HALF_HOLLOW_BASE], row[WALL_THICKNESS] = shape.base / 2.0, shape.hollow_base / 2.0, shape.wall
    row[SIN_HALF_APEX], row[COS_HALF_APEX] = math.sin(shape.half_apex_angle), math.cos(shape.half_apex_angle)
    return row


@njit_entry
def update_angular_momentum(b: Floats, i: int) -> None:
    """Set the angular momentum of body `i` from its angular velocity: the inverse of `update_angular_velocity`."""
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    across, about = 1.0 / b[i, B.INV_INERTIA], 1.0 / (b[i, B.INV_INERTIA] + b[i, B.INV_INERTIA_AXIAL_DIFF])
    axial = (about - across) * (b[i, B.WX] * nx + b[i, B.WY] * ny + b[i, B.WZ] * nz)
    b[i, B.LX] = across * b[i, B.WX] + axial * nx
    b[i, B.LY] = across * b[i, B.WY] + axial * ny
    b[i, B.LZ] = across * b[i, B.WZ] + axial * nz


@njit_no_refcount
def _rotate(b: Floats, i: int, x: float, y: float, z: float, angle: float, axis: bool) -> None:
    """Rotate the first side of body `i`, and its axis if `axis`, about a unit vector (Rodrigues' formula)."""
    co, si = math.cos(angle), math.sin(angle)
    for q in range(2 if axis else 1):
        first = SIDE_X if q == 0 else B.NX
        px, py, pz = b[i, first], b[i, first + 1], b[i, first + 2]
        along = (1.0 - co) * (x * px + y * py + z * pz)
        b[i, first] = co * px + si * (y * pz - z * py) + along * x
        b[i, first + 1] = co * py + si * (z * px - x * pz) + along * y
        b[i, first + 2] = co * pz + si * (x * py - y * px) + along * z


@njit_no_refcount
def _orthonormalize(b: Floats, i: int) -> None:
    """Restore the orthonormal basis of body `i` (Gram-Schmidt)."""
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    size = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx * size, ny * size, nz * size
    px, py, pz = b[i, SIDE_X], b[i, SIDE_Y], b[i, SIDE_Z]
    dot = px * nx + py * ny + pz * nz
    px, py, pz = px - dot * nx, py - dot * ny, pz - dot * nz
    size = 1.0 / math.sqrt(px * px + py * py + pz * pz)
    px, py, pz = px * size, py * size, pz * size
    b[i, B.NX], b[i, B.NY], b[i, B.NZ] = nx, ny, nz
    b[i, SIDE_X], b[i, SIDE_Y], b[i, SIDE_Z] = px, py, pz
    b[i, SIDE2_X], b[i, SIDE2_Y], b[i, SIDE2_Z] = ny * pz - nz * py, nz * px - nx * pz, nx * py - ny * px


@njit_no_refcount
def integrate_free_flight(b: Floats, i: int, dt: float, gravity: float) -> None:
    """Advance body `i` by `dt` of free flight: a parabola, and rotations about its axis and angular momentum."""
    b[i, B.CX] += b[i, B.VX] * dt
    b[i, B.CY] += b[i, B.VY] * dt
    b[i, B.CZ] += b[i, B.VZ] * dt - 0.5 * gravity * dt * dt
    b[i, B.VZ] -= gravity * dt
    lx, ly, lz = b[i, B.LX], b[i, B.LY], b[i, B.LZ]
    size = math.sqrt(lx * lx + ly * ly + lz * lz)
    if size > 1e-14:
        nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
        _rotate(b, i, nx, ny, nz, b[i, B.INV_INERTIA_AXIAL_DIFF] * (lx * nx + ly * ny + lz * nz) * dt, False)
        _rotate(b, i, lx / size, ly / size, lz / size, size * b[i, B.INV_INERTIA] * dt, True)
        _orthonormalize(b, i)
    update_angular_velocity(b, i)


@njit_no_refcount
def update_vertices(b: Floats, i: int, p: Floats, w: Floats, e: Floats) -> None:
    """Write vertices [N, 9, 3], face normals [N, 5, 3] and directions of base edges and slopes [N, 8, 3] of body i."""
    cx, cy, cz = b[i, B.CX], b[i, B.CY], b[i, B.CZ]
    px, py, pz, qx, qy, qz = b[i, SIDE_X], b[i, SIDE_Y], b[i, SIDE_Z], b[i, SIDE2_X], b[i, SIDE2_Y], b[i, SIDE2_Z]
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
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
        dp, dq, dn = b[i, SIDE_X + x], b[i, SIDE2_X + x], b[i, B.NX + x]
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


@njit_entry
def update_all_vertices(b: Floats, p: Floats, w: Floats, e: Floats) -> None:
    """`update_vertices` of all bodies."""
    for i in range(len(b)):
        update_vertices(b, i, p, w, e)
