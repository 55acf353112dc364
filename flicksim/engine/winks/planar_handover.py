"""Hand-over of flat winks between the 3D simulation and the plane, both ways, on one clock.

A wink that has lain flat for a moment, with a path before it that is clear of all that is not flat, goes over to the
plane with its position, velocity and spin. It goes back with its present motion where it reaches anything that leans or
lies on another, or the mat's edge, or when an awake wink comes near its path. A slide is straight and its end is known
in advance, so a disc of the 3D simulation can only touch a sliding one near the remaining segment of its path.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.planar_discs.board import BoardArrays
from flicksim.engine.planar_discs.plane import SLIDING, PlaneLaws
from flicksim.engine.planar_discs.slides import read_motion
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import stop, update_angular_velocity
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import recorder as R
from flicksim.engine.winks import sliding_plane
from flicksim.engine.winks.bodies import system_energy
from flicksim.engine.winks.clear_paths import MIN_FLAT_TIME, is_path_blocked, nearest_to_path
from flicksim.engine.winks.params import Floats
from flicksim.engine.winks.shot_arrays import Workspace

LEVELLING_TRAVEL: Final = 1e-3
"""Bound on the travel of any point when a disc is levelled [m]."""
PATH_CLEARANCE: Final = 1e-3
"""Clearance of a path from awake discs at the start of a slide [m]."""
MIN_SLIDE_TIME: Final = 1e-3
"""Shortest slide that is handed over to the plane [s]."""
SLIDE_RETRY_DELAY: Final = 20e-3
"""Delay before a disc that cannot slide yet is tried again [s]."""


@njit_no_refcount
def place_flat(
    b: Floats, i: int, x: float, y: float, vx: float, vy: float, spin: float, clock: Floats, gravity: float
) -> None:
    """Put disc `i` level on the felt with this motion, and correct the energy limiter's bound accordingly."""
    before = system_energy(b, gravity)
    dx, dy = x - b[i, B.CX], y - b[i, B.CY]
    b[i, B.TRAVEL_BOUND] += math.sqrt(dx * dx + dy * dy) + LEVELLING_TRAVEL
    b[i, B.CX], b[i, B.CY], b[i, B.CZ] = x, y, min(b[i, B.CZ], b[i, W.HALF_THICKNESS])
    b[i, B.NX], b[i, B.NY], b[i, B.NZ] = 0.0, 0.0, 1.0 if b[i, B.NZ] > 0.0 else -1.0
    stop(b, i)
    b[i, B.VX], b[i, B.VY], b[i, B.LZ] = vx, vy, 0.5 * (b[i, W.RADIUS] * b[i, W.RADIUS]) * spin
    update_angular_velocity(b, i)
    clock[R.MIN_ENERGY] += (system_energy(b, gravity) - before) / clock[R.MASS_UNIT]


@njit_no_refcount
def _place_sliding(w: Workspace, i: int, x: float, y: float, board: BoardArrays, gravity: float) -> None:
    """Let disc `i` slide in the plane, now at that place [m]."""
    b = w.bodies
    ex, ey = sliding_plane.end_point(w.plane, i, board)
    place_flat(b, i, x, y, 0.0, 0.0, 0.0, w.run.clock, gravity)
    b[i, B.STATE], b[i, W.SLIDE_END_X], b[i, W.SLIDE_END_Y] = W.SLIDING, ex, ey


@njit_no_refcount
def _resume_flight(w: Workspace, i: int, gravity: float) -> None:
    """Take disc `i`, removed from the plane, back into the 3D simulation with the motion it has."""
    b, m = w.bodies, w.plane.motion
    place_flat(b, i, m[i, 0], m[i, 1], m[i, 3], m[i, 4], m[i, 5], w.run.clock, gravity)
    b[i, B.STATE], b[i, B.SLOW_TIMER], b[i, W.FLAT_TIMER] = B.AWAKE, 0.0, 0.0
    w.run.clock[R.GENTLE_TIME] = w.run.clock[R.LEVEL_TIME] = 0.0


_NO_SLIDE, _MAY_SLIDE, _BLOCKED, _NOT_CLEAR = range(4)
"""Values of `Plane.candidates`: not flat; may slide; found blocked in this pass; stays in the 3D simulation."""


@njit_no_refcount
def _awaken_blocked(w: Workspace) -> bool:
    """Leave those candidates awake whose paths are not clear of discs that stay awake; True if others may slide."""
    b, candidates = w.bodies, w.plane.candidates
    left, grown = False, True
    while grown:
        grown = left = False
        for i in range(len(b)):
            if candidates[i] == _MAY_SLIDE and nearest_to_path(b, i) <= PATH_CLEARANCE:
                candidates[i], grown = _BLOCKED, True
        for i in range(len(b)):
            if candidates[i] == _BLOCKED:
                b[i, B.STATE], candidates[i] = B.AWAKE, _NOT_CLEAR
            left = left or candidates[i] == _MAY_SLIDE
    return left


