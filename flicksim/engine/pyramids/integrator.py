"""Time stepping of pyramids: contact search, waking, solving, integration, sleeping and stop conditions."""

import math
from typing import Final, NamedTuple

import numpy as np

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.pyramids.bodies import (
    ANCHOR_POSE,
    ASLEEP,
    ASLEEP_CHECK_TRAVEL,
    AWAKE,
    AXIS_X,
    BOUNDING_RADIUS,
    CX,
    CY,
    CZ,
    EDGE_CHECK_TRAVEL,
    EDGE_COUNT,
    FACE_COUNT,
    INV_MASS,
    ISLAND,
    LAST_CONTACT_TIME,
    LAST_HELD_TIME,
    LOWEST_HEIGHT,
    LX,
    REMOVED,
    SIDE_X,
    SLOW_TIMER,
    STATE,
    STATIONARY_TIMER,
    TRAVEL_BOUND,
    VERTEX_COUNT,
    VX,
    WALL_THICKNESS,
    WX,
    Floats,
    Ints,
    energy,
    integrate_free_flight,
    max_point_speed,
    update_vertices,
)
from flicksim.engine.pyramids.contact_solver import (
    prepare_contacts,
    solve_velocities,
    sort_by_depth,
    store_contacts,
    update_momenta,
)
from flicksim.engine.pyramids.contacts import BODY_A, BODY_B, IMPULSE, NORMAL_VELOCITY, NORMAL_X, POINT_X, TABLE
from flicksim.engine.pyramids.energy_limiter import (
    ENERGY_TOLERANCE,
    limit_energy,
    spring_energy,
    store_motion,
    total_energy,
)
from flicksim.engine.pyramids.narrowphase_pyramid import collide_pyramids, collide_table, overhang

ALL_ASLEEP, TIMED_OUT, BUFFER_FULL = range(3)
"""Reasons for which `simulate_until` returned: all at rest, out of time, room for notes used up."""

(
    TIME,
    MAX_TIME,
    KEYFRAME_INTERVAL,
    NEXT_KEYFRAME,
    CONTACT_SCALE,
    RECENT_APPROACH,
    MIN_ENERGY,
    ENERGY_GAIN,
    MASS_UNIT,
    FIRST_CONTACT_TIME,
    RELAX_AFTER,
) = range(11)
"""Clock [s] and what goes with it: now, the end, between keyframes, the next keyframe; scale of the contacts, how hard
they have been lately [m/s]; the least energy there was and the most above it since, over the lightest mass [J/kg], that
mass [kg]; when the thrown body first met anything; when rest is asked for less strictly."""
PREV_CONTACT_COUNT, STEP_COUNT, KEYFRAME_COUNT, HIT_COUNT, THROWN_BODY, AWAKE_COUNT = range(6)
"""Counts: contacts in the step before, steps, keyframes and hits noted; which body was thrown; how many are awake."""

