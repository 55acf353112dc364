"""Time stepping of winks: contact search, waking, solving, integration, sleeping and stop conditions."""

import math
from typing import Final

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Floats, Ints, energy, max_point_speed, stop, total_energy
from flicksim.engine.rigid_bodies.contacts import sort_by_depth
from flicksim.engine.rigid_bodies.energy_limiter import limit_energy, store_motion
from flicksim.engine.rigid_bodies.islands import find_sleeping_island, label_touch_islands
from flicksim.engine.rigid_bodies.previous_contacts import PREV_DEPTH, scale_impulses, store_contacts
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import params as M
from flicksim.engine.winks import recorder as R
from flicksim.engine.winks.bodies import FLAT_COSINE, integrate_free_flight
from flicksim.engine.winks.broadphase import collision_free_time, find_contacts, free_flight_step, list_awake
from flicksim.engine.winks.clear_paths import MIN_FLAT_TIME, is_any_path_blocked
from flicksim.engine.winks.contact_solver import prepare_contacts, solve_velocities, spring_energy, update_momenta
from flicksim.engine.winks.contacts import material_index
from flicksim.engine.winks.mat_edge import edge_crossing, is_on_mat
from flicksim.engine.winks.narrowphase_cup import is_in_cup
from flicksim.engine.winks.recorder import RunState, log_contacts, record_keyframe
from flicksim.engine.winks.rolling import MAX_ROLLING_STEP, MIN_ROLLING_STEP, roll

ALL_ASLEEP, TIMED_OUT, KEYFRAMES_FULL, POTTED, MISSED, SLIDE_READY, SLIDE_BLOCKED, SECOND_AWAKE = range(8)
"""Return values of `simulate_until`: everything at rest, time limit, keyframe buffer full, early verdicts on the
shooter, a disc that may slide in the plane, a disc near the path of a sliding one, a second disc awake."""

UNTIL_REST, UNTIL_DECIDED, UNTIL_SLIDE, UNTIL_POTTED, UNTIL_DECIDED_ALONE = range(5)
"""Stop conditions: rest; an early verdict; rest or a disc that may slide; the same or, as long as no other disc has
been awake, the shooter certainly potted; of shots, an early verdict likewise, else rest or a disc that may slide."""

SLEEP_SPEED: Final = 20e-3
"""Rim speed below which a disc is slow [m/s]."""
TIME_TO_SLEEP: Final = 30e-3
"""Time after which a slow island sleeps [s]."""
CONTACT_LINK_TIME: Final = 5e-3
"""Time since their last contact for which discs belong to the same island [s]."""
FLAT_TIME_TO_SLEEP: Final = 10e-3
"""`TIME_TO_SLEEP` of a wink flat on level ground that touches nothing else [s]: slides so slow stop within 8 ms."""
BALANCED_TIME_TO_SLEEP: Final = 0.3
"""`TIME_TO_SLEEP` of a wink on its edge: ten times the time in which it begins to fall [s]."""
ENERGY_TOLERANCE: Final = 2e-4
"""Energy that impulses may add nevertheless, per mass of the lightest wink [J/kg]: 20 micrometres of height. Without it
interpenetrating winks could not be separated."""
SOFTEST_SCALE: Final = 0.25
"""Smallest contact scale, of slow motion on the felt. Half of it would halve the steps of a rolling wink, but winks
that wake and rest again would sink by 50 micrometres."""
MAX_GENTLE_APPROACH: Final = 0.06
"""Largest approach speed of a gentle contact [m/s]."""
MAX_GENTLE_SPEED: Final = 1.0
"""Largest rim speed with which steps are long [m/s]."""
MAX_PILE_SPEED: Final = 0.5
"""Largest rim speed with which steps are those of piles: farther than 100 micrometres nothing moves in one [m/s]."""
SPEED_GAIN_MARGIN: Final = 0.03
"""Bound on the gain of speed in a step [m/s]."""
_LONG: Final = float(M.STEP_LENGTHS[M.LONG_STEP])
TIME_TO_LENGTHEN: Final = 1e-3
"""Time with gentle contacts only after which steps are long and, on level ground alone, contacts soft [s]."""


