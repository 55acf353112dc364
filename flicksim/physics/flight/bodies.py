"""A wink as a rigid disc: its state, and its flight while nothing touches it.

A disc is axisymmetric, so a unit face normal and the angular momentum say all about its attitude and spin; no
quaternion is needed, and L stays constant in free flight while the normal turns about it.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flicksim.physics.flight.jit import compiled
from flicksim.physics.flight.params import Floats

Ints = NDArray[np.int64]

FROZEN: Final = 0.0
"""At rest and not advanced; a touch wakes it."""
AWAKE: Final = 1.0
GONE: Final = 2.0
"""Left the mat; touches nothing any more. What is GONE or more is not in the height layer."""
GLIDING: Final = 3.0
"""Lies flat and slides in the plane, whose clock it goes by until it is taken back."""

CX, CY, CZ, VX, VY, VZ, NX, NY, NZ, LX, LY, LZ, WX, WY, WZ = range(15)
"""Columns of the bodies [N, COLUMNS]: centre [m], velocity [m/s], unit face normal, angular momentum per own mass
[m^2/s], angular velocity kept with it [rad/s]. One array of numbers for everything: a compiled function that is handed
many arrays spends its time counting references to them."""
RADIUS, HALF, IM, IT, KI, REACH, DRAG = range(15, 22)
"""Radius [m], half thickness [m], inverse mass [1/kg], inverse moment of inertia per mass about a diameter [1/m^2] and
what is to be added to it about the disc's own axis, radius of the bounding sphere [m], drag deceleration over speed
squared [1/m]."""
STATE, SLOW_T, FLAT_T, TRAVEL, DUE_POT, HELD, TOUCHING, ISLAND, OVER, EXIT_T, EXIT_X, EXIT_Y, LOAD = range(22, 35)
"""How it is, as above; for how long it has been slow, and flat and sliding [s]; a bound on how far any of its points
has moved, and the travel before which it cannot reach the pot [m]; 1 while a shot wink has not left the felt; what it
touches in this step (see `advance`); who rests with whom; 1 while its centre is over the mat; when and where that last
ended [s, m, m]; resistance lever times normal impulse of this step [N s m]."""
WAS: Final = 35
"""Where the velocity and the angular momentum from before a step's pushes are kept, six columns."""
FROM, POINTS, SPREAD, LIMIT = range(41, 45)
"""Of a disc on level ground (see `rub`): its first row among the contacts and how many there are, the lever of its
turning [m], and the friction."""
ARM, TURN, AIMED, RUBBED, YIELD = 45, 48, 57, 60, 63
"""Rows of the same: where the friction acts, from the centre [m]; the angular velocity that impulses along x and y and
one about z give, over mass; relative velocities aimed at [m/s]; impulses [N s]; the inverse of what these give (11, 12,
13, 22, 23, 33) and of the most that any gives [kg]."""
WAY_X, WAY_Y = 70, 71
"""Where a glide that began at its centre ends [m, m]."""
COLUMNS: Final = 72


def bodies(c: Floats, v: Floats, n: Floats, spin: Floats, R: Floats, h: Floats, mass: Floats, drag: Floats) -> Floats:
    """Resting discs of uniform density with these states [N, 3] and sizes [N], as [N, COLUMNS]."""
    b = np.zeros((len(R), COLUMNS))
    it = 1.0 / (R * R / 4.0 + h * h / 3.0)
    b[:, CX : CZ + 1], b[:, VX : VZ + 1], b[:, NX : NZ + 1], b[:, LX : LZ + 1] = c, v, n, spin
    b[:, RADIUS], b[:, HALF], b[:, IM], b[:, IT], b[:, KI] = R, h, 1.0 / mass, it, 2.0 / (R * R) - it
    b[:, REACH], b[:, DRAG], b[:, OVER] = np.sqrt(R * R + h * h), drag, 1.0
    for i in np.flatnonzero(spin.any(axis=1)).tolist():
        set_spin(b, i)
    return b


@compiled
def set_spin(b: Floats, i: int) -> None:
    """Angular velocity of disc `i` from its angular momentum and attitude."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    axial = b[i, KI] * (b[i, LX] * nx + b[i, LY] * ny + b[i, LZ] * nz)
    it = b[i, IT]
    b[i, WX] = it * b[i, LX] + axial * nx
    b[i, WY] = it * b[i, LY] + axial * ny
    b[i, WZ] = it * b[i, LZ] + axial * nz


@compiled
def fly_on(b: Floats, i: int, dt: float, gravity: float) -> None:
    """Disc `i` after `dt` of free flight: a parabola (midpoint rule with drag), and a steady precession of the
    normal."""
    vx, vy, vz = b[i, VX], b[i, VY], b[i, VZ]
    kd = b[i, DRAG]
    ax, ay, az = 0.0, 0.0, -gravity
    if kd > 0.0:
        s = kd * math.sqrt(vx * vx + vy * vy + vz * vz)
        mx, my, mz = vx - 0.5 * dt * s * vx, vy - 0.5 * dt * s * vy, vz - 0.5 * dt * (gravity + s * vz)
        s = kd * math.sqrt(mx * mx + my * my + mz * mz)
        ax, ay, az = -s * mx, -s * my, -gravity - s * mz
    half = 0.5 * dt * dt
    b[i, CX] += vx * dt + half * ax
    b[i, CY] += vy * dt + half * ay
    b[i, CZ] += vz * dt + half * az
    b[i, VX] = vx + ax * dt
    b[i, VY] = vy + ay * dt
    b[i, VZ] = vz + az * dt
    lx, ly, lz = b[i, LX], b[i, LY], b[i, LZ]
    size = math.sqrt(lx * lx + ly * ly + lz * lz)
    if size < 1e-12:  # 1e-7 rad/s: nothing turns
        set_spin(b, i)
        return
    angle = size * b[i, IT] * dt
    lx, ly, lz = lx / size, ly / size, lz / size
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    co, si = math.cos(angle), math.sin(angle)
    along = (1.0 - co) * (lx * nx + ly * ny + lz * nz)
    tx = co * nx + si * (ly * nz - lz * ny) + along * lx
    ty = co * ny + si * (lz * nx - lx * nz) + along * ly
    tz = co * nz + si * (lx * ny - ly * nx) + along * lz
    size = 1.0 / math.sqrt(tx * tx + ty * ty + tz * tz)
    b[i, NX], b[i, NY], b[i, NZ] = tx * size, ty * size, tz * size
    set_spin(b, i)


@compiled
def energy(b: Floats, i: int, gravity: float) -> float:
    """Kinetic energy and height of disc `i` over the felt, per own mass [J/kg]."""
    moving = b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ]
    turning = b[i, WX] * b[i, LX] + b[i, WY] * b[i, LY] + b[i, WZ] * b[i, LZ]
    return float(0.5 * (moving + turning) + gravity * b[i, CZ])


@compiled
def pace(b: Floats, i: int) -> float:
    """A bound on the speed of any point of disc `i` now [m/s]."""
    moving = math.sqrt(b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ])
    turning = math.sqrt(b[i, WX] * b[i, WX] + b[i, WY] * b[i, WY] + b[i, WZ] * b[i, WZ])
    return float(moving + turning * b[i, REACH])


@compiled
def lowest(b: Floats, i: int) -> float:
    """Height of the lowest point of disc `i` over the felt [m]."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    return float(b[i, CZ] - b[i, RADIUS] * math.sqrt(nx * nx + ny * ny) - b[i, HALF] * abs(nz))