TIME_STEP: Final = 50e-6
"""Step while anything touches [s], at scale 1."""
STIFFNESS: Final = 1e8
"""Square of a contact's natural frequency [1/s^2], at scale 1."""
MAX_ITERATIONS: Final = 10
"""Sweeps over the contacts in a step, at most."""
MAX_FREE_STEP: Final = 4e-3
"""Longest free step [s]."""
SLEEP_SPEED: Final = 20e-3
"""A body on a whole face on the table is slow below this speed of its farthest point [m/s]."""
TIME_TO_SLEEP: Final = 10e-3
"""And at rest after so long [s]."""
DRIFT_TOLERANCE: Final = 25e-6
"""One that leans or is stacked is still while no part of it strays farther from where it was [m]."""
STATIONARY_TIME_TO_SLEEP: Final = 0.06
"""And at rest after so long: a quarter of a degree from balance it would have strayed twice as far [s]."""
BALANCED_TIME_TO_SLEEP: Final = 2.0
"""And one that only an edge or a corner of it bears on the table, which falls unless it is balanced to the bit [s]."""
CONTACT_LINK_TIME: Final = 5e-3
"""Bodies that touched this recently rest together or not at all [s]."""
WAKE_MARGIN: Final = 5e-5
"""Bodies at rest this near touch [m]."""
SOFTEST_SCALE: Final = 0.125
"""Scale of contacts that carry little more than weight."""
FULL_SCALE_APPROACH: Final = 0.12
"""Approach from which contacts are solved at full scale; below, in proportion to it [m/s]."""
APPROACH_DECAY_TIME: Final = 1e-3
"""An approach is half forgotten after about so long [s]."""
MAX_POINT_SPEED: Final = 6.0
"""Fastest point for which the step is fine enough [m/s]; above, step and spring scale, restitution stays."""
MAX_WALL_FRACTION: Final = 0.15
"""And of the thinnest wall so much may be crossed in a step [-]."""
SUPPORT_MARGIN: Final = 3e-4
"""So far inside its support a centre of mass must be to be firm [m]."""
GROUND_TOLERANCE: Final = 2e-5
"""A corner this near the table is on it [m]."""
FALL_DEPTH: Final = 0.03
"""A centre of mass this far below the table's top has left it [m]."""
INFINITE_TRAVEL: Final = 1e9
"""A way that nothing goes [m]."""
MIN_REHIT_TIME: Final = 5e-3
"""Two that part and meet within this have met once [s]."""
MIN_HIT_SPEED: Final = 0.03
"""Meetings slower than this are not noted [m/s]."""
FORCE_SMOOTHING_TIME: Final = 4e-3
"""Forces at rest are told as they were over about so long [s]."""


class RunState(NamedTuple):
    """The state of a run besides the bodies.

    Args:
        clock, counters: see the columns. check_travel: of each two bodies, the travel of both before which they cannot
            meet [m].
        last_contact: when each last touched the table (column 0) and each other (j + 1) [s]. contact_force: by which,
            smoothed [N].
        outline: sides of the table: corner x, y, way x, y, outward x, y, length. [E, 7] corners, walls, edges: in
            space.
        depths, near_edges: scratch. prev_contacts: contacts of the step before. order: of solving. stack: bodies to
            wake.
        awake: who is awake, in order.
        keyframes: t, body, middle, first side, axis. [K, 11] hits: t, body, on, x, y, z, speed. [H, 7]
    """

    clock: Floats
    counters: Ints
    check_travel: Floats
    last_contact: Floats
    contact_force: Floats
    outline: Floats
    corners: Floats
    walls: Floats
    edges: Floats
    depths: Floats
    near_edges: Floats
    prev_contacts: Floats
    order: Ints
    stack: Ints
    awake: Ints
    keyframes: Floats
    hits: Floats


def make_run_state(count: int, outline: Floats, max_contacts: int, keyframe_rows: int) -> RunState:
    """An empty run of so many bodies."""
    return RunState(
        clock=np.zeros(11),
        counters=np.zeros(6, dtype=np.int64),
        check_travel=np.zeros((count, count)),
        last_contact=np.full((count, count + 1), -1.0),
        contact_force=np.zeros((count, count + 1, 3)),
        outline=outline,
        corners=np.zeros((count, VERTEX_COUNT, 3)),
        walls=np.zeros((count, FACE_COUNT, 3)),
        edges=np.zeros((count, 8, 3)),
        depths=np.zeros((2, VERTEX_COUNT, FACE_COUNT)),
        near_edges=np.zeros((2, EDGE_COUNT)),
        prev_contacts=np.zeros((max_contacts, 14)),
        order=np.zeros(max_contacts, dtype=np.int64),
        stack=np.zeros(count, dtype=np.int64),
        awake=np.zeros(count, dtype=np.int64),
        keyframes=np.zeros((keyframe_rows, 11)),
        hits=np.zeros((256, 7)),
    )


