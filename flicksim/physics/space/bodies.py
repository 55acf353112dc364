"""A pyramid as a rigid body: its state, its corners, walls and edges in space, and its flight while nothing touches it.

Four walls make a body that turns like one that is round about its axis: angular momentum stays as it is in free
flight, and the attitude turns evenly about the axis and about it. So flight is exact, however long.
"""

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flicksim.physics.flight.jit import bare
from flicksim.table.pyramid import Shape

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ASLEEP: Final = 0.0
"""At rest and not moved on; a touch wakes it."""
AWAKE: Final = 1.0
GONE: Final = 2.0
"""Off the table; touches nothing any more."""

CX, CY, CZ, VX, VY, VZ, LX, LY, LZ, WX, WY, WZ = range(12)
"""Columns of the bodies [N, COLUMNS]: middle of mass [m], velocity [m/s], angular momentum over mass [m^2/s], angular
velocity kept with it [rad/s]."""
PX, PY, PZ, QX, QY, QZ, NX, NY, NZ = range(12, 21)
"""The attitude: two sides of its base and its axis, unit vectors that make a right-handed three."""
IM, IT, KI, REACH, LOW, TOP, HALF, MOUTH, THICK, RISE, FLAT = range(21, 32)
"""Inverse mass [1/kg], inverse inertia over mass across the axis [1/m^2] and what is to be added to it about the axis,
how far its farthest point is from the middle of mass, how far from there its base and its tip are, half a side of its
base and of its hollow's mouth, thickness of its wall [m], sine and cosine of the angle between axis and walls."""
STATE, SLOW_T, STILL_T, TRAVEL, EDGE_DUE, ISLAND, LOWEST, TOUCHED_T, HELD_T = range(32, 41)
"""ASLEEP, AWAKE or GONE; for how long it has been slow, and still [s]; a bound on how far any of its points has moved,
and the travel before which it cannot reach the table's edge [m]; who rests with whom; how high its lowest corner is
[m]; when it last touched anything, and when it last was not held by the table alone [s]."""
WAS: Final = 41
"""Velocity and angular momentum from before a step's pushes, six columns."""
ANCHOR: Final = 47
"""Columns of its middle of mass, a side and its axis when it began to be still, nine of them."""
SLEEP_DUE: Final = 56
"""The travel before which it cannot meet anything that is asleep [m]."""
COLUMNS: Final = 57

CORNERS: Final = 9
"""Points of a body: four corners of the base in order round it, the tip, four corners of the mouth."""
WALLS: Final = 5
"""Normals of a body: of the four walls outwards, wall k between corners k and k + 1, and of the base downwards."""
EDGES: Final = 12
"""Edges: four of the base, from corner k to k + 1, four slopes from corner k to the tip, four of the mouth."""


@lru_cache(maxsize=64)
def body_row(shape: Shape) -> Floats:
    """The row of a body of that shape, at rest nowhere yet. [COLUMNS]"""
    row = np.zeros(COLUMNS)
    row[IM], row[IT] = 1.0 / shape.mass, shape.mass / shape.inertia
    row[KI] = shape.mass / shape.spin_inertia - row[IT]
    row[REACH], row[LOW], row[TOP] = shape.reach, shape.centroid, shape.height - shape.centroid
    row[HALF], row[MOUTH], row[THICK] = shape.base / 2.0, shape.hollow_base / 2.0, shape.wall
    row[RISE], row[FLAT] = math.sin(shape.half_apex), math.cos(shape.half_apex)
    return row


@bare
def set_spin(b: Floats, i: int) -> None:
    """Angular velocity of body `i` from its angular momentum and attitude."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    axial = b[i, KI] * (b[i, LX] * nx + b[i, LY] * ny + b[i, LZ] * nz)
    it = b[i, IT]
    b[i, WX] = it * b[i, LX] + axial * nx
    b[i, WY] = it * b[i, LY] + axial * ny
    b[i, WZ] = it * b[i, LZ] + axial * nz


@bare
def set_momentum(b: Floats, i: int) -> None:
    """Angular momentum of body `i` from its angular velocity and attitude: the inverse of `set_spin`."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    across, about = 1.0 / b[i, IT], 1.0 / (b[i, IT] + b[i, KI])
    axial = (about - across) * (b[i, WX] * nx + b[i, WY] * ny + b[i, WZ] * nz)
    b[i, LX] = across * b[i, WX] + axial * nx
    b[i, LY] = across * b[i, WY] + axial * ny
    b[i, LZ] = across * b[i, WZ] + axial * nz


@bare
def _turn(b: Floats, i: int, x: float, y: float, z: float, angle: float, axis: bool) -> None:
    """Turn the side of body `i`, and its axis too if asked to, about a unit vector."""
    co, si = math.cos(angle), math.sin(angle)
    for first in range(PX, NX + 1 if axis else PX + 1, NX - PX):
        px, py, pz = b[i, first], b[i, first + 1], b[i, first + 2]
        along = (1.0 - co) * (x * px + y * py + z * pz)
        b[i, first] = co * px + si * (y * pz - z * py) + along * x
        b[i, first + 1] = co * py + si * (z * px - x * pz) + along * y
        b[i, first + 2] = co * pz + si * (x * py - y * px) + along * z


