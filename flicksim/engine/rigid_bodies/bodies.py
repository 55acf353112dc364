"""Body rows: columns common to all axisymmetric rigid bodies, and the kinematics read from them.

The inertia of a disc and of a pyramid of four walls is that of a symmetric top: two numbers and the axis describe it.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flicksim.engine.jit import njit_entry, njit_inline

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ASLEEP: Final = 0.0
"""At rest and not simulated; a contact wakes it."""
AWAKE: Final = 1.0
REMOVED: Final = 2.0
"""Off the table or mat; collides with nothing. States from REMOVED on are outside the 3D simulation."""

CX, CY, CZ, VX, VY, VZ, NX, NY, NZ, LX, LY, LZ, WX, WY, WZ = range(15)
"""Columns of a body: centre of mass [m], velocity [m/s], unit axis of symmetry, angular momentum per mass [m^2/s],
angular velocity consistent with it [rad/s]. One array for all columns: each array argument costs a compiled call time.
"""
INV_MASS, INV_INERTIA, INV_INERTIA_AXIAL_DIFF, BOUNDING_RADIUS = range(15, 19)
"""Inverse mass [1/kg], inverse inertia per mass across the axis [1/m^2], difference to that about the axis [1/m^2],
radius of the bounding sphere about the centre of mass [m]."""
STATE, SLOW_TIMER, TRAVEL_BOUND, ISLAND, CAN_SLEEP = range(19, 24)
"""ASLEEP, AWAKE, ...; time since it was last faster than the sleep speed [s]; upper bound on the distance travelled by
any of its points [m]; island label; 1 if at rest by itself."""
PREV_VELOCITY, PREV_ANGULAR_MOMENTUM = 24, 27
"""Velocity and angular momentum per mass before the impulses of the step, three columns each."""
COMMON_COLUMNS: Final = 30
"""First column for use by a shape."""


@njit_entry
def update_angular_velocity(b: Floats, i: int) -> None:
    """Set the angular velocity of body `i` from its angular momentum and axis."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    axial = b[i, INV_INERTIA_AXIAL_DIFF] * (b[i, LX] * nx + b[i, LY] * ny + b[i, LZ] * nz)
    it = b[i, INV_INERTIA]
    b[i, WX] = it * b[i, LX] + axial * nx
    b[i, WY] = it * b[i, LY] + axial * ny
    b[i, WZ] = it * b[i, LZ] + axial * nz


@njit_inline
def stop(b: Floats, i: int) -> None:
    """Set the velocity, angular momentum and angular velocity of body `i` to zero."""
    for x in range(3):
        b[i, VX + x] = b[i, LX + x] = b[i, WX + x] = 0.0


@njit_inline
def energy(b: Floats, i: int, gravity: float) -> float:
    """Kinetic and potential energy of body `i`, per its mass [J/kg]."""
    linear = b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ]
    angular = b[i, WX] * b[i, LX] + b[i, WY] * b[i, LY] + b[i, WZ] * b[i, LZ]
    return float(0.5 * (linear + angular) + gravity * b[i, CZ])


@njit_entry
def total_energy(b: Floats, bodies: Ints, gravity: float) -> float:
    """Kinetic and potential energy of these bodies [J]."""
    total = 0.0
    for i in bodies:
        total += energy(b, i, gravity) / b[i, INV_MASS]
    return total


@njit_inline
def max_point_speed(b: Floats, i: int) -> float:
    """Upper bound on the current speed of any point of body `i` [m/s]."""
    linear = math.sqrt(b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ])
    angular = math.sqrt(b[i, WX] * b[i, WX] + b[i, WY] * b[i, WY] + b[i, WZ] * b[i, WZ])
    return float(linear + angular * b[i, BOUNDING_RADIUS])
