"""Compiled loop over squidges: each shot from release to rest, or to the verdict, in one call.

Winks in 3D are simulated by `integrator`, those that slide flat by `sliding_plane`; `planar_handover` hands them over
and back. A single shot is a batch of one and has the same bits; without the compiler too.
"""

import math
from typing import Final

import numpy as np

from flicksim.engine.jit import by_reference, njit_entry, njit_no_refcount
from flicksim.engine.planar_discs.board import BoardArrays
from flicksim.engine.planar_discs.plane import IMPACTS, PlaneLaws
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import update_angular_velocity
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks import recorder as R
from flicksim.engine.winks.bodies import system_energy
from flicksim.engine.winks.broadphase import wake
from flicksim.engine.winks.outcome import store_outcome
from flicksim.engine.winks.params import Floats
from flicksim.engine.winks.planar_handover import step_plane, transfer_from_plane, transfer_to_plane
from flicksim.engine.winks.pot_jam import lay_in_pot
from flicksim.engine.winks.separation import STACKED
from flicksim.engine.winks.shot_arrays import (
    KEYFRAME_ROWS,
    LIMIT_REACHED,
    OUT_OF_ROWS,
    PAUSED,
    SETTLED,
    SKIPPED,
    TOO_MANY_IMPACTS,
    MatArrays,
    ResultArrays,
    ShotArrays,
    Workspace,
    make_workspace,
)
from flicksim.engine.winks.sliding_plane import clear_plane, next_event_time

_RUNNING: Final = -1
"""Status of the shot in progress."""


@njit_entry
def simulate_shots(
    first: int,
    last: int,
    goal: int,
    mats: MatArrays,
    shots: ShotArrays,
    board: BoardArrays,
    results: ResultArrays,
    work: Workspace,
) -> None:
    """Simulate the shots of rows first to last - 1.

    Args:
        goal: stop condition, see `integrator.UNTIL_REST`. A shot until `UNTIL_DECIDED_ALONE` that wakes a second wink,
            or has no verdict at the time limit, is begun anew and simulated to rest.
    """
    mats, shots, board = by_reference(mats), by_reference(shots), by_reference(board)
    results, work = by_reference(results), by_reference(work)
    for s in range(first, last):
        if results.status[s] == SKIPPED:
            continue
        mat, attempt = shots.mat[s], 0
        gravity, clock, counters = mats.solver_params[mat, 0], work.run.clock, work.run.counters
        if results.status[s] != PAUSED:
            _start_shot(s, goal, mats, shots, work)
        laws = by_reference(PlaneLaws(
            mats.radius[mat], mats.mass[mat], mats.deceleration[mat], mats.contact_kind[mat],
            mats.friction[mat], mats.restitution[mat], mats.yield_speed[mat],
            mats.pot_contact_distance[mat], mats.elastic_threshold[mat],
        ))  # fmt: skip
        limit = clock[R.TIME] + mats.max_flight_time[mat]
        status, reason = _RUNNING, loop.ALL_ASLEEP
        while status == _RUNNING:
            event, again = next_event_time(work.plane), False
            clock[R.MAX_TIME] = min(event, limit)
            reason = loop.simulate_until(
                work.bodies, work.run, work.contacts, work.prev_contacts, work.order, mats.pot,
                mats.materials[mat, attempt], mats.solver_params[mat],
            )  # fmt: skip
            if reason == loop.SLIDE_READY:
                transfer_to_plane(work, laws, board, mats.pot, gravity)
            elif reason == loop.SLIDE_BLOCKED:
                transfer_from_plane(work, laws, board, gravity, False)
            elif reason == loop.KEYFRAMES_FULL:
                status = OUT_OF_ROWS
            elif reason == loop.SECOND_AWAKE:
                again = True
            elif reason == loop.POTTED or reason == loop.MISSED or (reason == loop.ALL_ASLEEP and event == math.inf):
                status = SETTLED
            elif reason == loop.ALL_ASLEEP or event <= limit:
                if work.plane.counts[IMPACTS] > mats.max_impacts[mat]:
                    status = TOO_MANY_IMPACTS
                elif not step_plane(work, laws, board, mats.pot, gravity):
                    status = OUT_OF_ROWS
            else:
                attempt += 1
                limit = clock[R.TIME] + mats.max_flight_time[mat]
                if attempt == mats.materials.shape[1] and counters[R.STOP_WHEN_JOINED] == 0:
                    status = LIMIT_REACHED
                elif attempt == mats.materials.shape[1]:
                    again = True
            if again:  # without an early verdict
                _start_shot(s, loop.UNTIL_SLIDE, mats, shots, work)
                limit, attempt = mats.max_flight_time[mat], 0
        results.reason[s], results.status[s] = reason, status
        results.joined[s] = counters[R.JOINED] == 1 or work.plane.counts[IMPACTS] > 0
        if status != OUT_OF_ROWS:
            transfer_from_plane(work, laws, board, gravity, True)
            _finish_shot(s, mats, shots, board, results, work)


