"""Compiled loop over shots that move a single wink.

The same 3D simulation (`winks.integrator.simulate_until`) and the same slides in the plane (`HybridSimulation`) as
`simulate_squidge`. Shots that involve another wink or the pot's foot are returned as FALLBACK.
"""

from math import cos, inf, isnan, sin, sqrt
from typing import Final, NamedTuple

import numpy as np

from flicksim.engine.batch.arrays import LIMIT_REACHED, SETTLED, SKIPPED, BoardArrays, Bools, Floats, Ints
from flicksim.engine.hybrid_simulation import MIN_SLIDE_TIME, SAFE_CLEARANCE
from flicksim.engine.jit import njit, njit_entry, njit_no_refcount
from flicksim.engine.planar_discs import sliding_disc
from flicksim.engine.planar_discs.impacts import start_slide, time_of_impact_resting
from flicksim.engine.planar_discs.sliding_disc import DIR_X, DIR_Y, END_TIME, FALLS_OFF, START_TIME, X, Y
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import update_angular_velocity
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks import recorder as R
from flicksim.engine.winks.bodies import FLAT_COSINE, system_energy
from flicksim.engine.winks.broadphase import TOUCH_MARGIN, wake
from flicksim.engine.winks.contacts import RIM_SAMPLES
from flicksim.engine.winks.narrowphase_cup import collide_cup, is_in_cup
from flicksim.engine.winks.planar_handover import place_flat
from flicksim.engine.winks.recorder import RunState
from flicksim.engine.winks.wink_simulation import CONTACT_LOG_ROWS, SLIDE_RETRY_DELAY

FALLBACK: Final = 100
"""Status of a shot that has to be simulated individually: it involves more than one wink."""
RUNNING: Final = -1
"""Status of a shot in progress."""
ON_FELT, LEANING, ON_EDGE, IN_POT, ON_RIM, OFF_MAT, MISSED = range(7)
"""Outcome of a wink; MISSED: certainly not in the pot, not simulated further."""
MIN_LANDING_SPEED: Final = 0.02
"""Smallest speed of a contact that counts as a landing [m/s] (see `squidge`)."""
_KEYFRAME_ROWS: Final = 64


class MatArrays(NamedTuple):
    """Mats before a shot, all on one board.

    Args:
        bodies, pairs: as in `WinkSimulation`. [K, N, COLUMNS], [K, N, N, 5]
        materials: for each of the rolling resistances tried in turn. [K, D, 3, 4]
        solver_params, mass_unit: of the 3D simulation; least mass [kg]. [K, 4], [K]
        deceleration, contact_kind: of sliding winks (see `arrays.SceneArrays`). [K, N]
        pot_contact_distance: distance from the pot's axis at which a flat wink touches the pot [m]. [K, N]
        max_flight_time: time after which the rolling resistance is raised [s]. [K]
        crossing_interval: spacing of the positions between which line crossings are detected [s]; 0 without lines. [K]
        pot, outline: see `Cup.to_array`; corners of the mat. [10] or [0], [M, 2]
    """

    bodies: Floats
    pairs: Floats
    materials: Floats
    solver_params: Floats
    mass_unit: Floats
    deceleration: Floats
    contact_kind: Ints
    pot_contact_distance: Floats
    max_flight_time: Floats
    crossing_interval: Floats
    pot: Floats
    outline: Floats


class SquidgeArrays(NamedTuple):
    """Squidges, one row per shot.

    Args:
        mat, piece: index of the mat, and row of the wink. [S]
        positions: of the winks instead of the mat's [m]; NaN where unchanged. [S, N, 2], or [S, 0, 2] for no change
        velocity, angular_momentum: of the wink; velocity [m/s], angular momentum per mass [m^2/s]. [S, 3]
    """

    mat: Ints
    piece: Ints
    positions: Floats
    velocity: Floats
    angular_momentum: Floats


class WinkBatchArrays(NamedTuple):
    """Results of the shots, written by the loop.

    Args:
        centre, normal: final pose of the wink, or where it left. [S, 3]
        outcome: `ON_FELT` to `MISSED`. [S]
        time: duration [s]. [S]
        first_contact: FELT or POT; 0 if none. [S]
        landing_point: first contact point [m], NaN if none. [S, 2]
        crossed: number of crossings of each line. [S, L]
        status: one of `arrays`, or FALLBACK. [S]
    """

    centre: Floats
    normal: Floats
    outcome: Ints
    time: Floats
    first_contact: Ints
    landing_point: Floats
    crossed: Ints
    status: Ints


