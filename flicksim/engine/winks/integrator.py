"""Time stepping of winks: contact search, waking, solving, integration, sleeping and stop conditions."""

import math
from typing import Final

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.winks.bodies import (
    ASLEEP,
    AWAKE,
    BOUNDING_RADIUS,
    CONTACT_FLAGS,
    CX,
    CY,
    CZ,
    EXIT_TIME,
    EXIT_X,
    EXIT_Y,
    FLAT_COSINE,
    FLAT_TIMER,
    HALF_THICKNESS,
    ISLAND,
    LX,
    LY,
    LZ,
    NX,
    NY,
    NZ,
    OVER_MAT,
    RADIUS,
    REMOVED,
    SLOW_TIMER,
    STATE,
    TRAVEL_BOUND,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
    Ints,
    energy,
    integrate_free_flight,
    max_point_speed,
)
from flicksim.engine.winks.broadphase import collision_free_time, find_contacts, free_flight_step, list_awake
from flicksim.engine.winks.contact_solver import prepare_contacts, solve_velocities, update_momenta
from flicksim.engine.winks.contacts import BODY_A, BODY_B, GAP, NORMAL_VELOCITY, NORMAL_Z, sort_by_depth
from flicksim.engine.winks.energy_limiter import (
    ENERGY_TOLERANCE,
    awake_energy,
    limit_energy,
    spring_energy,
    store_motion,
)
from flicksim.engine.winks.mat_edge import edge_crossing, is_on_mat
from flicksim.engine.winks.narrowphase_cup import is_in_cup
from flicksim.engine.winks.params import Floats
from flicksim.engine.winks.planar_handover import MIN_FLAT_TIME, is_any_path_blocked
from flicksim.engine.winks.recorder import (
    CONTACT_SCALE,
    ENERGY_GAIN,
    ENERGY_REMOVED,
    GENTLE_TIME,
    KEYFRAME_COUNT,
    KEYFRAME_INTERVAL,
    LOOKAHEAD_TRAVEL,
    MASS_UNIT,
    MAX_TIME,
    MIN_ENERGY,
    NEXT_KEYFRAME,
    PREV_CONTACT_COUNT,
    RUN_GOAL,
    SHOOTER,
    SHOOTER_TOUCHED,
    STEP_COUNT,
    STOP_WHEN_JOINED,
    TIME,
    RunState,
    log_contacts,
    record_keyframe,
)

ALL_ASLEEP, TIMED_OUT, KEYFRAMES_FULL, POTTED, MISSED, SLIDE_READY, SLIDE_BLOCKED, SECOND_AWAKE = range(8)
"""Reasons for which `simulate_until` returned: all at rest, out of time, room for keyframes used up, the early
verdicts, a disc that may glide, a disc near the way of one that glides, a second disc awake."""

UNTIL_REST, UNTIL_DECIDED, UNTIL_SLIDE, UNTIL_POTTED = range(4)
"""Goals of a run; to rest, but for what may glide; the same, but no further once the shooter is surely potted."""

SLEEP_SPEED: Final = 20e-3
"""A disc is slow below this speed of its rim [m/s]."""
TIME_TO_SLEEP: Final = 30e-3
"""An island that was slow this long is at rest [s]."""
CONTACT_LINK_TIME: Final = 5e-3
"""Discs that touched this recently rest together or not at all [s]."""
BALANCED_TIME_TO_SLEEP: Final = 0.3
"""The same for a wink on its edge, ten times as long as it takes to begin to fall [s]."""
MAX_POINT_SPEED: Final = 6.0
"""Fastest rim for which the tabled step is fine enough [m/s]; above, step and spring scale, restitution stays."""


SOFTEST_SCALE: Final = 0.25
"""Scale of the contacts of what moves gently on the felt. Half of it halves the steps of a wink that rolls out, but
what wakes and rests again sinks by 50 micrometres."""
MAX_GENTLE_APPROACH: Final = 0.03
"""Approach in a gentle contact, at most [m/s]."""
SPEED_GAIN_MARGIN: Final = 0.03
"""Speed that anything gains in a step, at most [m/s]."""
TIME_TO_SOFTEN: Final = 2e-3
"""Contacts are softened after having been gentle this long [s]."""


