"""Rigid-disc state of winks as array rows, and its integration in free flight.

A disc is axisymmetric, so a unit face normal and the angular momentum say all about its attitude and spin; no
quaternion is needed, and L stays constant in free flight while the normal turns about it.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.winks.params import Floats

Ints = NDArray[np.int64]

ASLEEP: Final = 0.0
"""At rest and not advanced; a touch wakes it."""
AWAKE: Final = 1.0
REMOVED: Final = 2.0
"""Left the mat; touches nothing any more. What is REMOVED or more is not in the 3D simulation."""
SLIDING: Final = 3.0
"""Lies flat and slides in the plane, whose clock it goes by until it is taken back."""

CX, CY, CZ, VX, VY, VZ, NX, NY, NZ, LX, LY, LZ, WX, WY, WZ = range(15)
"""Columns of the bodies [N, BODY_COLUMNS]: centre [m], velocity [m/s], unit face normal, angular momentum per own mass
[m^2/s], angular velocity kept with it [rad/s]. One array of numbers for everything: a compiled function that is handed
many arrays spends its time counting references to them."""
RADIUS, HALF_THICKNESS, INV_MASS, INV_INERTIA, INV_INERTIA_AXIAL_DIFF, BOUNDING_RADIUS = range(15, 21)
"""Radius [m], half thickness [m], inverse mass [1/kg], inverse moment of inertia per mass about a diameter [1/m^2] and
what is to be added to it about the disc's own axis, radius of the bounding sphere [m]."""
(
    STATE,
    SLOW_TIMER,
    FLAT_TIMER,
    TRAVEL_BOUND,
    POT_CHECK_TRAVEL,
    TAKING_OFF,
    CONTACT_FLAGS,
    ISLAND,
    OVER_MAT,
    EXIT_TIME,
    EXIT_X,
    EXIT_Y,
    ROLLING_IMPULSE,
) = range(21, 34)
"""State of the disc, as above; for how long it has been slow, and flat and sliding [s]; a bound on how far any of its
points has moved, and the travel before which it cannot reach the pot [m]; 1 while a shot wink has not left the felt;
what it touches in this step (see `integrator`); who rests with whom; 1 while its centre is over the mat; when and where
that last ended [s, m, m]; resistance lever times normal impulse of this step [N s m]."""
PREV_MOTION: Final = 34
"""First of six columns for the velocity and the angular momentum from before a step's pushes."""
FIRST_CONTACT, CONTACT_COUNT, PATCH_LEVER, PATCH_FRICTION = range(40, 44)
"""Of a disc on level ground (see `patch_friction`): its first row among the contacts and how many there are, the lever
of its turning [m], and the friction."""
PATCH_ARM, PATCH_ANGULAR_RESPONSE, PATCH_TARGET_VELOCITY, PATCH_IMPULSE, PATCH_EFFECTIVE_MASS = 44, 47, 56, 59, 62
"""Rows of the same: where the friction acts, from the centre [m]; the angular velocity that impulses along x and y and
one about z give, over mass; relative velocities aimed at [m/s]; impulses [N s]; the inverse of what these give (11, 12,
13, 22, 23, 33) and of the most that any gives [kg]."""
FACE_DRAG, EDGE_DRAG = 69, 70
"""Drag deceleration over speed squared, broadside to the wind and edge-on (see `drag_components`) [1/m]."""
SLIDE_END_X, SLIDE_END_Y = 71, 72
"""End of a glide that began at its centre [m, m]."""
LAST_POT_CHECK: Final = 73
"""Travel at which it was last seen how far the pot is [m]."""
WARM_START_IMPULSE, WARM_START_STEP = 74, 75
"""Push of its one contact with level ground in the last step that had just one [N s], and how long that was [s]."""
BODY_COLUMNS: Final = 76

_SMALL_ANGLE: Final = 0.25
_S3, _S5, _S7, _S9, _S11 = (1.0 / math.factorial(k) for k in (3, 5, 7, 9, 11))
_C4, _C6, _C8, _C10, _C12 = (1.0 / math.factorial(k) for k in (4, 6, 8, 10, 12))
"""Angles below which a few terms of the series of sine and cosine are exact [rad], and these terms."""

FLAT_COSINE: Final = math.cos(math.radians(3.0))
"""|n.z| above which a wink counts as flat."""


def drag_components(R: Floats, h: Floats, drag: Floats) -> tuple[Floats, Floats]:
    """Drag deceleration over speed squared of discs broadside to the wind, and edge-on [N] -> [N], [N] [1/m].

    In between each counts by how much of it is seen, |cos| and |sin| of the angle; in a disc that tumbles end over end
    they come to `drag`. A small wink with .22 has .31 and .04: drag areas of .98 and .12 times its face, where a disc
    broadside is known to have 1.1 to 1.2, and a thin one edge-on about .1. That the wind also pushes a slanting disc
    aside, and turns it, is left out: both ways in turn as it tumbles.
    """
    face, side = math.pi * R * R, 4.0 * R * h
    each = 0.5 * math.pi * drag / (face + side)
    return each * face, each * side