@njit_entry
def launch_motions(
    n: Floats, radius: Floats, half: Floats, speed: Floats, azimuth: Floats, elevation: Floats, tumble: Floats,
    v: Floats, spin: Floats,
) -> None:  # fmt: skip
    """Write the initial velocities and angular momenta of launched winks (see `winks.launch_motion`); a single row of
    n, radius and half serves all."""
    for s in range(len(speed)):
        q = min(s, len(radius) - 1)
        flat, co, si = speed[s] * cos(elevation[s]), cos(azimuth[s]), sin(azimuth[s])
        v[s, 0], v[s, 1], v[s, 2] = flat * co, flat * si, speed[s] * sin(elevation[s])
        wx, wy = tumble[s] * si, tumble[s] * -co
        it, ia = radius[q] * radius[q] / 4.0 + half[q] * half[q] / 3.0, radius[q] * radius[q] / 2.0
        along = (ia - it) * (wx * n[q, 0] + wy * n[q, 1])
        spin[s, 0], spin[s, 1], spin[s, 2] = it * wx + along * n[q, 0], it * wy + along * n[q, 1], along * n[q, 2]


@njit
def simulate_shots(
    first: int, last: int, goal: int, mats: MatArrays, shot: SquidgeArrays, board: BoardArrays, results: WinkBatchArrays
) -> None:
    """Simulate the shots of rows first to last - 1."""
    discs = mats.bodies.shape[1]
    room = 16 * discs + 64
    b, pairs = np.zeros((discs, W.BODY_COLUMNS)), np.zeros((discs, discs, 5))
    k, prev_contacts, order = np.zeros((room, C.CONTACT_COLUMNS)), np.zeros((room, 9)), np.zeros(room, np.int64)
    run = RunState(
        np.zeros(R.CLOCK_SIZE), np.zeros(R.COUNTER_SIZE, np.int64), pairs, mats.outline,
        np.zeros((discs, discs + 2), np.int64), np.zeros((discs, discs + 2)), np.zeros((CONTACT_LOG_ROWS, 8)),
        np.zeros(_KEYFRAME_ROWS), np.zeros((_KEYFRAME_ROWS, discs, 6)), np.zeros(RIM_SAMPLES),
        np.zeros(discs, np.int64),
    )  # fmt: skip
    segments, moving, motion = np.zeros((1, sliding_disc.SEGMENT_COLUMNS)), np.zeros(1, np.bool_), np.zeros((1, 6))
    none: int = np.int64(0)  # type: ignore[assignment]  # of that very type: with a bare 0 much is compiled twice
    # a single function: each caller of the inlined simulation would compile all of it again
    for s in range(first, last):
        if results.status[s] == SKIPPED:
            continue
        _init_shot(s, goal, mats, shot, b, run)
        mat, i, clock, tally = shot.mat[s], shot.piece[s], run.clock, run.counters
        wake(b, pairs, k, none, i, run.scratch)
        awake = 0
        for j in range(discs):
            if b[j, B.STATE] == B.AWAKE:
                awake += 1
        status = FALLBACK if awake > 1 else RUNNING
        x, y, attempt = b[i, B.CX], b[i, B.CY], 0
        clock[R.MAX_TIME] = mats.max_flight_time[mat]
        while status == RUNNING:
            reason = loop.simulate_until(
                b, run, k, prev_contacts, order, mats.pot, mats.materials[mat, attempt], mats.solver_params[mat]
            )
            if clock[R.KEYFRAME_INTERVAL] > 0.0:
                for row in range(tally[R.KEYFRAME_COUNT]):
                    _count_crossings(s, x, y, run.keyframes[row, i, 0], run.keyframes[row, i, 1], board, results)
                    x, y = run.keyframes[row, i, 0], run.keyframes[row, i, 1]
                tally[R.KEYFRAME_COUNT] = 0
            if reason == loop.SLIDE_READY:
                reason = _slide(mat, i, mats, board, b, run, segments, moving, motion)
                if clock[R.KEYFRAME_INTERVAL] > 0.0:
                    _count_crossings(s, x, y, b[i, B.CX], b[i, B.CY], board, results)
                    x, y = b[i, B.CX], b[i, B.CY]
            if reason == FALLBACK or reason == loop.SECOND_AWAKE or reason == loop.SLIDE_BLOCKED:
                status = FALLBACK
            elif reason == loop.TIMED_OUT:
                attempt += 1
                clock[R.MAX_TIME] = clock[R.TIME] + mats.max_flight_time[mat]
                if attempt == mats.materials.shape[1]:
                    status = LIMIT_REACHED
            elif reason == loop.ALL_ASLEEP or reason == loop.POTTED or reason == loop.MISSED:
                status = SETTLED
                _count_crossings(s, x, y, b[i, B.CX], b[i, B.CY], board, results)
                touches_pot = False
                if reason == loop.ALL_ASLEEP:
                    if len(mats.pot) > 0 and b[i, B.STATE] != B.REMOVED:
                        found, _ = collide_cup(b, i, mats.pot, k, none, TOUCH_MARGIN, run.scratch)
                        touches_pot = found > 0
                else:
                    results.outcome[s] = IN_POT if reason == loop.POTTED else MISSED
                _store_result(s, i, mats.pot, results, b, run, touches_pot)
        results.status[s] = status


