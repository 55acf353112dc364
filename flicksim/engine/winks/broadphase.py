"""Broad phase: search for contacts, waking of discs, and contact-free time steps."""

import math
from typing import Final

import numpy as np

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.winks.bodies import (
    ASLEEP,
    AWAKE,
    BOUNDING_RADIUS,
    CONTACT_COUNT,
    CX,
    CY,
    CZ,
    INV_MASS,
    LAST_POT_CHECK,
    LX,
    OVER_MAT,
    POT_CHECK_TRAVEL,
    REMOVED,
    SLIDING,
    SLOW_TIMER,
    STATE,
    TAKING_OFF,
    TRAVEL_BOUND,
    VX,
    VZ,
    WX,
    Ints,
    energy,
    lowest_height,
    max_point_speed,
    tilt_rate,
)
from flicksim.engine.winks.contacts import FELT, POT, add_ground_contacts
from flicksim.engine.winks.narrowphase_cup import collide_cup, is_in_cup
from flicksim.engine.winks.narrowphase_wink_wink import collide_winks
from flicksim.engine.winks.params import Floats
from flicksim.engine.winks.planar_handover import BLOCKED_DISTANCE, distance_to_path
from flicksim.engine.winks.separation import CHECK_TRAVEL, STACKED

TOUCH_MARGIN: Final = 20e-6
"""Winks closer than this touch at rest, and wake together [m]."""
POT_RECHECK_TRAVEL: Final = 0.5e-3
"""Travel after which it is worth while to look again how far the pot is [m]."""
MAX_FREE_STEP: Final = 4e-3
"""Longest step of free flight [s]."""


@njit_no_refcount
def wake(b: Floats, pairs: Floats, k: Floats, m: int, i: int, scratch: Floats) -> None:
    """Wake disc `i` and, one after the other, all that touch it: a pile wakes as one.

    Hands lay a wink a hair above what bears it. Not woken with that it would hang in the air when that is gone.
    """
    b[i, STATE] = AWAKE
    b[i, SLOW_TIMER] = 0.0
    grown = True
    while grown:
        grown = False
        for p in range(len(b)):
            if b[p, STATE] != AWAKE:
                continue
            for q in range(len(b)):
                if b[q, STATE] == ASLEEP:
                    found, _ = collide_winks(b, min(p, q), max(p, q), pairs, k, m, TOUCH_MARGIN, scratch)
                    if found > m or pairs[min(p, q), max(p, q), STACKED] == 1:
                        b[q, STATE] = AWAKE
                        b[q, SLOW_TIMER] = 0.0
                        grown = True


@njit_no_refcount
def _keep_on_felt(b: Floats, i: int, gravity: float) -> None:
    """Keep disc `i`, which was shot off the felt, on it until it rises or falls by itself; from then on it is held.

    Where a shot has more spin than rise, its trailing edge would sink, and pass under winks and the pot. The disc is
    lifted by as much, and its motion pays for the height.
    """
    deep = -lowest_height(b, i)
    if deep < 0.0 or b[i, VZ] <= 0.0:
        b[i, TAKING_OFF] = 0.0
    if deep <= 0.0:
        return
    had = energy(b, i, gravity) - gravity * b[i, CZ]
    b[i, CZ] += deep
    keep = math.sqrt(max(0.0, 1.0 - gravity * deep / had)) if had > 0.0 else 1.0
    for x in range(3):
        b[i, VX + x] *= keep
        b[i, LX + x] *= keep
        b[i, WX + x] *= keep


