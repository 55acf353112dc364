"""Body rows of winks: rigid discs, their air drag, and exact integration in free flight.

A disc is axisymmetric, so its unit face normal (the axis of symmetry) and angular momentum describe orientation and
rotation; in free flight L is constant and the normal precesses about it.
"""

import math
from typing import Final

import numpy as np

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import Floats, energy, update_angular_velocity

SLIDING: Final = 3.0
"""State of a disc that slides flat in the plane, outside the 3D simulation until it is taken back."""

(
    RADIUS, HALF_THICKNESS, FLAT_TIMER, POT_CHECK_TRAVEL, LAST_POT_CHECK, TAKING_OFF, CONTACT_FLAGS, OVER_MAT,
    EXIT_TIME, EXIT_X, EXIT_Y, ROLLING_IMPULSE, ASLEEP_CHECK_TRAVEL,
) = range(B.COMMON_COLUMNS, B.COMMON_COLUMNS + 13)  # fmt: skip
"""Columns of a disc: radius, half thickness [m]; time it has been flat and touched only the felt [s]; travel before
which it cannot reach the pot, and at the last check of that [m]; 1 until a launched wink has left the felt; bits of its
contacts in this step: 1 any, 2 on a slanting normal, 4 other than the felt, 8 with a disc; 1 while its centre is over
the mat; time and point of its last exit [s, m, m]; rolling resistance lever times normal impulse in this step [N s m];
travel before which it cannot reach anything asleep [m]."""
FACE_DRAG, EDGE_DRAG, SLIDE_END_X, SLIDE_END_Y = range(ASLEEP_CHECK_TRAVEL + 1, ASLEEP_CHECK_TRAVEL + 5)
"""Drag deceleration over speed squared, broadside and edge-on (see `drag_components`) [1/m]; end of its slide in the
plane [m, m]."""
FIRST_CONTACT, CONTACT_COUNT, PATCH_LEVER, PATCH_FRICTION = range(SLIDE_END_Y + 1, SLIDE_END_Y + 5)
"""Contact patch on level ground (see `patch_friction`): first row and number of its contacts, lever of the rotation
[m], friction."""
PATCH_ARM, PATCH_ANGULAR_RESPONSE, PATCH_TARGET_VELOCITY, PATCH_IMPULSE, PATCH_EFFECTIVE_MASS = (
    PATCH_FRICTION + 1 + q for q in (0, 3, 12, 15, 18)
)
"""Rows of it: point of action from the centre [m]; angular velocity per impulse over mass along x, along y, and of a
torque about z; target velocities [m/s]; impulses [N s]; inverse of the response matrix (11, 12, 13, 22, 23, 33) and of
its row-sum norm [kg]."""
BODY_COLUMNS: Final = PATCH_EFFECTIVE_MASS + 7

_SMALL_ANGLE: Final = 0.25
"""Angle below which truncated series of sine and cosine are exact [rad]."""
_S3, _S5, _S7, _S9, _S11 = (1.0 / math.factorial(k) for k in (3, 5, 7, 9, 11))
_C4, _C6, _C8, _C10, _C12 = (1.0 / math.factorial(k) for k in (4, 6, 8, 10, 12))

FLAT_COSINE: Final = math.cos(math.radians(3.0))
"""|n.z| above which a wink counts as flat."""


def drag_components(R: Floats, h: Floats, drag: Floats) -> tuple[Floats, Floats]:
    """Drag deceleration over speed squared of discs broadside and edge-on [N] -> [N], [N] [1/m].

    At other angles of attack each is weighted by its projected area, |cos| and |sin| of the angle; their average over
    an end-over-end tumble is `drag`. A small wink with .22 has .31 and .04: drag areas of .98 and .12 times its face;
    measured are 1.1 to 1.2 broadside and about .1 edge-on. Lift and torque are neglected: they average out in a tumble.
    """
    face, side = math.pi * R * R, 4.0 * R * h
    each = 0.5 * math.pi * drag / (face + side)
    return each * face, each * side