@njit_no_refcount
def _softest_safe_scale(b: Floats, r: RunState, pot: Floats, soft: float, solver_params: Floats) -> float:
    """Contact scale of at least `soft` for whose long steps no collision and no time limit is near enough.

    A step that is cut short has the impulses of a whole one.
    """
    if soft < 1.0:
        clear = min(collision_free_time(b, r, pot, solver_params[0]), r.clock[R.MAX_TIME] - r.clock[R.TIME])
        while soft < 1.0 and clear <= 2.0 * _LONG * solver_params[2] / soft:
            soft *= 2.0
        soft = min(1.0, soft)
    return soft


@njit_inline
def _choose_contact_scale(b: Floats, r: RunState, awake: Ints, pot: Floats, solver_params: Floats) -> int:
    """Choose the contact scale of this step: stiffness is multiplied by its square, the time step divided by it.

    Returns:
        Kind of the step, see `params.LONG_STEP`.

    Where all contacts have been gentle, steps are long: springs are integrated exactly, whatever the step, and slow
    discs on others or at the pot have inelastic contacts instead. Discs that only roll, slide or settle on level
    ground, far from all else, get softer springs too: their contacts carry little more than the weight. Before a
    collision is possible the springs are stiff again.

    In the first step discs may be fast already: shot hard at an adjacent wall, they would pass through it.
    """
    clock = r.clock
    scale = clock[R.CONTACT_SCALE]
    gentle = clock[R.GENTLE_TIME] >= TIME_TO_LENGTHEN
    calm = clock[R.LEVEL_TIME] >= TIME_TO_LENGTHEN
    if not gentle and scale >= 1.0:
        return 0
    fastest = 0.0
    for i in awake:
        fastest = max(fastest, max_point_speed(b, i))
    soft = max(SOFTEST_SCALE, fastest / solver_params[4])
    clock[R.CONTACT_SCALE] = _softest_safe_scale(b, r, pot, soft, solver_params) if calm else max(1.0, soft)
    if calm and soft < 1.0:
        clock[R.LOOKAHEAD_TRAVEL] = (fastest + SPEED_GAIN_MARGIN) * 2.5 * _LONG * solver_params[2] / soft
    if not gentle or fastest > MAX_GENTLE_SPEED:
        return 0
    kind = M.LONG_STEP if calm or fastest > MAX_PILE_SPEED else M.PILE_STEP
    end = clock[R.TIME] + M.STEP_LENGTHS[kind] * solver_params[2] / clock[R.CONTACT_SCALE]
    return kind if end < clock[R.MAX_TIME] else 0


@njit_no_refcount
def _roll(b: Floats, r: RunState, k: Floats, i: int, pot: Floats, materials: Floats, solver_params: Floats) -> float:
    """Let disc `i`, alone awake and on one point, roll on level ground as far as nothing else is near: the time [s].

    0 if it cannot roll in a step that pays.
    """
    clock, gravity, against = r.clock, solver_params[0], int(k[0, C.BODY_B])
    if clock[R.LEVEL_TIME] < TIME_TO_LENGTHEN or against >= 0 or k[0, C.NORMAL_Z] < 0.9999:
        return 0.0
    longest = min(collision_free_time(b, r, pot, gravity), clock[R.MAX_TIME] - clock[R.TIME])
    if longest < MIN_ROLLING_STEP:
        return 0.0
    laws, fast = materials[0, material_index(against)], max_point_speed(b, i)
    dt = roll(b, i, laws[M.FRICTION], laws[M.ROLLING_RESISTANCE], gravity, longest)
    if dt > 0.0:
        clock[R.LOOKAHEAD_TRAVEL] = 2.0 * (fast + SPEED_GAIN_MARGIN) * MAX_ROLLING_STEP
        b[i, B.TRAVEL_BOUND] += (max(0.0, fast - max_point_speed(b, i)) + gravity * dt) * dt
        clock[R.PREV_STEP], k[0, C.NORMAL_VELOCITY] = 0.0, 0.0
        stiff = solver_params[1] * clock[R.CONTACT_SCALE] * clock[R.CONTACT_SCALE]
        total, unit = energy(b, i, gravity) / b[i, B.INV_MASS] + clock[R.ASLEEP_ENERGY], clock[R.MASS_UNIT]
        clock[R.MIN_ENERGY] = min(clock[R.MIN_ENERGY], (total + spring_energy(b, k, 1, stiff, dt)) / unit)
        clock[R.ENERGY_GAIN] = max(clock[R.ENERGY_GAIN], total / unit - clock[R.MIN_ENERGY])
    return dt