@njit_no_refcount
def _softest_safe_scale(b: Floats, awake: Ints, pairs: Floats, pot: Floats, soft: float, numbers: Floats) -> float:
    """The scale of contacts that are to be so soft, as far as all else is far enough away for their long steps."""
    if soft < 1.0:
        clear = collision_free_time(b, awake, pairs, pot, numbers[0])
        while soft < 1.0 and clear <= 2.0 * numbers[2] / soft:
            soft *= 2.0
        soft = min(1.0, soft)
    return soft


@njit_inline
def _choose_contact_scale(
    b: Floats,
    awake: Ints,
    pairs: Floats,
    pot: Floats,
    prev_contacts: Floats,
    prev_count: int,
    clock: Floats,
    numbers: Floats,
) -> None:
    """Choose how finely the contacts of this step are solved.

    What only rolls, slides or settles on the felt, far from all else, is solved with softer springs and longer steps:
    its contacts carry little more than its weight. Before it can hit anything the springs are stiff again, and what
    they had been compressed is forgotten to the same force, or they would give back more than they took.

    What touches in the very first step may be fast already: shot hard at a wall it lies against, it passed through it.
    """
    scale = clock[CONTACT_SCALE]
    calm = clock[GENTLE_TIME] >= TIME_TO_SOFTEN
    if not calm and scale >= 1.0:
        return
    fastest = 0.0
    for i in awake:
        fastest = max(fastest, max_point_speed(b, i))
    soft = max(SOFTEST_SCALE, fastest / MAX_POINT_SPEED)
    clock[CONTACT_SCALE] = _softest_safe_scale(b, awake, pairs, pot, soft, numbers) if calm else max(1.0, soft)
    if scale != clock[CONTACT_SCALE]:
        share = scale / clock[CONTACT_SCALE]
        for m in range(prev_count):
            prev_contacts[m, 8] *= min(1.0, share * share)
    if calm and soft < 1.0:
        clock[LOOKAHEAD_TRAVEL] = (fastest + SPEED_GAIN_MARGIN) * 2.5 * numbers[2] / soft


@njit_inline
def _limit_energy(
    b: Floats,
    awake: Ints,
    asleep_energy: float,
    k: Floats,
    count: int,
    clock: Floats,
    gravity: float,
    materials: Floats,
    dt: float,
) -> None:
    """Hold the energy of this step's pushes to the least there was, and note what there is now, springs included.

    `asleep_energy`: energy of who is not awake [J].
    """
    unit = clock[MASS_UNIT]
    made, left = limit_energy(
        b, awake, k, count, gravity, (clock[MIN_ENERGY] + ENERGY_TOLERANCE) * unit - asleep_energy
    )
    clock[ENERGY_REMOVED] += (made - left) / unit
    left += asleep_energy
    clock[MIN_ENERGY] = min(clock[MIN_ENERGY], (left + spring_energy(b, k, count, materials, dt)) / unit)
    clock[ENERGY_GAIN] = max(clock[ENERGY_GAIN], left / unit - clock[MIN_ENERGY])


@njit_inline
def _update_timers(b: Floats, i: int, dt: float, gravity: float) -> None:
    """Count for how long disc `i` has been slow, and flat and sliding."""
    wx, wy, wz = b[i, WX], b[i, WY], b[i, WZ]
    v2 = b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ]
    slow = math.sqrt(v2) + math.sqrt(wx * wx + wy * wy + wz * wz) * b[i, RADIUS] < SLEEP_SPEED
    b[i, SLOW_TIMER] = b[i, SLOW_TIMER] + dt if slow else 0.0
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    flat = int(b[i, CONTACT_FLAGS]) & 4 == 0 and abs(nz) > FLAT_COSINE and b[i, OVER_MAT] == 1
    if flat:
        axial = (wx * nx + wy * ny + wz * nz) * (b[i, LX] * nx + b[i, LY] * ny + b[i, LZ] * nz)
        spare = b[i, VZ] * b[i, VZ] + wx * b[i, LX] + wy * b[i, LY] + wz * b[i, LZ] - axial
        flat = 0.5 * spare + gravity * (b[i, CZ] - b[i, HALF_THICKNESS]) < gravity * 0.3e-3
    b[i, FLAT_TIMER] = b[i, FLAT_TIMER] + dt if flat else 0.0


