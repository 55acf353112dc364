"""Broad phase of pyramids by travel budget: contact search, waking, and collision-free time steps.

Each narrow-phase test yields a lower bound on the distance of a pair. Until both have travelled as far together, the
pair is not tested again; an awake body is not tested against any sleeping one before its smallest such budget is spent.
"""

from typing import Final

import numpy as np

from flicksim.engine.jit import njit_entry, njit_inline, njit_no_refcount
from flicksim.engine.pyramids import bodies as P
from flicksim.engine.pyramids import recorder as R
from flicksim.engine.pyramids.bodies import update_vertices
from flicksim.engine.pyramids.narrowphase_pyramid import TABLE, collide_pyramids, collide_table, overhang
from flicksim.engine.pyramids.recorder import RunState
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import Floats, max_point_speed

MAX_FREE_STEP: Final = 4e-3
"""Longest step of free flight [s]."""
WAKE_MARGIN: Final = 5e-5
"""Gap below which sleeping bodies touch [m]."""
INFINITE_TRAVEL: Final = 1e9
"""Travel budget without any sleeping body [m]."""


@njit_entry
def find_contacts_between(
    b: Floats, r: RunState, i: int, j: int, k: Floats, m: int, margin: float
) -> tuple[int, float]:
    """Add contacts of body `i` with body `j`, or with the table (-1), with a gap below `margin`: the new count, and a
    lower bound on the distance (from the table's edge)."""
    if j < 0:
        return collide_table(b, r.corners, r.walls, r.edges, i, r.outline, k, m, margin)
    return collide_pyramids(b, r.corners, r.walls, r.edges, min(i, j), max(i, j), r.depths, r.near_edges, k, m, margin)


@njit_entry
def list_awake(b: Floats, r: RunState) -> None:
    """Write the indices of the awake bodies."""
    up = 0
    for i in range(len(b)):
        if b[i, B.STATE] == B.AWAKE:
            r.awake[up] = i
            up += 1
    r.counters[R.AWAKE_COUNT] = up


@njit_entry
def wake(b: Floats, r: RunState, k: Floats, m: int, i: int, gravity: float) -> None:
    """Wake body `i` and all bodies connected to it by contacts; rows of `k` from `m` on are scratch."""
    r.stack[0] = i
    waiting = 1
    b[i, B.STATE] = B.AWAKE
    while waiting > 0:
        waiting -= 1
        one = r.stack[waiting]
        b[one, B.SLOW_TIMER] = b[one, P.STATIONARY_TIMER] = b[one, P.ASLEEP_CHECK_TRAVEL] = 0.0
        r.clock[R.MIN_ENERGY] += gravity * b[one, B.CZ] / b[one, B.INV_MASS] / r.clock[R.MASS_UNIT]
        for j in range(len(b)):
            if b[j, B.STATE] == B.ASLEEP and find_contacts_between(b, r, one, j, k, m, WAKE_MARGIN)[0] > m:
                b[j, B.STATE] = B.AWAKE
                r.stack[waiting] = j
                waiting += 1
    list_awake(b, r)


@njit_no_refcount
def _collide_pair(b: Floats, r: RunState, i: int, j: int, k: Floats, m: int) -> int:
    """Add contacts of two bodies, of lower index first, and update their travel budget: the new count."""
    m, apart = find_contacts_between(b, r, i, j, k, m, 0.0)
    r.check_travel[i, j] = b[i, B.TRAVEL_BOUND] + b[j, B.TRAVEL_BOUND] + max(0.0, apart)
    return m


@njit_inline
def find_contacts(b: Floats, r: RunState, k: Floats, gravity: float) -> int:
    """Find all contacts of the awake bodies, waking those they touch: their number."""
    for i in r.awake[: r.counters[R.AWAKE_COUNT]]:
        update_vertices(b, i, r.corners, r.walls, r.edges)
    # int64: with literals callees are compiled twice
    none: int = np.int64(0)  # type: ignore[assignment]
    table: int = np.int64(TABLE)  # type: ignore[assignment]
    again, m = True, none
    while again:
        again, m = False, none
        for i in r.awake[: r.counters[R.AWAKE_COUNT]]:
            if b[i, P.LOWEST_HEIGHT] <= 0.0:
                m, apart = find_contacts_between(b, r, i, table, k, m, 0.0)
                b[i, P.EDGE_CHECK_TRAVEL] = b[i, B.TRAVEL_BOUND] + apart
            for j in r.awake[: r.counters[R.AWAKE_COUNT]]:
                if j > i and b[i, B.TRAVEL_BOUND] + b[j, B.TRAVEL_BOUND] >= r.check_travel[i, j]:
                    m = _collide_pair(b, r, i, j, k, m)
            if b[i, B.TRAVEL_BOUND] < b[i, P.ASLEEP_CHECK_TRAVEL]:
                continue
            soon = INFINITE_TRAVEL
            for j in range(len(b)):
                if b[j, B.STATE] != B.ASLEEP:
                    continue
                low, high = min(i, j), max(i, j)
                if b[i, B.TRAVEL_BOUND] + b[j, B.TRAVEL_BOUND] >= r.check_travel[low, high]:
                    had = m
                    m = _collide_pair(b, r, low, high, k, m)
                    if m > had:
                        wake(b, r, k, m, j, gravity)
                        again = True
                soon = min(soon, r.check_travel[low, high] - b[j, B.TRAVEL_BOUND])
            b[i, P.ASLEEP_CHECK_TRAVEL] = soon
    return m


@njit_inline
def free_flight_step(b: Floats, r: RunState, gravity: float, step: float) -> float:
    """Longest time step in which no contact can begin, at least `step` [s]."""
    dt = MAX_FREE_STEP
    for i in r.awake[: r.counters[R.AWAKE_COUNT]]:
        fast = max_point_speed(b, i) + gravity * MAX_FREE_STEP
        if b[i, P.LOWEST_HEIGHT] > -2.0 * b[i, B.BOUNDING_RADIUS]:
            ahead = b[i, P.LOWEST_HEIGHT]
            if ahead <= 0.0:  # beside the table, or just on it
                ahead = (
                    max(0.0, b[i, P.EDGE_CHECK_TRAVEL] - b[i, B.TRAVEL_BOUND])
                    if overhang(b, r.outline, i) > 0.0
                    else 0.0
                )
            dt = min(dt, ahead / fast)
        dt = min(dt, max(0.0, (b[i, P.ASLEEP_CHECK_TRAVEL] - b[i, B.TRAVEL_BOUND]) / fast))
        for j in r.awake[: r.counters[R.AWAKE_COUNT]]:
            if j > i:
                ahead = r.check_travel[i, j] - b[i, B.TRAVEL_BOUND] - b[j, B.TRAVEL_BOUND]
                dt = min(dt, max(0.0, ahead / (fast + max_point_speed(b, j) + gravity * MAX_FREE_STEP)))
        if dt < step:
            return step
    return max(step, 0.9 * dt)