def make_bodies(
    c: Floats, v: Floats, n: Floats, spin: Floats, R: Floats, h: Floats, mass: Floats, drag: Floats
) -> Floats:
    """Resting discs of uniform density with these states [N, 3], sizes and drag (of a tumbling one) [N], as
    [N, BODY_COLUMNS]."""
    b = np.zeros((len(R), BODY_COLUMNS))
    it = 1.0 / (R * R / 4.0 + h * h / 3.0)
    b[:, CX : CZ + 1], b[:, VX : VZ + 1], b[:, NX : NZ + 1], b[:, LX : LZ + 1] = c, v, n, spin
    b[:, RADIUS], b[:, HALF_THICKNESS], b[:, INV_MASS], b[:, INV_INERTIA], b[:, INV_INERTIA_AXIAL_DIFF] = (
        R,
        h,
        1.0 / mass,
        it,
        2.0 / (R * R) - it,
    )
    b[:, BOUNDING_RADIUS], b[:, OVER_MAT] = np.sqrt(R * R + h * h), 1.0
    b[:, FACE_DRAG], b[:, EDGE_DRAG] = drag_components(R, h, drag)
    for i in np.flatnonzero(spin.any(axis=1)).tolist():
        update_angular_velocity(b, i)
    return b


@njit_no_refcount
def update_angular_velocity(b: Floats, i: int) -> None:
    """Angular velocity of disc `i` from its angular momentum and attitude."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    axial = b[i, INV_INERTIA_AXIAL_DIFF] * (b[i, LX] * nx + b[i, LY] * ny + b[i, LZ] * nz)
    it = b[i, INV_INERTIA]
    b[i, WX] = it * b[i, LX] + axial * nx
    b[i, WY] = it * b[i, LY] + axial * ny
    b[i, WZ] = it * b[i, LZ] + axial * nz


@njit_no_refcount
def _drag_over_speed(b: Floats, i: int, vx: float, vy: float, vz: float, nx: float, ny: float, nz: float) -> float:
    """Drag over speed [1/s] of disc `i` at this velocity and attitude: by what of its face and side the wind sees."""
    ahead = abs(vx * nx + vy * ny + vz * nz)
    across = math.sqrt(max(0.0, vx * vx + vy * vy + vz * vz - ahead * ahead))
    return float(b[i, FACE_DRAG] * ahead + b[i, EDGE_DRAG] * across)


@njit_no_refcount
def integrate_free_flight(b: Floats, i: int, dt: float, gravity: float) -> None:
    """Disc `i` after `dt` of free flight: a parabola (midpoint rule with drag), and a steady precession of the normal.

    One that lies flat on the ground lies in air that hardly moves, and feels none.
    """
    vx, vy, vz = b[i, VX], b[i, VY], b[i, VZ]
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    lx, ly, lz = b[i, LX], b[i, LY], b[i, LZ]
    size = math.sqrt(lx * lx + ly * ly + lz * lz)
    if size >= 1e-12:  # 1e-7 rad/s: below it nothing turns
        angle, each = size * b[i, INV_INERTIA] * dt, 1.0 / size
        lx, ly, lz = lx * each, ly * each, lz * each
        if angle < _SMALL_ANGLE:  # as exact as sines, and sooner there
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
    update_angular_velocity(b, i)
    ax, ay, az = 0.0, 0.0, -gravity
    if b[i, FACE_DRAG] > 0.0 and not (b[i, CONTACT_COUNT] > 0 and abs(nz) > FLAT_COSINE):
        nx, ny, nz = nx + b[i, NX], ny + b[i, NY], nz + b[i, NZ]  # half way round
        size = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
        nx, ny, nz = nx * size, ny * size, nz * size
        s = _drag_over_speed(b, i, vx, vy, vz, nx, ny, nz)
        mx, my, mz = vx - 0.5 * dt * s * vx, vy - 0.5 * dt * s * vy, vz - 0.5 * dt * (gravity + s * vz)
        s = _drag_over_speed(b, i, mx, my, mz, nx, ny, nz)
        ax, ay, az = -s * mx, -s * my, -gravity - s * mz
    half = 0.5 * dt * dt
    b[i, CX] += vx * dt + half * ax
    b[i, CY] += vy * dt + half * ay
    b[i, CZ] += vz * dt + half * az
    b[i, VX] = vx + ax * dt
    b[i, VY] = vy + ay * dt
    b[i, VZ] = vz + az * dt


@njit_no_refcount
def energy(b: Floats, i: int, gravity: float) -> float:
    """Kinetic energy and height of disc `i` over the felt, per own mass [J/kg]."""
    moving = b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ]
    turning = b[i, WX] * b[i, LX] + b[i, WY] * b[i, LY] + b[i, WZ] * b[i, LZ]
    return float(0.5 * (moving + turning) + gravity * b[i, CZ])


@njit_no_refcount
def max_point_speed(b: Floats, i: int) -> float:
    """A bound on the speed of any point of disc `i` now [m/s]."""
    moving = math.sqrt(b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ])
    turning = math.sqrt(b[i, WX] * b[i, WX] + b[i, WY] * b[i, WY] + b[i, WZ] * b[i, WZ])
    return float(moving + turning * b[i, BOUNDING_RADIUS])


@njit_no_refcount
def tilt_rate(b: Floats, i: int) -> float:
    """Angular velocity of the normal of disc `i` [rad/s]; it stays the same in free flight."""
    wx, wy, wz = b[i, WX], b[i, WY], b[i, WZ]
    along = wx * b[i, NX] + wy * b[i, NY] + wz * b[i, NZ]
    return math.sqrt(max(0.0, wx * wx + wy * wy + wz * wz - along * along))


@njit_no_refcount
def lowest_height(b: Floats, i: int) -> float:
    """Height of the lowest point of disc `i` over the felt [m]."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    return float(b[i, CZ] - b[i, RADIUS] * math.sqrt(nx * nx + ny * ny) - b[i, HALF_THICKNESS] * abs(nz))