@njit_no_refcount
def _init_shot(s: int, goal: int, mats: MatArrays, shot: SquidgeArrays, b: Floats, run: RunState) -> None:
    """Initialise the state of a shot and launch its wink (see `WinkSimulation`)."""
    mat, i = shot.mat[s], shot.piece[s]
    # element by element: array assignments would compile broadcasting and its error handling
    for j in range(len(b)):
        for x in range(W.BODY_COLUMNS):
            b[j, x] = mats.bodies[mat, j, x]
        for q in range(len(b)):
            for x in range(run.pairs.shape[2]):
                run.pairs[j, q, x] = mats.pairs[mat, j, q, x]
        for q in range(len(b) + 2):
            run.open_contacts[j, q], run.last_contact[j, q] = -1, -1.0
    for x in range(len(run.clock)):
        run.clock[x] = 0.0
    for x in range(len(run.counters)):
        run.counters[x] = 0
    for j in range(shot.positions.shape[1]):
        if not isnan(shot.positions[s, j, 0]):
            b[j, B.CX], b[j, B.CY] = shot.positions[s, j, 0], shot.positions[s, j, 1]
    for x in range(3):
        b[i, B.VX + x], b[i, B.LX + x] = shot.velocity[s, x], shot.angular_momentum[s, x]
    update_angular_velocity(b, i)
    clock, tally = run.clock, run.counters
    clock[R.MASS_UNIT], clock[R.KEYFRAME_INTERVAL] = mats.mass_unit[mat], mats.crossing_interval[mat]
    clock[R.MIN_ENERGY] = system_energy(b, mats.solver_params[mat, 0]) / clock[R.MASS_UNIT]
    tally[R.SHOOTER], tally[R.RUN_GOAL], tally[R.STOP_WHEN_JOINED] = i, goal, 1
    b[i, W.TAKING_OFF] = 1.0


@njit_no_refcount
def _slide(
    mat: int, i: int, mats: MatArrays, board: BoardArrays, b: Floats, run: RunState,
    segments: Floats, moving: Bools, motion: Floats,
) -> int:  # fmt: skip
    """Slide a flat wink to rest or to the mat's edge (see `HybridSimulation`).

    Returns ALL_ASLEEP at rest, SLIDE_READY to continue in 3D, or FALLBACK.
    """
    clock, gravity, radius = run.clock, mats.solver_params[mat, 0], b[i, W.RADIUS]
    motion[0, 0], motion[0, 1], motion[0, 2] = b[i, B.CX], b[i, B.CY], 0.0
    spin = 2.0 * b[i, B.LZ] / (radius * radius)
    start_slide(
        0, b[i, B.VX], b[i, B.VY], spin, clock[R.TIME], motion, segments, moving, board, radius,
        mats.deceleration[mat, i], mats.contact_kind[mat, i],
    )  # fmt: skip
    seg = segments[0]
    lasts = seg[END_TIME] - seg[START_TIME]
    along, speed = sliding_disc.distance_and_speed(seg, board, lasts)
    ex, ey = along * seg[DIR_X], along * seg[DIR_Y]
    for j in range(len(b)):
        if j == i or b[j, B.STATE] == B.REMOVED:
            continue
        dx, dy = b[j, B.CX] - seg[X], b[j, B.CY] - seg[Y]
        share = min(1.0, max(0.0, (dx * ex + dy * ey) / (ex * ex + ey * ey))) if along > 0.0 else 0.0
        dx, dy = dx - share * ex, dy - share * ey
        if sqrt(dx * dx + dy * dy) < b[i, B.BOUNDING_RADIUS] + b[j, B.BOUNDING_RADIUS] + SAFE_CLEARANCE:
            return FALLBACK
    if len(mats.pot) > 0:
        met = time_of_impact_resting(
            seg, mats.pot[0], mats.pot[1], board, mats.pot_contact_distance[mat, i] + SAFE_CLEARANCE, 0.0, clock[R.TIME]
        )  # fmt: skip
        dx, dy = mats.pot[0] - seg[X], mats.pot[1] - seg[Y]
        if met < inf or sqrt(dx * dx + dy * dy) < mats.pot_contact_distance[mat, i] + SAFE_CLEARANCE:
            return FALLBACK
    if seg[FALLS_OFF] > 0.0 and seg[END_TIME] < clock[R.TIME] + MIN_SLIDE_TIME:
        b[i, W.FLAT_TIMER] = -SLIDE_RETRY_DELAY
        return loop.SLIDE_READY
    place_flat(b, i, seg[X], seg[Y], 0.0, 0.0, 0.0, clock, gravity)
    b[i, B.STATE] = W.SLIDING
    _, rim = sliding_disc.rotation_and_rim_speed(seg, board, lasts)
    clock[R.TIME] = seg[END_TIME]
    clock[R.NEXT_KEYFRAME] = clock[R.TIME] + clock[R.KEYFRAME_INTERVAL]
    if seg[FALLS_OFF] > 0.0:
        place_flat(
            b, i, seg[X] + ex, seg[Y] + ey, seg[DIR_X] * speed, seg[DIR_Y] * speed, rim / radius, clock, gravity
        )  # fmt: skip
        b[i, B.STATE], b[i, B.SLOW_TIMER], b[i, W.FLAT_TIMER], clock[R.GENTLE_TIME] = B.AWAKE, 0.0, 0.0, 0.0
        return loop.SLIDE_READY
    place_flat(b, i, seg[X] + ex, seg[Y] + ey, 0.0, 0.0, 0.0, clock, gravity)
    b[i, B.STATE] = B.ASLEEP
    return loop.ALL_ASLEEP


