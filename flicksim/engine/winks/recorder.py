"""Run state of a wink simulation: clock, contact log and keyframes, so that it can be stopped and resumed."""

from typing import Final, NamedTuple

import numpy as np

from flicksim.engine.jit import njit_inline
from flicksim.engine.winks.bodies import CONTACT_FLAGS, CX, NX, Ints
from flicksim.engine.winks.contacts import (
    BODY_A,
    BODY_B,
    FELT,
    NORMAL_VELOCITY,
    NORMAL_Z,
    POINT_X,
    POINT_Y,
    POINT_Z,
    RIM_SAMPLES,
)
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
) = range(11)
"""Places in `RunState.clock`: now, the end, spacing of keyframes (0: none) and the next, least energy seen, springs
included, and the largest rise above it, how much faster than tabled the contacts are solved (0: not chosen yet), the
mass energies are told per, for how long contacts have been gentle [s], what the energy limiter took (see
`energy_limiter`), and the travel in which soft contacts must have nothing in their way [m]; energies per that mass
[J/kg].
"""

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
) = range(9)
"""Places in `RunState.counters`: keyframes and log rows used, rows dropped, contacts of the step before, the disc
verdicts are about (-1: none), what to run for, whether the shooter has touched anything, steps done, whether to stop
once two are awake."""

KEYFRAME_IMPACT_SPEED: Final = 0.1
"""An approach that deserves a keyframe of its own [m/s]."""


class RunState(NamedTuple):
    """Everything about a run that is not a body or a contact, so that it can stop and go on.

    Attributes:
        clock: see `TIME`.
        tally: see `KEYFRAME_COUNT`.
        pairs: what is remembered of each pair, see `separation` [N, N, 5].
        edge: corners of the mat [M, 2] [m].
        open: log row of the present touch of each disc and pot, felt, discs [N, N + 2].
        seen: when they last touched [N, N + 2] [s].
        log: time, disc, against, approach [m/s], x, y, z, until [rows, 8].
        when: times of keyframes [rows] [s].
        keyframes: centres and normals [rows, N, 6].
        near: room for what is found round an edge circle [SAMPLES].
        who: rows of the discs that are awake, as far as there are [N].
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
    """A run about to begin."""
    return RunState(
        np.zeros(11),
        np.zeros(9, dtype=np.int64),
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


@njit_inline
def log_contacts(b: Floats, r: RunState, k: Floats, order: Ints, count: int, dt: float) -> bool:
    """Log the touches of this step; whether one of them was a blow."""
    seen, current, log, tally, now = r.last_contact, r.open_contacts, r.contact_log, r.counters, r.clock[TIME]
    blow = False
    for at in range(count):
        m = order[at]
        i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
        if seen[i, j + 2] < now - 2e-3 or current[i, j + 2] < 0:
            row = tally[LOGGED_COUNT]
            if -k[m, NORMAL_VELOCITY] > KEYFRAME_IMPACT_SPEED:
                blow = True
            if row < len(log):
                tally[LOGGED_COUNT] = row + 1
                log[row, 0], log[row, 1], log[row, 2], log[row, 3] = now, i, j, -k[m, NORMAL_VELOCITY]
                log[row, 4], log[row, 5], log[row, 6] = k[m, POINT_X], k[m, POINT_Y], k[m, POINT_Z]
                current[i, j + 2] = row
            else:
                tally[DROPPED_COUNT] += 1
                current[i, j + 2] = len(log)
        seen[i, j + 2] = now
        row = current[i, j + 2]
        if row < len(log):
            log[row, 7] = now + dt
        bits = 1
        if k[m, NORMAL_Z] < 0.9995:
            bits |= 2
        if j != FELT:
            bits |= 4
        b[i, CONTACT_FLAGS] = int(b[i, CONTACT_FLAGS]) | bits
        if j >= 0:
            b[j, CONTACT_FLAGS] = int(b[j, CONTACT_FLAGS]) | bits
    return blow


@njit_inline
def record_keyframe(b: Floats, r: RunState) -> None:
    """Record where everything is."""
    row = r.counters[KEYFRAME_COUNT]
    r.keyframe_times[row] = r.clock[TIME]
    for i in range(len(b)):
        for x in range(3):
            r.keyframes[row, i, x], r.keyframes[row, i, 3 + x] = b[i, CX + x], b[i, NX + x]
    r.counters[KEYFRAME_COUNT] = row + 1
    r.clock[NEXT_KEYFRAME] = r.clock[TIME] + r.clock[KEYFRAME_INTERVAL]
