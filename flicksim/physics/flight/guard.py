"""No push may bring energy: together a step's pushes may not lift it over the least that there was.

A contact may appear or turn its normal deep inside, lose a part of its depth and push too evenly as it parts, and many
may push at once. Each of these, in some rare place, gives energy nobody put in. So there is a bound on the whole:
motion, height and springs never hold more than they did. Where a step's pushes break it, those they gave too much are
slowed. The pushes themselves stay as they are: lessened, they would let a wink sink into what bears it.
"""

import math
from typing import Final

from flicksim.physics.flight.bodies import (
    AWAKE,
    GONE,
    IM,
    ISLAND,
    IT,
    KI,
    LX,
    NX,
    NY,
    NZ,
    STATE,
    VX,
    VY,
    VZ,
    WAS,
    Ints,
    energy,
    set_spin,
)
from flicksim.physics.flight.contacts import APPROACH, DEPTH, FIRST, GAIN, SECOND, kind_of
from flicksim.physics.flight.jit import bare, inlined
from flicksim.physics.flight.params import Floats

LEEWAY: Final = 2e-4
"""Energy that pushes may bring in spite of that, per mass of the lightest wink [J/kg]: 20 micrometres of height.
Without it what lies in another could not be lifted out."""


@bare
def whole(b: Floats, gravity: float) -> float:
    """Kinetic energy and height of all discs there are [J]."""
    total = 0.0
    for i in range(len(b)):
        if b[i, STATE] != GONE:
            total += energy(b, i, gravity) / b[i, IM]
    return total


@inlined
def moving(b: Floats, who: Ints, gravity: float) -> float:
    """Kinetic energy and height of the discs that are awake [J]."""
    total = 0.0
    for i in who:
        if b[i, STATE] != GONE:
            total += energy(b, i, gravity) / b[i, IM]
    return total


@inlined
def remember(b: Floats, who: Ints) -> None:
    """Note how all that are awake move before a step's pushes."""
    for i in who:
        for x in range(3):
            b[i, WAS + x], b[i, WAS + 3 + x] = b[i, VX + x], b[i, LX + x]


@inlined
def sprung(b: Floats, k: Floats, count: int, materials: Floats, dt: float) -> float:
    """No less than what the springs of these contacts hold [J].

    A spring works on no more than the mass of its discs. The second term is by how far a step's end may misjudge it.
    """
    held = 0.0
    for m in range(count):
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        light = b[i, IM] + (b[j, IM] if j >= 0 else 0.0)
        depth = max(0.0, k[m, DEPTH])
        stiff = materials[kind_of(j), GAIN] / (dt * dt)
        held += 0.5 * stiff * depth * (depth + dt * abs(k[m, APPROACH])) / light
    return held


@bare
def _join(b: Floats, k: Floats, count: int) -> None:
    """Give all discs that touch, one through another, the same label."""
    discs = len(b)
    for i in range(discs):
        b[i, ISLAND] = i
    for m in range(count):
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        if j < 0 or b[i, ISLAND] == b[j, ISLAND]:
            continue
        old, new = max(b[i, ISLAND], b[j, ISLAND]), min(b[i, ISLAND], b[j, ISLAND])
        for p in range(discs):
            if b[p, ISLAND] == old:
                b[p, ISLAND] = new


@bare
def _gained(b: Floats, root: int) -> float:
    """The energy that this step's pushes brought the discs of one label [J]."""
    gain = 0.0
    for i in range(len(b)):
        if b[i, ISLAND] != root or b[i, STATE] != AWAKE:
            continue
        vx, vy, vz = b[i, WAS], b[i, WAS + 1], b[i, WAS + 2]
        lx, ly, lz = b[i, WAS + 3], b[i, WAS + 4], b[i, WAS + 5]
        axial = lx * b[i, NX] + ly * b[i, NY] + lz * b[i, NZ]
        had = b[i, IT] * (lx * lx + ly * ly + lz * lz) + b[i, KI] * axial * axial + vx * vx + vy * vy + vz * vz
        gain += (energy(b, i, 0.0) - 0.5 * had) / b[i, IM]
    return gain


@bare
def _slow(b: Floats, k: Floats, count: int, root: int, take: float) -> None:
    """Take so much energy [J] from the motion of the discs of one label: all of it where they touch what stands still,
    else from their motion about their common one."""
    free = True
    for m in range(count):
        if k[m, SECOND] < 0 and b[int(k[m, FIRST]), ISLAND] == root:
            free = False
    mass, x, y, z, moving = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(b)):
        if b[i, ISLAND] == root and b[i, STATE] == AWAKE:
            mass += 1.0 / b[i, IM]
            x, y, z = x + b[i, VX] / b[i, IM], y + b[i, VY] / b[i, IM], z + b[i, VZ] / b[i, IM]
            moving += energy(b, i, 0.0) / b[i, IM]
    if free:
        x, y, z = x / mass, y / mass, z / mass
        moving -= 0.5 * mass * (x * x + y * y + z * z)
    else:
        x, y, z = 0.0, 0.0, 0.0
    keep = math.sqrt(max(0.0, 1.0 - take / moving)) if moving > 0.0 else 1.0
    for i in range(len(b)):
        if b[i, ISLAND] == root and b[i, STATE] == AWAKE:
            b[i, VX], b[i, VY], b[i, VZ] = (
                x + keep * (b[i, VX] - x),
                y + keep * (b[i, VY] - y),
                z + keep * (b[i, VZ] - z),
            )
            for q in range(3):
                b[i, LX + q] *= keep
            set_spin(b, i)


@inlined
def hold(b: Floats, who: Ints, k: Floats, count: int, gravity: float, most: float) -> tuple[float, float]:
    """Slow whom this step's pushes gave too much, so that who is awake has no more energy than `most`; what that was,
    and is [J]."""
    discs = len(b)
    for i in who:
        set_spin(b, i)
    after = moving(b, who, gravity)
    if after <= most:
        return after, after
    _join(b, k, count)
    gained = 0.0
    for root in range(discs):
        gained += max(0.0, _gained(b, root))
    share = min(1.0, (after - most) / gained) if gained > 0.0 else 0.0
    for root in range(discs):
        take = share * _gained(b, root)
        if take > 0.0:
            _slow(b, k, count, root, take)
    return after, moving(b, who, gravity)
