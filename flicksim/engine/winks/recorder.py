"""Run state of a wink simulation: clock, contact log and keyframes, so that it can be stopped and resumed."""

import math
from typing import Final, NamedTuple

import numpy as np

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Ints
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.contacts import FELT, RIM_SAMPLES
from flicksim.engine.winks.params import Floats

(
    TIME,
    MAX_TIME,
    KEYFRAME_INTERVAL,
    NEXT_KEYFRAME,
    MIN_ENERGY,
    ENERGY_GAIN,
    CONTACT_SCALE,
    MASS_UNIT,
    GENTLE_TIME,
    ENERGY_REMOVED,
    LOOKAHEAD_TRAVEL,
    ASLEEP_ENERGY,
    LEVEL_TIME,
    SPRING_STIFFNESS,
    PREV_STEP,
) = range(15)
"""Indices of `RunState.clock`: time, time limit, keyframe interval (0: none), time of the next keyframe [s]; minimum of
the energy, springs included, and its largest rise above that, per MASS_UNIT [J/kg]; contact scale (0: not chosen yet);
mass of the lightest disc [kg]; time for which contacts have been gentle [s]; energy removed by the limiter, per
MASS_UNIT [J/kg]; travel for which soft contacts need a budget [m]; potential energy of all that are not awake [J];
time for which contacts have been gentle ones with level ground [s]; stiffness of the springs in the step before
[1/s^2], and its length, 0 if it had none to start from [s]."""

(
    KEYFRAME_COUNT,
    LOGGED_COUNT,
    DROPPED_COUNT,
    PREV_CONTACT_COUNT,
    SHOOTER,
    RUN_GOAL,
    SHOOTER_TOUCHED,
    STEP_COUNT,
    STOP_WHEN_JOINED,
    AWAKE_COUNT,
    SLIDING_COUNT,
    JOINED,
) = range(12)
"""Indices of `RunState.counters`: recorded keyframes, contact log rows, dropped rows; contacts in the step before;
index of the shooter (-1: none); stop condition; 1 once the shooter has touched anything; steps; 1 to stop when two
discs are awake; numbers of awake and sliding discs; 1 once two discs have been awake."""

CLOCK_SIZE: Final = PREV_STEP + 1
COUNTER_SIZE: Final = JOINED + 1
KEYFRAME_IMPACT_SPEED: Final = 0.1
"""Approach speed from which an impact gets a keyframe of its own [m/s]."""


class RunState(NamedTuple):
    """State of a run besides the bodies and contacts, so that it can be paused and continued.

    Attributes:
        clock: see `TIME`.
        counters: see `KEYFRAME_COUNT`.
        pairs: pair cache, see `separation` [N, N, 5].
        outline: corners of the mat [M, 2] [m].
        open_contacts: log row of the current touch of each disc with pot, felt, discs [N, N + 2].
        last_contact: time of the last contact of the same [N, N + 2] [s].
        contact_log: time, disc, other, approach speed [m/s], x, y, z, end time [rows, 8].
        keyframe_times: [rows] [s].
        keyframes: centres and normals [rows, N, 6].
        scratch: distances of the samples of a rim circle [RIM_SAMPLES].
        awake: indices of the awake discs, in order [N].
    """

    clock: Floats
    counters: Ints
    pairs: Floats
    outline: Floats
    open_contacts: Ints
    last_contact: Floats
    contact_log: Floats
    keyframe_times: Floats
    keyframes: Floats
    scratch: Floats
    awake: Ints


def make_run_state(discs: int, outline: Floats, log_rows: int, keyframe_rows: int) -> RunState:
    """Initial run state."""
    return RunState(
        np.zeros(CLOCK_SIZE),
        np.zeros(COUNTER_SIZE, dtype=np.int64),
        np.zeros((discs, discs, 5)),
        outline,
        np.full((discs, discs + 2), -1, dtype=np.int64),
        np.full((discs, discs + 2), -1.0),
        np.zeros((log_rows, 8)),
        np.zeros(keyframe_rows),
        np.zeros((keyframe_rows, discs, 6)),
        np.zeros(RIM_SAMPLES),
        np.zeros(discs, dtype=np.int64),
    )


@njit_no_refcount
def log_touch(
    r: RunState, time: float, end_time: float, i: int, j: int, speed: float, x: float, y: float, z: float
) -> int:
    """Log a touch of disc `i` with `j`: its row; the number of rows if there is no room."""
    log, row = r.contact_log, r.counters[LOGGED_COUNT]
    if row == len(log):
        r.counters[DROPPED_COUNT] += 1
        return int(row)
    r.counters[LOGGED_COUNT] = row + 1
    log[row, 0], log[row, 1], log[row, 2], log[row, 3] = time, i, j, speed
    log[row, 4], log[row, 5], log[row, 6], log[row, 7] = x, y, z, end_time
    return int(row)


@njit_inline
def log_contacts(b: Floats, r: RunState, k: Floats, order: Ints, count: int, dt: float) -> bool:
    """Log the contacts of this step; True if there was an impact."""
    seen, current, log, now = r.last_contact, r.open_contacts, r.contact_log, r.clock[TIME]
    blow = False
    for at in range(count):
        m = order[at]
        i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
        if seen[i, j + 2] < now - 2e-3 or current[i, j + 2] < 0:
            speed = -k[m, C.NORMAL_VELOCITY]
            blow = blow or speed > KEYFRAME_IMPACT_SPEED
            current[i, j + 2] = log_touch(
                r, now, now + dt, i, j, speed, k[m, C.POINT_X], k[m, C.POINT_Y], k[m, C.POINT_Z]
            )
        seen[i, j + 2] = now
        row = current[i, j + 2]
        if row < len(log):
            log[row, 7] = now + dt
        bits = 1
        if k[m, C.NORMAL_Z] < 0.9995:
            bits |= 2
        if j != FELT:
            bits |= 4
        b[i, W.CONTACT_FLAGS] = int(b[i, W.CONTACT_FLAGS]) | bits
        if j >= 0:
            bits |= 8
            b[i, W.CONTACT_FLAGS] = int(b[i, W.CONTACT_FLAGS]) | bits
            b[j, W.CONTACT_FLAGS] = int(b[j, W.CONTACT_FLAGS]) | bits
    return blow


@njit_no_refcount
def record_keyframe(b: Floats, r: RunState, time: float) -> bool:
    """Record the poses of all discs; False if there is no room."""
    row = r.counters[KEYFRAME_COUNT]
    if row == len(r.keyframe_times):
        return False
    r.keyframe_times[row] = time
    for i in range(len(b)):
        for x in range(3):
            r.keyframes[row, i, x], r.keyframes[row, i, 3 + x] = b[i, B.CX + x], b[i, B.NX + x]
    r.counters[KEYFRAME_COUNT] = row + 1
    return True


@njit_no_refcount
def skip_to(b: Floats, r: RunState, until: float) -> bool:
    """Advance the clock to a time [s] at which nothing in 3D has moved, recording keyframes; False without room."""
    every, room = r.clock[KEYFRAME_INTERVAL], True
    if every > 0.0:
        start = r.clock[TIME] + every
        step = start + every - start
        for q in range(max(0, math.ceil((until - start) / every))):
            room = room and record_keyframe(b, r, start + q * step)
        room = room and record_keyframe(b, r, until)
        r.clock[NEXT_KEYFRAME] = until + every
    r.clock[TIME] = until
    return room
