"""Compiled batch simulation of discs in the plane: `planar_world.PlanarWorld` as one loop over arrays.

The same slides, times of impact and events in the same order; collisions are solved with pymunk's algorithm. Results
agree with `simulate` to far below a nanometre, except for shots that depend on less.
"""

from math import inf, sqrt

from flicksim.engine.batch.arrays import (
    CROSSED,
    LEFT,
    NEVER_STOPS,
    RESTED,
    SETTLED,
    SKIPPED,
    STRUCK,
    TIMED_OUT,
    TOO_MANY_IMPACTS,
    TOUCHED,
    BoardArrays,
    DiscBatchArrays,
    EventLog,
    FlickArrays,
    Ints,
    SceneArrays,
)
from flicksim.engine.initial_motion import nail_velocity
from flicksim.engine.jit import by_reference, njit_entry, njit_no_refcount
from flicksim.engine.planar_discs import sliding_disc
from flicksim.engine.planar_discs.collision_times import update_collision_times
from flicksim.engine.planar_discs.impacts import insertion_sort, is_impact, is_in_pairs, solve_impulses
from flicksim.engine.planar_discs.plane import Plane, PlaneLaws
from flicksim.engine.planar_discs.slides import read_motion, start_slide
from flicksim.engine.planar_discs.sliding_disc import DIR_X, DIR_Y, END_TIME, FALLS_OFF, START_TIME, X, Y
from flicksim.engine.planar_world import SIMULTANEITY_TOLERANCE

njit_no_refcount(nail_velocity)


@njit_entry
def simulate_shots(
    first: int,
    last: int,
    board: BoardArrays,
    scene: SceneArrays,
    flicks: FlickArrays,
    results: DiscBatchArrays,
    log: EventLog,
    log_ends: Ints,
    plane: Plane,
) -> None:
    """Simulate the shots of rows first to last - 1.

    Args:
        log_ends: row of the log after the last event of each shot, counted from the beginning of `log`. [last - first]
        plane: scratch.
    """
    board, scene, flicks = by_reference(board), by_reference(scene), by_reference(flicks)
    results, log, plane = by_reference(results), by_reference(log), by_reference(plane)
    logged = 0
    for shot in range(first, last):
        if results.status[shot] != SKIPPED:
            logged = simulate_shot(shot, board, scene, flicks, results, log, logged, plane)
        log_ends[shot - first] = logged


@njit_no_refcount
def simulate_shot(
    shot: int, board: BoardArrays, scene: SceneArrays, flicks: FlickArrays, results: DiscBatchArrays, log: EventLog,
    log_rows: int, p: Plane,
) -> int:  # fmt: skip
    """Simulate one shot: the new row count of the log."""
    count = len(p.moving)
    row = min(shot, scene.radius.shape[0] - 1)
    settings_row = min(shot, scene.elastic_threshold.shape[0] - 1)
    laws = by_reference(PlaneLaws(
        scene.radius[row], scene.mass[row], scene.deceleration[row], scene.contact_kind[row],
        scene.friction[row], scene.restitution[row], scene.yield_speed[row], scene.radius[row],
        scene.elastic_threshold[settings_row],
    ))  # fmt: skip
    _clear(shot, scene, results, p)
    i = flicks.piece[shot]
    vx, vy, spin = nail_velocity(
        flicks.speed[shot], flicks.azimuth[shot], flicks.offset[shot], scene.nail_friction[settings_row],
        laws.radius[i],
    )  # fmt: skip
    log_rows = _log_event(log, log_rows, STRUCK, i, -1, 0.0, p.rest_poses[i, 0], p.rest_poses[i, 1], vx, vy, spin)
    read_motion(p, i, board)
    start_slide(p, i, vx, vy, spin, laws, board)
    p.changed[0] = i
    update_collision_times(p, 1, laws, board)
    impacts, status = 0, SETTLED
    while True:
        end, collision_time, anything = inf, inf, False
        for i in range(count):
            if p.moving[i]:
                anything = True
                end = min(end, p.segments[i, END_TIME])
                for j in range(i):
                    collision_time = min(collision_time, p.collision_times[j, i])
            else:
                for j in range(i):
                    if p.moving[j]:
                        collision_time = min(collision_time, p.collision_times[j, i])
        if not anything:
            break
        if end == inf and collision_time == inf:
            status = NEVER_STOPS
            break
        if min(end, collision_time) > scene.max_time[settings_row]:
            status = TIMED_OUT
            break
        if impacts > scene.max_impacts[settings_row]:
            status = TOO_MANY_IMPACTS
            break
        p.clock[0] = min(end, collision_time)
        if collision_time <= end:
            impacts += 1
            log_rows = _resolve_collisions(shot, collision_time, p, board, laws, results, log, log_rows)
        else:
            log_rows = _end_slides(shot, p, board, laws, results, log, log_rows)
    for i in range(count):
        for k in range(3):
            results.positions[shot, i, k] = p.rest_poses[i, k]
    results.duration[shot] = p.clock[0]
    results.status[shot] = status
    return log_rows