@njit_no_refcount
def _finish_shot(
    s: int, mats: MatArrays, shots: ShotArrays, board: BoardArrays, results: ResultArrays, work: Workspace
) -> None:  # fmt: skip
    """Store the outcome of a shot, unless its last keyframe finds no room."""
    run = work.run
    if not R.skip_to(work.bodies, run, run.clock[R.TIME]):
        results.status[s] = OUT_OF_ROWS
        return
    store_outcome(s, mats.pot, shots.launched[s, 0] if shots.launched.shape[1] > 0 else -1, board, results, work)


@njit_entry
def launch_motions(
    n: Floats, radius: Floats, half: Floats, speed: Floats, azimuth: Floats, elevation: Floats, tumble: Floats,
    v: Floats, spin: Floats,
) -> None:  # fmt: skip
    """Write the initial velocities and angular momenta of launched winks (see `winks.launch_motion`).

    Args:
        n: normals of their upper faces. [S, 3]
        radius, half: of the winks; half the thickness [m]. [S]
        speed, azimuth, elevation, tumble: of the squidges [m/s, rad, rad, rad/s]. [S]
        v, spin: written: velocity [m/s] and angular momentum per mass [m^2/s]. [S, 3]
    """
    for s in range(len(speed)):
        flat, co, si = speed[s] * math.cos(elevation[s]), math.cos(azimuth[s]), math.sin(azimuth[s])
        v[s, 0], v[s, 1], v[s, 2] = flat * co, flat * si, speed[s] * math.sin(elevation[s])
        wx, wy = tumble[s] * si, tumble[s] * -co
        it, ia = radius[s] * radius[s] / 4.0 + half[s] * half[s] / 3.0, radius[s] * radius[s] / 2.0
        along = (ia - it) * (wx * n[s, 0] + wy * n[s, 1])
        spin[s, 0], spin[s, 1], spin[s, 2] = it * wx + along * n[s, 0], it * wy + along * n[s, 1], along * n[s, 2]


def simulate_rows(
    first: int,
    last: int,
    goal: int,
    mats: MatArrays,
    shots: ShotArrays,
    board: BoardArrays,
    results: ResultArrays,
    work: Workspace | None = None,
) -> Workspace:
    """Simulate the shots of rows first to last - 1; return the workspace of the last one simulated.

    Args:
        work: to use while its keyframes have room; a new one by default.
    """
    work = work or make_workspace(mats.bodies.shape[1], mats.outline)
    simulate_shots(first, last, goal, mats, shots, board, results, work)
    return finish_rows(first, last, goal, mats, shots, board, results, work)