def make_bodies(
    c: Floats, v: Floats, n: Floats, spin: Floats, R: Floats, h: Floats, mass: Floats, drag: Floats
) -> Floats:
    """Body rows of sleeping uniform discs with these states [N, 3], sizes and tumbling drag [N]. [N, BODY_COLUMNS]"""
    b = np.zeros((len(R), BODY_COLUMNS))
    it = 1.0 / (R * R / 4.0 + h * h / 3.0)
    b[:, B.CX : B.CZ + 1], b[:, B.VX : B.VZ + 1], b[:, B.NX : B.NZ + 1], b[:, B.LX : B.LZ + 1] = c, v, n, spin
    b[:, RADIUS], b[:, HALF_THICKNESS], b[:, B.INV_MASS], b[:, B.INV_INERTIA], b[:, B.INV_INERTIA_AXIAL_DIFF] = (
        R,
        h,
        1.0 / mass,
        it,
        2.0 / (R * R) - it,
    )
    b[:, B.BOUNDING_RADIUS], b[:, OVER_MAT] = np.sqrt(R * R + h * h), 1.0
    b[:, FACE_DRAG], b[:, EDGE_DRAG] = drag_components(R, h, drag)
    for i in np.flatnonzero(spin.any(axis=1)).tolist():
        update_angular_velocity(b, i)
    return b


@njit_inline
def drag_over_speed(b: Floats, i: int, vx: float, vy: float, vz: float, nx: float, ny: float, nz: float) -> float:
    """Drag deceleration over speed [1/s] of disc `i` at this velocity and face normal."""
    ahead = abs(vx * nx + vy * ny + vz * nz)
    across = math.sqrt(max(0.0, vx * vx + vy * vy + vz * vz - ahead * ahead))
    return float(b[i, FACE_DRAG] * ahead + b[i, EDGE_DRAG] * across)


@njit_inline
def integrate_free_flight(b: Floats, i: int, dt: float, gravity: float) -> None:
    """Advance disc `i` by `dt` of free flight: a parabola (midpoint rule with drag), and precession of the normal.

    A disc flat on the ground is in the boundary layer and has no drag.
    """
    vx, vy, vz = b[i, B.VX], b[i, B.VY], b[i, B.VZ]
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    lx, ly, lz = b[i, B.LX], b[i, B.LY], b[i, B.LZ]
    size = math.sqrt(lx * lx + ly * ly + lz * lz)
    if size >= 1e-12:  # below 1e-7 rad/s rotation is negligible
        angle, each = size * b[i, B.INV_INERTIA] * dt, 1.0 / size
        lx, ly, lz = lx * each, ly * each, lz * each
        if angle < _SMALL_ANGLE:  # as exact as sine and cosine, and faster
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
        size = 1.5 - 0.5 * (tx * tx + ty * ty + tz * tz)  # a Newton step to the inverse square root of nearly 1
        b[i, B.NX], b[i, B.NY], b[i, B.NZ] = tx * size, ty * size, tz * size
    update_angular_velocity(b, i)
    ax, ay, az = 0.0, 0.0, -gravity
    if b[i, FACE_DRAG] > 0.0 and not (b[i, CONTACT_COUNT] > 0 and abs(nz) > FLAT_COSINE):
        nx, ny, nz = nx + b[i, B.NX], ny + b[i, B.NY], nz + b[i, B.NZ]  # normal at the midpoint
        size = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
        nx, ny, nz = nx * size, ny * size, nz * size
        s = drag_over_speed(b, i, vx, vy, vz, nx, ny, nz)
        mx, my, mz = vx - 0.5 * dt * s * vx, vy - 0.5 * dt * s * vy, vz - 0.5 * dt * (gravity + s * vz)
        s = drag_over_speed(b, i, mx, my, mz, nx, ny, nz)
        ax, ay, az = -s * mx, -s * my, -gravity - s * mz
    half = 0.5 * dt * dt
    b[i, B.CX] += vx * dt + half * ax
    b[i, B.CY] += vy * dt + half * ay
    b[i, B.CZ] += vz * dt + half * az
    b[i, B.VX] = vx + ax * dt
    b[i, B.VY] = vy + ay * dt
    b[i, B.VZ] = vz + az * dt


@njit_no_refcount
def lowest_height(b: Floats, i: int) -> float:
    """Height of the lowest point of disc `i` [m]."""
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    return float(b[i, B.CZ] - b[i, RADIUS] * math.sqrt(nx * nx + ny * ny) - b[i, HALF_THICKNESS] * abs(nz))


@njit_no_refcount
def system_energy(b: Floats, gravity: float) -> float:
    """Kinetic and potential energy of all discs that have not left [J]."""
    total = 0.0
    for i in range(len(b)):
        if b[i, B.STATE] != B.REMOVED:
            total += energy(b, i, gravity) / b[i, B.INV_MASS]
    return total
