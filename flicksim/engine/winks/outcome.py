"""Outcome of a shot from its final bodies, contact log and keyframes: poses, states, stacks, touches, crossings."""

from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.planar_discs.board import BoardArrays
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks import recorder as R
from flicksim.engine.winks.bodies import FLAT_COSINE
from flicksim.engine.winks.broadphase import TOUCH_MARGIN
from flicksim.engine.winks.narrowphase_cup import collide_cup, is_in_cup
from flicksim.engine.winks.params import Floats
from flicksim.engine.winks.recorder import RunState
from flicksim.engine.winks.shot_arrays import (
    FLAT,
    IN_POT,
    LEANING,
    LEFT,
    MOVING,
    NO_CONTACT,
    ON_EDGE,
    ON_RIM,
    ResultArrays,
    Workspace,
)
from flicksim.engine.winks.support import find_stacked_pairs

MIN_LANDING_SPEED: Final = 0.02
"""Smallest impact speed of a landing [m/s]; slower touches of felt or pot are rolling and rattling."""
MIN_LANDING_RISE: Final = 5e-4
"""Height of a wink's centre above another's from which it lands on it [m]."""
MOVE_TOLERANCE: Final = 1e-6
"""Displacement below which a wink counts as unmoved [m]."""


@njit_no_refcount
def store_outcome(s: int, pot: Floats, played: int, board: BoardArrays, results: ResultArrays, work: Workspace) -> None:
    """Store the results of shot `s`."""
    b, run = work.bodies, work.run
    results.time[s] = run.clock[R.TIME]
    quick = results.reason[s] == loop.POTTED or results.reason[s] == loop.MISSED
    if not quick:
        find_stacked_pairs(work)
        for i in range(len(b)):  # of an earlier pause, whose pairs may have parted
            for j in range(len(b)):
                results.support_rank[s, i, j] = 0
        for q in range(work.stack_count[0]):
            results.support_rank[s, int(work.stacks[q, 0]), int(work.stacks[q, 1])] = q + 1
    for i in range(len(b)):
        results.outcome[s, i] = _final_state(i, s, pot, results, work, quick)
    for i in range(len(b)):
        for x in range(3):
            results.poses[s, i, x], results.poses[s, i, 3 + x] = b[i, B.CX + x], b[i, B.NX + x]
        if results.outcome[s, i] == LEFT:
            results.exits[s, i, 0], results.exits[s, i, 1], results.exits[s, i, 2] = (
                b[i, W.EXIT_TIME], b[i, W.EXIT_X], b[i, W.EXIT_Y],
            )  # fmt: skip
        if board.lines.shape[0] > 0:
            _count_crossings(s, i, run, board, results)
    _store_touches(s, played, run, results)


@njit_no_refcount
def _final_state(i: int, s: int, pot: Floats, results: ResultArrays, work: Workspace, quick: bool) -> int:
    """Final state of wink `i`; `quick`: of a shot with an early verdict, for which contacts are not looked up."""
    b = work.bodies
    if b[i, B.STATE] == B.REMOVED:
        return LEFT
    if b[i, B.STATE] == B.AWAKE:
        return MOVING
    at_pot = on_wink = False
    if len(pot) > 0:
        x, y, z = b[i, B.CX] - pot[0], b[i, B.CY] - pot[1], b[i, B.CZ]
        if is_in_cup(x, y, z, pot):
            return IN_POT
        if not quick:  # 0 * i: with a literal much would be compiled twice
            found, _ = collide_cup(b, i, pot, work.contacts, 0 * i, TOUCH_MARGIN, work.run.scratch)
            at_pot = found > 0
        if at_pot and z > pot[4] - b[i, W.HALF_THICKNESS]:
            return ON_RIM
    if abs(b[i, B.NZ]) > FLAT_COSINE:
        return FLAT
    for j in range(len(b)):
        on_wink = on_wink or results.support_rank[s, i, j] > 0
    return LEANING if at_pot or on_wink else ON_EDGE


# -- contacts and crossings -------------------------------------------------------------------------------------------


@njit_no_refcount
def _height_at(run: RunState, i: int, time: float) -> float:
    """Height of wink `i` at a time, between keyframes [m]; 0 without any."""
    low, high = 0, run.counters[R.KEYFRAME_COUNT]
    if high == 0:
        return 0.0
    while low < high:
        middle = (low + high) // 2
        if time < run.keyframe_times[middle]:
            high = middle
        else:
            low = middle + 1
    before, after = max(0, low - 1), min(low, run.counters[R.KEYFRAME_COUNT] - 1)
    height, rise = run.keyframes[before, i, 2], run.keyframes[after, i, 2] - run.keyframes[before, i, 2]
    if before == after:
        return float(height)
    begin, end = run.keyframe_times[before], run.keyframe_times[after]
    return float(height + rise * ((time - begin) / (end - begin)))


@njit_no_refcount
def _store_touches(s: int, played: int, run: RunState, results: ResultArrays) -> None:
    """Store the pairs that collided, and the first contact and landing of wink `played`."""
    landed = False
    for row in range(run.counters[R.LOGGED_COUNT]):
        i, j, speed = int(run.contact_log[row, 1]), int(run.contact_log[row, 2]), run.contact_log[row, 3]
        if j >= 0:
            results.collided[s, i, j] = results.collided[s, j, i] = True
        elif speed < MIN_LANDING_SPEED:
            continue
        if i != played and j != played:
            continue
        other = j if i == played else i
        if results.first_contact[s] == NO_CONTACT:
            results.first_contact[s] = other
        if landed or speed < MIN_LANDING_SPEED:
            continue
        time = run.contact_log[row, 0]
        if other < 0 or _height_at(run, played, time) - _height_at(run, other, time) > MIN_LANDING_RISE:
            landed = True
            results.landing_point[s, 0], results.landing_point[s, 1] = run.contact_log[row, 4], run.contact_log[row, 5]


@njit_no_refcount
def _count_crossings(s: int, i: int, run: RunState, board: BoardArrays, results: ResultArrays) -> None:
    """Count the lines that wink `i` crosses between its keyframes (see `squidge`)."""
    last, moved, f = run.counters[R.KEYFRAME_COUNT] - 1, False, run.keyframes
    for row in range(last):
        for x in range(6):
            moved = moved or abs(f[row, i, x] - f[last, i, x]) > MOVE_TOLERANCE
        if moved:
            break
    if not moved:
        return
    for q in range(board.lines.shape[0]):
        ax, ay = board.lines[q, 0], board.lines[q, 1]
        ex, ey = board.lines[q, 2] - ax, board.lines[q, 3] - ay
        after = ex * (f[0, i, 1] - ay) - ey * (f[0, i, 0] - ax)
        for row in range(last):
            before, after = after, ex * (f[row + 1, i, 1] - ay) - ey * (f[row + 1, i, 0] - ax)
            if (before < 0.0) == (after < 0.0):
                continue
            fraction = before / (before - after)
            x, y = (
                f[row, i, 0] + fraction * (f[row + 1, i, 0] - f[row, i, 0]),
                f[row, i, 1] + fraction * (f[row + 1, i, 1] - f[row, i, 1]),
            )
            along = ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey)
            if 0.0 <= along <= 1.0:
                results.crossed[s, i, q] += 1