@njit_no_refcount
def find_contacts_between(
    b: Floats, r: RunState, i: int, j: int, k: Floats, m: int, margin: float
) -> tuple[int, float]:
    """Contacts of body `i` with body `j`, or with the table (-1), with a gap below `margin`: the new count, and a gap
    that there surely is; of the table, to its edge."""
    if j < 0:
        return collide_table(b, r.corners, r.walls, r.edges, i, r.outline, k, m, margin)
    return collide_pyramids(b, r.corners, r.walls, r.edges, min(i, j), max(i, j), r.depths, r.near_edges, k, m, margin)


@njit_no_refcount
def list_awake(b: Floats, r: RunState) -> None:
    """List who is awake."""
    up = 0
    for i in range(len(b)):
        if b[i, STATE] == AWAKE:
            r.awake[up] = i
            up += 1
    r.counters[AWAKE_COUNT] = up


@njit_no_refcount
def wake(b: Floats, r: RunState, k: Floats, m: int, i: int, gravity: float) -> None:
    """Wake body `i` and all that touch it, one through another; uses the rows of `k` from `m` on as scratch."""
    r.stack[0] = i
    waiting = 1
    b[i, STATE] = AWAKE
    while waiting > 0:
        waiting -= 1
        one = r.stack[waiting]
        b[one, SLOW_TIMER] = b[one, STATIONARY_TIMER] = b[one, ASLEEP_CHECK_TRAVEL] = 0.0
        r.clock[MIN_ENERGY] += gravity * b[one, CZ] / b[one, INV_MASS] / r.clock[MASS_UNIT]
        for j in range(len(b)):
            if b[j, STATE] == ASLEEP and find_contacts_between(b, r, one, j, k, m, WAKE_MARGIN)[0] > m:
                b[j, STATE] = AWAKE
                r.stack[waiting] = j
                waiting += 1
    list_awake(b, r)


@njit_no_refcount
def _collide_pair(b: Floats, r: RunState, i: int, j: int, k: Floats, m: int) -> int:
    """Contacts of two bodies, the first of the lower number, and the travel before which they cannot meet again: the
    new count."""
    m, apart = find_contacts_between(b, r, i, j, k, m, 0.0)
    r.check_travel[i, j] = b[i, TRAVEL_BOUND] + b[j, TRAVEL_BOUND] + max(0.0, apart)
    return m


@njit_inline
def _find_contacts(b: Floats, r: RunState, k: Floats, gravity: float) -> int:
    """All contacts of those awake; who of those asleep is touched is awake."""
    for i in r.awake[: r.counters[AWAKE_COUNT]]:
        update_vertices(b, i, r.corners, r.walls, r.edges)
    none: int = np.int64(0)  # type: ignore[assignment]  # of that very type: a bare 0 would have much compiled twice
    again, m = True, none
    while again:
        again, m = False, none
        for i in r.awake[: r.counters[AWAKE_COUNT]]:
            if b[i, LOWEST_HEIGHT] <= 0.0:
                m, apart = find_contacts_between(b, r, i, TABLE, k, m, 0.0)
                b[i, EDGE_CHECK_TRAVEL] = b[i, TRAVEL_BOUND] + apart
            for j in r.awake[: r.counters[AWAKE_COUNT]]:
                if j > i and b[i, TRAVEL_BOUND] + b[j, TRAVEL_BOUND] >= r.check_travel[i, j]:
                    m = _collide_pair(b, r, i, j, k, m)
            if b[i, TRAVEL_BOUND] < b[i, ASLEEP_CHECK_TRAVEL]:
                continue
            soon = INFINITE_TRAVEL
            for j in range(len(b)):
                if b[j, STATE] != ASLEEP:
                    continue
                low, high = min(i, j), max(i, j)
                if b[i, TRAVEL_BOUND] + b[j, TRAVEL_BOUND] >= r.check_travel[low, high]:
                    had = m
                    m = _collide_pair(b, r, low, high, k, m)
                    if m > had:
                        wake(b, r, k, m, j, gravity)
                        again = True
                soon = min(soon, r.check_travel[low, high] - b[j, TRAVEL_BOUND])
            b[i, ASLEEP_CHECK_TRAVEL] = soon
    return m