@bare
def _square_up(b: Floats, i: int) -> None:
    """Keep the attitude's three vectors of unit length and square to each other."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    size = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx * size, ny * size, nz * size
    px, py, pz = b[i, PX], b[i, PY], b[i, PZ]
    dot = px * nx + py * ny + pz * nz
    px, py, pz = px - dot * nx, py - dot * ny, pz - dot * nz
    size = 1.0 / math.sqrt(px * px + py * py + pz * pz)
    px, py, pz = px * size, py * size, pz * size
    b[i, NX], b[i, NY], b[i, NZ] = nx, ny, nz
    b[i, PX], b[i, PY], b[i, PZ] = px, py, pz
    b[i, QX], b[i, QY], b[i, QZ] = ny * pz - nz * py, nz * px - nx * pz, nx * py - ny * px


@bare
def fly_on(b: Floats, i: int, dt: float, gravity: float) -> None:
    """Body `i` after `dt` of free flight: a parabola, and a steady turning about its axis and its momentum."""
    b[i, CX] += b[i, VX] * dt
    b[i, CY] += b[i, VY] * dt
    b[i, CZ] += b[i, VZ] * dt - 0.5 * gravity * dt * dt
    b[i, VZ] -= gravity * dt
    lx, ly, lz = b[i, LX], b[i, LY], b[i, LZ]
    size = math.sqrt(lx * lx + ly * ly + lz * lz)
    if size > 1e-14:
        nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
        _turn(b, i, nx, ny, nz, b[i, KI] * (lx * nx + ly * ny + lz * nz) * dt, False)
        _turn(b, i, lx / size, ly / size, lz / size, size * b[i, IT] * dt, True)
        _square_up(b, i)
    set_spin(b, i)


@bare
def energy(b: Floats, i: int, gravity: float) -> float:
    """Kinetic energy and height of body `i` over the table, per own mass [J/kg]."""
    moving = b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ]
    turning = b[i, WX] * b[i, LX] + b[i, WY] * b[i, LY] + b[i, WZ] * b[i, LZ]
    return float(0.5 * (moving + turning) + gravity * b[i, CZ])


@bare
def pace(b: Floats, i: int) -> float:
    """A bound on the speed of any point of body `i` now [m/s]."""
    moving = math.sqrt(b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ])
    turning = math.sqrt(b[i, WX] * b[i, WX] + b[i, WY] * b[i, WY] + b[i, WZ] * b[i, WZ])
    return float(moving + turning * b[i, REACH])


@bare
def place(b: Floats, i: int, p: Floats, w: Floats, e: Floats) -> None:
    """Corners [N, 9, 3], walls [N, 5, 3] and directions of base edges and slopes [N, 8, 3] of body `i` where it is."""
    cx, cy, cz = b[i, CX], b[i, CY], b[i, CZ]
    px, py, pz, qx, qy, qz = b[i, PX], b[i, PY], b[i, PZ], b[i, QX], b[i, QY], b[i, QZ]
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    low, top, h, m = b[i, LOW], b[i, TOP], b[i, HALF], b[i, MOUTH]
    fx, fy, fz = cx - low * nx, cy - low * ny, cz - low * nz
    for k in range(4):
        s = 1.0 if k < 2 else -1.0
        t = 1.0 if k == 1 or k == 2 else -1.0
        ox, oy, oz = s * px + t * qx, s * py + t * qy, s * pz + t * qz
        p[i, k, 0], p[i, k, 1], p[i, k, 2] = fx + h * ox, fy + h * oy, fz + h * oz
        p[i, 5 + k, 0], p[i, 5 + k, 1], p[i, 5 + k, 2] = fx + m * ox, fy + m * oy, fz + m * oz
    p[i, 4, 0], p[i, 4, 1], p[i, 4, 2] = cx + top * nx, cy + top * ny, cz + top * nz
    si, co = b[i, RISE], b[i, FLAT]
    size = 1.0 / math.sqrt(2.0 * h * h + (low + top) * (low + top))
    for x in range(3):
        dp, dq, dn = b[i, PX + x], b[i, QX + x], b[i, NX + x]
        w[i, 0, x], w[i, 2, x] = co * dp + si * dn, si * dn - co * dp
        w[i, 1, x], w[i, 3, x] = co * dq + si * dn, si * dn - co * dq
        w[i, 4, x] = -dn
        e[i, 0, x], e[i, 1, x], e[i, 2, x], e[i, 3, x] = dq, -dp, -dq, dp
        for k in range(4):
            e[i, 4 + k, x] = (p[i, 4, x] - p[i, k, x]) * size
    low = p[i, 0, 2]
    for k in range(1, 5):
        low = min(low, p[i, k, 2])
    b[i, LOWEST] = low


@bare
def place_all(b: Floats, p: Floats, w: Floats, e: Floats) -> None:
    """The same for all bodies."""
    for i in range(len(b)):
        place(b, i, p, w, e)
