"""A wink as a rigid disc: its state, and its flight while nothing touches it.

A disc is axisymmetric, so a unit face normal and the angular momentum say all about its attitude and spin; no
quaternion is needed, and L stays constant in free flight while the normal turns about it.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flicksim.physics.flight.jit import bare
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
RADIUS, HALF, IM, IT, KI, REACH = range(15, 21)
"""Radius [m], half thickness [m], inverse mass [1/kg], inverse moment of inertia per mass about a diameter [1/m^2] and
what is to be added to it about the disc's own axis, radius of the bounding sphere [m]."""
STATE, SLOW_T, FLAT_T, TRAVEL, DUE_POT, HELD, TOUCHING, ISLAND, OVER, EXIT_T, EXIT_X, EXIT_Y, LOAD = range(21, 34)
"""State of the disc, as above; for how long it has been slow, and flat and sliding [s]; a bound on how far any of its
points has moved, and the travel before which it cannot reach the pot [m]; 1 while a shot wink has not left the felt;
what it touches in this step (see `advance`); who rests with whom; 1 while its centre is over the mat; when and where
that last ended [s, m, m]; resistance lever times normal impulse of this step [N s m]."""
WAS: Final = 34
"""First of six columns for the velocity and the angular momentum from before a step's pushes."""
FROM, POINTS, SPREAD, LIMIT = range(40, 44)
"""Of a disc on level ground (see `rub`): its first row among the contacts and how many there are, the lever of its
turning [m], and the friction."""
ARM, TURN, AIMED, RUBBED, YIELD = 44, 47, 56, 59, 62
"""Rows of the same: where the friction acts, from the centre [m]; the angular velocity that impulses along x and y and
one about z give, over mass; relative velocities aimed at [m/s]; impulses [N s]; the inverse of what these give (11, 12,
13, 22, 23, 33) and of the most that any gives [kg]."""
FACE, SIDE = 69, 70
"""Drag deceleration over speed squared, broadside to the wind and edge-on (see `drag_by_side`) [1/m]."""
WAY_X, WAY_Y = 71, 72
"""End of a glide that began at its centre [m, m]."""
LOOKED: Final = 73
"""Travel at which it was last seen how far the pot is [m]."""
WARM, WARM_STEP = 74, 75
"""Push of its one contact with level ground in the last step that had just one [N s], and how long that was [s]."""
COLUMNS: Final = 76

_SMALL: Final = 0.25
_S3, _S5, _S7, _S9, _S11 = (1.0 / math.factorial(k) for k in (3, 5, 7, 9, 11))
_C4, _C6, _C8, _C10, _C12 = (1.0 / math.factorial(k) for k in (4, 6, 8, 10, 12))
"""Angles below which a few terms of the series of sine and cosine are exact [rad], and these terms."""

LEVEL: Final = math.cos(math.radians(3.0))
"""|n.z| above which a wink counts as flat."""


def drag_by_side(R: Floats, h: Floats, drag: Floats) -> tuple[Floats, Floats]:
    """Drag deceleration over speed squared of discs broadside to the wind, and edge-on [N] -> [N], [N] [1/m].

    In between each counts by how much of it is seen, |cos| and |sin| of the angle; in a disc that tumbles end over end
    they come to `drag`. A small wink with .22 has .31 and .04: drag areas of .98 and .12 times its face, where a disc
    broadside is known to have 1.1 to 1.2, and a thin one edge-on about .1. That the wind also pushes a slanting disc
    aside, and turns it, is left out: both ways in turn as it tumbles.
    """
    face, side = math.pi * R * R, 4.0 * R * h
    each = 0.5 * math.pi * drag / (face + side)
    return each * face, each * side


def bodies(c: Floats, v: Floats, n: Floats, spin: Floats, R: Floats, h: Floats, mass: Floats, drag: Floats) -> Floats:
    """Resting discs of uniform density with these states [N, 3], sizes and drag (of a tumbling one) [N], as
    [N, COLUMNS]."""
    b = np.zeros((len(R), COLUMNS))
    it = 1.0 / (R * R / 4.0 + h * h / 3.0)
    b[:, CX : CZ + 1], b[:, VX : VZ + 1], b[:, NX : NZ + 1], b[:, LX : LZ + 1] = c, v, n, spin
    b[:, RADIUS], b[:, HALF], b[:, IM], b[:, IT], b[:, KI] = R, h, 1.0 / mass, it, 2.0 / (R * R) - it
    b[:, REACH], b[:, OVER] = np.sqrt(R * R + h * h), 1.0
    b[:, FACE], b[:, SIDE] = drag_by_side(R, h, drag)
    for i in np.flatnonzero(spin.any(axis=1)).tolist():
        set_spin(b, i)
    return b