@njit_no_refcount
def _clear(shot: int, scene: SceneArrays, results: DiscBatchArrays, p: Plane) -> None:
    """Set the plane to the beginning of a shot, and clear its results."""
    count = len(p.moving)
    position_row, present_row = min(shot, len(scene.positions) - 1), min(shot, len(scene.present) - 1)
    p.clock[0] = 0.0
    for i in range(count):
        p.moving[i] = False
        p.present[i] = scene.present[present_row, i]
        results.moved[shot, i] = results.left[shot, i] = False
        for k in range(3):
            p.rest_poses[i, k] = scene.positions[position_row, i, k]
        for j in range(count):
            p.collision_times[i, j] = inf
            results.collided[shot, i, j] = False
        for k in range(results.crossed.shape[2]):
            results.crossed[shot, i, k] = 0
    results.first_contact[shot, 0] = results.first_contact[shot, 1] = -1


@njit_no_refcount
def _log_event(
    log: EventLog, log_rows: int, what: int, piece: int, other: int,
    t: float, x: float, y: float, a: float, b: float, c: float,
) -> int:  # fmt: skip
    """Append an event if there is a log: the new row count; -1 if it is full."""
    if log.kind.shape[0] == 0 or log_rows < 0:
        return log_rows
    if log_rows == log.kind.shape[0]:
        return -1
    log.kind[log_rows] = what
    log.subjects[log_rows, 0], log.subjects[log_rows, 1] = piece, other
    log.values[log_rows, 0], log.values[log_rows, 1], log.values[log_rows, 2] = t, x, y
    log.values[log_rows, 3], log.values[log_rows, 4], log.values[log_rows, 5] = a, b, c
    return log_rows + 1


# -- events -----------------------------------------------------------------------------------------------------------


@njit_no_refcount
def _end_slides(
    shot: int, p: Plane, board: BoardArrays, laws: PlaneLaws, results: DiscBatchArrays, log: EventLog, log_rows: int
) -> int:
    """End the slides that stop now or reach the edge: the new row count of the log."""
    ended, time = 0, p.clock[0]
    for i in range(len(p.moving)):
        if p.moving[i] and p.segments[i, END_TIME] <= time:
            p.changed[ended] = i
            ended += 1
    for k in range(ended):
        i = p.changed[k]
        read_motion(p, i, board)
        x, y, vx, vy = p.motion[i, 0], p.motion[i, 1], p.motion[i, 3], p.motion[i, 4]
        log_rows = _record_crossings(shot, i, p, board, results, log, log_rows)
        p.moving[i] = False
        if p.segments[i, FALLS_OFF] > 0.0:
            p.present[i] = False
            results.left[shot, i] = True
            log_rows = _log_event(log, log_rows, LEFT, i, -1, time, x, y, vx, vy, 0.0)
        else:
            results.moved[shot, i] = True
            log_rows = _log_event(log, log_rows, RESTED, i, -1, time, x, y, 0.0, 0.0, 0.0)
        for n in range(3):
            p.rest_poses[i, n] = p.motion[i, n]
    update_collision_times(p, ended, laws, board)
    return log_rows


