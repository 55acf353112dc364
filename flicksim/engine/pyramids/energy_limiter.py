"""Energy limiter: the impulses of a step may not raise the energy above the least seen before.

A contact may appear or turn its normal deep inside, lose a part of its depth and push too evenly as it parts, and many
may push at once. Each of these, in some rare place, gives energy nobody put in. So there is a bound on the whole:
motion, height and springs never hold more than they did. Where a step's pushes break it, those they gave too much are
slowed. The pushes themselves stay as they are: lessened, they would let a piece sink into what bears it.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.pyramids.bodies import (
    AXIS_X,
    AXIS_Y,
    AXIS_Z,
    INV_INERTIA,
    INV_INERTIA_AXIAL_DIFF,
    INV_MASS,
    ISLAND,
    LX,
    PREV_MOTION,
    VX,
    VY,
    VZ,
    Floats,
    Ints,
    energy,
    update_angular_velocity,
)
from flicksim.engine.pyramids.contacts import BODY_A, BODY_B, EFFECTIVE_MASS, NORMAL_VELOCITY, SPRING_DEPTH

ENERGY_TOLERANCE: Final = 1e-7
"""Energy that pushes may bring in spite of that, per mass of the lightest piece [J/kg]: ten nanometres of height."""


@njit_no_refcount
def total_energy(b: Floats, awake: Ints, gravity: float) -> float:
    """Kinetic energy and height of these bodies [J]."""
    total = 0.0
    for i in awake:
        total += energy(b, i, gravity) / b[i, INV_MASS]
    return total


@njit_no_refcount
def store_motion(b: Floats, awake: Ints) -> None:
    """Note how all move before a step's pushes."""
    for i in awake:
        for x in range(3):
            b[i, PREV_MOTION + x], b[i, PREV_MOTION + 3 + x] = b[i, VX + x], b[i, LX + x]


@njit_no_refcount
def spring_energy(k: Floats, count: int, stiffness: float, dt: float) -> float:
    """No less than what the springs of these contacts hold [J].

    The second term is by how far a step's end may misjudge it.
    """
    held = 0.0
    for m in range(count):
        depth = max(0.0, k[m, SPRING_DEPTH])
        held += 0.5 * stiffness * depth * (depth + dt * abs(k[m, NORMAL_VELOCITY])) * k[m, EFFECTIVE_MASS]
    return held


@njit_no_refcount
def label_islands(b: Floats, awake: Ints, k: Floats, count: int) -> None:
    """Give all bodies that touch, one through another, the same label."""
    for i in awake:
        b[i, ISLAND] = i
    for m in range(count):
        i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
        if j < 0 or b[i, ISLAND] == b[j, ISLAND]:
            continue
        old, new = max(b[i, ISLAND], b[j, ISLAND]), min(b[i, ISLAND], b[j, ISLAND])
        for q in awake:
            if b[q, ISLAND] == old:
                b[q, ISLAND] = new


@njit_no_refcount
def _energy_gain(b: Floats, awake: Ints, island: int) -> float:
    """The energy that this step's pushes brought the bodies of one label [J]."""
    gain = 0.0
    for i in awake:
        if b[i, ISLAND] != island:
            continue
        vx, vy, vz = b[i, PREV_MOTION], b[i, PREV_MOTION + 1], b[i, PREV_MOTION + 2]
        lx, ly, lz = b[i, PREV_MOTION + 3], b[i, PREV_MOTION + 4], b[i, PREV_MOTION + 5]
        axial = lx * b[i, AXIS_X] + ly * b[i, AXIS_Y] + lz * b[i, AXIS_Z]
        had = (
            b[i, INV_INERTIA] * (lx * lx + ly * ly + lz * lz)
            + b[i, INV_INERTIA_AXIAL_DIFF] * axial * axial
            + vx * vx
            + vy * vy
            + vz * vz
        )
        gain += (energy(b, i, 0.0) - 0.5 * had) / b[i, INV_MASS]
    return gain


@njit_no_refcount
def _remove_energy(b: Floats, awake: Ints, k: Floats, count: int, island: int, removed_energy: float) -> None:
    """Take so much energy [J] from the motion of the bodies of one label: all of it where they touch the table, else
    from their motion about their common one."""
    free = True
    for m in range(count):
        if k[m, BODY_B] < 0 and b[int(k[m, BODY_A]), ISLAND] == island:
            free = False
    mass, x, y, z, moving = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in awake:
        if b[i, ISLAND] == island:
            mass += 1.0 / b[i, INV_MASS]
            x, y, z = x + b[i, VX] / b[i, INV_MASS], y + b[i, VY] / b[i, INV_MASS], z + b[i, VZ] / b[i, INV_MASS]
            moving += energy(b, i, 0.0) / b[i, INV_MASS]
    if free:
        x, y, z = x / mass, y / mass, z / mass
        moving -= 0.5 * mass * (x * x + y * y + z * z)
    else:
        x, y, z = 0.0, 0.0, 0.0
    share = math.sqrt(max(0.0, 1.0 - removed_energy / moving)) if moving > 0.0 else 1.0
    for i in awake:
        if b[i, ISLAND] == island:
            b[i, VX] = x + share * (b[i, VX] - x)
            b[i, VY] = y + share * (b[i, VY] - y)
            b[i, VZ] = z + share * (b[i, VZ] - z)
            for q in range(3):
                b[i, LX + q] *= share
            update_angular_velocity(b, i)


@njit_no_refcount
def limit_energy(b: Floats, awake: Ints, k: Floats, count: int, gravity: float, max_energy: float) -> float:
    """Slow whom this step's pushes gave too much: no more energy than `max_energy` is left. What there is then [J]."""
    for i in awake:
        update_angular_velocity(b, i)
    after = total_energy(b, awake, gravity)
    if after <= max_energy:
        return after
    label_islands(b, awake, k, count)
    gained = 0.0
    for root in awake:
        gained += max(0.0, _energy_gain(b, awake, root))
    share = min(1.0, (after - max_energy) / gained) if gained > 0.0 else 0.0
    for root in awake:
        take = share * _energy_gain(b, awake, root)
        if take > 0.0:
            _remove_energy(b, awake, k, count, root, take)
    return total_energy(b, awake, gravity)
