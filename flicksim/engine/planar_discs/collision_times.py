"""Times of impact of discs in the plane: those of `planar_world.PlanarWorld` on arrays."""

from math import inf, sqrt

from flicksim.engine.collision_response import CONTACT_MARGIN
from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.planar_discs import sliding_disc
from flicksim.engine.planar_discs.board import BoardArrays, Floats
from flicksim.engine.planar_discs.plane import HAS_POT, Plane, PlaneLaws
from flicksim.engine.planar_discs.sliding_disc import DIR_X, DIR_Y, END_TIME, START_TIME, STOP_DISTANCE, X, Y
from flicksim.engine.planar_world import CREEP_SPEED, MIN_RECHECK_TIME, PENETRATION_TOLERANCE


@njit_no_refcount
def contact_distance(p: Plane, a: int, b: int, laws: PlaneLaws) -> float:
    """Distance at contact of the centres of disc `a`, which slides, and body `b` [m]."""
    if p.obstacle_reach[b] > 0.0:
        return float(laws.radius[a] + p.obstacle_reach[b])
    if b == len(p.moving) - 1 and p.counts[HAS_POT] == 1:
        return float(laws.pot_contact_distance[a])
    return float(laws.radius[a] + laws.radius[b])


@njit_no_refcount
def update_collision_times(p: Plane, changed_count: int, laws: PlaneLaws, board: BoardArrays) -> None:
    """Recompute the collision times of the first discs of `changed`, whose motion changed (see
    `PlanarWorld._update_collision_times`)."""
    bodies, now, threshold = len(p.moving), p.clock[0], laws.elastic_threshold
    for n in range(changed_count):
        a = p.changed[n]
        for b in range(bodies):
            p.collision_times[min(a, b), max(a, b)] = inf
    for n in range(changed_count):
        a = p.changed[n]
        if not p.present[a]:
            continue
        for b in range(bodies):
            if b == a or not p.present[b] or not (p.moving[a] or p.moving[b]):
                continue
            done = False
            for q in range(changed_count):
                done = done or (b < a and p.changed[q] == b)
            if done:
                continue
            if p.moving[a] and p.moving[b]:
                when = time_of_impact_moving(
                    p.segments[a], p.segments[b], board, laws.radius[a] + laws.radius[b],
                    laws.deceleration[a] + laws.deceleration[b], threshold, now,
                )  # fmt: skip
            else:
                i, j = (a, b) if p.moving[a] else (b, a)
                when = time_of_impact_resting(
                    p.segments[i], p.rest_poses[j, 0], p.rest_poses[j, 1], board,
                    contact_distance(p, i, j, laws), threshold, now,
                )  # fmt: skip
            p.collision_times[min(a, b), max(a, b)] = when


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
    """Time at which a sliding piece hits one at rest [s]; inf if it does not.

    Args:
        seg: slide of the piece. [SEGMENT_COLUMNS]. bx, by: centre of the piece at rest [m].
        contact_distance: of their centres at contact [m]. threshold: approach speed of the slowest impact [m/s].
        time: earliest time considered [s].
    """
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
def time_of_impact_moving(
    ra: Floats,
    rb: Floats,
    board: BoardArrays,
    contact_distance: float,
    max_deceleration: float,
    threshold: float,
    time: float,
) -> float:
    """Time of impact of two sliding pieces by conservative advancement [s]; inf without one (see
    `PlanarWorld._time_of_impact_moving`).

    Args:
        ra, rb: their slides. [SEGMENT_COLUMNS]. max_deceleration: sum of both [m/s^2].
        contact_distance, threshold, time: see `time_of_impact_resting`.
    """
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