@njit_inline
def find_contacts(
    b: Floats, pairs: Floats, k: Floats, pot: Floats, gravity: float, scratch: Floats, lookahead: float
) -> int:
    """All contacts of awake discs, waking whom they touch; pairs that cannot have met yet are not looked at.

    `lookahead`: the travel in which it should be known that a disc does not reach the pot, if that can be [m].
    """
    discs = len(b)
    none: int = np.int64(0)  # type: ignore[assignment]  # of that very type: with a bare 0 much is compiled twice
    m = i = none
    while i < discs:
        if b[i, STATE] != AWAKE:
            i += 1
            continue
        b[i, CONTACT_COUNT] = 0
        level, against, over = 0.0, FELT, b[i, OVER_MAT] == 1
        if len(pot) > 0 and is_in_cup(b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ], pot):
            level, against, over = pot[6], POT, True
        elif over and b[i, TAKING_OFF] == 1:
            _keep_on_felt(b, i, gravity)
            over = b[i, TAKING_OFF] == 0
        if over:
            m = add_ground_contacts(b, i, level, against, k, m)
        travel = b[i, TRAVEL_BOUND]
        due = travel >= b[i, POT_CHECK_TRAVEL] or (
            travel >= b[i, POT_CHECK_TRAVEL] - lookahead and travel >= b[i, LAST_POT_CHECK] + POT_RECHECK_TRAVEL
        )
        if len(pot) > 0 and due:
            m, clear = collide_cup(b, i, pot, k, m, 0.0, scratch)
            b[i, POT_CHECK_TRAVEL], b[i, LAST_POT_CHECK] = travel + clear, travel
        woken = False
        for j in range(discs):
            if j == i or b[j, STATE] >= REMOVED or (b[j, STATE] == AWAKE and j < i):
                continue
            p, q = min(i, j), max(i, j)
            travel = b[p, TRAVEL_BOUND] + b[q, TRAVEL_BOUND]
            if travel < pairs[p, q, CHECK_TRAVEL]:
                continue
            found, clear = collide_winks(b, p, q, pairs, k, m, 0.0, scratch)
            pairs[p, q, CHECK_TRAVEL] = travel + clear
            if found > m and b[j, STATE] == ASLEEP:
                wake(b, pairs, k, found, j, scratch)
                woken = True
                break
            m = found
        i += 1
        if woken:  # look again with everybody awake, before anything is pushed: held fixed it would be hit too hard
            m = i = none
    return m


@njit_no_refcount
def list_awake(b: Floats, awake: Ints, gravity: float) -> tuple[int, float]:
    """The number of discs awake, whose rows are written to `awake`, and the energy of the height of all others [J]."""
    count, still = 0, 0.0
    for i in range(len(b)):
        if b[i, STATE] == AWAKE:
            awake[count] = i
            count += 1
        elif b[i, STATE] != REMOVED:
            still += gravity * b[i, CZ] / b[i, INV_MASS]
    return count, still


@njit_no_refcount
def collision_free_time(b: Floats, awake: Ints, pairs: Floats, pot: Floats, gravity: float) -> float:
    """For how long no awake disc can come to touch the pot or another disc, or near a glide [s]."""
    dt = MAX_FREE_STEP
    discs = len(b)
    extra = 0.5 * MAX_FREE_STEP * gravity + 0.01
    for i in awake:
        rate = max_point_speed(b, i) + extra
        if len(pot) > 0:
            dt = min(dt, 0.9 * (b[i, POT_CHECK_TRAVEL] - b[i, TRAVEL_BOUND]) / rate)
        for j in range(discs):
            if j == i or b[j, STATE] == REMOVED:
                continue
            if b[j, STATE] == SLIDING:
                dt = min(dt, 0.9 * (distance_to_path(b, i, j) - BLOCKED_DISTANCE) / rate)
                continue
            both = rate
            if b[j, STATE] == AWAKE:
                both += max_point_speed(b, j) + extra
            p, q = min(i, j), max(i, j)
            dt = min(dt, 0.9 * (pairs[p, q, CHECK_TRAVEL] - b[p, TRAVEL_BOUND] - b[q, TRAVEL_BOUND]) / both)
    return dt


@njit_inline
def free_flight_step(b: Floats, awake: Ints, pairs: Floats, pot: Floats, gravity: float, shortest: float) -> float:
    """The longest step in which nothing can come to touch [s]."""
    dt = collision_free_time(b, awake, pairs, pot, gravity)
    extra = 0.5 * MAX_FREE_STEP * gravity + 0.01
    for i in awake:
        level = 0.0
        if len(pot) > 0 and is_in_cup(b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ], pot):
            level = pot[6]
        if b[i, TAKING_OFF] == 1:
            dt = shortest
        elif b[i, OVER_MAT] == 1:
            sinks = tilt_rate(b, i) * b[i, BOUNDING_RADIUS] - b[i, VZ] + extra
            if sinks > 0.0:
                dt = min(dt, 0.9 * (lowest_height(b, i) - level) / sinks)
    return max(dt, shortest)
