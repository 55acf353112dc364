"""No push may bring energy: together a step's pushes may not lift it over the least that there was.

A contact may appear or turn its normal deep inside, lose a part of its depth and push too evenly as it parts, and many
may push at once. Each of these, in some rare place, gives energy nobody put in. So there is a bound on the whole:
motion, height and springs never hold more than they did. Where a step's pushes break it, those they gave too much are
slowed. The pushes themselves stay as they are: lessened, they would let a piece sink into what bears it.
"""

import math
from typing import Final

from flicksim.physics.flight.jit import bare
from flicksim.physics.space.bodies import (
    IM,
    ISLAND,
    IT,
    KI,
    LX,
    NX,
    NY,
    NZ,
    VX,
    VY,
    VZ,
    WAS,
    Floats,
    Ints,
    energy,
    set_spin,
)
from flicksim.physics.space.contacts import APPROACH, DEPTH, FIRST, GIVE, SECOND

LEEWAY: Final = 1e-7
"""Energy that pushes may bring in spite of that, per mass of the lightest piece [J/kg]: ten nanometres of height."""


@bare
def whole(b: Floats, awake: Ints, gravity: float) -> float:
    """Kinetic energy and height of these bodies [J]."""
    total = 0.0
    for i in awake:
        total += energy(b, i, gravity) / b[i, IM]
    return total


@bare
def remember(b: Floats, awake: Ints) -> None:
    """Note how all move before a step's pushes."""
    for i in awake:
        for x in range(3):
            b[i, WAS + x], b[i, WAS + 3 + x] = b[i, VX + x], b[i, LX + x]


@bare
def sprung(k: Floats, count: int, stiff: float, dt: float) -> float:
    """No less than what the springs of these contacts hold [J].

    The second term is by how far a step's end may misjudge it.
    """
    held = 0.0
    for m in range(count):
        depth = max(0.0, k[m, DEPTH])
        held += 0.5 * stiff * depth * (depth + dt * abs(k[m, APPROACH])) * k[m, GIVE]
    return held


@bare
def join(b: Floats, awake: Ints, k: Floats, count: int) -> None:
    """Give all bodies that touch, one through another, the same label."""
    for i in awake:
        b[i, ISLAND] = i
    for m in range(count):
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        if j < 0 or b[i, ISLAND] == b[j, ISLAND]:
            continue
        old, new = max(b[i, ISLAND], b[j, ISLAND]), min(b[i, ISLAND], b[j, ISLAND])
        for q in awake:
            if b[q, ISLAND] == old:
                b[q, ISLAND] = new


@bare
def _gained(b: Floats, awake: Ints, root: int) -> float:
    """The energy that this step's pushes brought the bodies of one label [J]."""
    gain = 0.0
    for i in awake:
        if b[i, ISLAND] != root:
            continue
        vx, vy, vz = b[i, WAS], b[i, WAS + 1], b[i, WAS + 2]
        lx, ly, lz = b[i, WAS + 3], b[i, WAS + 4], b[i, WAS + 5]
        axial = lx * b[i, NX] + ly * b[i, NY] + lz * b[i, NZ]
        had = b[i, IT] * (lx * lx + ly * ly + lz * lz) + b[i, KI] * axial * axial + vx * vx + vy * vy + vz * vz
        gain += (energy(b, i, 0.0) - 0.5 * had) / b[i, IM]
    return gain


@bare
def _slow(b: Floats, awake: Ints, k: Floats, count: int, root: int, take: float) -> None:
    """Take so much energy [J] from the motion of the bodies of one label: all of it where they touch the table, else
    from their motion about their common one."""
    free = True
    for m in range(count):
        if k[m, SECOND] < 0 and b[int(k[m, FIRST]), ISLAND] == root:
            free = False
    mass, x, y, z, moving = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in awake:
        if b[i, ISLAND] == root:
            mass += 1.0 / b[i, IM]
            x, y, z = x + b[i, VX] / b[i, IM], y + b[i, VY] / b[i, IM], z + b[i, VZ] / b[i, IM]
            moving += energy(b, i, 0.0) / b[i, IM]
    if free:
        x, y, z = x / mass, y / mass, z / mass
        moving -= 0.5 * mass * (x * x + y * y + z * z)
    else:
        x, y, z = 0.0, 0.0, 0.0
    share = math.sqrt(max(0.0, 1.0 - take / moving)) if moving > 0.0 else 1.0
    for i in awake:
        if b[i, ISLAND] == root:
            b[i, VX] = x + share * (b[i, VX] - x)
            b[i, VY] = y + share * (b[i, VY] - y)
            b[i, VZ] = z + share * (b[i, VZ] - z)
            for q in range(3):
                b[i, LX + q] *= share
            set_spin(b, i)


@bare
def hold(b: Floats, awake: Ints, k: Floats, count: int, gravity: float, most: float) -> float:
    """Slow whom this step's pushes gave too much: no more energy than `most` is left. What there is then [J]."""
    for i in awake:
        set_spin(b, i)
    after = whole(b, awake, gravity)
    if after <= most:
        return after
    join(b, awake, k, count)
    gained = 0.0
    for root in awake:
        gained += max(0.0, _gained(b, awake, root))
    share = min(1.0, (after - most) / gained) if gained > 0.0 else 0.0
    for root in awake:
        take = share * _gained(b, awake, root)
        if take > 0.0:
            _slow(b, awake, k, count, root, take)
    return whole(b, awake, gravity)