@njit_inline
def _check_mat_exit(b: Floats, outline: Floats, now: float, i: int, x: float, y: float, dt: float) -> None:
    """Note where disc `i`, which was at (x, y), crosses the mat's edge; once below the felt it is gone."""
    if len(outline) == 0:
        return
    over = is_on_mat(b[i, CX], b[i, CY], outline)
    if b[i, OVER_MAT] == 1 and not over:
        part = edge_crossing(x, y, b[i, CX], b[i, CY], outline)
        b[i, EXIT_TIME] = now + part * dt
        b[i, EXIT_X], b[i, EXIT_Y] = x + part * (b[i, CX] - x), y + part * (b[i, CY] - y)
    b[i, OVER_MAT] = 1 if over else 0
    if not over and b[i, CZ] < 0.0:
        b[i, STATE] = REMOVED


@njit_inline
def _sleep_islands(b: Floats, awake_ids: Ints, seen: Floats, now: float) -> bool:
    """Freeze every island whose discs have all been slow long enough; whether nobody is left awake.

    Who touched within the last few milliseconds belongs together: contacts in a leaning pile flicker from step to step,
    and a part frozen by itself is woken by the rest, for ever.
    """
    discs = len(b)
    ready = False
    for i in awake_ids:
        if b[i, STATE] == AWAKE and b[i, SLOW_TIMER] >= TIME_TO_SLEEP:
            ready = True
    if ready:
        for i in range(discs):
            b[i, ISLAND] = i
        for p in range(discs):
            for q in range(p + 1, discs):
                if seen[p, q + 2] < now - CONTACT_LINK_TIME or b[p, ISLAND] == b[q, ISLAND]:
                    continue
                old, new = b[q, ISLAND], b[p, ISLAND]
                for i in range(discs):
                    if b[i, ISLAND] == old:
                        b[i, ISLAND] = new
        for root in range(discs):
            still = False
            for i in range(discs):
                if b[i, ISLAND] != root or b[i, STATE] != AWAKE:
                    continue
                still = True
                on_edge = int(b[i, CONTACT_FLAGS]) & 2 == 0 and abs(b[i, NZ]) < FLAT_COSINE
                touched = b[i, CONTACT_FLAGS] > 0
                for q in range(discs + 2):
                    touched = (
                        touched
                        or seen[i, q] > now - CONTACT_LINK_TIME
                        or (q < i and seen[q, i + 2] > now - CONTACT_LINK_TIME)
                    )
                if not touched or b[i, SLOW_TIMER] < (BALANCED_TIME_TO_SLEEP if on_edge else TIME_TO_SLEEP):
                    still = False
                    break
            if not still:
                continue
            for i in range(discs):
                if b[i, ISLAND] == root and b[i, STATE] == AWAKE:
                    b[i, STATE] = ASLEEP
                    for x in range(3):
                        b[i, VX + x] = b[i, LX + x] = b[i, WX + x] = 0.0
    awake = 0
    for i in awake_ids:
        if b[i, STATE] == AWAKE:
            awake += 1
    return awake == 0


@njit_inline
def _pot_outcome(b: Floats, i: int, pot: Floats, gravity: float, sprung: float) -> int:
    """POTTED or MISSED as soon as disc `i` has not the energy to change it, else -1.

    `spring_energy` bounds the energy per mass that sits in its contacts' springs; forgotten, bouncing winks would be
    called potted. Where no other disc is about, what moves away from the pot, clear of it, does not come back by that
    motion: the felt only brakes it."""
    x, y, z = b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ]
    if z >= pot[4]:
        return -1
    spare = energy(b, i, gravity) + sprung
    if is_in_cup(x, y, z, pot):
        if z < pot[4] - b[i, HALF_THICKNESS] and spare < gravity * (pot[4] - 1e-3):
            return POTTED
    elif spare < 0.9 * gravity * pot[4]:
        return MISSED
    elif len(b) == 1:
        rho, away = math.sqrt(x * x + y * y), x * b[i, VX] + y * b[i, VY]
        if rho > pot[3] + pot[5] + b[i, BOUNDING_RADIUS] and away > 0.0:
            away /= rho
            if spare - 0.5 * away * away < 0.9 * gravity * pot[4]:
                return MISSED
    return -1


