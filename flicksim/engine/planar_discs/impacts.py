"""Slides, times of impact and impulses of discs in the plane as array rows: `planar_world.PlanarWorld` for loops."""

from math import inf, sqrt
from typing import Final

from flicksim.engine.collision_response import CONTACT_MARGIN, IMPACT_TIME_STEP, IMPULSE_TOLERANCE
from flicksim.engine.friction import INERTIA_FACTOR
from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.planar_discs import sliding_disc
from flicksim.engine.planar_discs.board import BoardArrays, Bools, Floats, Ints
from flicksim.engine.planar_discs.sliding_disc import (
    ANGLE,
    DIR_X,
    DIR_Y,
    END_TIME,
    FALLS_OFF,
    RADIUS,
    START_TIME,
    STOP_DISTANCE,
    X,
    Y,
)
from flicksim.engine.planar_world import CREEP_SPEED, MIN_RECHECK_TIME, PENETRATION_TOLERANCE

_MAX_ITERATIONS: Final = 20_000


@njit_no_refcount
def disc_state(
    i: int, time: float, segments: Floats, moving: Bools, rest_poses: Floats, board: BoardArrays, motion: Floats
) -> None:
    """Write position, angle, velocity and spin of piece i to its row of `motion`.

    Args:
        time: for which [s]. segments: slides in progress. [N, SEGMENT_COLUMNS]
        moving: pieces that slide. [N]. rest_poses: position [m] and angle [rad] of the others. [N, 3]
        motion: written: position [m], angle [rad], velocity [m/s], spin [rad/s]. [N, 6]
    """
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
    """Start a new slide of piece i from the position in its row of `motion`.

    Args:
        vx, vy, spin: motion with which it starts [m/s, rad/s]. time: of the start [s].
        radius, deceleration: of the piece [m, m/s^2]. contact: its kind of contact, see `BoardArrays`.
        motion, segments, moving: see `disc_state`; the last two are written.
    """
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


@njit_no_refcount
def solve_impulses(
    hit: int, pairs: Ints, speeds: Floats, contacts: Floats, motion: Floats, radius: Floats, mass: Floats,
    friction: Floats, restitution: Floats, yield_speed: Floats, threshold: float,
) -> None:  # fmt: skip
    """Apply the impulses of simultaneous collisions to `motion`, by sequential impulses to convergence.

    Equivalent to one tiny step of a pymunk space, including its motion of the bodies before the collision; equal to the
    bit for a single pair.

    Args:
        hit: number of pairs. pairs: pieces of each. [P, 2]. speeds: with which they approach [m/s]. [P]
        contacts: workspace. [P, 12]. motion: see `disc_state`; velocities and spins are changed. [N, 6]
        radius, mass: of the pieces [m, kg]. [N]
        friction, restitution, yield_speed: of two pieces that hit, see `batch.SceneArrays` [-, -, m/s]. [N, N]
        threshold: half the approach speed up to which an impact is elastic [m/s].
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
    for _ in range(2 if hit == 1 else _MAX_ITERATIONS):  # two, as pymunk: the second mends rounding
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


@njit_no_refcount
def insertion_sort(numbers: Ints, count: int) -> None:
    """Sort the first `count` numbers in place."""
    for k in range(1, count):
        value, n = numbers[k], k
        while n > 0 and numbers[n - 1] > value:
            numbers[n] = numbers[n - 1]
            n -= 1
        numbers[n] = value