@njit_no_refcount
def transfer_to_plane(w: Workspace, laws: PlaneLaws, board: BoardArrays, pot: Floats, gravity: float) -> None:
    """Hand flat winks with a clear path over to the plane."""
    b, p, r = w.bodies, w.plane, w.run
    candidates = p.candidates
    p.clock[0] = r.clock[R.TIME]
    for i in range(len(b)):
        candidates[i] = _NO_SLIDE
        if b[i, B.STATE] == B.AWAKE and b[i, W.FLAT_TIMER] >= MIN_FLAT_TIME:
            candidates[i], radius = _MAY_SLIDE, b[i, W.RADIUS]
            spin = 2.0 * b[i, B.LZ] / (radius * radius)  # of its vertical angular momentum when level
            sliding_plane.add_sliding(p, i, b[i, B.CX], b[i, B.CY], b[i, B.VX], b[i, B.VY], spin, r, laws, board)
            b[i, W.SLIDE_END_X], b[i, W.SLIDE_END_Y] = sliding_plane.end_point(p, i, board)
    for i in range(len(b)):
        if candidates[i] == _MAY_SLIDE:
            b[i, B.STATE] = W.SLIDING
    if _awaken_blocked(w):
        sliding_plane.update_obstacles(p, b, pot)
        sliding_plane.update_all_collision_times(p, laws, board)
        short = False
        for i in range(len(b)):
            if candidates[i] == _MAY_SLIDE and sliding_plane.obstacle_time(p, i) < p.clock[0] + MIN_SLIDE_TIME:
                b[i, B.STATE], candidates[i], short = B.AWAKE, _NOT_CLEAR, True
        if short:
            _awaken_blocked(w)
    for i in range(len(b)):
        if candidates[i] == _MAY_SLIDE:
            _place_sliding(w, i, b[i, B.CX], b[i, B.CY], board, gravity)
        elif candidates[i] == _NOT_CLEAR:
            sliding_plane.remove(p, i, r, laws, board)
            b[i, B.STATE], b[i, W.FLAT_TIMER] = B.AWAKE, -SLIDE_RETRY_DELAY


@njit_no_refcount
def transfer_from_plane(w: Workspace, laws: PlaneLaws, board: BoardArrays, gravity: float, every: bool) -> None:
    """Take winks back from the plane to whose path an awake wink has come near, or every one that slides."""
    b, p = w.bodies, w.plane
    p.clock[0] = w.run.clock[R.TIME]
    if not every:
        for n in range(p.counts[SLIDING]):
            i = p.sliding[n]
            read_motion(p, i, board)
            _place_sliding(w, i, p.motion[i, 0], p.motion[i, 1], board, gravity)
    n = 0
    while n < p.counts[SLIDING]:
        i = p.sliding[n]
        if every or is_path_blocked(b, i):
            sliding_plane.remove(p, i, w.run, laws, board)
            _resume_flight(w, i, gravity)
        else:
            n += 1


@njit_no_refcount
def step_plane(w: Workspace, laws: PlaneLaws, board: BoardArrays, pot: Floats, gravity: float) -> bool:
    """Advance to the next event of the plane; False if the keyframes have no room."""
    b, p, r = w.bodies, w.plane, w.run
    if sliding_plane.update_obstacles(p, b, pot):
        sliding_plane.update_all_collision_times(p, laws, board)  # the next event may be another, or later
        return True
    energy = sliding_plane.sliding_energy(p, laws, board)
    room = R.skip_to(b, r, sliding_plane.next_event_time(p))
    for i in range(len(b)):
        p.halted[i] = False
    sliding_plane.step_to_next_event(p, r, laws, board, b[:, W.HALF_THICKNESS])
    gained = (sliding_plane.sliding_energy(p, laws, board) - energy) / r.clock[R.MASS_UNIT]
    r.clock[R.ENERGY_GAIN] = max(r.clock[R.ENERGY_GAIN], gained)
    for i in range(len(b)):
        if p.halted[i]:
            _resume_flight(w, i, gravity)
        elif p.moving[i]:
            read_motion(p, i, board)
            _place_sliding(w, i, p.motion[i, 0], p.motion[i, 1], board, gravity)
        elif b[i, B.STATE] == W.SLIDING:
            place_flat(b, i, p.rest_poses[i, 0], p.rest_poses[i, 1], 0.0, 0.0, 0.0, r.clock, gravity)
            b[i, B.STATE] = B.ASLEEP
    return room
