"""Compiled batch simulation of discs in the plane: `planar_world.PlanarWorld` as one loop over arrays.

The same slides, times of impact and events in the same order; collisions are solved with pymunk's algorithm. Results
agree with `simulate` to far below a nanometre, except for shots that depend on less.
"""

from math import asin, cos, inf, sin, sqrt
from typing import Final

import numpy as np

from flicksim.engine.batch import sliding_disc
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
from flicksim.engine.batch.sliding_disc import (
    ANGLE,
    DIR_X,
    DIR_Y,
    END_TIME,
    FALLS_OFF,
    RADIUS,
    SEGMENT_COLUMNS,
    START_TIME,
    STOP_DISTANCE,
    X,
    Y,
)
from flicksim.engine.collision_response import CONTACT_MARGIN, IMPACT_TIME_STEP, IMPULSE_TOLERANCE
from flicksim.engine.friction import INERTIA_FACTOR
from flicksim.engine.jit import njit, njit_no_refcount
from flicksim.engine.planar_world import CREEP_SPEED, MIN_RECHECK_TIME, PENETRATION_TOLERANCE, SIMULTANEITY_TOLERANCE

_MAX_ITERATIONS: Final = 20_000


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
                _disc_state(i, time, segments, moving, rest_poses, board, motion)
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
def _disc_state(
    i: int, time: float, segments: Floats, moving: Bools, rest_poses: Floats, board: BoardArrays, motion: Floats
) -> None:
    """Write position, angle, velocity and spin of piece i to its row of `motion`."""
    if not moving[i]:
        for k in range(3):
            motion[i, k] = rest_poses[i, k]
            motion[i, k + 3] = 0.0
        return
    seg = segments[i]
    distance, speed = sliding_disc.distance_and_speed(seg, board, time - seg[START_TIME])
    rotation, rim_speed = sliding_disc.rotation_and_rim_speed(seg, board, time - seg[START_TIME])
    motion[i, 0], motion[i, 1], motion[i, 2] = (
        seg[X] + seg[DIR_X] * distance,
        seg[Y] + seg[DIR_Y] * distance,
        seg[ANGLE] + rotation,
    )
    motion[i, 3], motion[i, 4], motion[i, 5] = (
        seg[DIR_X] * speed,
        seg[DIR_Y] * speed,
        rim_speed / seg[RADIUS],
    )