@njit_inline
def _free_flight_step(b: Floats, r: RunState, gravity: float, step: float) -> float:
    """The time in which nothing can touch anything [s]."""
    dt = MAX_FREE_STEP
    for i in r.awake[: r.counters[AWAKE_COUNT]]:
        fast = max_point_speed(b, i) + gravity * MAX_FREE_STEP
        if b[i, LOWEST_HEIGHT] > -2.0 * b[i, BOUNDING_RADIUS]:
            ahead = b[i, LOWEST_HEIGHT]
            if ahead <= 0.0:  # beside the table, or just on it
                ahead = (
                    max(0.0, b[i, EDGE_CHECK_TRAVEL] - b[i, TRAVEL_BOUND]) if overhang(b, r.outline, i) > 0.0 else 0.0
                )
            dt = min(dt, ahead / fast)
        dt = min(dt, max(0.0, (b[i, ASLEEP_CHECK_TRAVEL] - b[i, TRAVEL_BOUND]) / fast))
        for j in r.awake[: r.counters[AWAKE_COUNT]]:
            if j > i:
                ahead = r.check_travel[i, j] - b[i, TRAVEL_BOUND] - b[j, TRAVEL_BOUND]
                dt = min(dt, max(0.0, ahead / (fast + max_point_speed(b, j) + gravity * MAX_FREE_STEP)))
        if dt < step:
            return step
    return max(step, 0.9 * dt)


@njit_inline
def _choose_contact_scale(b: Floats, r: RunState) -> None:
    """Choose how finely the contacts of this step are solved: by the fastest point and the thinnest wall, softer where
    all has been gentle for a while.

    What springs had been compressed is forgotten to the same force, or they would give back more than they took.
    """
    clock = r.clock
    before = clock[CONTACT_SCALE]
    fastest, thin = 0.0, 1.0
    for i in r.awake[: r.counters[AWAKE_COUNT]]:
        fastest = max(fastest, max_point_speed(b, i))
        thin = min(thin, b[i, WALL_THICKNESS])
    need = fastest / min(MAX_POINT_SPEED, MAX_WALL_FRACTION * thin / TIME_STEP)
    clock[CONTACT_SCALE] = max(need, min(1.0, max(SOFTEST_SCALE, clock[RECENT_APPROACH] / FULL_SCALE_APPROACH)))
    if before != clock[CONTACT_SCALE]:
        share = before / clock[CONTACT_SCALE]
        for m in range(r.counters[PREV_CONTACT_COUNT]):
            r.prev_contacts[m, 3] *= min(1.0, share * share)
            for x in range(4):
                r.prev_contacts[m, 4 + x] *= share


