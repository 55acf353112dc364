"""Run state of a pyramid simulation, and recording of keyframes, contacts and impacts."""

from typing import Final, NamedTuple

import numpy as np

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.pyramids import bodies as P
from flicksim.engine.pyramids.bodies import EDGE_COUNT, FACE_COUNT, VERTEX_COUNT
from flicksim.engine.pyramids.contact_solver import PREV_CONTACT_COLUMNS
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Floats, Ints

(
    TIME, MAX_TIME, KEYFRAME_INTERVAL, NEXT_KEYFRAME, CONTACT_SCALE, RECENT_APPROACH, MIN_ENERGY, ENERGY_GAIN,
    MASS_UNIT, FIRST_CONTACT_TIME, RELAX_AFTER,
) = range(11)  # fmt: skip
"""Indices of `RunState.clock`: time, time limit, keyframe interval, time of the next keyframe [s]; contact scale;
decaying maximum of recent approach speeds [m/s]; minimum of the energy, and its largest rise above that, per MASS_UNIT
[J/kg]; mass of the lightest body [kg]; time of the first contact of the thrown body; time after which the tolerances of
rest grow [s]."""
PREV_CONTACT_COUNT, KEYFRAME_COUNT, HIT_COUNT, THROWN_BODY, AWAKE_COUNT = range(5)
"""Indices of `RunState.counters`: contacts in the step before, recorded keyframes and impacts; index of the
thrown body; number of awake bodies."""
MIN_REHIT_TIME: Final = 5e-3
"""Separation time after which a contact counts as a new one [s]."""
MIN_HIT_SPEED: Final = 0.03
"""Approach speed from which a new contact is recorded as an impact [m/s]."""
FORCE_SMOOTHING_TIME: Final = 4e-3
"""Time constant of the smoothed contact forces [s]."""


class RunState(NamedTuple):
    """State of a run besides the bodies and contacts, so that it can be paused and continued.

    Args:
        clock, counters: see `TIME` and `PREV_CONTACT_COUNT`.
        check_travel: combined travel before which each pair cannot collide [m]. [N, N]
        last_contact: times of the last contact with the table (column 0) and each body (j + 1) [s]. [N, N + 1]
        contact_force: smoothed force of each on the row's body [N]. [N, N + 1, 3]
        outline: sides of the table: corner x, y, direction x, y, outward normal x, y, length. [E, 7]
        corners, walls, edges: vertices, face normals and edge directions of the bodies, see `bodies.update_vertices`.
        depths, near_edges: scratch of the narrow phase. prev_contacts: of the step before. order: of iteration.
        stack: bodies to wake. awake: indices of the awake bodies, in order.
        keyframes: time, body, centre, first side, axis. [K, 11] hits: time, body, other, point, speed. [H, 7]
    """

    clock: Floats
    counters: Ints
    check_travel: Floats
    last_contact: Floats
    contact_force: Floats
    outline: Floats
    corners: Floats
    walls: Floats
    edges: Floats
    depths: Floats
    near_edges: Floats
    prev_contacts: Floats
    order: Ints
    stack: Ints
    awake: Ints
    keyframes: Floats
    hits: Floats


def make_run_state(count: int, outline: Floats, max_contacts: int, keyframe_rows: int) -> RunState:
    """Initial run state of `count` bodies."""
    return RunState(
        clock=np.zeros(11),
        counters=np.zeros(5, dtype=np.int64),
        check_travel=np.zeros((count, count)),
        last_contact=np.full((count, count + 1), -1.0),
        contact_force=np.zeros((count, count + 1, 3)),
        outline=outline,
        corners=np.zeros((count, VERTEX_COUNT, 3)),
        walls=np.zeros((count, FACE_COUNT, 3)),
        edges=np.zeros((count, 8, 3)),
        depths=np.zeros((2, VERTEX_COUNT, FACE_COUNT)),
        near_edges=np.zeros((2, EDGE_COUNT)),
        prev_contacts=np.zeros((max_contacts, PREV_CONTACT_COLUMNS)),
        order=np.zeros(max_contacts, dtype=np.int64),
        stack=np.zeros(count, dtype=np.int64),
        awake=np.zeros(count, dtype=np.int64),
        keyframes=np.zeros((keyframe_rows, 11)),
        hits=np.zeros((256, 7)),
    )


@njit_inline
def record_contacts(b: Floats, r: RunState, k: Floats, count: int, dt: float) -> None:
    """Record the contacts of this step: times, smoothed forces and impacts."""
    now, counters = r.clock[TIME], r.counters
    for m in range(count):
        i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
        if i == counters[THROWN_BODY] or j == counters[THROWN_BODY]:
            r.clock[FIRST_CONTACT_TIME] = min(r.clock[FIRST_CONTACT_TIME], now)
        b[i, P.LAST_CONTACT_TIME] = now
        if j >= 0:
            b[i, P.LAST_HELD_TIME] = b[j, P.LAST_HELD_TIME] = b[j, P.LAST_CONTACT_TIME] = now
        elif k[m, C.NORMAL_X + 2] < 0.999:
            b[i, P.LAST_HELD_TIME] = now
        fresh = now - r.last_contact[i, j + 1] > MIN_REHIT_TIME or r.last_contact[i, j + 1] < 0.0
        if fresh:
            for x in range(3):
                r.contact_force[i, j + 1, x] = 0.0
            if abs(k[m, C.NORMAL_VELOCITY]) >= MIN_HIT_SPEED and counters[HIT_COUNT] < len(r.hits):
                row = r.hits[counters[HIT_COUNT]]
                row[0], row[1], row[2], row[6] = now, i, j, abs(k[m, C.NORMAL_VELOCITY])
                for x in range(3):
                    row[3 + x] = k[m, C.POINT_X + x]
                counters[HIT_COUNT] += 1
        r.last_contact[i, j + 1] = now
        if j >= 0:
            r.last_contact[j, i + 1] = now
    blend = min(1.0, dt / FORCE_SMOOTHING_TIME)
    for m in range(count):
        i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
        again = False
        for q in range(m):
            again = again or (k[q, C.BODY_A] == i and k[q, C.BODY_B] == j)
        for x in range(3):
            had = r.contact_force[i, j + 1, x] * (1.0 if again else 1.0 - blend)
            push = (
                k[m, C.IMPULSE] * k[m, C.NORMAL_X + x]
                + k[m, C.IMPULSE + 1] * k[m, C.NORMAL_X + 3 + x]
                + k[m, C.IMPULSE + 2] * k[m, C.NORMAL_X + 6 + x]
            )
            r.contact_force[i, j + 1, x] = had + blend * push / dt
            if j >= 0:
                r.contact_force[j, i + 1, x] = -r.contact_force[i, j + 1, x]


@njit_no_refcount
def record_keyframe(b: Floats, r: RunState, i: int) -> None:
    """Record the pose of body `i`."""
    at = r.counters[KEYFRAME_COUNT]
    if at >= len(r.keyframes):
        return
    r.keyframes[at, 0], r.keyframes[at, 1] = r.clock[TIME], i
    for x in range(3):
        r.keyframes[at, 2 + x], r.keyframes[at, 5 + x], r.keyframes[at, 8 + x] = (
            b[i, B.CX + x],
            b[i, P.SIDE_X + x],
            b[i, B.NX + x],
        )
    r.counters[KEYFRAME_COUNT] += 1
