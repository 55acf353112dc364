"""Broad phase of winks by travel budget: contact search, waking, and collision-free time steps.

Each narrow-phase test yields a lower bound on the distance of a pair, or of a disc and the pot. Until they have
travelled as far, the test is not repeated; an awake disc is not tested against any sleeping one before its smallest
such budget is spent. So the cost grows with the discs that move, not with those at rest.
"""

import math
from typing import Final

import numpy as np

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import Floats, energy, max_point_speed
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import recorder as R
from flicksim.engine.winks.bodies import lowest_height
from flicksim.engine.winks.clear_paths import BLOCKED_DISTANCE, distance_to_path
from flicksim.engine.winks.contacts import FELT, POT, add_ground_contacts
from flicksim.engine.winks.narrowphase_cup import collide_cup, collide_inner_wall, is_in_cone, is_in_cup
from flicksim.engine.winks.narrowphase_wink_wink import collide_winks
from flicksim.engine.winks.recorder import RunState
from flicksim.engine.winks.separation import CHECK_TRAVEL, STACKED

TOUCH_MARGIN: Final = 20e-6
"""Gap below which winks at rest touch, and wake together [m]."""
POT_RECHECK_TRAVEL: Final = 0.5e-3
"""Travel after which an early test against the pot pays [m]."""
MAX_FREE_STEP: Final = 4e-3
"""Longest step of free flight [s]."""


@njit_no_refcount
def wake(b: Floats, pairs: Floats, k: Floats, m: int, i: int, scratch: Floats) -> None:
    """Wake disc `i` and all discs connected to it by contacts; rows of `k` from `m` on are scratch.

    Winks placed by hand may be slightly above their support: STACKED pairs wake together too, or they would hang in the
    air when it leaves.
    """
    b[i, B.STATE] = B.AWAKE
    b[i, B.SLOW_TIMER] = 0.0
    grown = True
    while grown:
        grown = False
        for p in range(len(b)):
            if b[p, B.STATE] != B.AWAKE:
                continue
            for q in range(len(b)):
                if b[q, B.STATE] == B.ASLEEP:
                    found, _ = collide_winks(b, min(p, q), max(p, q), pairs, k, m, TOUCH_MARGIN, scratch)
                    if found > m or pairs[min(p, q), max(p, q), STACKED] == 1:
                        b[q, B.STATE] = B.AWAKE
                        b[q, B.SLOW_TIMER] = 0.0
                        grown = True


@njit_no_refcount
def _keep_on_felt(b: Floats, i: int, gravity: float) -> None:
    """Keep launched disc `i` above the felt until it clears it or falls; from then on it has ground contacts.

    With more spin than rise its trailing edge would sink, and pass under winks and the pot. The disc is lifted as far,
    at the expense of its kinetic energy.
    """
    deep = -lowest_height(b, i)
    if deep < 0.0 or b[i, B.VZ] <= 0.0:
        b[i, W.TAKING_OFF] = 0.0
    if deep <= 0.0:
        return
    had = energy(b, i, gravity) - gravity * b[i, B.CZ]
    b[i, B.CZ] += deep
    keep = math.sqrt(max(0.0, 1.0 - gravity * deep / had)) if had > 0.0 else 1.0
    for x in range(3):
        b[i, B.VX + x] *= keep
        b[i, B.LX + x] *= keep
        b[i, B.WX + x] *= keep


@njit_no_refcount
def list_awake(b: Floats, r: RunState, gravity: float) -> None:
    """List the awake discs, after any change of states: their indices and number, the number of sliding discs, and the
    potential energy of all that are not awake."""
    count, sliding, asleep_energy = 0, 0, 0.0
    for i in range(len(b)):
        if b[i, B.STATE] == B.AWAKE:
            r.awake[count] = i
            count += 1
            b[i, W.ASLEEP_CHECK_TRAVEL] = 0.0  # there may be new sleeping discs
        elif b[i, B.STATE] != B.REMOVED:
            asleep_energy += gravity * b[i, B.CZ] / b[i, B.INV_MASS]
            sliding += 1 if b[i, B.STATE] == W.SLIDING else 0
    r.counters[R.AWAKE_COUNT], r.counters[R.SLIDING_COUNT], r.clock[R.ASLEEP_ENERGY] = count, sliding, asleep_energy