@njit_no_refcount
def _scale_impulses(b: Floats, awake: Ints, prev_contacts: Floats, clock: Floats, count: int, dt: float) -> None:
    """Scale the previous impulses, from which the iterations start, to the length of this step.

    To zero after a hard contact: its next impulse is another one, and few iterations would be biased towards the last.
    """
    gentle = clock[R.GENTLE_TIME] > 0.0 and clock[R.PREV_STEP] > 0.0
    share = dt / clock[R.PREV_STEP] if gentle else 0.0
    clock[R.PREV_STEP] = dt
    if share != 1.0:
        scale_impulses(prev_contacts, count, share)
        for i in awake:
            for x in range(3):
                b[i, W.PATCH_IMPULSE + x] *= share


@njit_no_refcount
def _scale_depths(prev_contacts: Floats, clock: Floats, count: int, gain: float, dt: float) -> None:
    """Scale the previous depths to the same force if springs are stiffer in this step than in the last.

    Or they would return more energy than they took.
    """
    stiffness = gain / (dt * dt)
    if stiffness > clock[R.SPRING_STIFFNESS]:
        for m in range(count):
            prev_contacts[m, PREV_DEPTH] *= clock[R.SPRING_STIFFNESS] / stiffness
    clock[R.SPRING_STIFFNESS] = stiffness


@njit_inline
def _limit_energy(
    b: Floats, awake: Ints, k: Floats, count: int, clock: Floats, gravity: float, stiffness: float, dt: float
) -> None:
    """Apply the energy limiter to the impulses of this step, and update the minimum and the largest gain of energy."""
    unit, asleep_energy = clock[R.MASS_UNIT], clock[R.ASLEEP_ENERGY]
    before, after = limit_energy(
        b, awake, k, count, gravity, (clock[R.MIN_ENERGY] + ENERGY_TOLERANCE) * unit - asleep_energy
    )
    clock[R.ENERGY_REMOVED] += (before - after) / unit
    after += asleep_energy
    clock[R.MIN_ENERGY] = min(clock[R.MIN_ENERGY], (after + spring_energy(b, k, count, stiffness, dt)) / unit)
    clock[R.ENERGY_GAIN] = max(clock[R.ENERGY_GAIN], after / unit - clock[R.MIN_ENERGY])


@njit_inline
def _update_timers(b: Floats, i: int, dt: float, gravity: float) -> None:
    """Update the times for which disc `i` has been slow, and flat on the felt."""
    wx, wy, wz = b[i, B.WX], b[i, B.WY], b[i, B.WZ]
    v2 = b[i, B.VX] * b[i, B.VX] + b[i, B.VY] * b[i, B.VY] + b[i, B.VZ] * b[i, B.VZ]
    slow = math.sqrt(v2) + math.sqrt(wx * wx + wy * wy + wz * wz) * b[i, W.RADIUS] < SLEEP_SPEED
    b[i, B.SLOW_TIMER] = b[i, B.SLOW_TIMER] + dt if slow else 0.0
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    flat = int(b[i, W.CONTACT_FLAGS]) & 4 == 0 and abs(nz) > FLAT_COSINE and b[i, W.OVER_MAT] == 1
    if flat:
        axial = (wx * nx + wy * ny + wz * nz) * (b[i, B.LX] * nx + b[i, B.LY] * ny + b[i, B.LZ] * nz)
        energy_left = b[i, B.VZ] * b[i, B.VZ] + wx * b[i, B.LX] + wy * b[i, B.LY] + wz * b[i, B.LZ] - axial
        flat = 0.5 * energy_left + gravity * (b[i, B.CZ] - b[i, W.HALF_THICKNESS]) < gravity * 0.3e-3
    b[i, W.FLAT_TIMER] = b[i, W.FLAT_TIMER] + dt if flat else 0.0


