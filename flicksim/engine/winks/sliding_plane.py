"""Event-driven simulation of the winks that slide flat in the plane, beside the 3D simulation of all others.

The laws, times of impact and impulses of `planar_world.PlanarWorld` on the arrays of the shot in progress; pymunk takes
no part. Winks at rest that are not flat are obstacles at which slides end, as is the mat's edge; the pot's foot is a
fixed circle. Without the compiler the same code gives the same bits.
"""

import math
from typing import Final

from flicksim.engine.friction import INERTIA_FACTOR
from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.planar_discs import sliding_disc
from flicksim.engine.planar_discs.board import BoardArrays
from flicksim.engine.planar_discs.collision_times import update_collision_times
from flicksim.engine.planar_discs.impacts import insertion_sort, is_impact, is_in_pairs, solve_impulses
from flicksim.engine.planar_discs.plane import HAS_LAYOUT, HAS_POT, IMPACTS, SLIDING, Plane, PlaneLaws
from flicksim.engine.planar_discs.slides import read_motion, start_slide
from flicksim.engine.planar_discs.sliding_disc import DIR_X, DIR_Y, END_TIME, FALLS_OFF, START_TIME, X, Y
from flicksim.engine.planar_world import SIMULTANEITY_TOLERANCE
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import recorder as R
from flicksim.engine.winks.contacts import POT
from flicksim.engine.winks.narrowphase_cup import is_in_cup
from flicksim.engine.winks.params import Floats
from flicksim.engine.winks.recorder import RunState, log_touch

LEVEL_TILT: Final = 0.002
"""Tilt below which a resting wink counts as level [rad]: contact depth causes a little of it."""
_LEVEL_COSINE: Final = math.cos(LEVEL_TILT)
_HEIGHT_TOLERANCE: Final = 2e-5
"""Largest height error of the centre of a wink that lies on the felt [m]."""
_OBSTACLE_CLEARANCE: Final = 2e-4
"""Distance from a wink that is not flat at which a slide ends [m]."""


@njit_no_refcount
def clear_plane(p: Plane, pot: Floats) -> None:
    """Empty the plane before a shot."""
    count = len(p.moving)
    for i in range(count):
        p.moving[i] = p.present[i] = False
        p.obstacle_reach[i] = 0.0
        for j in range(count):
            p.collision_times[i, j] = math.inf
    for x in range(len(p.counts)):
        p.counts[x] = 0
    p.clock[0] = 0.0
    if len(pot) > 0:
        p.counts[HAS_POT] = 1
        p.present[count - 1] = True
        p.rest_poses[count - 1, 0], p.rest_poses[count - 1, 1], p.rest_poses[count - 1, 2] = pot[0], pot[1], 0.0


@njit_no_refcount
def next_event_time(p: Plane) -> float:
    """Time of the next event in the plane [s]; inf when nothing slides."""
    return min(_next_end(p), _next_collision(p))


@njit_no_refcount
def _next_end(p: Plane) -> float:
    """Time of the next stop or fall [s]; inf if there is none."""
    end = math.inf
    for n in range(p.counts[SLIDING]):
        end = min(end, p.segments[p.sliding[n], END_TIME])
    return end


@njit_no_refcount
def _next_collision(p: Plane) -> float:
    """Time of the next collision [s]; inf if there is none."""
    collision = math.inf
    for n in range(p.counts[SLIDING]):
        i = p.sliding[n]
        for j in range(len(p.moving)):
            if j != i:
                collision = min(collision, p.collision_times[min(i, j), max(i, j)])
    return collision


@njit_no_refcount
def sliding_energy(p: Plane, laws: PlaneLaws, board: BoardArrays) -> float:
    """Kinetic energy of all that slides [J]."""
    total = 0.0
    for n in range(p.counts[SLIDING]):
        i = p.sliding[n]
        read_motion(p, i, board)
        vx, vy, rim = p.motion[i, 3], p.motion[i, 4], laws.radius[i] * p.motion[i, 5]
        total += 0.5 * laws.mass[i] * (vx * vx + vy * vy + INERTIA_FACTOR * (rim * rim))
    return total


@njit_no_refcount
def end_point(p: Plane, i: int, board: BoardArrays) -> tuple[float, float]:
    """Position at which wink `i` stops or reaches the edge, unless it collides before [m]."""
    seg = p.segments[i]
    travelled, _ = sliding_disc.distance_and_speed(seg, board, seg[END_TIME] - seg[START_TIME])
    return seg[X] + seg[DIR_X] * travelled, seg[Y] + seg[DIR_Y] * travelled


@njit_no_refcount
def obstacle_time(p: Plane, i: int) -> float:
    """Time at which wink `i` reaches an obstacle or the edge, as far as known [s]; inf if it does not."""
    first = p.segments[i, END_TIME] if p.segments[i, FALLS_OFF] > 0.0 else math.inf
    for j in range(len(p.moving)):
        if j != i and (p.obstacle_reach[j] > 0.0 or p.obstacle_reach[i] > 0.0):
            first = min(first, p.collision_times[min(i, j), max(i, j)])
    return first