@njit_no_refcount
def _collide_with_discs(b: Floats, r: RunState, k: Floats, m: int, i: int) -> tuple[int, bool]:
    """Add contacts of awake disc `i` with other discs, each awake pair once: the new count; True if one was woken."""
    pairs = r.pairs
    all_discs = b[i, B.TRAVEL_BOUND] >= b[i, W.ASLEEP_CHECK_TRAVEL]
    budget = math.inf
    for at in range(len(b) if all_discs else r.counters[R.AWAKE_COUNT]):
        j = at if all_discs else r.awake[at]
        if j == i or b[j, B.STATE] >= B.REMOVED or (b[j, B.STATE] == B.AWAKE and j < i):
            continue
        p, q = min(i, j), max(i, j)
        travel = b[p, B.TRAVEL_BOUND] + b[q, B.TRAVEL_BOUND]
        if travel >= pairs[p, q, CHECK_TRAVEL]:
            found, clear = collide_winks(b, p, q, pairs, k, m, 0.0, r.scratch)
            pairs[p, q, CHECK_TRAVEL] = travel + clear
            if found > m and b[j, B.STATE] == B.ASLEEP:
                wake(b, pairs, k, found, j, r.scratch)
                return m, True
            m = found
        if b[j, B.STATE] == B.ASLEEP:
            budget = min(budget, pairs[p, q, CHECK_TRAVEL] - b[j, B.TRAVEL_BOUND])
    if all_discs:
        b[i, W.ASLEEP_CHECK_TRAVEL] = budget
    return m, False


@njit_no_refcount
def find_contacts(b: Floats, r: RunState, k: Floats, pot: Floats, gravity: float) -> int:
    """Find all contacts of awake discs, waking those they touch: their number."""
    none: int = np.int64(0)  # type: ignore[assignment]  # an int64: with a literal 0 callees are compiled twice
    m = at = none
    while at < r.counters[R.AWAKE_COUNT]:
        i = r.awake[at]
        b[i, W.CONTACT_COUNT] = 0
        level, against, over = 0.0, FELT, b[i, W.OVER_MAT] == 1
        if len(pot) > 0 and is_in_cup(b[i, B.CX] - pot[0], b[i, B.CY] - pot[1], b[i, B.CZ], pot):
            level, against, over = pot[6], POT, True
        elif over and b[i, W.TAKING_OFF] == 1:
            _keep_on_felt(b, i, gravity)
            over = b[i, W.TAKING_OFF] == 0
        if over:
            m = add_ground_contacts(b, i, level, against, k, m)
        travel = b[i, B.TRAVEL_BOUND]
        due = travel >= b[i, W.POT_CHECK_TRAVEL] or (
            travel >= b[i, W.POT_CHECK_TRAVEL] - r.clock[R.LOOKAHEAD_TRAVEL]
            and travel >= b[i, W.LAST_POT_CHECK] + POT_RECHECK_TRAVEL
        )
        if len(pot) > 0 and due:
            m, clear = collide_cup(b, i, pot, k, m, 0.0, r.scratch)
            b[i, W.POT_CHECK_TRAVEL], b[i, W.LAST_POT_CHECK] = travel + clear, travel
        m, woken = _collide_with_discs(b, r, k, m, i)
        at += 1
        if woken:  # search again with all of them awake: a sleeping disc would act as a fixed one
            list_awake(b, r, gravity)
            m = at = none
    return m


@njit_no_refcount
def collision_free_time(b: Floats, r: RunState, pot: Floats, gravity: float) -> float:
    """Time in which no awake disc can reach the pot, another disc or the path of a sliding one [s]."""
    dt = MAX_FREE_STEP
    extra = 0.5 * MAX_FREE_STEP * gravity + 0.01
    for i in r.awake[: r.counters[R.AWAKE_COUNT]]:
        rate = max_point_speed(b, i) + extra
        if len(pot) > 0:
            dt = min(dt, 0.9 * (b[i, W.POT_CHECK_TRAVEL] - b[i, B.TRAVEL_BOUND]) / rate)
        # pairs with sleeping discs only where their least budget, but for rounding, could shorten the time
        budget = b[i, W.ASLEEP_CHECK_TRAVEL] - b[i, B.TRAVEL_BOUND]
        all_discs = r.counters[R.SLIDING_COUNT] > 0 or 0.89 * budget / rate <= dt
        for at in range(len(b) if all_discs else r.counters[R.AWAKE_COUNT]):
            j = at if all_discs else r.awake[at]
            if j == i or b[j, B.STATE] == B.REMOVED:
                continue
            if b[j, B.STATE] == W.SLIDING:
                dt = min(dt, 0.9 * (distance_to_path(b, i, j) - BLOCKED_DISTANCE) / rate)
                continue
            both = rate
            if b[j, B.STATE] == B.AWAKE:
                both += max_point_speed(b, j) + extra
            p, q = min(i, j), max(i, j)
            dt = min(dt, 0.9 * (r.pairs[p, q, CHECK_TRAVEL] - b[p, B.TRAVEL_BOUND] - b[q, B.TRAVEL_BOUND]) / both)
    return dt