@njit_inline
def _check_mat_exit(b: Floats, outline: Floats, now: float, i: int, x: float, y: float, dt: float) -> None:
    """Record where disc `i`, previously at (x, y), crosses the mat's edge; remove it once it is below the felt."""
    if len(outline) == 0:
        return
    over = is_on_mat(b[i, B.CX], b[i, B.CY], outline)
    if b[i, W.OVER_MAT] == 1 and not over:
        part = edge_crossing(x, y, b[i, B.CX], b[i, B.CY], outline)
        b[i, W.EXIT_TIME] = now + part * dt
        b[i, W.EXIT_X], b[i, W.EXIT_Y] = x + part * (b[i, B.CX] - x), y + part * (b[i, B.CY] - y)
    b[i, W.OVER_MAT] = 1 if over else 0
    if not over and b[i, B.CZ] < 0.0:
        b[i, B.STATE] = B.REMOVED


@njit_no_refcount
def _can_sleep(b: Floats, i: int, last_contact: Floats, now: float) -> bool:
    """True if disc `i` has been slow for long enough and touches something."""
    flags, least = int(b[i, W.CONTACT_FLAGS]), TIME_TO_SLEEP
    if flags & 2 == 0 and abs(b[i, B.NZ]) < FLAT_COSINE:
        least = BALANCED_TIME_TO_SLEEP
    elif flags & 10 == 0 and b[i, W.CONTACT_COUNT] == 3:
        least = FLAT_TIME_TO_SLEEP
    if b[i, B.SLOW_TIMER] < least:
        return False
    touched = b[i, W.CONTACT_FLAGS] > 0
    for q in range(len(b) + 2):
        touched = touched or last_contact[i, q] > now - CONTACT_LINK_TIME
        touched = touched or (q < i and last_contact[q, i + 2] > now - CONTACT_LINK_TIME)
    return bool(touched)


@njit_inline
def _sleep_islands(b: Floats, awake: Ints, last_contact: Floats, now: float) -> int:
    """Put islands at rest to sleep; the number of discs left awake."""
    ready = False
    for i in awake:
        b[i, B.CAN_SLEEP] = 0.0
        if (
            b[i, B.STATE] == B.AWAKE
            and b[i, B.SLOW_TIMER] >= FLAT_TIME_TO_SLEEP
            and _can_sleep(b, i, last_contact, now)
        ):
            b[i, B.CAN_SLEEP], ready = 1.0, True
    if ready:
        label_touch_islands(b, awake, last_contact, now - CONTACT_LINK_TIME)
        island = find_sleeping_island(b, awake)
        while island >= 0:
            for i in awake:
                if b[i, B.ISLAND] == island and b[i, B.STATE] == B.AWAKE:
                    b[i, B.STATE] = B.ASLEEP
                    stop(b, i)
            island = find_sleeping_island(b, awake)
    left = 0
    for i in awake:
        if b[i, B.STATE] == B.AWAKE:
            left += 1
    return left


@njit_inline
def _pot_outcome(b: Floats, i: int, pot: Floats, gravity: float, sprung_energy: float) -> int:
    """POTTED or MISSED as soon as the energy of disc `i` does not suffice to change it, else -1.

    `sprung_energy`: bound on the energy in its contact springs per mass [J/kg]; without it bouncing winks would count
    as potted. Without other discs, the motion of a wink away from the pot and clear of it does not bring it back: the
    felt only brakes it.
    """
    x, y, z = b[i, B.CX] - pot[0], b[i, B.CY] - pot[1], b[i, B.CZ]
    if z >= pot[4]:
        return -1
    energy_left = energy(b, i, gravity) + sprung_energy
    if is_in_cup(x, y, z, pot):
        if z < pot[4] - b[i, W.HALF_THICKNESS] and energy_left < gravity * (pot[4] - 1e-3):
            return POTTED
    elif energy_left < 0.9 * gravity * pot[4]:
        return MISSED
    elif len(b) == 1:
        rho, away = math.sqrt(x * x + y * y), x * b[i, B.VX] + y * b[i, B.VY]
        if rho > pot[3] + pot[5] + b[i, B.BOUNDING_RADIUS] and away > 0.0:
            away /= rho
            if energy_left - 0.5 * away * away < 0.9 * gravity * pot[4]:
                return MISSED
    return -1