@njit_no_refcount
def simulate_until(
    b: Floats,
    r: RunState,
    k: Floats,
    prev_contacts: Floats,
    order: Ints,
    pot: Floats,
    materials: Floats,
    numbers: Floats,
) -> int:
    """Run until there is a reason to stop, and say which; call again to go on after KEYFRAMES_FULL."""
    gravity, stiffness, step, sweeps = numbers[0], numbers[1], numbers[2], int(numbers[3])
    clock, tally, pairs, edge, near = r.clock, r.counters, r.pairs, r.outline, r.scratch
    shooter, goal = tally[SHOOTER], tally[RUN_GOAL]
    glide, early = goal in (UNTIL_SLIDE, UNTIL_POTTED), goal in (UNTIL_DECIDED, UNTIL_POTTED)
    while clock[TIME] < clock[MAX_TIME]:
        if glide and is_any_path_blocked(b):
            return SLIDE_BLOCKED
        if clock[KEYFRAME_INTERVAL] > 0.0 and clock[TIME] >= clock[NEXT_KEYFRAME]:
            if tally[KEYFRAME_COUNT] >= len(r.keyframe_times):
                return KEYFRAMES_FULL
            record_keyframe(b, r)
        sprung = 0.0
        count = find_contacts(b, pairs, k, pot, gravity, near, clock[LOOKAHEAD_TRAVEL])
        clock[LOOKAHEAD_TRAVEL] = 0.0
        up, still = list_awake(b, r.awake, gravity)
        who = r.awake[:up]
        for i in who:
            b[i, CONTACT_FLAGS] = 0
        if up > 1 and tally[STOP_WHEN_JOINED] == 1:
            return SECOND_AWAKE
        if count > 0:
            _choose_contact_scale(b, who, pairs, pot, prev_contacts, tally[PREV_CONTACT_COUNT], clock, numbers)
            scale = clock[CONTACT_SCALE]
            dt = step / scale
            stiff = stiffness * scale * scale
            sort_by_depth(k, order, count)
            prepare_contacts(b, who, k, prev_contacts, count, tally[PREV_CONTACT_COUNT], materials, dt)
            store_motion(b, who)
            solve_velocities(b, who, k, order, count, sweeps, dt)
            update_momenta(b, who, k, count, materials)
            _limit_energy(b, who, still, k, count, clock, gravity, materials, dt)
            if log_contacts(b, r, k, order, count, dt):
                clock[NEXT_KEYFRAME] = min(clock[NEXT_KEYFRAME], clock[TIME])
            if shooter >= 0 and b[shooter, CONTACT_FLAGS] > 0:
                tally[SHOOTER_TOUCHED] = 1
            clock[GENTLE_TIME] += dt
            for m in range(count):
                if k[m, BODY_B] >= 0 or k[m, NORMAL_Z] < 0.9999 or abs(k[m, NORMAL_VELOCITY]) > MAX_GENTLE_APPROACH:
                    clock[GENTLE_TIME] = 0.0
                if k[m, BODY_A] == shooter or k[m, BODY_B] == shooter:
                    sprung += 0.5 * stiff * k[m, GAP] * k[m, GAP]
        else:
            total, fastest = (awake_energy(b, who, gravity) + still) / clock[MASS_UNIT], 0.0
            for i in who:
                fastest = max(fastest, max_point_speed(b, i))
            clock[MIN_ENERGY] = min(clock[MIN_ENERGY], total)
            clock[ENERGY_GAIN] = max(clock[ENERGY_GAIN], total - clock[MIN_ENERGY])
            clock[CONTACT_SCALE] = max(1.0, fastest / MAX_POINT_SPEED)
            dt = free_flight_step(b, who, pairs, pot, gravity, step / clock[CONTACT_SCALE])
        tally[PREV_CONTACT_COUNT] = count
        tally[STEP_COUNT] += 1
        if early and tally[SHOOTER_TOUCHED] == 1:
            verdict = _pot_outcome(b, shooter, pot, gravity, sprung)
            if verdict == POTTED or (verdict == MISSED and goal == UNTIL_DECIDED):
                return verdict
        dt = min(dt, clock[MAX_TIME] - clock[TIME])
        flat = False
        for i in who:
            x, y = b[i, CX], b[i, CY]
            integrate_free_flight(b, i, dt, gravity)
            b[i, TRAVEL_BOUND] += (max_point_speed(b, i) + gravity * dt) * dt
            _update_timers(b, i, dt, gravity)
            _check_mat_exit(b, edge, clock[TIME], i, x, y, dt)
            flat = flat or b[i, FLAT_TIMER] >= MIN_FLAT_TIME
        clock[TIME] += dt
        if _sleep_islands(b, who, r.last_contact, clock[TIME]):
            return ALL_ASLEEP
        if glide and flat:
            return SLIDE_READY
    return TIMED_OUT