@njit_no_refcount
def start_slide(
    i: int,
    vx: float,
    vy: float,
    spin: float,
    time: float,
    motion: Floats,
    segments: Floats,
    moving: Bools,
    board: BoardArrays,
    radius: float,
    deceleration: float,
    contact: int,
) -> None:
    """Start a new slide of piece i from the position in its row of `motion`."""
    seg = segments[i]
    x, y = motion[i, 0], motion[i, 1]
    speed = sqrt(vx * vx + vy * vy)
    ux, uy = 1.0, 0.0
    if speed > 0.0:
        ux, uy = vx / speed, vy / speed
    sliding_disc.init_slide(seg, board, speed, spin * radius, radius, deceleration, contact)
    seg[START_TIME], seg[X], seg[Y], seg[ANGLE], seg[DIR_X], seg[DIR_Y] = (
        time,
        x,
        y,
        motion[i, 2],
        ux,
        uy,
    )
    seg[END_TIME], seg[FALLS_OFF] = time + seg[sliding_disc.STOP_TIME], 0.0
    edge = inf
    for q in range(board.edges.shape[0]):
        ax, ay = board.edges[q, 0], board.edges[q, 1]
        ex, ey = board.edges[q, 2] - ax, board.edges[q, 3] - ay
        outward = ux * ey - uy * ex
        if outward > 0.0:
            edge = min(edge, ((ax - x) * ey - (ay - y) * ex) / outward)
    edge = max(0.0, edge)
    if edge < seg[STOP_DISTANCE]:
        seg[END_TIME], seg[FALLS_OFF] = time + sliding_disc.time_at_distance(seg, board, edge), 1.0
    moving[i] = True


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
                when = _time_of_impact_moving(
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


@njit_no_refcount
def time_of_impact_resting(
    seg: Floats,
    bx: float,
    by: float,
    board: BoardArrays,
    contact_distance: float,
    threshold: float,
    time: float,
) -> float:
    """Time at which a sliding piece hits one at rest; inf if it does not."""
    dx, dy = bx - seg[X], by - seg[Y]
    along, aside = dx * seg[DIR_X] + dy * seg[DIR_Y], dx * seg[DIR_Y] - dy * seg[DIR_X]
    if (
        along <= 0.0
        or aside * aside >= contact_distance * contact_distance
        or along - contact_distance > seg[STOP_DISTANCE]
    ):
        return inf
    for attempt in range(2):
        reach, least = (
            (contact_distance, threshold) if attempt == 0 else (contact_distance - PENETRATION_TOLERANCE, CREEP_SPEED)
        )
        if aside * aside >= reach * reach:
            return inf
        inward = sqrt(reach * reach - aside * aside)
        when = max(sliding_disc.time_at_distance(seg, board, along - inward), time - seg[START_TIME])
        if not when < seg[END_TIME] - seg[START_TIME]:
            return inf
        distance, speed = sliding_disc.distance_and_speed(seg, board, when)
        if along - distance <= 0.0:
            return inf
        if speed * (along - distance) / sqrt((along - distance) * (along - distance) + aside * aside) > least:
            return seg[START_TIME] + when
    return inf


@njit_no_refcount
def _time_of_impact_moving(
    ra: Floats,
    rb: Floats,
    board: BoardArrays,
    contact_distance: float,
    max_deceleration: float,
    threshold: float,
    time: float,
) -> float:
    """Time of impact of two sliding pieces by conservative advancement; inf without one (see
    `PlanarWorld._time_of_impact_moving`)."""
    if _cannot_collide(ra, rb, contact_distance) or _cannot_collide(rb, ra, contact_distance):
        return inf
    last = min(ra[END_TIME], rb[END_TIME])
    to_go = contact_distance + ra[STOP_DISTANCE] + rb[STOP_DISTANCE]
    t = time
    for _ in range(60):
        wa, va = sliding_disc.distance_and_speed(ra, board, t - ra[START_TIME])
        wb, vb = sliding_disc.distance_and_speed(rb, board, t - rb[START_TIME])
        dx = rb[X] + rb[DIR_X] * wb - ra[X] - ra[DIR_X] * wa
        dy = rb[Y] + rb[DIR_Y] * wb - ra[Y] - ra[DIR_Y] * wa
        d = sqrt(dx * dx + dy * dy)
        if d + wa + wb > to_go:
            return inf
        gap = d - contact_distance
        c = ((ra[DIR_X] * va - rb[DIR_X] * vb) * dx + (ra[DIR_Y] * va - rb[DIR_Y] * vb) * dy) / d
        if gap <= CONTACT_MARGIN:
            if c > threshold or (gap <= -PENETRATION_TOLERANCE and c > CREEP_SPEED):
                return t
            sink = max(gap + PENETRATION_TOLERANCE, 0.0)
            if c > 0.0:
                t += max(2.0 * sink / (c + sqrt(c * c + 2.0 * max_deceleration * sink)), MIN_RECHECK_TIME)
            elif max_deceleration > 0.0:
                t += max(-c / max_deceleration, MIN_RECHECK_TIME)
            else:
                return inf
        else:
            root = c * c + 2.0 * max_deceleration * gap
            if c > 0.0:
                t += 2.0 * (gap - 0.5 * CONTACT_MARGIN) / (c + sqrt(root))
            elif max_deceleration > 0.0:
                t += (sqrt(root) - c) / max_deceleration
            else:
                return inf
        if t >= last:
            return inf
    return t


@njit_no_refcount
def _cannot_collide(a: Floats, b: Floats, contact_distance: float) -> bool:
    """True if the path of b lies entirely beside, before or behind that of a by more than `contact_distance`."""
    dx, dy = b[X] - a[X], b[Y] - a[Y]
    ux, uy, distance, length = a[DIR_X], a[DIR_Y], b[STOP_DISTANCE], a[STOP_DISTANCE]
    ex, ey = dx + b[DIR_X] * distance, dy + b[DIR_Y] * distance
    begin, end = dy * ux - dx * uy, ey * ux - ex * uy
    if (begin > contact_distance and end > contact_distance) or (begin < -contact_distance and end < -contact_distance):
        return True
    begin, end = dx * ux + dy * uy, ex * ux + ey * uy
    return (begin > length + contact_distance and end > length + contact_distance) or (
        begin < -contact_distance and end < -contact_distance
    )


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
                    _disc_state(i, time, segments, moving, rest_poses, board, motion)
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
    _insertion_sort(changed, due)
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
    _solve_impulses(
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


@njit_no_refcount
def _insertion_sort(numbers: Ints, count: int) -> None:
    """Sort the first `count` numbers in place."""
    for k in range(1, count):
        value, n = numbers[k], k
        while n > 0 and numbers[n - 1] > value:
            numbers[n] = numbers[n - 1]
            n -= 1
        numbers[n] = value


@njit_no_refcount
def _solve_impulses(
    hit: int, pairs: Ints, speeds: Floats, contacts: Floats, motion: Floats, radius: Floats, mass: Floats,
    friction: Floats, restitution: Floats, yield_speed: Floats, threshold: float,
) -> None:  # fmt: skip
    """Apply the impulses of simultaneous collisions to `motion`, by sequential impulses to convergence.

    Equivalent to one tiny step of a pymunk space, including its motion of the bodies before the collision.
    """
    for n in range(hit):
        a, b = pairs[n, 0], pairs[n, 1]
        ax, ay = motion[a, 0] + motion[a, 3] * IMPACT_TIME_STEP, motion[a, 1] + motion[a, 4] * IMPACT_TIME_STEP
        bx, by = motion[b, 0] + motion[b, 3] * IMPACT_TIME_STEP, motion[b, 1] + motion[b, 4] * IMPACT_TIME_STEP
        dx, dy = bx - ax, by - ay
        d = 1.0 / sqrt(dx * dx + dy * dy)
        nx, ny = dx * d, dy * d
        ra, rb = radius[a] + 2.0 * CONTACT_MARGIN, radius[b] + 2.0 * CONTACT_MARGIN
        rax, ray, rbx, rby = ax + nx * ra - ax, ay + ny * ra - ay, bx + nx * -rb - bx, by + ny * -rb - by
        inv_ma, inv_mb = 1.0 / mass[a], 1.0 / mass[b]
        inv_ia = 1.0 / (INERTIA_FACTOR * mass[a] * radius[a] * radius[a])
        inv_ib = 1.0 / (INERTIA_FACTOR * mass[b] * radius[b] * radius[b])
        along_a, along_b = rax * ny - ray * nx, rbx * ny - rby * nx
        aside_a, aside_b = rax * nx + ray * ny, rbx * nx + rby * ny
        contacts[n, 0], contacts[n, 1] = nx, ny
        contacts[n, 2], contacts[n, 3], contacts[n, 4], contacts[n, 5] = rax, ray, rbx, rby
        contacts[n, 6] = 1.0 / (inv_ma + inv_ia * along_a * along_a + (inv_mb + inv_ib * along_b * along_b))
        contacts[n, 7] = 1.0 / (inv_ma + inv_ia * aside_a * aside_a + (inv_mb + inv_ib * aside_b * aside_b))
        e = 1.0
        if speeds[n] > 2.0 * threshold:
            e = restitution[a, b]
            if speeds[n] > yield_speed[a, b]:
                e *= (speeds[n] / yield_speed[a, b]) ** -0.25
        vx, vy = _relative_velocity(a, b, rax, ray, rbx, rby, motion)
        contacts[n, 8] = (vx * nx + vy * ny) * e
        contacts[n, 9] = friction[a, b]
        contacts[n, 10] = contacts[n, 11] = 0.0
    for _ in range(1 if hit == 1 else _MAX_ITERATIONS):
        change, size = 0.0, 0.0
        for n in range(hit):
            a, b = pairs[n, 0], pairs[n, 1]
            nx, ny = contacts[n, 0], contacts[n, 1]
            rax, ray, rbx, rby = contacts[n, 2], contacts[n, 3], contacts[n, 4], contacts[n, 5]
            vx, vy = _relative_velocity(a, b, rax, ray, rbx, rby, motion)
            along, aside = vx * nx + vy * ny, vx * -ny + vy * nx
            normal_impulse = max(contacts[n, 10] + -(contacts[n, 8] + along) * contacts[n, 6], 0.0)
            limit = contacts[n, 9] * normal_impulse
            friction_impulse = min(max(contacts[n, 11] + -aside * contacts[n, 7], -limit), limit)
            jn, jt = normal_impulse - contacts[n, 10], friction_impulse - contacts[n, 11]
            contacts[n, 10], contacts[n, 11] = normal_impulse, friction_impulse
            change, size = max(change, abs(jn), abs(jt)), max(size, normal_impulse)
            jx, jy = nx * jn - ny * jt, nx * jt + ny * jn
            inv_ma, inv_mb = 1.0 / mass[a], 1.0 / mass[b]
            motion[a, 3] += -jx * inv_ma
            motion[a, 4] += -jy * inv_ma
            motion[b, 3] += jx * inv_mb
            motion[b, 4] += jy * inv_mb
            motion[a, 5] += 1.0 / (INERTIA_FACTOR * mass[a] * radius[a] * radius[a]) * (rax * -jy - ray * -jx)
            motion[b, 5] += 1.0 / (INERTIA_FACTOR * mass[b] * radius[b] * radius[b]) * (rbx * jy - rby * jx)
        if change <= IMPULSE_TOLERANCE * size:
            break


@njit_no_refcount
def _relative_velocity(
    a: int, b: int, rax: float, ray: float, rbx: float, rby: float, motion: Floats
) -> tuple[float, float]:
    """Velocity of b relative to a at their contact [m/s]."""
    vx = motion[b, 3] + -rby * motion[b, 5] - (motion[a, 3] + -ray * motion[a, 5])
    vy = motion[b, 4] + rbx * motion[b, 5] - (motion[a, 4] + rax * motion[a, 5])
    return vx, vy
