"""The search for contacts, the discs that it wakes, and the steps that are safe without another."""

import math
from typing import Final

import numpy as np

from flicksim.physics.flight.apart import DUE, LAID
from flicksim.physics.flight.bodies import (
    AWAKE,
    CX,
    CY,
    CZ,
    DUE_POT,
    FROZEN,
    GLIDING,
    GONE,
    HELD,
    IM,
    LOOKED,
    LX,
    OVER,
    POINTS,
    REACH,
    SLOW_T,
    STATE,
    TRAVEL,
    VX,
    VZ,
    WX,
    Ints,
    energy,
    lowest,
    pace,
    tilting,
)
from flicksim.physics.flight.contacts import FELT, POT, rest_on
from flicksim.physics.flight.glides import NEAR, to_way
from flicksim.physics.flight.jit import bare, inlined
from flicksim.physics.flight.pair import touch
from flicksim.physics.flight.params import Floats
from flicksim.physics.flight.wall import in_pot, touch_pot

TOGETHER: Final = 20e-6
"""Winks closer than this touch at rest, and wake together [m]."""
AGAIN: Final = 0.5e-3
"""Travel after which it is worth while to look again how far the pot is [m]."""
LONGEST: Final = 4e-3
"""Longest step of free flight [s]."""


@bare
def wake(b: Floats, pairs: Floats, k: Floats, m: int, i: int, near: Floats) -> None:
    """Wake disc `i` and, one after the other, all that touch it: a pile wakes as one.

    Hands lay a wink a hair above what bears it. Not woken with that it would hang in the air when that is gone.
    """
    b[i, STATE] = AWAKE
    b[i, SLOW_T] = 0.0
    grown = True
    while grown:
        grown = False
        for p in range(len(b)):
            if b[p, STATE] != AWAKE:
                continue
            for q in range(len(b)):
                if b[q, STATE] == FROZEN:
                    found, _ = touch(b, min(p, q), max(p, q), pairs, k, m, TOGETHER, near)
                    if found > m or pairs[min(p, q), max(p, q), LAID] == 1:
                        b[q, STATE] = AWAKE
                        b[q, SLOW_T] = 0.0
                        grown = True


@bare
def _take_off(b: Floats, i: int, gravity: float) -> None:
    """Keep disc `i`, which was shot off the felt, on it until it rises or falls by itself; from then on it is held.

    Where a shot has more spin than rise, its trailing edge would sink, and pass under winks and the pot. The disc is
    lifted by as much, and its motion pays for the height.
    """
    deep = -lowest(b, i)
    if deep < 0.0 or b[i, VZ] <= 0.0:
        b[i, HELD] = 0.0
    if deep <= 0.0:
        return
    had = energy(b, i, gravity) - gravity * b[i, CZ]
    b[i, CZ] += deep
    keep = math.sqrt(max(0.0, 1.0 - gravity * deep / had)) if had > 0.0 else 1.0
    for x in range(3):
        b[i, VX + x] *= keep
        b[i, LX + x] *= keep
        b[i, WX + x] *= keep


@inlined
def search(b: Floats, pairs: Floats, k: Floats, pot: Floats, gravity: float, near: Floats, ahead: float) -> int:
    """All contacts of awake discs, waking whom they touch; pairs that cannot have met yet are not looked at.

    `ahead`: the travel in which it should be known that a disc does not reach the pot, if that can be [m].
    """
    discs = len(b)
    none: int = np.int64(0)  # type: ignore[assignment]  # of that very type: with a bare 0 much is compiled twice
    m = i = none
    while i < discs:
        if b[i, STATE] != AWAKE:
            i += 1
            continue
        b[i, POINTS] = 0
        level, against, over = 0.0, FELT, b[i, OVER] == 1
        if len(pot) > 0 and in_pot(b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ], pot):
            level, against, over = pot[6], POT, True
        elif over and b[i, HELD] == 1:
            _take_off(b, i, gravity)
            over = b[i, HELD] == 0
        if over:
            m = rest_on(b, i, level, against, k, m)
        travel = b[i, TRAVEL]
        due = travel >= b[i, DUE_POT] or (travel >= b[i, DUE_POT] - ahead and travel >= b[i, LOOKED] + AGAIN)
        if len(pot) > 0 and due:
            m, clear = touch_pot(b, i, pot, k, m, 0.0, near)
            b[i, DUE_POT], b[i, LOOKED] = travel + clear, travel
        woken = False
        for j in range(discs):
            if j == i or b[j, STATE] >= GONE or (b[j, STATE] == AWAKE and j < i):
                continue
            p, q = min(i, j), max(i, j)
            travel = b[p, TRAVEL] + b[q, TRAVEL]
            if travel < pairs[p, q, DUE]:
                continue
            found, clear = touch(b, p, q, pairs, k, m, 0.0, near)
            pairs[p, q, DUE] = travel + clear
            if found > m and b[j, STATE] == FROZEN:
                wake(b, pairs, k, found, j, near)
                woken = True
                break
            m = found
        i += 1
        if woken:  # look again with everybody awake, before anything is pushed: held fixed it would be hit too hard
            m = i = none
    return m


@bare
def awake(b: Floats, who: Ints, gravity: float) -> tuple[int, float]:
    """The number of discs awake, whose rows are written to `who`, and the energy of the height of all others [J]."""
    count, still = 0, 0.0
    for i in range(len(b)):
        if b[i, STATE] == AWAKE:
            who[count] = i
            count += 1
        elif b[i, STATE] != GONE:
            still += gravity * b[i, CZ] / b[i, IM]
    return count, still


@bare
def clear_for(b: Floats, who: Ints, pairs: Floats, pot: Floats, gravity: float) -> float:
    """For how long no awake disc can come to touch the pot or another disc, or near a glide [s]."""
    dt = LONGEST
    discs = len(b)
    extra = 0.5 * LONGEST * gravity + 0.01
    for i in who:
        rate = pace(b, i) + extra
        if len(pot) > 0:
            dt = min(dt, 0.9 * (b[i, DUE_POT] - b[i, TRAVEL]) / rate)
        for j in range(discs):
            if j == i or b[j, STATE] == GONE:
                continue
            if b[j, STATE] == GLIDING:
                dt = min(dt, 0.9 * (to_way(b, i, j) - NEAR) / rate)
                continue
            both = rate
            if b[j, STATE] == AWAKE:
                both += pace(b, j) + extra
            p, q = min(i, j), max(i, j)
            dt = min(dt, 0.9 * (pairs[p, q, DUE] - b[p, TRAVEL] - b[q, TRAVEL]) / both)
    return dt


@inlined
def free_step(b: Floats, who: Ints, pairs: Floats, pot: Floats, gravity: float, shortest: float) -> float:
    """The longest step in which nothing can come to touch [s]."""
    dt = clear_for(b, who, pairs, pot, gravity)
    extra = 0.5 * LONGEST * gravity + 0.01
    for i in who:
        level = 0.0
        if len(pot) > 0 and in_pot(b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ], pot):
            level = pot[6]
        if b[i, HELD] == 1:
            dt = shortest
        elif b[i, OVER] == 1:
            sinks = tilting(b, i) * b[i, REACH] - b[i, VZ] + extra
            if sinks > 0.0:
                dt = min(dt, 0.9 * (lowest(b, i) - level) / sinks)
    return max(dt, shortest)