@njit_inline
def _step_in_contact(
    b: Floats,
    r: RunState,
    k: Floats,
    prev_contacts: Floats,
    order: Ints,
    awake: Ints,
    count: int,
    pot: Floats,
    materials: Floats,
    solver_params: Floats,
) -> tuple[float, bool, float]:
    """Solve the contacts of a step.

    Returns:
        Length of the step [s]; whether the only disc awake has rolled on in it; energy in the springs of the shooter
        [J].
    """
    gravity, stiffness, step, sweeps = solver_params[0], solver_params[1], solver_params[2], int(solver_params[3])
    clock, counters = r.clock, r.counters
    dt, order[0] = 0.0, 0
    if count == 1 and len(awake) == 1:
        dt = _roll(b, r, k, awake[0], pot, materials, solver_params)
    rolled, kind = dt > 0.0, 0
    if not rolled:
        kind = _choose_contact_scale(b, r, awake, pot, solver_params)
        dt = step / clock[R.CONTACT_SCALE] * M.STEP_LENGTHS[kind]
        laws = materials[kind]
        _scale_impulses(b, awake, prev_contacts, clock, counters[R.PREV_CONTACT_COUNT], dt)
        _scale_depths(prev_contacts, clock, counters[R.PREV_CONTACT_COUNT], laws[0, M.SPRING_GAIN], dt)
        sort_by_depth(k, order, count)
        prepare_contacts(b, awake, k, prev_contacts, count, counters[R.PREV_CONTACT_COUNT], laws, dt)
        store_motion(b, awake)
        solve_velocities(b, awake, k, order, count, sweeps)
        store_contacts(k, prev_contacts, count)
        update_momenta(b, awake, k, count, laws)
    stiff = stiffness * clock[R.CONTACT_SCALE] * clock[R.CONTACT_SCALE]
    if not rolled:
        if kind == M.PILE_STEP:
            stiff = clock[R.SPRING_STIFFNESS]
        _limit_energy(b, awake, k, count, clock, gravity, stiff, dt)
    if log_contacts(b, r, k, order, count, dt):
        clock[R.NEXT_KEYFRAME] = min(clock[R.NEXT_KEYFRAME], clock[R.TIME])
    if rolled:  # it has touched the ground all the time
        r.last_contact[awake[0], int(k[0, C.BODY_B]) + 2] = clock[R.TIME] + dt
    return dt, rolled, _update_gentle_times(b, k, count, clock, counters, stiff, dt)


@njit_inline
def _update_gentle_times(
    b: Floats, k: Floats, count: int, clock: Floats, counters: Ints, stiff: float, dt: float
) -> float:
    """Update the times with gentle and level contacts only, and whether the shooter has touched anything.

    Returns:
        Energy in the springs of the shooter [J].
    """
    shooter, sprung_energy = counters[R.SHOOTER], 0.0
    if shooter >= 0 and b[shooter, W.CONTACT_FLAGS] > 0:
        counters[R.SHOOTER_TOUCHED] = 1
    clock[R.GENTLE_TIME] += dt
    clock[R.LEVEL_TIME] += dt
    for m in range(count):
        hard = abs(k[m, C.NORMAL_VELOCITY]) > MAX_GENTLE_APPROACH
        if hard:
            clock[R.GENTLE_TIME] = 0.0
        if hard or k[m, C.BODY_B] >= 0 or k[m, C.NORMAL_Z] < 0.9999:
            clock[R.LEVEL_TIME] = 0.0
        if k[m, C.BODY_A] == shooter or k[m, C.BODY_B] == shooter:
            sprung_energy += 0.5 * stiff * k[m, C.GAP] * k[m, C.GAP]
    return sprung_energy


@njit_inline
def _step_without_contact(b: Floats, r: RunState, k: Floats, awake: Ints, pot: Floats, solver_params: Floats) -> float:
    """Update the energy gained and the contact scale of a step in which nothing touches: its length [s]."""
    clock, gravity, fastest = r.clock, solver_params[0], 0.0
    total = (total_energy(b, awake, gravity) + clock[R.ASLEEP_ENERGY]) / clock[R.MASS_UNIT]
    for i in awake:
        fastest = max(fastest, max_point_speed(b, i))
    clock[R.MIN_ENERGY] = min(clock[R.MIN_ENERGY], total)
    clock[R.ENERGY_GAIN] = max(clock[R.ENERGY_GAIN], total - clock[R.MIN_ENERGY])
    clock[R.CONTACT_SCALE], clock[R.PREV_STEP] = max(1.0, fastest / solver_params[4]), 0.0
    return free_flight_step(b, r, k, pot, gravity, solver_params[2] / clock[R.CONTACT_SCALE])