@bare
def set_spin(b: Floats, i: int) -> None:
    """Angular velocity of disc `i` from its angular momentum and attitude."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    axial = b[i, KI] * (b[i, LX] * nx + b[i, LY] * ny + b[i, LZ] * nz)
    it = b[i, IT]
    b[i, WX] = it * b[i, LX] + axial * nx
    b[i, WY] = it * b[i, LY] + axial * ny
    b[i, WZ] = it * b[i, LZ] + axial * nz


@bare
def _braked(b: Floats, i: int, vx: float, vy: float, vz: float, nx: float, ny: float, nz: float) -> float:
    """Drag over speed [1/s] of disc `i` at this velocity and attitude: by what of its face and side the wind sees."""
    ahead = abs(vx * nx + vy * ny + vz * nz)
    across = math.sqrt(max(0.0, vx * vx + vy * vy + vz * vz - ahead * ahead))
    return float(b[i, FACE] * ahead + b[i, SIDE] * across)


@bare
def fly_on(b: Floats, i: int, dt: float, gravity: float) -> None:
    """Disc `i` after `dt` of free flight: a parabola (midpoint rule with drag), and a steady precession of the normal.

    One that lies flat on the ground lies in air that hardly moves, and feels none.
    """
    vx, vy, vz = b[i, VX], b[i, VY], b[i, VZ]
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    lx, ly, lz = b[i, LX], b[i, LY], b[i, LZ]
    size = math.sqrt(lx * lx + ly * ly + lz * lz)
    if size >= 1e-12:  # 1e-7 rad/s: below it nothing turns
        angle, each = size * b[i, IT] * dt, 1.0 / size
        lx, ly, lz = lx * each, ly * each, lz * each
        if angle < _SMALL:  # as exact as sines, and sooner there
            q = angle * angle
            si = angle * (1.0 - q * (_S3 - q * (_S5 - q * (_S7 - q * (_S9 - q * _S11)))))
            bent = q * (0.5 - q * (_C4 - q * (_C6 - q * (_C8 - q * (_C10 - q * _C12)))))
            co = 1.0 - bent
        else:
            co, si = math.cos(angle), math.sin(angle)
            bent = 1.0 - co
        along = bent * (lx * nx + ly * ny + lz * nz)
        tx = co * nx + si * (ly * nz - lz * ny) + along * lx
        ty = co * ny + si * (lz * nx - lx * nz) + along * ly
        tz = co * nz + si * (lx * ny - ly * nx) + along * lz
        size = 1.5 - 0.5 * (tx * tx + ty * ty + tz * tz)  # one but for rounding: a step towards its inverse root
        b[i, NX], b[i, NY], b[i, NZ] = tx * size, ty * size, tz * size
    set_spin(b, i)
    ax, ay, az = 0.0, 0.0, -gravity
    if b[i, FACE] > 0.0 and not (b[i, POINTS] > 0 and abs(nz) > LEVEL):
        nx, ny, nz = nx + b[i, NX], ny + b[i, NY], nz + b[i, NZ]  # half way round
        size = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
        nx, ny, nz = nx * size, ny * size, nz * size
        s = _braked(b, i, vx, vy, vz, nx, ny, nz)
        mx, my, mz = vx - 0.5 * dt * s * vx, vy - 0.5 * dt * s * vy, vz - 0.5 * dt * (gravity + s * vz)
        s = _braked(b, i, mx, my, mz, nx, ny, nz)
        ax, ay, az = -s * mx, -s * my, -gravity - s * mz
    half = 0.5 * dt * dt
    b[i, CX] += vx * dt + half * ax
    b[i, CY] += vy * dt + half * ay
    b[i, CZ] += vz * dt + half * az
    b[i, VX] = vx + ax * dt
    b[i, VY] = vy + ay * dt
    b[i, VZ] = vz + az * dt


@bare
def energy(b: Floats, i: int, gravity: float) -> float:
    """Kinetic energy and height of disc `i` over the felt, per own mass [J/kg]."""
    moving = b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ]
    turning = b[i, WX] * b[i, LX] + b[i, WY] * b[i, LY] + b[i, WZ] * b[i, LZ]
    return float(0.5 * (moving + turning) + gravity * b[i, CZ])


@bare
def pace(b: Floats, i: int) -> float:
    """A bound on the speed of any point of disc `i` now [m/s]."""
    moving = math.sqrt(b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ])
    turning = math.sqrt(b[i, WX] * b[i, WX] + b[i, WY] * b[i, WY] + b[i, WZ] * b[i, WZ])
    return float(moving + turning * b[i, REACH])


@bare
def tilting(b: Floats, i: int) -> float:
    """Angular velocity of the normal of disc `i` [rad/s]; it stays the same in free flight."""
    wx, wy, wz = b[i, WX], b[i, WY], b[i, WZ]
    along = wx * b[i, NX] + wy * b[i, NY] + wz * b[i, NZ]
    return math.sqrt(max(0.0, wx * wx + wy * wy + wz * wz - along * along))


@bare
def lowest(b: Floats, i: int) -> float:
    """Height of the lowest point of disc `i` over the felt [m]."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    return float(b[i, CZ] - b[i, RADIUS] * math.sqrt(nx * nx + ny * ny) - b[i, HALF] * abs(nz))