@njit_inline
def _record_contacts(b: Floats, r: RunState, k: Floats, count: int, dt: float) -> None:
    """Note who touches whom, how strongly, and who has met anew."""
    now, tally = r.clock[TIME], r.counters
    for m in range(count):
        i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
        if i == tally[THROWN_BODY] or j == tally[THROWN_BODY]:
            r.clock[FIRST_CONTACT_TIME] = min(r.clock[FIRST_CONTACT_TIME], now)
        b[i, LAST_CONTACT_TIME] = now
        if j >= 0:
            b[i, LAST_HELD_TIME] = b[j, LAST_HELD_TIME] = b[j, LAST_CONTACT_TIME] = now
        elif k[m, NORMAL_X + 2] < 0.999:
            b[i, LAST_HELD_TIME] = now
        fresh = now - r.last_contact[i, j + 1] > MIN_REHIT_TIME or r.last_contact[i, j + 1] < 0.0
        if fresh:
            for x in range(3):
                r.contact_force[i, j + 1, x] = 0.0
            if abs(k[m, NORMAL_VELOCITY]) >= MIN_HIT_SPEED and tally[HIT_COUNT] < len(r.hits):
                row = r.hits[tally[HIT_COUNT]]
                row[0], row[1], row[2], row[6] = now, i, j, abs(k[m, NORMAL_VELOCITY])
                for x in range(3):
                    row[3 + x] = k[m, POINT_X + x]
                tally[HIT_COUNT] += 1
        r.last_contact[i, j + 1] = now
        if j >= 0:
            r.last_contact[j, i + 1] = now
    blend = min(1.0, dt / FORCE_SMOOTHING_TIME)
    for m in range(count):
        i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
        again = False
        for q in range(m):
            again = again or (k[q, BODY_A] == i and k[q, BODY_B] == j)
        for x in range(3):
            had = r.contact_force[i, j + 1, x] * (1.0 if again else 1.0 - blend)
            push = (
                k[m, IMPULSE] * k[m, NORMAL_X + x]
                + k[m, IMPULSE + 1] * k[m, NORMAL_X + 3 + x]
                + k[m, IMPULSE + 2] * k[m, NORMAL_X + 6 + x]
            )
            r.contact_force[i, j + 1, x] = had + blend * push / dt
            if j >= 0:
                r.contact_force[j, i + 1, x] = -r.contact_force[i, j + 1, x]


@njit_no_refcount
def _is_on_face(r: RunState, i: int) -> bool:
    """True if body `i` is on a whole face on the table."""
    down = 0
    for v in range(5):
        if r.corners[i, v, 2] < GROUND_TOLERANCE:
            down += 1
    return down >= 3


@njit_no_refcount
def is_stable(b: Floats, r: RunState, i: int) -> bool:
    """True if body `i` is on a whole face on the table, its middle well over that."""
    if not _is_on_face(r, i) or overhang(b, r.outline, i) > -SUPPORT_MARGIN:
        return False
    p = r.corners
    x, y = b[i, CX], b[i, CY]
    lows = 0
    for v in range(5):
        if p[i, v, 2] < GROUND_TOLERANCE:
            lows += 1 << v
    first, second, third, fourth = 0, 1, 2, 3
    if lows & 16:
        first, third, fourth = 4, 4, 4
        for v in range(4):
            if lows & (1 << v) and lows & (1 << ((v + 1) % 4)):
                second, third = v, (v + 1) % 4
        if third == 4:
            return False
    elif lows != 15:
        return False
    at, turn, inside = first, 0.0, True
    for to in (second, third, fourth, first):
        if to == at:
            continue
        ex, ey = p[i, to, 0] - p[i, at, 0], p[i, to, 1] - p[i, at, 1]
        left = (ex * (y - p[i, at, 1]) - ey * (x - p[i, at, 0])) / math.sqrt(ex * ex + ey * ey)
        if turn == 0.0:
            turn = 1.0 if left > 0.0 else -1.0
        inside = inside and left * turn > SUPPORT_MARGIN
        at = to
    return inside


@njit_no_refcount
def _update_timers(b: Floats, i: int, dt: float, tolerance_scale: float) -> None:
    """For how long body `i` has been slow, and for how long it has not strayed from where it was."""
    b[i, SLOW_TIMER] = b[i, SLOW_TIMER] + dt if max_point_speed(b, i) < SLEEP_SPEED * tolerance_scale else 0.0
    strayed = 0.0
    for x in range(3):
        strayed += abs(b[i, CX + x] - b[i, ANCHOR_POSE + x])
        strayed += b[i, BOUNDING_RADIUS] * abs(b[i, SIDE_X + x] - b[i, ANCHOR_POSE + 3 + x])
        strayed += b[i, BOUNDING_RADIUS] * abs(b[i, AXIS_X + x] - b[i, ANCHOR_POSE + 6 + x])
    if strayed < DRIFT_TOLERANCE * tolerance_scale:
        b[i, STATIONARY_TIMER] += dt
        return
    b[i, STATIONARY_TIMER] = 0.0
    for x in range(3):
        b[i, ANCHOR_POSE + x], b[i, ANCHOR_POSE + 3 + x], b[i, ANCHOR_POSE + 6 + x] = (
            b[i, CX + x],
            b[i, SIDE_X + x],
            b[i, AXIS_X + x],
        )