@njit_no_refcount
def _record_crossings(
    shot: int, i: int, p: Plane, board: BoardArrays, results: DiscBatchArrays, log: EventLog, log_rows: int
) -> int:
    """Count and log the lines that piece i has crossed on its current segment, which ends at its row of `motion`."""
    seg = p.segments[i]
    dx, dy = p.motion[i, 0] - seg[X], p.motion[i, 1] - seg[Y]
    for k in range(board.lines.shape[0]):
        ax, ay = board.lines[k, 0], board.lines[k, 1]
        ex, ey = board.lines[k, 2] - ax, board.lines[k, 3] - ay
        det = dx * ey - dy * ex
        if det == 0.0:
            continue
        fx, fy = ax - seg[X], ay - seg[Y]
        along, beside = (fx * ey - fy * ex) / det, (fx * dy - fy * dx) / det
        if 0.0 < along <= 1.0 and 0.0 <= beside <= 1.0:
            results.crossed[shot, i, k] += 1
            if log.kind.shape[0] > 0:
                travelled = along * sqrt(dx * dx + dy * dy)
                when = min(seg[START_TIME] + sliding_disc.time_at_distance(seg, board, travelled), p.clock[0])
                forward = 1.0 if ex * seg[DIR_Y] - ey * seg[DIR_X] > 0.0 else 0.0
                x, y = seg[X] + along * dx, seg[Y] + along * dy
                log_rows = _log_event(log, log_rows, CROSSED, i, k, when, x, y, forward, 0.0, 0.0)
    return log_rows


@njit_no_refcount
def _resolve_collisions(
    shot: int, collision_time: float, p: Plane, board: BoardArrays, laws: PlaneLaws, results: DiscBatchArrays,
    log: EventLog, log_rows: int,
) -> int:  # fmt: skip
    """Resolve simultaneously all due pairs that touch and approach: the new row count of the log."""
    count, changed = len(p.moving), p.changed
    due, hit = 0, 0
    for a in range(count):
        for b in range(a + 1, count):
            if p.collision_times[a, b] > collision_time + SIMULTANEITY_TOLERANCE:
                continue
            for i in (a, b):
                known = False
                for k in range(due):
                    known = known or changed[k] == i
                if not known:
                    changed[due] = i
                    due += 1
                    read_motion(p, i, board)
            if is_impact(p, hit, a, b, laws):
                hit += 1
                results.collided[shot, a, b] = results.collided[shot, b, a] = True
                if results.first_contact[shot, 0] < 0:
                    results.first_contact[shot, 0], results.first_contact[shot, 1] = a, b
    insertion_sort(changed, due)
    for k in range(due):
        if p.moving[changed[k]] and is_in_pairs(p, changed[k], hit):
            log_rows = _record_crossings(shot, changed[k], p, board, results, log, log_rows)
    for n in range(hit):
        a, b, nx, ny = p.pairs[n, 0], p.pairs[n, 1], p.contacts[n, 0], p.contacts[n, 1]
        x, y = p.motion[a, 0] + nx * laws.radius[a], p.motion[a, 1] + ny * laws.radius[a]
        log_rows = _log_event(log, log_rows, TOUCHED, a, b, p.clock[0], x, y, nx, ny, p.speeds[n])
    solve_impulses(p, hit, laws)
    for k in range(due):
        i = changed[k]
        if is_in_pairs(p, i, hit):
            start_slide(p, i, p.motion[i, 3], p.motion[i, 4], p.motion[i, 5], laws, board)
    update_collision_times(p, due, laws, board)
    return log_rows
