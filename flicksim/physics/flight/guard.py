"""No push may bring energy: together a step's pushes may not lift it over the least that there was.

A contact may appear or turn its normal deep inside, lose a part of its depth and push too evenly as it parts, and many
may push at once. Each of these, in some rare place, gives energy nobody put in. So there is a bound on the whole:
motion, height and springs never hold more than they did. Where a step's pushes break it they are all scaled down until
they keep it; pushes come in pairs, so momentum stays.
"""

import math
from typing import Final

from flicksim.physics.flight.bodies import (
    AWAKE,
    GONE,
    IM,
    IT,
    KI,
    LX,
    LY,
    LZ,
    NX,
    NY,
    NZ,
    STATE,
    VX,
    VY,
    VZ,
    WAS,
    WX,
    WY,
    WZ,
    energy,
    set_spin,
)
from flicksim.physics.flight.contacts import APPROACH, DEPTH, FIRST, PUSH, SECOND
from flicksim.physics.flight.jit import compiled
from flicksim.physics.flight.params import Floats

LEEWAY: Final = 2e-4
"""What pushes may bring in spite of that, per mass of the lightest wink [J/kg]: 20 micrometres of height. Without it
what lies in another could not be lifted out."""


@compiled
def whole(b: Floats, gravity: float) -> float:
    """Kinetic energy and height of all discs there are [J]."""
    total = 0.0
    for i in range(len(b)):
        if b[i, STATE] != GONE:
            total += energy(b, i, gravity) / b[i, IM]
    return total


@compiled
def remember(b: Floats) -> None:
    """Note how all move before a step's pushes."""
    for i in range(len(b)):
        if b[i, STATE] == AWAKE:
            for x in range(3):
                b[i, WAS + x], b[i, WAS + 3 + x] = b[i, VX + x], b[i, LX + x]


@compiled
def sprung(b: Floats, k: Floats, count: int, stiff: float, dt: float) -> float:
    """No less than what the springs of these contacts hold [J].

    A spring works on no more than the mass of its discs. The second term is by how far a step's end may misjudge it.
    """
    held = 0.0
    for m in range(count):
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        light = b[i, IM] + (b[j, IM] if j >= 0 else 0.0)
        depth = max(0.0, k[m, DEPTH])
        held += 0.5 * stiff * depth * (depth + dt * abs(k[m, APPROACH])) / light
    return held


@compiled
def _share(b: Floats, over: float) -> float:
    """The greatest share of the pushes that brings `over` less energy [J] than all of them: it is quadratic in it."""
    linear, square = 0.0, 0.0
    for i in range(len(b)):
        if b[i, STATE] != AWAKE:
            continue
        x, y, z = b[i, VX] - b[i, WAS], b[i, VY] - b[i, WAS + 1], b[i, VZ] - b[i, WAS + 2]
        p, q, r = b[i, LX] - b[i, WAS + 3], b[i, LY] - b[i, WAS + 4], b[i, LZ] - b[i, WAS + 5]
        axial = p * b[i, NX] + q * b[i, NY] + r * b[i, NZ]
        turning = b[i, IT] * (p * p + q * q + r * r) + b[i, KI] * axial * axial
        change = 0.5 * (x * x + y * y + z * z + turning) / b[i, IM]
        whole_way = x * b[i, VX] + y * b[i, VY] + z * b[i, VZ] + p * b[i, WX] + q * b[i, WY] + r * b[i, WZ]
        square += change
        linear += whole_way / b[i, IM] - 2.0 * change
    if square <= 0.0:
        return 1.0
    root = linear * linear + 4.0 * square * (linear + square - over)
    return max(0.0, min(1.0, 0.5 * (math.sqrt(max(0.0, root)) - linear) / square))


@compiled
def hold(b: Floats, k: Floats, count: int, gravity: float, most: float) -> tuple[float, float]:
    """Scale the pushes of this step so that the energy is no more than `most`; what it would be, and what it is [J]."""
    for i in range(len(b)):
        if b[i, STATE] == AWAKE:
            set_spin(b, i)
    after = whole(b, gravity)
    if after <= most:
        return after, after
    share = _share(b, after - most)
    for i in range(len(b)):
        if b[i, STATE] == AWAKE:
            for x in range(3):
                b[i, VX + x] = b[i, WAS + x] + share * (b[i, VX + x] - b[i, WAS + x])
                b[i, LX + x] = b[i, WAS + 3 + x] + share * (b[i, LX + x] - b[i, WAS + 3 + x])
            set_spin(b, i)
    for m in range(count):
        for q in range(3):
            k[m, PUSH + q] *= share
    return after, whole(b, gravity)