@njit_no_refcount
def add_sliding(
    p: Plane, i: int, x: float, y: float, vx: float, vy: float, spin: float,
    r: RunState, laws: PlaneLaws, board: BoardArrays,
) -> None:  # fmt: skip
    """Start a slide; call `update_all_collision_times` afterwards."""
    p.present[i], p.obstacle_reach[i] = True, 0.0
    p.rest_poses[i, 0], p.rest_poses[i, 1], p.rest_poses[i, 2] = x, y, 0.0
    p.motion[i, 0], p.motion[i, 1], p.motion[i, 2] = x, y, 0.0
    _start_slide(p, i, vx, vy, spin, r, laws, board)


@njit_no_refcount
def _start_slide(
    p: Plane, i: int, vx: float, vy: float, spin: float, r: RunState, laws: PlaneLaws, board: BoardArrays
) -> None:
    """Start a new slide of wink `i` from the position in its row of `motion`."""
    if p.moving[i]:
        _fill_keyframes(p, i, r, board)
    else:
        p.sliding[p.counts[SLIDING]] = i
        p.counts[SLIDING] += 1
    start_slide(p, i, vx, vy, spin, laws, board)


@njit_no_refcount
def _stop_sliding(p: Plane, i: int, r: RunState, board: BoardArrays) -> None:
    """Take wink `i` out of those that slide."""
    _fill_keyframes(p, i, r, board)
    p.moving[i] = False
    kept = 0
    for n in range(p.counts[SLIDING]):
        if p.sliding[n] != i:
            p.sliding[kept] = p.sliding[n]
            kept += 1
    p.counts[SLIDING] = kept


@njit_no_refcount
def remove(p: Plane, i: int, r: RunState, laws: PlaneLaws, board: BoardArrays) -> None:
    """Remove wink `i` from the plane; its row of `motion` has its state."""
    read_motion(p, i, board)
    _stop_sliding(p, i, r, board)
    p.present[i] = False
    p.changed[0] = i
    update_collision_times(p, 1, laws, board)


@njit_no_refcount
def _fill_keyframes(p: Plane, i: int, r: RunState, board: BoardArrays) -> None:
    """Put the positions of wink `i` during its slide, which ends now, into the keyframes recorded meanwhile."""
    seg = p.segments[i]
    if seg[START_TIME] >= p.clock[0]:
        return
    row = r.counters[R.KEYFRAME_COUNT] - 1
    while row >= 0 and r.keyframe_times[row] >= seg[START_TIME]:
        travelled, _ = sliding_disc.distance_and_speed(seg, board, r.keyframe_times[row] - seg[START_TIME])
        r.keyframes[row, i, 0] = seg[X] + seg[DIR_X] * travelled
        r.keyframes[row, i, 1] = seg[Y] + seg[DIR_Y] * travelled
        row -= 1


@njit_no_refcount
def update_all_collision_times(p: Plane, laws: PlaneLaws, board: BoardArrays) -> None:
    """Recompute the collision times of all sliding winks."""
    for n in range(p.counts[SLIDING]):
        p.changed[n] = p.sliding[n]
    update_collision_times(p, p.counts[SLIDING], laws, board)


# -- events -----------------------------------------------------------------------------------------------------------


@njit_no_refcount
def step_to_next_event(p: Plane, r: RunState, laws: PlaneLaws, board: BoardArrays, half_thickness: Floats) -> None:
    """Advance to the next event: a collision, stop or fall. Winks that leave the plane are marked in `halted`, and
    `motion` has their state; `half_thickness`: of the winks [m]. [N]"""
    end, collision = _next_end(p), _next_collision(p)
    p.clock[0] = min(end, collision)
    if collision <= end:
        _resolve_collisions(p, collision, r, laws, board, half_thickness)
        return
    ended = 0
    for n in range(p.counts[SLIDING]):
        if p.segments[p.sliding[n], END_TIME] <= p.clock[0]:
            p.pairs[ended, 0] = p.sliding[n]
            ended += 1
    for n in range(ended):
        i = p.pairs[n, 0]
        if p.segments[i, FALLS_OFF] > 0.0:
            p.halted[i] = True
            remove(p, i, r, laws, board)
            continue
        read_motion(p, i, board)
        _stop_sliding(p, i, r, board)
        for x in range(3):
            p.rest_poses[i, x] = p.motion[i, x]
    for n in range(ended):
        p.changed[n] = p.pairs[n, 0]
    update_collision_times(p, ended, laws, board)