@njit_no_refcount
def _count_crossings(
    s: int, x: float, y: float, to_x: float, to_y: float, board: BoardArrays, results: WinkBatchArrays
) -> None:
    """Count the lines that a wink crosses between two positions (see `squidge`)."""
    for q in range(board.lines.shape[0]):
        ax, ay = board.lines[q, 0], board.lines[q, 1]
        ex, ey = board.lines[q, 2] - ax, board.lines[q, 3] - ay
        side_before, side_after = ex * (y - ay) - ey * (x - ax), ex * (to_y - ay) - ey * (to_x - ax)
        if (side_before < 0.0) == (side_after < 0.0):
            continue
        fraction = side_before / (side_before - side_after)
        cx, cy = x + fraction * (to_x - x), y + fraction * (to_y - y)
        along = ((cx - ax) * ex + (cy - ay) * ey) / (ex * ex + ey * ey)
        if 0.0 <= along <= 1.0:
            results.crossed[s, q] += 1


@njit_no_refcount
def _store_result(
    s: int, i: int, pot: Floats, results: WinkBatchArrays, b: Floats, run: RunState, touches_pot: bool
) -> None:
    """Store the outcome of a shot; `at`: the wink touches the pot (see `winks.result`)."""
    results.time[s] = run.clock[R.TIME]
    for x in range(3):
        results.centre[s, x], results.normal[s, x] = b[i, B.CX + x], b[i, B.NX + x]
    rows = run.counters[R.LOGGED_COUNT]
    for row in range(rows):
        if run.contact_log[row, 3] >= MIN_LANDING_SPEED:
            results.first_contact[s] = int(run.contact_log[row, 2])
            results.landing_point[s, 0], results.landing_point[s, 1] = run.contact_log[row, 4], run.contact_log[row, 5]
            break
    if results.outcome[s] >= 0:
        return
    x, y, z = b[i, B.CX], b[i, B.CY], b[i, B.CZ]
    inside = False
    if b[i, B.STATE] == B.REMOVED:
        results.outcome[s] = OFF_MAT
        results.centre[s, 0], results.centre[s, 1] = b[i, W.EXIT_X], b[i, W.EXIT_Y]
        return
    if len(pot) > 0:
        inside = is_in_cup(x - pot[0], y - pot[1], z, pot)
    if inside:
        results.outcome[s] = IN_POT
    elif touches_pot and z > pot[4] - b[i, W.HALF_THICKNESS]:
        results.outcome[s] = ON_RIM
    elif abs(b[i, B.NZ]) > FLAT_COSINE:
        results.outcome[s] = ON_FELT
    else:
        results.outcome[s] = LEANING if touches_pot else ON_EDGE