@njit_no_refcount
def _can_sleep(b: Floats, r: RunState, i: int) -> bool:
    """True if body `i` could rest by itself."""
    now = r.clock[TIME]
    if now - b[i, LAST_CONTACT_TIME] > CONTACT_LINK_TIME:
        return False
    if (
        b[i, STATIONARY_TIMER] >= STATIONARY_TIME_TO_SLEEP
    ):  # on no face, or its middle beyond the edge, only what else touches it holds it
        stays = _is_on_face(r, i) or b[i, STATIONARY_TIMER] >= BALANCED_TIME_TO_SLEEP
        return now - b[i, LAST_HELD_TIME] <= CONTACT_LINK_TIME or (stays and overhang(b, r.outline, i) <= 0.0)
    return b[i, SLOW_TIMER] >= TIME_TO_SLEEP and now - b[i, LAST_HELD_TIME] > TIME_TO_SLEEP and is_stable(b, r, i)


@njit_inline
def _sleep_islands(b: Floats, r: RunState, gravity: float) -> bool:
    """Put every island to sleep whose bodies have all come to rest; whether nobody is left awake."""
    now, awake = r.clock[TIME], r.awake[: r.counters[AWAKE_COUNT]]
    for i in awake:
        b[i, ISLAND] = i
    for i in awake:
        for j in awake:
            if j <= i or b[i, ISLAND] == b[j, ISLAND] or r.last_contact[i, j + 1] < max(0.0, now - CONTACT_LINK_TIME):
                continue
            old, new = b[j, ISLAND], b[i, ISLAND]
            for q in awake:
                if b[q, ISLAND] == old:
                    b[q, ISLAND] = new
    for root in awake:
        some, all_rest = False, True
        for i in awake:
            if b[i, ISLAND] == root and b[i, STATE] == AWAKE and all_rest:
                some = True
                all_rest = _can_sleep(b, r, i)
        if not (some and all_rest):
            continue
        for i in awake:
            if b[i, ISLAND] == root and b[i, STATE] == AWAKE:
                r.clock[MIN_ENERGY] -= energy(b, i, gravity) / b[i, INV_MASS] / r.clock[MASS_UNIT]
                b[i, STATE] = ASLEEP
                for x in range(3):
                    b[i, VX + x] = b[i, LX + x] = b[i, WX + x] = 0.0
                _record_keyframe(b, r, i)
    up = r.counters[AWAKE_COUNT]
    list_awake(b, r)
    if r.counters[AWAKE_COUNT] < up:
        for i in r.awake[: r.counters[AWAKE_COUNT]]:
            b[i, ASLEEP_CHECK_TRAVEL] = 0.0  # more is asleep than was
    return bool(r.counters[AWAKE_COUNT] == 0)


@njit_no_refcount
def _record_keyframe(b: Floats, r: RunState, i: int) -> None:
    """Note where body `i` is now."""
    at = r.counters[KEYFRAME_COUNT]
    if at >= len(r.keyframes):
        return
    r.keyframes[at, 0], r.keyframes[at, 1] = r.clock[TIME], i
    for x in range(3):
        r.keyframes[at, 2 + x], r.keyframes[at, 5 + x], r.keyframes[at, 8 + x] = (
            b[i, CX + x],
            b[i, SIDE_X + x],
            b[i, AXIS_X + x],
        )
    r.counters[KEYFRAME_COUNT] += 1


