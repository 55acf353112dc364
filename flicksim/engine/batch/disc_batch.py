"""Compiled batch simulation of discs in the plane: `planar_world.PlanarWorld` as one loop over arrays.

The same slides, times of impact and events in the same order; collisions are solved with pymunk's algorithm. Results
agree with `simulate` to far below a nanometre, except for shots that depend on less.
"""

from math import asin, cos, inf, sin, sqrt

import numpy as np

from flicksim.engine.batch.arrays import (
    CROSSED,
    LEFT,
    LIMIT_REACHED,
    NEVER_STOPS,
    RESTED,
    SETTLED,
    SKIPPED,
    STRUCK,
    TOUCHED,
    BoardArrays,
    Bools,
    DiscBatchArrays,
    EventLog,
    FlickArrays,
    Floats,
    Ints,
    SceneArrays,
)
from flicksim.engine.collision_response import CONTACT_MARGIN
from flicksim.engine.friction import INERTIA_FACTOR
from flicksim.engine.jit import njit, njit_no_refcount
from flicksim.engine.planar_discs import sliding_disc
from flicksim.engine.planar_discs.impacts import (
    disc_state,
    insertion_sort,
    solve_impulses,
    start_slide,
    time_of_impact_moving,
    time_of_impact_resting,
)
from flicksim.engine.planar_discs.sliding_disc import (
    DIR_X,
    DIR_Y,
    END_TIME,
    FALLS_OFF,
    SEGMENT_COLUMNS,
    START_TIME,
    X,
    Y,
)
from flicksim.engine.planar_world import CREEP_SPEED, SIMULTANEITY_TOLERANCE