def finish_rows(
    first: int,
    last: int,
    goal: int,
    mats: MatArrays,
    shots: ShotArrays,
    board: BoardArrays,
    results: ResultArrays,
    work: Workspace,
) -> Workspace:
    """Simulate shots again that had no room for their keyframes, and lay down winks that did not come to rest in the
    pot; return the workspace of the last shot simulated.

    Args:
        work: in which the rows were simulated.
    """
    discs, rows = mats.bodies.shape[1], KEYFRAME_ROWS
    while len(short := first + np.flatnonzero(results.status[first:last] == OUT_OF_ROWS)):
        rows *= 4
        work = make_workspace(discs, mats.outline, rows)
        results.status[short] = SETTLED
        for s in short.tolist():
            simulate_shots(s, s + 1, goal, mats, shots, board, results, work)
    for s in (first + np.flatnonzero(results.status[first:last] == LIMIT_REACHED)).tolist():
        if goal not in (loop.UNTIL_REST, loop.UNTIL_DECIDED):
            lay_in_pot(s, mats.pot, results, mats.bodies[shots.mat[s]])
    return work


@njit_no_refcount
def _start_shot(s: int, goal: int, mats: MatArrays, shots: ShotArrays, work: Workspace) -> None:
    """Set the workspace to the beginning of a shot, and wake its winks and all connected to them."""
    mat, shooter, b, run = shots.mat[s], shots.shooter[s], work.bodies, work.run
    _clear_run(mats, mat, b, run)
    clear_plane(work.plane, mats.pot)
    for j in range(shots.positions.shape[1]):
        if not math.isnan(shots.positions[s, j, 0]):
            b[j, B.CX], b[j, B.CY] = shots.positions[s, j, 0], shots.positions[s, j, 1]
    for q in range(shots.launched.shape[1]):
        i = shots.launched[s, q]
        if i >= 0:
            _launch(b, i, shots.velocity[s, q], shots.angular_momentum[s, q])
    run.clock[R.MASS_UNIT], run.clock[R.KEYFRAME_INTERVAL] = mats.mass_unit[mat], mats.keyframe_interval[mat]
    run.clock[R.MIN_ENERGY] = system_energy(b, mats.solver_params[mat, 0]) / run.clock[R.MASS_UNIT]
    if shooter >= 0:
        b[shooter, W.TAKING_OFF] = 1.0
    first, awake = -1, 0
    for j in range(len(b)):
        if b[j, B.STATE] == B.AWAKE and first < 0:
            first = j
    if first >= 0:
        wake(b, run.pairs, work.contacts, 0 * first, first, run.scratch)  # int64: for a literal it is compiled twice
    for j in range(len(b)):
        if b[j, B.STATE] == B.AWAKE:
            awake += 1
    alone = awake == 1 and shooter >= 0
    if goal == loop.UNTIL_DECIDED_ALONE:
        run.counters[R.STOP_WHEN_JOINED] = 1 if alone else 0
        goal = loop.UNTIL_DECIDED if alone else loop.UNTIL_SLIDE
    run.counters[R.SHOOTER], run.counters[R.RUN_GOAL], run.counters[R.JOINED] = shooter, goal, 0 if alone else 1


@njit_no_refcount
def _launch(b: Floats, i: int, velocity: Floats, angular_momentum: Floats) -> None:
    """Give a wink its initial motion; it wakes if that is not zero."""
    for x in range(3):
        b[i, B.VX + x], b[i, B.LX + x] = velocity[x], angular_momentum[x]
        if velocity[x] != 0.0 or angular_momentum[x] != 0.0:
            b[i, B.STATE] = B.AWAKE
    update_angular_velocity(b, i)


@njit_no_refcount
def _clear_run(mats: MatArrays, mat: int, b: Floats, run: R.RunState) -> None:
    """Copy the winks of a mat and reset the clock, the counters and the caches of pairs."""
    # element by element: array assignments would compile broadcasting and its error handling
    for j in range(len(b)):
        for x in range(W.BODY_COLUMNS):
            b[j, x] = mats.bodies[mat, j, x]
        for q in range(len(b)):
            for x in range(run.pairs.shape[2]):
                run.pairs[j, q, x] = 0.0
            if mats.stacked[mat, j, q]:
                run.pairs[j, q, STACKED] = 1.0
        for q in range(len(b) + 2):
            run.open_contacts[j, q], run.last_contact[j, q] = -1, -1.0
    for x in range(len(run.clock)):
        run.clock[x] = 0.0
    for x in range(len(run.counters)):
        run.counters[x] = 0