@njit_no_refcount
def simulate_until(b: Floats, r: RunState, k: Floats, materials: Floats, gravity: float) -> int:
    """Run until there is a reason to stop, and say which; call again to go on after BUFFER_FULL."""
    many = len(b)
    clock, tally = r.clock, r.counters
    while clock[TIME] < clock[MAX_TIME]:
        if clock[TIME] >= clock[NEXT_KEYFRAME]:
            if tally[KEYFRAME_COUNT] + 3 * many >= len(r.keyframes) or tally[HIT_COUNT] + 64 >= len(r.hits):
                return BUFFER_FULL
            clock[NEXT_KEYFRAME] = clock[TIME] + clock[KEYFRAME_INTERVAL]
            for i in r.awake[: r.counters[AWAKE_COUNT]]:
                _record_keyframe(b, r, i)
        count = _find_contacts(b, r, k, gravity)
        if count > 0:
            _choose_contact_scale(b, r)
            scale = clock[CONTACT_SCALE]
            dt, stiff = TIME_STEP / scale, STIFFNESS * scale * scale
            sort_by_depth(k, r.order, count)
            store_motion(b, r.awake[: r.counters[AWAKE_COUNT]])
            hard = min(1.0, clock[RECENT_APPROACH] / FULL_SCALE_APPROACH)
            prepare_contacts(b, k, r.prev_contacts, count, tally[PREV_CONTACT_COUNT], materials, stiff, dt, hard)
            solve_velocities(b, k, r.order, count, MAX_ITERATIONS, materials)
            update_momenta(b, k, count)
            store_contacts(k, r.prev_contacts, count)
            left = limit_energy(
                b,
                r.awake[: r.counters[AWAKE_COUNT]],
                k,
                count,
                gravity,
                (clock[MIN_ENERGY] + ENERGY_TOLERANCE) * clock[MASS_UNIT],
            )
            clock[MIN_ENERGY] = min(clock[MIN_ENERGY], (left + spring_energy(k, count, stiff, dt)) / clock[MASS_UNIT])
            clock[ENERGY_GAIN] = max(clock[ENERGY_GAIN], left / clock[MASS_UNIT] - clock[MIN_ENERGY])
            _record_contacts(b, r, k, count, dt)
            clock[RECENT_APPROACH] /= 1.0 + dt / APPROACH_DECAY_TIME
            for m in range(count):
                clock[RECENT_APPROACH] = max(clock[RECENT_APPROACH], abs(k[m, NORMAL_VELOCITY]))
        else:
            clock[MIN_ENERGY] = min(
                clock[MIN_ENERGY], total_energy(b, r.awake[: r.counters[AWAKE_COUNT]], gravity) / clock[MASS_UNIT]
            )
            step = TIME_STEP / clock[CONTACT_SCALE]
            dt = _free_flight_step(b, r, gravity, step)
            if dt > 2.0 * step:
                clock[CONTACT_SCALE], clock[RECENT_APPROACH] = 1.0, FULL_SCALE_APPROACH
        tally[PREV_CONTACT_COUNT] = count
        tally[STEP_COUNT] += 1
        dt = min(dt, clock[MAX_TIME] - clock[TIME])
        ease = max(1.0, clock[TIME] / clock[RELAX_AFTER]) ** 4
        clock[TIME] += dt
        fell = slow = False
        for i in r.awake[: r.counters[AWAKE_COUNT]]:
            _update_timers(b, i, dt, ease)
            b[i, TRAVEL_BOUND] += (max_point_speed(b, i) + gravity * dt) * dt
            integrate_free_flight(b, i, dt, gravity)
            if b[i, CZ] < -FALL_DEPTH:
                _record_keyframe(b, r, i)
                clock[MIN_ENERGY] -= energy(b, i, gravity) / b[i, INV_MASS] / clock[MASS_UNIT]
                b[i, STATE] = REMOVED
                fell = True
            slow = slow or (b[i, STATE] == AWAKE and b[i, SLOW_TIMER] >= TIME_TO_SLEEP)
        if fell:
            list_awake(b, r)
        if tally[AWAKE_COUNT] == 0 or (slow and _sleep_islands(b, r, gravity)):
            return ALL_ASLEEP
    return TIMED_OUT
