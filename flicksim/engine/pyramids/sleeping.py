"""Sleeping of pyramids: stability on the table, timers, and islands at rest."""

import math
from typing import Final

from flicksim.engine.jit import njit_entry, njit_inline, njit_no_refcount
from flicksim.engine.pyramids import bodies as P
from flicksim.engine.pyramids import recorder as R
from flicksim.engine.pyramids.broadphase import list_awake
from flicksim.engine.pyramids.narrowphase_pyramid import overhang
from flicksim.engine.pyramids.recorder import RunState, record_keyframe
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import Floats, energy, max_point_speed, stop
from flicksim.engine.rigid_bodies.islands import find_sleeping_island, label_touch_islands

SLEEP_SPEED: Final = 20e-3
"""Speed of its farthest point below which a body is slow [m/s]."""
TIME_TO_SLEEP: Final = 10e-3
"""Time after which a slow body on a whole face on the table can sleep [s]."""
DRIFT_TOLERANCE: Final = 25e-6
"""Drift from its anchor pose up to which a body is stationary [m]."""
STATIONARY_TIME_TO_SLEEP: Final = 0.06
"""Time after which a stationary leaning or stacked body can sleep: a quarter of a degree from balance it would have
drifted twice as far [s]."""
BALANCED_TIME_TO_SLEEP: Final = 2.0
"""The same on an edge or a vertex on the table alone, where it falls unless balanced exactly [s]."""
CONTACT_LINK_TIME: Final = 5e-3
"""Time since their last contact for which bodies belong to the same island [s]."""
SUPPORT_MARGIN: Final = 3e-4
"""Distance inside its support polygon at which a centre of mass is stable [m]."""
GROUND_TOLERANCE: Final = 2e-5
"""Height below which a vertex is on the table [m]."""


@njit_no_refcount
def _is_on_face(r: RunState, i: int) -> bool:
    """True if body `i` lies on a whole face on the table."""
    down = 0
    for v in range(5):
        if r.corners[i, v, 2] < GROUND_TOLERANCE:
            down += 1
    return down >= 3


@njit_entry
def is_stable(b: Floats, r: RunState, i: int) -> bool:
    """True if body `i` lies on a whole face on the table with its centre of mass well above that face."""
    if not _is_on_face(r, i) or overhang(b, r.outline, i) > -SUPPORT_MARGIN:
        return False
    p = r.corners
    x, y = b[i, B.CX], b[i, B.CY]
    lows = 0
    for v in range(5):
        if p[i, v, 2] < GROUND_TOLERANCE:
            lows += 1 << v
    first, second, third, fourth = 0, 1, 2, 3
    if lows & 16:
        first, third, fourth = 4, 4, 4
        for v in range(4):
            if lows & (1 << v) and lows & (1 << ((v + 1) % 4)):
                second, third = v, (v + 1) % 4
        if third == 4:
            return False
    elif lows != 15:
        return False
    at, turn, inside = first, 0.0, True
    for to in (second, third, fourth, first):
        if to == at:
            continue
        ex, ey = p[i, to, 0] - p[i, at, 0], p[i, to, 1] - p[i, at, 1]
        left = (ex * (y - p[i, at, 1]) - ey * (x - p[i, at, 0])) / math.sqrt(ex * ex + ey * ey)
        if turn == 0.0:
            turn = 1.0 if left > 0.0 else -1.0
        inside = inside and left * turn > SUPPORT_MARGIN
        at = to
    return inside


@njit_no_refcount
def update_timers(b: Floats, i: int, dt: float, tolerance_scale: float) -> None:
    """Update the times for which body `i` has been slow, and stationary within the drift tolerance."""
    b[i, B.SLOW_TIMER] = b[i, B.SLOW_TIMER] + dt if max_point_speed(b, i) < SLEEP_SPEED * tolerance_scale else 0.0
    strayed = 0.0
    for x in range(3):
        strayed += abs(b[i, B.CX + x] - b[i, P.ANCHOR_POSE + x])
        strayed += b[i, B.BOUNDING_RADIUS] * abs(b[i, P.SIDE_X + x] - b[i, P.ANCHOR_POSE + 3 + x])
        strayed += b[i, B.BOUNDING_RADIUS] * abs(b[i, B.NX + x] - b[i, P.ANCHOR_POSE + 6 + x])
    if strayed < DRIFT_TOLERANCE * tolerance_scale:
        b[i, P.STATIONARY_TIMER] += dt
        return
    b[i, P.STATIONARY_TIMER] = 0.0
    for x in range(3):
        b[i, P.ANCHOR_POSE + x], b[i, P.ANCHOR_POSE + 3 + x], b[i, P.ANCHOR_POSE + 6 + x] = (
            b[i, B.CX + x],
            b[i, P.SIDE_X + x],
            b[i, B.NX + x],
        )


@njit_no_refcount
def _can_sleep(b: Floats, r: RunState, i: int) -> bool:
    """True if body `i` is at rest by itself."""
    now = r.clock[R.TIME]
    if now - b[i, P.LAST_CONTACT_TIME] > CONTACT_LINK_TIME:
        return False
    # off a face, or with its centre beyond the edge, only other contacts than the table's top hold it
    if b[i, P.STATIONARY_TIMER] >= STATIONARY_TIME_TO_SLEEP:
        stays = _is_on_face(r, i) or b[i, P.STATIONARY_TIMER] >= BALANCED_TIME_TO_SLEEP
        return now - b[i, P.LAST_HELD_TIME] <= CONTACT_LINK_TIME or (stays and overhang(b, r.outline, i) <= 0.0)
    return b[i, B.SLOW_TIMER] >= TIME_TO_SLEEP and now - b[i, P.LAST_HELD_TIME] > TIME_TO_SLEEP and is_stable(b, r, i)


@njit_inline
def sleep_islands(b: Floats, r: RunState, gravity: float) -> bool:
    """Put islands at rest to sleep; True if nothing is left awake."""
    clock, awake = r.clock, r.awake[: r.counters[R.AWAKE_COUNT]]
    label_touch_islands(b, awake, r.last_contact, max(0.0, clock[R.TIME] - CONTACT_LINK_TIME))
    for i in awake:
        b[i, B.CAN_SLEEP] = 1.0 if b[i, B.STATE] == B.AWAKE and _can_sleep(b, r, i) else 0.0
    island, slept = find_sleeping_island(b, awake), False
    while island >= 0:
        for i in awake:
            if b[i, B.ISLAND] == island and b[i, B.STATE] == B.AWAKE:
                clock[R.MIN_ENERGY] -= energy(b, i, gravity) / b[i, B.INV_MASS] / clock[R.MASS_UNIT]
                b[i, B.STATE] = B.ASLEEP
                stop(b, i)
                record_keyframe(b, r, i)
        island, slept = find_sleeping_island(b, awake), True
    if slept:
        list_awake(b, r)
        for i in r.awake[: r.counters[R.AWAKE_COUNT]]:
            b[i, P.ASLEEP_CHECK_TRAVEL] = 0.0  # there are new sleeping bodies
    return bool(r.counters[R.AWAKE_COUNT] == 0)
