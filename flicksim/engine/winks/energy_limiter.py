"""Energy limiter: the impulses of a step may not raise the energy above the least seen before.

A contact may appear or turn its normal deep inside, lose a part of its depth and push too evenly as it parts, and many
may push at once. Each of these, in some rare place, gives energy nobody put in. So there is a bound on the whole:
motion, height and springs never hold more than they did. Where a step's pushes break it, those they gave too much are
slowed. The pushes themselves stay as they are: lessened, they would let a wink sink into what bears it.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.winks.bodies import (
    AWAKE,
    INV_INERTIA,
    INV_INERTIA_AXIAL_DIFF,
    INV_MASS,
    ISLAND,
    LX,
    NX,
    NY,
    NZ,
    PREV_MOTION,
    REMOVED,
    STATE,
    VX,
    VY,
    VZ,
    Ints,
    energy,
    update_angular_velocity,
)
from flicksim.engine.winks.contacts import BODY_A, BODY_B, NORMAL_VELOCITY, SPRING_DEPTH, SPRING_GAIN, material_index
from flicksim.engine.winks.params import Floats

ENERGY_TOLERANCE: Final = 2e-4
"""Energy that pushes may bring in spite of that, per mass of the lightest wink [J/kg]: 20 micrometres of height.
Without it what lies in another could not be lifted out."""


@njit_no_refcount
def total_energy(b: Floats, gravity: float) -> float:
    """Kinetic energy and height of all discs there are [J]."""
    total = 0.0
    for i in range(len(b)):
        if b[i, STATE] != REMOVED:
            total += energy(b, i, gravity) / b[i, INV_MASS]
    return total


@njit_inline
def awake_energy(b: Floats, awake: Ints, gravity: float) -> float:
    """Kinetic energy and height of the discs that are awake [J]."""
    total = 0.0
    for i in awake:
        if b[i, STATE] != REMOVED:
            total += energy(b, i, gravity) / b[i, INV_MASS]
    return total


@njit_inline
def store_motion(b: Floats, awake: Ints) -> None:
    """Note how all that are awake move before a step's pushes."""
    for i in awake:
        for x in range(3):
            b[i, PREV_MOTION + x], b[i, PREV_MOTION + 3 + x] = b[i, VX + x], b[i, LX + x]


@njit_inline
def spring_energy(b: Floats, k: Floats, count: int, materials: Floats, dt: float) -> float:
    """No less than what the springs of these contacts hold [J].

    A spring works on no more than the mass of its discs. The second term is by how far a step's end may misjudge it.
    """
    held = 0.0
    for m in range(count):
        i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
        light = b[i, INV_MASS] + (b[j, INV_MASS] if j >= 0 else 0.0)
        depth = max(0.0, k[m, SPRING_DEPTH])
        stiff = materials[material_index(j), SPRING_GAIN] / (dt * dt)
        held += 0.5 * stiff * depth * (depth + dt * abs(k[m, NORMAL_VELOCITY])) / light
    return held


@njit_no_refcount
def _label_islands(b: Floats, k: Floats, count: int) -> None:
    """Give all discs that touch, one through another, the same label."""
    discs = len(b)
    for i in range(discs):
        b[i, ISLAND] = i
    for m in range(count):
        i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
        if j < 0 or b[i, ISLAND] == b[j, ISLAND]:
            continue
        old, new = max(b[i, ISLAND], b[j, ISLAND]), min(b[i, ISLAND], b[j, ISLAND])
        for p in range(discs):
            if b[p, ISLAND] == old:
                b[p, ISLAND] = new


@njit_no_refcount
def _energy_gain(b: Floats, island: int) -> float:
    """The energy that this step's pushes brought the discs of one label [J]."""
    gain = 0.0
    for i in range(len(b)):
        if b[i, ISLAND] != island or b[i, STATE] != AWAKE:
            continue
        vx, vy, vz = b[i, PREV_MOTION], b[i, PREV_MOTION + 1], b[i, PREV_MOTION + 2]
        lx, ly, lz = b[i, PREV_MOTION + 3], b[i, PREV_MOTION + 4], b[i, PREV_MOTION + 5]
        axial = lx * b[i, NX] + ly * b[i, NY] + lz * b[i, NZ]
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
def _remove_energy(b: Floats, k: Floats, count: int, island: int, removed_energy: float) -> None:
    """Take so much energy [J] from the motion of the discs of one label: all of it where they touch what stands still,
    else from their motion about their common one."""
    free = True
    for m in range(count):
        if k[m, BODY_B] < 0 and b[int(k[m, BODY_A]), ISLAND] == island:
            free = False
    mass, x, y, z, moving = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(b)):
        if b[i, ISLAND] == island and b[i, STATE] == AWAKE:
            mass += 1.0 / b[i, INV_MASS]
            x, y, z = x + b[i, VX] / b[i, INV_MASS], y + b[i, VY] / b[i, INV_MASS], z + b[i, VZ] / b[i, INV_MASS]
            moving += energy(b, i, 0.0) / b[i, INV_MASS]
    if free:
        x, y, z = x / mass, y / mass, z / mass
        moving -= 0.5 * mass * (x * x + y * y + z * z)
    else:
        x, y, z = 0.0, 0.0, 0.0
    keep = math.sqrt(max(0.0, 1.0 - removed_energy / moving)) if moving > 0.0 else 1.0
    for i in range(len(b)):
        if b[i, ISLAND] == island and b[i, STATE] == AWAKE:
            b[i, VX], b[i, VY], b[i, VZ] = (
                x + keep * (b[i, VX] - x),
                y + keep * (b[i, VY] - y),
                z + keep * (b[i, VZ] - z),
            )
            for q in range(3):
                b[i, LX + q] *= keep
            update_angular_velocity(b, i)


@njit_inline
def limit_energy(
    b: Floats, awake: Ints, k: Floats, count: int, gravity: float, max_energy: float
) -> tuple[float, float]:
    """Slow whom this step's pushes gave too much, so that who is awake has no more energy than `max_energy`; what that
    was, and is [J]."""
    discs = len(b)
    for i in awake:
        update_angular_velocity(b, i)
    after = awake_energy(b, awake, gravity)
    if after <= max_energy:
        return after, after
    _label_islands(b, k, count)
    gained = 0.0
    for root in range(discs):
        gained += max(0.0, _energy_gain(b, root))
    share = min(1.0, (after - max_energy) / gained) if gained > 0.0 else 0.0
    for root in range(discs):
        take = share * _energy_gain(b, root)
        if take > 0.0:
            _remove_energy(b, k, count, root, take)
    return after, awake_energy(b, awake, gravity)