@njit_no_refcount
def _is_flight_clear(
    b: Floats, i: int, k: Floats, pot: Floats, gravity: float, t: float, in_cone: bool, scratch: Floats
) -> bool:
    """True if disc `i`, in contact with nothing now, certainly meets neither the ground nor the pot within time `t`.

    in_cone: whether all of it is in the cone of the inner wall now.

    Along a fixed direction the gap between a plane and a disc whose centre and normal move at constant rates is concave
    in time: where it is open now and at the end, it is in between. The end leaves room for what both curve off a
    straight line. The inner wall is the envelope of such planes.
    """
    x, y, z, nx, ny, nz = b[i, B.CX], b[i, B.CY], b[i, B.CZ], b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    vx, vy, vz, R, h = b[i, B.VX], b[i, B.VY], b[i, B.VZ], b[i, W.RADIUS], b[i, W.HALF_THICKNESS]
    it = b[i, B.INV_INERTIA]
    lx, ly, lz = it * b[i, B.LX], it * b[i, B.LY], it * b[i, B.LZ]  # rate at which the normal turns
    curve = (R + h) * (lx * lx + ly * ly + lz * lz) + b[i, W.FACE_DRAG] * (vx * vx + vy * vy + vz * vz)
    room = 0.51 * curve * t * t
    ex, ey, ez = nx + t * (ly * nz - lz * ny), ny + t * (lz * nx - lx * nz), nz + t * (lx * ny - ly * nx)
    dx, dy, dz = t * vx, t * vy, t * vz - 0.5 * gravity * t * t
    low, end = (
        z - R * math.sqrt(nx * nx + ny * ny) - h * abs(nz),
        z + dz - R * math.sqrt(ex * ex + ey * ey) - h * abs(ez),
    )
    if len(pot) == 0:
        return bool(b[i, W.OVER_MAT] != 1 or end > room)
    x, y = x - pot[0], y - pot[1]
    inside = is_in_cup(x, y, z, pot)
    if (inside or b[i, W.OVER_MAT] == 1) and end - (pot[6] if inside else 0.0) <= room:
        return False
    if 0.9 * (b[i, W.POT_CHECK_TRAVEL] - b[i, B.TRAVEL_BOUND]) >= t * (max_point_speed(b, i) + gravity * t):
        return True
    top, rho = pot[4] + pot[5] * abs(pot[7]), math.sqrt(x * x + y * y)
    if low > top and end - top > room:
        return True
    if in_cone:
        size = math.sqrt(ex * ex + ey * ey + ez * ez)
        _, clear = collide_inner_wall(
            i, x + dx, y + dy, z + dz, ex / size, ey / size, ez / size, size * R, size * h, pot, k, 0 * i, room, scratch
        )
        return bool(clear > room)
    if rho == 0.0:
        return False
    ax, ay, out = x / rho, y / rho, max(pot[2], pot[3]) + pot[5]
    a, e = nx * ax + ny * ay, ex * ax + ey * ay
    if rho - R * math.sqrt(max(0.0, 1.0 - a * a)) - h * abs(a) <= out:
        return False
    wide = R * math.sqrt(max(0.0, ex * ex + ey * ey + ez * ez - e * e)) + h * abs(e)
    return bool(rho + dx * ax + dy * ay - wide - out > room)


@njit_no_refcount
def free_flight_step(b: Floats, r: RunState, k: Floats, pot: Floats, gravity: float, shortest: float) -> float:
    """Longest time step found in which no contact can begin, at least `shortest` [s]; rows of `k` are scratch."""
    dt = collision_free_time(b, r, pot[:0], gravity)
    for i in r.awake[: r.counters[R.AWAKE_COUNT]]:
        if b[i, W.TAKING_OFF] == 1:
            return shortest
        t, in_cone = shortest, False
        if len(pot) > 0:
            budget = b[i, W.POT_CHECK_TRAVEL] - b[i, B.TRAVEL_BOUND]
            t = min(dt, 0.89 * budget / (max_point_speed(b, i) + gravity * dt))
            if t < dt:
                in_cone = is_in_cone(b, i, pot, k, r.scratch)
            if t < shortest or not _is_flight_clear(b, i, k, pot, gravity, t, in_cone, r.scratch):
                t = shortest
        elif _is_flight_clear(b, i, k, pot, gravity, dt, in_cone, r.scratch):
            t = dt
        while t < dt and _is_flight_clear(b, i, k, pot, gravity, min(2.0 * t, dt), in_cone, r.scratch):
            t *= 2.0
        dt = min(t, dt)
    return max(dt, shortest)