@njit_inline
def _move(
    b: Floats, r: RunState, awake: Ints, rolled: bool, x: float, y: float, dt: float, gravity: float
) -> bool:  # fmt: skip
    """Move the discs for a step; True if one has lain flat for long enough to slide.

    Args:
        rolled: whether the only disc awake has been moved already. x, y: from where, if it has [m].
    """
    clock, flat = r.clock, False
    for i in awake:
        if not rolled:
            x, y = b[i, B.CX], b[i, B.CY]
            integrate_free_flight(b, i, dt, gravity)
        b[i, B.TRAVEL_BOUND] += (max_point_speed(b, i) + gravity * dt) * dt
        _update_timers(b, i, dt, gravity)
        _check_mat_exit(b, r.outline, clock[R.TIME], i, x, y, dt)
        flat = flat or b[i, W.FLAT_TIMER] >= MIN_FLAT_TIME
    return flat


@njit_no_refcount
def simulate_until(
    b: Floats,
    r: RunState,
    k: Floats,
    prev_contacts: Floats,
    order: Ints,
    pot: Floats,
    materials: Floats,
    solver_params: Floats,
) -> int:
    """Run until a stop condition and return it (`ALL_ASLEEP` to `SECOND_AWAKE`); call again to continue.

    Compiled into one caller only (`shots.simulate_shots`): each would compile all of it again.
    """
    gravity, clock, counters = solver_params[0], r.clock, r.counters
    shooter, stop_condition = counters[R.SHOOTER], counters[R.RUN_GOAL]
    slide = stop_condition in (UNTIL_SLIDE, UNTIL_POTTED)
    decide_early = stop_condition == UNTIL_DECIDED or (stop_condition == UNTIL_POTTED and counters[R.JOINED] == 0)
    list_awake(b, r, gravity)
    if counters[R.AWAKE_COUNT] == 0:
        return ALL_ASLEEP
    while clock[R.TIME] < clock[R.MAX_TIME]:
        if slide and counters[R.SLIDING_COUNT] > 0 and is_any_path_blocked(b):
            return SLIDE_BLOCKED
        if clock[R.KEYFRAME_INTERVAL] > 0.0 and clock[R.TIME] >= clock[R.NEXT_KEYFRAME]:
            if not record_keyframe(b, r, clock[R.TIME]):
                return KEYFRAMES_FULL
            clock[R.NEXT_KEYFRAME] = clock[R.TIME] + clock[R.KEYFRAME_INTERVAL]
        sprung_energy = 0.0
        count = find_contacts(b, r, k, pot, gravity)
        clock[R.LOOKAHEAD_TRAVEL] = 0.0
        awake_count = counters[R.AWAKE_COUNT]
        awake = r.awake[:awake_count]
        for i in awake:
            b[i, W.CONTACT_FLAGS] = 0
        if awake_count > 1 and counters[R.JOINED] == 0:
            counters[R.JOINED] = 1
            decide_early = stop_condition == UNTIL_DECIDED
            if counters[R.STOP_WHEN_JOINED] == 1:
                return SECOND_AWAKE
        rolled, x, y = False, b[awake[0], B.CX], b[awake[0], B.CY]
        if count > 0:
            dt, rolled, sprung_energy = _step_in_contact(
                b, r, k, prev_contacts, order, awake, count, pot, materials, solver_params
            )
        else:
            dt = _step_without_contact(b, r, k, awake, pot, solver_params)
        counters[R.PREV_CONTACT_COUNT] = count
        counters[R.STEP_COUNT] += 1
        if decide_early and counters[R.SHOOTER_TOUCHED] == 1:
            verdict = _pot_outcome(b, shooter, pot, gravity, sprung_energy)
            if verdict == POTTED or (verdict == MISSED and stop_condition == UNTIL_DECIDED):
                return verdict
        dt = min(dt, clock[R.MAX_TIME] - clock[R.TIME])
        flat = _move(b, r, awake, rolled, x, y, dt, gravity)
        clock[R.TIME] += dt
        if _sleep_islands(b, awake, r.last_contact, clock[R.TIME]) < awake_count:
            list_awake(b, r, gravity)
            if counters[R.AWAKE_COUNT] == 0:
                return ALL_ASLEEP
        if slide and flat:
            return SLIDE_READY
    return TIMED_OUT
