"""Slides of the discs of a plane: their present motion, and the start of a new one up to its stop or the edge."""

from math import inf, sqrt

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.planar_discs import sliding_disc
from flicksim.engine.planar_discs.board import BoardArrays
from flicksim.engine.planar_discs.plane import Plane, PlaneLaws
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


@njit_no_refcount
def read_motion(p: Plane, i: int, board: BoardArrays) -> None:
    """Write position, angle, velocity and spin of disc `i` now to its row of `motion`."""
    motion = p.motion
    if not p.moving[i]:
        for k in range(3):
            motion[i, k] = p.rest_poses[i, k]
            motion[i, k + 3] = 0.0
        return
    seg = p.segments[i]
    time = p.clock[0] - seg[START_TIME]
    distance, speed = sliding_disc.distance_and_speed(seg, board, time)
    rotation, rim_speed = sliding_disc.rotation_and_rim_speed(seg, board, time)
    motion[i, 0], motion[i, 1] = seg[X] + seg[DIR_X] * distance, seg[Y] + seg[DIR_Y] * distance
    motion[i, 2] = seg[ANGLE] + rotation
    motion[i, 3], motion[i, 4], motion[i, 5] = seg[DIR_X] * speed, seg[DIR_Y] * speed, rim_speed / seg[RADIUS]


@njit_no_refcount
def start_slide(p: Plane, i: int, vx: float, vy: float, spin: float, laws: PlaneLaws, board: BoardArrays) -> None:
    """Start a new slide of disc `i` now, from the position in its row of `motion`.

    Args:
        vx, vy, spin: motion with which it starts [m/s, rad/s].
    """
    seg, radius, time = p.segments[i], laws.radius[i], p.clock[0]
    x, y = p.motion[i, 0], p.motion[i, 1]
    speed = sqrt(vx * vx + vy * vy)
    ux, uy = 1.0, 0.0
    if speed > 0.0:
        ux, uy = vx / speed, vy / speed
    sliding_disc.init_slide(seg, board, speed, spin * radius, radius, laws.deceleration[i], laws.contact_kind[i])
    seg[START_TIME], seg[X], seg[Y], seg[ANGLE], seg[DIR_X], seg[DIR_Y] = time, x, y, p.motion[i, 2], ux, uy
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
    p.moving[i] = True