@njit_no_refcount
def _resolve_collisions(
    p: Plane, collision_time: float, r: RunState, laws: PlaneLaws, board: BoardArrays, half_thickness: Floats
) -> None:
    """End the slides that have reached an obstacle; resolve together all other pairs due that touch and approach."""
    bodies, due, touching = len(p.moving), 0, 0
    for a in range(bodies):
        for b in range(a + 1, bodies):
            if p.collision_times[a, b] <= collision_time + SIMULTANEITY_TOLERANCE:
                p.pairs[due, 0], p.pairs[due, 1] = a, b
                due += 1
    for n in range(due):
        for side in range(2):
            i, j = p.pairs[n, side], p.pairs[n, 1 - side]
            if p.obstacle_reach[j] > 0.0 and p.moving[i]:
                p.halted[i] = True
                remove(p, i, r, laws, board)
    planar, involved = 0, 0
    for n in range(due):
        a, b = p.pairs[n, 0], p.pairs[n, 1]
        off = p.obstacle_reach[a] > 0.0 or p.obstacle_reach[b] > 0.0 or p.halted[a] or (b < bodies - 1 and p.halted[b])
        if off:
            continue
        planar += 1
        for side in range(2):
            i, known = p.pairs[n, side], False
            for q in range(involved):
                known = known or p.changed[q] == i
            if not known:
                p.changed[involved] = i
                involved += 1
                read_motion(p, i, board)
        if is_impact(p, touching, a, b, laws):
            against = POT if b == bodies - 1 else b
            nx, ny, radius = p.contacts[touching, 0], p.contacts[touching, 1], laws.radius[a]
            x, y = p.motion[a, 0] + nx * radius, p.motion[a, 1] + ny * radius
            log_touch(r, p.clock[0], p.clock[0], a, against, p.speeds[touching], x, y, half_thickness[a])
            touching += 1
    if planar == 0:
        return
    p.counts[IMPACTS] += 1
    solve_impulses(p, touching, laws)
    insertion_sort(p.changed, involved)
    if p.changed[involved - 1] == bodies - 1:
        involved -= 1
    for n in range(involved):
        i = p.changed[n]
        if is_in_pairs(p, i, touching):
            _start_slide(p, i, p.motion[i, 3], p.motion[i, 4], p.motion[i, 5], r, laws, board)
    update_collision_times(p, involved, laws, board)


# -- what lies at rest ------------------------------------------------------------------------------------------------


@njit_no_refcount
def update_obstacles(p: Plane, b: Floats, pot: Floats) -> bool:
    """Update the resting winks and obstacles of the plane; return True if they changed."""
    changed, discs = p.counts[HAS_LAYOUT] == 0, len(b)
    p.counts[HAS_LAYOUT] = 1
    for i in range(discs):
        here = 1.0 if b[i, B.STATE] == B.ASLEEP else 0.0
        for x in range(4):
            value = here * b[i, B.NZ if x == 3 else B.CX + x]
            changed = changed or p.layout[i, x] != value
            p.layout[i, x] = value
    if not changed:
        return False
    thickest = 0.0
    for i in range(discs):
        thickest = max(thickest, b[i, W.HALF_THICKNESS])
    for i in range(discs):
        if p.moving[i]:
            continue
        p.present[i], p.obstacle_reach[i] = False, 0.0
        if b[i, B.STATE] == B.ASLEEP:
            x, y, z = b[i, B.CX], b[i, B.CY], b[i, B.CZ]
            if _lies_flat(b, i):
                p.present[i] = True
            elif W.lowest_height(b, i) < 2.0 * thickest + _OBSTACLE_CLEARANCE and not (
                len(pot) > 0 and is_in_cup(x - pot[0], y - pot[1], z, pot)
            ):
                p.present[i], p.obstacle_reach[i] = True, b[i, B.BOUNDING_RADIUS] + _OBSTACLE_CLEARANCE
            if p.present[i]:
                p.rest_poses[i, 0], p.rest_poses[i, 1], p.rest_poses[i, 2] = x, y, 0.0
    for i in range(discs):
        if p.obstacle_reach[i] > 0.0 and not _lies_flat(b, i):
            _block_winks_below(p, b, i)
    return True


@njit_no_refcount
def _lies_flat(b: Floats, i: int) -> bool:
    """True if wink `i`, at rest, lies level on the felt."""
    return bool(abs(b[i, B.NZ]) >= _LEVEL_COSINE and abs(b[i, B.CZ] - b[i, W.HALF_THICKNESS]) < _HEIGHT_TOLERANCE)


@njit_no_refcount
def _block_winks_below(p: Plane, b: Floats, i: int) -> None:
    """Make obstacles of the flat winks at rest on which wink `i` may lie."""
    low, reach = W.lowest_height(b, i), b[i, B.BOUNDING_RADIUS]
    for j in range(len(b)):
        if b[j, B.STATE] != B.ASLEEP or not p.present[j] or not _lies_flat(b, j):
            continue
        dx, dy = b[j, B.CX] - b[i, B.CX], b[j, B.CY] - b[i, B.CY]
        near = math.sqrt(dx * dx + dy * dy) < b[j, W.RADIUS] + reach + _HEIGHT_TOLERANCE
        if near and low < 2.0 * b[j, W.HALF_THICKNESS] + _HEIGHT_TOLERANCE:
            p.obstacle_reach[j] = b[j, B.BOUNDING_RADIUS] + _OBSTACLE_CLEARANCE