@njit
def simulate_shots(
    first: int,
    last: int,
    board: BoardArrays,
    scene: SceneArrays,
    flicks: FlickArrays,
    results: DiscBatchArrays,
    log: EventLog,
    log_ends: Ints,
) -> None:
    """Simulate the shots of rows first to last - 1.

    Args:
        log_ends: row of the log after the last event of each shot, counted from the beginning of `log`. [last - first]
    """
    count = scene.radius.shape[1]
    segments = np.zeros((count, SEGMENT_COLUMNS))
    moving, on_surface = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    rest_poses, collision_times = np.zeros((count, 3)), np.full((count, count), inf)
    changed, pairs = np.zeros(count, np.int64), np.zeros((count * (count - 1) // 2 + 1, 2), np.int64)
    speeds, contacts, motion = np.zeros(len(pairs)), np.zeros((len(pairs), 12)), np.zeros((count, 6))
    logged = 0
    for shot in range(first, last):
        log_ends[shot - first] = logged
        if results.status[shot] == SKIPPED:
            continue
        logged = _simulate_shot(
            shot, board, scene, flicks, results, log, logged,
            segments, moving, on_surface, rest_poses, collision_times, changed, pairs, speeds, contacts, motion,
        )  # fmt: skip
        log_ends[shot - first] = logged


@njit_no_refcount
def _simulate_shot(
    shot: int,
    board: BoardArrays,
    scene: SceneArrays,
    flicks: FlickArrays,
    results: DiscBatchArrays,
    log: EventLog,
    log_rows: int,
    segments: Floats,
    moving: Bools,
    on_surface: Bools,
    rest_poses: Floats,
    collision_times: Floats,
    changed: Ints,
    pairs: Ints,
    speeds: Floats,
    contacts: Floats,
    motion: Floats,
) -> int:
    """Simulate one shot; the arrays from `segments` on are scratch."""
    count = segments.shape[0]
    at = min(shot, scene.positions.shape[0] - 1)
    row = min(shot, scene.radius.shape[0] - 1)
    settings_row = min(shot, scene.elastic_threshold.shape[0] - 1)
    radius, deceleration, contact = scene.radius[row], scene.deceleration[row], scene.contact_kind[row]
    threshold, max_impacts = scene.elastic_threshold[settings_row], scene.max_impacts[settings_row]
    for i in range(count):
        moving[i] = False
        on_surface[i] = scene.present[min(shot, scene.present.shape[0] - 1), i]
        results.moved[shot, i] = results.left[shot, i] = False
        for k in range(3):
            rest_poses[i, k] = scene.positions[at, i, k]
        for j in range(count):
            collision_times[i, j] = inf
    for i in range(count):
        for k in range(count):
            results.collided[shot, i, k] = False
        for k in range(results.crossed.shape[2]):
            results.crossed[shot, i, k] = 0
    results.first_contact[shot, 0] = results.first_contact[shot, 1] = -1

    i = flicks.piece[shot]
    vx, vy, spin = flick_velocity(
        flicks.speed[shot], flicks.azimuth[shot], flicks.offset[shot], scene.nail_friction[settings_row], radius[i]
    )
    log_rows = _log_event(log, log_rows, STRUCK, i, -1, 0.0, rest_poses[i, 0], rest_poses[i, 1], vx, vy, spin)
    for k in range(3):
        motion[i, k] = rest_poses[i, k]
    start_slide(i, vx, vy, spin, 0.0, motion, segments, moving, board, radius[i], deceleration[i], contact[i])
    changed[0] = i
    _update_collision_times(
        1,
        changed,
        segments,
        moving,
        on_surface,
        rest_poses,
        collision_times,
        board,
        radius,
        deceleration,
        threshold,
        0.0,
    )

    time, impacts, status = 0.0, 0, SETTLED
    while True:
        end, collision_time, anything = inf, inf, False
        for i in range(count):
            if moving[i]:
                anything = True
                end = min(end, segments[i, END_TIME])
                for j in range(i):
                    if collision_times[j, i] < collision_time:
                        collision_time = collision_times[j, i]
            else:
                for j in range(i):
                    if moving[j] and collision_times[j, i] < collision_time:
                        collision_time = collision_times[j, i]
        if not anything:
            break
        if time > scene.max_time[settings_row] or impacts > max_impacts:
            status = LIMIT_REACHED
            break
        if end == inf and collision_time == inf:
            status = NEVER_STOPS
            break
        time = min(end, collision_time)
        if collision_time <= end:
            impacts += 1
            log_rows = _resolve_collisions(
                shot,
                collision_time,
                time,
                segments,
                moving,
                on_surface,
                rest_poses,
                collision_times,
                board,
                scene,
                row,
                settings_row,
                results,
                log,
                log_rows,
                changed,
                pairs,
                speeds,
                contacts,
                motion,
            )
        else:
            ended = 0
            for i in range(count):
                if moving[i] and segments[i, END_TIME] <= time:
                    changed[ended] = i
                    ended += 1
            for k in range(ended):
                i = changed[k]
                disc_state(i, time, segments, moving, rest_poses, board, motion)
                log_rows = _record_crossings(
                    shot, i, motion[i, 0], motion[i, 1], time, segments, board, results, log, log_rows
                )
                moving[i] = False
                if segments[i, FALLS_OFF] > 0.0:
                    on_surface[i] = False
                    results.left[shot, i] = True
                    log_rows = _log_event(
                        log, log_rows, LEFT, i, -1, time, motion[i, 0], motion[i, 1], motion[i, 3], motion[i, 4], 0.0
                    )
                else:
                    results.moved[shot, i] = True
                    log_rows = _log_event(log, log_rows, RESTED, i, -1, time, motion[i, 0], motion[i, 1], 0.0, 0.0, 0.0)
                for n in range(3):
                    rest_poses[i, n] = motion[i, n]
            _update_collision_times(
                ended, changed, segments, moving, on_surface, rest_poses, collision_times, board, radius,
                deceleration, threshold, time,
            )  # fmt: skip
    for i in range(count):
        for k in range(3):
            results.positions[shot, i, k] = rest_poses[i, k]
    results.duration[shot] = time
    results.status[shot] = status
    return log_rows


@njit_no_refcount
def flick_velocity(
    speed: float, azimuth: float, offset: float, nail_friction: float, radius: float
) -> tuple[float, float, float]:
    """Velocity [m/s] and spin [rad/s] of a piece flicked by a nail (see `initial_motion.flick_velocity`)."""
    lean = asin(offset)
    normal = cos(lean)
    tangent = max(-nail_friction * normal, min(nail_friction * normal, sin(lean)))
    ux, uy = cos(azimuth), sin(azimuth)
    c, s = cos(lean), sin(lean)
    nx, ny = ux * c + uy * s, uy * c - ux * s
    vx = speed * (normal * nx - tangent * ny)
    vy = speed * (normal * ny + tangent * nx)
    return vx, vy, -speed * tangent / (INERTIA_FACTOR * radius)


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


# -- slides -----------------------------------------------------------------------------------------------------------


@njit_no_refcount
def _record_crossings(
    shot: int,
    i: int,
    x: float,
    y: float,
    time: float,
    segments: Floats,
    board: BoardArrays,
    results: DiscBatchArrays,
    log: EventLog,
    log_rows: int,
) -> int:
    """Count and log the lines that piece i has crossed on its current segment, which ends at x, y."""
    seg = segments[i]
    dx, dy = x - seg[X], y - seg[Y]
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
                when = min(
                    seg[START_TIME] + sliding_disc.time_at_distance(seg, board, along * sqrt(dx * dx + dy * dy)),
                    time,
                )
                forward = 1.0 if ex * seg[DIR_Y] - ey * seg[DIR_X] > 0.0 else 0.0
                log_rows = _log_event(
                    log,
                    log_rows,
                    CROSSED,
                    i,
                    k,
                    when,
                    seg[X] + along * dx,
                    seg[Y] + along * dy,
                    forward,
                    0.0,
                    0.0,
                )
    return log_rows


# -- times of impact --------------------------------------------------------------------------------------------------


@njit_no_refcount
def _update_collision_times(
    changed_count: int,
    changed: Ints,
    segments: Floats,
    moving: Bools,
    on_surface: Bools,
    rest_poses: Floats,
    collision_times: Floats,
    board: BoardArrays,
    radius: Floats,
    deceleration: Floats,
    threshold: float,
    time: float,
) -> None:
    """Recompute the collision times of the first `changed_count` pieces of `changed` (see
    `PlanarWorld._update_collision_times`)."""
    count = segments.shape[0]
    for k in range(changed_count):
        a = changed[k]
        for b in range(count):
            if b != a:
                collision_times[min(a, b), max(a, b)] = inf
    for k in range(changed_count):
        a = changed[k]
        if not on_surface[a]:
            continue
        for b in range(count):
            if b == a or not on_surface[b] or not (moving[a] or moving[b]):
                continue
            if b < a:
                again = False
                for n in range(changed_count):
                    again = again or changed[n] == b
                if again:
                    continue
            if moving[a] and moving[b]:
                when = time_of_impact_moving(
                    segments[a],
                    segments[b],
                    board,
                    radius[a] + radius[b],
                    deceleration[a] + deceleration[b],
                    threshold,
                    time,
                )
            elif moving[a]:
                when = time_of_impact_resting(
                    segments[a],
                    rest_poses[b, 0],
                    rest_poses[b, 1],
                    board,
                    radius[a] + radius[b],
                    threshold,
                    time,
                )
            else:
                when = time_of_impact_resting(
                    segments[b],
                    rest_poses[a, 0],
                    rest_poses[a, 1],
                    board,
                    radius[a] + radius[b],
                    threshold,
                    time,
                )
            collision_times[min(a, b), max(a, b)] = when


# -- collision response -----------------------------------------------------------------------------------------------


@njit_no_refcount
def _resolve_collisions(
    shot: int,
    collision_time: float,
    time: float,
    segments: Floats,
    moving: Bools,
    on_surface: Bools,
    rest_poses: Floats,
    collision_times: Floats,
    board: BoardArrays,
    scene: SceneArrays,
    row: int,
    settings_row: int,
    results: DiscBatchArrays,
    log: EventLog,
    log_rows: int,
    changed: Ints,
    pairs: Ints,
    speeds: Floats,
    contacts: Floats,
    motion: Floats,
) -> int:
    """Resolve simultaneously all due pairs that touch and approach: the new row count of the log."""
    count = segments.shape[0]
    radius, mass, deceleration, contact = (
        scene.radius[row],
        scene.mass[row],
        scene.deceleration[row],
        scene.contact_kind[row],
    )
    threshold = scene.elastic_threshold[settings_row]
    due, hit = 0, 0
    for a in range(count):
        for b in range(a + 1, count):
            if collision_times[a, b] > collision_time + SIMULTANEITY_TOLERANCE:
                continue
            for i in (a, b):
                known = False
                for k in range(due):
                    known = known or changed[k] == i
                if not known:
                    changed[due] = i
                    due += 1
                    disc_state(i, time, segments, moving, rest_poses, board, motion)
            dx, dy = motion[b, 0] - motion[a, 0], motion[b, 1] - motion[a, 1]
            d = sqrt(dx * dx + dy * dy)
            nx, ny = dx / d, dy / d
            speed = (motion[a, 3] - motion[b, 3]) * nx + (motion[a, 4] - motion[b, 4]) * ny
            gap = d - radius[a] - radius[b]
            if (gap <= 2.0 * CONTACT_MARGIN and speed > 0.5 * threshold) or (gap <= 0.0 and speed > 0.5 * CREEP_SPEED):
                pairs[hit, 0], pairs[hit, 1], speeds[hit] = a, b, speed
                hit += 1
                results.collided[shot, a, b] = results.collided[shot, b, a] = True
                if results.first_contact[shot, 0] < 0:
                    results.first_contact[shot, 0], results.first_contact[shot, 1] = a, b
    insertion_sort(changed, due)
    for k in range(due):
        i = changed[k]
        part = False
        for n in range(hit):
            part = part or pairs[n, 0] == i or pairs[n, 1] == i
        if part and moving[i]:
            log_rows = _record_crossings(
                shot, i, motion[i, 0], motion[i, 1], time, segments, board, results, log, log_rows
            )
    for n in range(hit):
        a, b = pairs[n, 0], pairs[n, 1]
        dx, dy = motion[b, 0] - motion[a, 0], motion[b, 1] - motion[a, 1]
        d = sqrt(dx * dx + dy * dy)
        x, y = motion[a, 0] + dx / d * radius[a], motion[a, 1] + dy / d * radius[a]
        log_rows = _log_event(log, log_rows, TOUCHED, a, b, time, x, y, dx / d, dy / d, speeds[n])
    solve_impulses(
        hit, pairs, speeds, contacts, motion, radius, mass,
        scene.friction[row], scene.restitution[row], scene.yield_speed[row], threshold,
    )  # fmt: skip
    for k in range(due):
        i = changed[k]
        part = False
        for n in range(hit):
            part = part or pairs[n, 0] == i or pairs[n, 1] == i
        if part:
            start_slide(
                i, motion[i, 3], motion[i, 4], motion[i, 5], time, motion, segments, moving, board,
                radius[i], deceleration[i], contact[i],
            )  # fmt: skip
    _update_collision_times(
        due, changed, segments, moving, on_surface, rest_poses, collision_times, board, radius,
        deceleration, threshold, time,
    )  # fmt: skip
    return log_rows
