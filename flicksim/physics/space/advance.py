"""The loop: look for contacts, wake who is touched, solve, move on, let rest who rests, and say when to stop."""

import math
from typing import Final, NamedTuple

import numpy as np

from flicksim.physics.flight.jit import bare, inlined
from flicksim.physics.space.bodies import (
    ANCHOR,
    ASLEEP,
    AWAKE,
    CORNERS,
    CX,
    CY,
    CZ,
    EDGE_DUE,
    EDGES,
    GONE,
    HELD_T,
    IM,
    ISLAND,
    LOWEST,
    LX,
    NX,
    PX,
    REACH,
    SLEEP_DUE,
    SLOW_T,
    STATE,
    STILL_T,
    THICK,
    TOUCHED_T,
    TRAVEL,
    VX,
    WALLS,
    WX,
    Floats,
    Ints,
    energy,
    fly_on,
    pace,
    place,
)
from flicksim.physics.space.contacts import APPROACH, AX, DX, FIRST, PUSH, SECOND, TABLE
from flicksim.physics.space.guard import LEEWAY, hold, remember, sprung, whole
from flicksim.physics.space.meet import beyond, meet, meet_table
from flicksim.physics.space.solve import deepest_first, finish, keep, prepare, relax

RESTED, LATE, FULL = range(3)
"""Reasons for which `advance` returned: all at rest, out of time, room for notes used up."""

TIME, T_MAX, EVERY, NEXT, SCALE, LATELY, LEAST, GAIN, UNIT, MET, PATIENCE = range(11)
"""Clock [s] and what goes with it: now, the end, between knots, the next knot; scale of the contacts, how hard they
have been lately [m/s]; the least energy there was and the most above it since, over the lightest mass [J/kg], that mass
[kg]; when the thrown body first met anything; when rest is asked for less strictly."""
BEFORE, STEPS, KNOTS, HITS, THROWN, UP = range(6)
"""Counts: contacts in the step before, steps, knots and hits noted; which body was thrown; how many are awake."""

STEP: Final = 50e-6
"""Step while anything touches [s], at scale 1."""
STIFF: Final = 1e8
"""Square of a contact's natural frequency [1/s^2], at scale 1."""
SWEEPS: Final = 10
"""Sweeps over the contacts in a step, at most."""
LONGEST: Final = 4e-3
"""Longest free step [s]."""
QUIET: Final = 20e-3
"""A body on a whole face on the table is slow below this speed of its farthest point [m/s]."""
QUIET_FOR: Final = 10e-3
"""And at rest after so long [s]."""
STRAY: Final = 25e-6
"""One that leans or is stacked is still while no part of it strays farther from where it was [m]."""
STILL_FOR: Final = 0.06
"""And at rest after so long: a quarter of a degree from balance it would have strayed twice as far [s]."""
BALANCED: Final = 2.0
"""And one that only an edge or a corner of it bears on the table, which falls unless it is balanced to the bit [s]."""
LINGER: Final = 5e-3
"""Bodies that touched this recently rest together or not at all [s]."""
LINK: Final = 5e-5
"""Bodies at rest this near touch [m]."""
SOFT: Final = 0.125
"""Scale of contacts that carry little more than weight."""
HARD: Final = 0.12
"""Approach from which contacts are solved at full scale; below, in proportion to it [m/s]."""
FADING: Final = 1e-3
"""An approach is half forgotten after about so long [s]."""
FASTEST: Final = 6.0
"""Fastest point for which the step is fine enough [m/s]; above, step and spring scale, restitution stays."""
SHARE: Final = 0.15
"""And of the thinnest wall so much may be crossed in a step [-]."""
FIRM: Final = 3e-4
"""So far inside its support a middle of mass must be to be firm [m]."""
LOW_ENOUGH: Final = 2e-5
"""A corner this near the table is on it [m]."""
DROPPED: Final = 0.03
"""A middle of mass this far below the table's top has left it [m]."""
NEVER: Final = 1e9
"""A way that nothing goes [m]."""
AGAIN: Final = 5e-3
"""Two that part and meet within this have met once [s]."""
NOTED: Final = 0.03
"""Meetings slower than this are not noted [m/s]."""
SMOOTH: Final = 4e-3
"""Forces at rest are told as they were over about so long [s]."""


class Run(NamedTuple):
    """The state of a run besides the bodies.

    Args:
        clock, tally: see the columns. due: of each two bodies, the travel of both before which they cannot meet [m].
        seen: when each last touched the table (column 0) and each other (j + 1) [s]. force: by which, smoothed [N].
        edge: sides of the table: corner x, y, way x, y, outward x, y, length. [E, 7] corners, walls, edges: in space.
        depths, near: scratch. last: contacts of the step before. order: of solving. stack: bodies to wake.
        roster: who is awake, in order.
        knots: t, body, middle, first side, axis. [K, 11] hits: t, body, on, x, y, z, speed. [H, 7]
    """

    clock: Floats
    tally: Ints
    due: Floats
    seen: Floats
    force: Floats
    edge: Floats
    corners: Floats
    walls: Floats
    edges: Floats
    depths: Floats
    near: Floats
    last: Floats
    order: Ints
    stack: Ints
    roster: Ints
    knots: Floats
    hits: Floats


def run_of(many: int, edge: Floats, room: int, knots: int) -> Run:
    """An empty run of so many bodies."""
    return Run(
        clock=np.zeros(11), tally=np.zeros(6, dtype=np.int64), due=np.zeros((many, many)),
        seen=np.full((many, many + 1), -1.0), force=np.zeros((many, many + 1, 3)), edge=edge,
        corners=np.zeros((many, CORNERS, 3)), walls=np.zeros((many, WALLS, 3)), edges=np.zeros((many, 8, 3)),
        depths=np.zeros((2, CORNERS, WALLS)), near=np.zeros((2, EDGES)), last=np.zeros((room, 14)),
        order=np.zeros(room, dtype=np.int64), stack=np.zeros(many, dtype=np.int64),
        roster=np.zeros(many, dtype=np.int64), knots=np.zeros((knots, 11)),
        hits=np.zeros((256, 7)),
    )  # fmt: skip


@bare
def touching(b: Floats, r: Run, i: int, j: int, k: Floats, m: int, margin: float) -> tuple[int, float]:
    """Contacts of body `i` with body `j`, or with the table (-1), with a gap below `margin`: the new count, and a gap
    that there surely is; of the table, to its edge."""
    if j < 0:
        return meet_table(b, r.corners, r.walls, r.edges, i, r.edge, k, m, margin)
    return meet(b, r.corners, r.walls, r.edges, min(i, j), max(i, j), r.depths, r.near, k, m, margin)


@bare
def call_roll(b: Floats, r: Run) -> None:
    """List who is awake."""
    up = 0
    for i in range(len(b)):
        if b[i, STATE] == AWAKE:
            r.roster[up] = i
            up += 1
    r.tally[UP] = up


@bare
def wake(b: Floats, r: Run, k: Floats, m: int, i: int, gravity: float) -> None:
    """Wake body `i` and all that touch it, one through another; uses the rows of `k` from `m` on as scratch."""
    r.stack[0] = i
    waiting = 1
    b[i, STATE] = AWAKE
    while waiting > 0:
        waiting -= 1
        one = r.stack[waiting]
        b[one, SLOW_T] = b[one, STILL_T] = b[one, SLEEP_DUE] = 0.0
        r.clock[LEAST] += gravity * b[one, CZ] / b[one, IM] / r.clock[UNIT]
        for j in range(len(b)):
            if b[j, STATE] == ASLEEP and touching(b, r, one, j, k, m, LINK)[0] > m:
                b[j, STATE] = AWAKE
                r.stack[waiting] = j
                waiting += 1
    call_roll(b, r)


@bare
def _pair(b: Floats, r: Run, i: int, j: int, k: Floats, m: int) -> int:
    """Contacts of two bodies, the first of the lower number, and the travel before which they cannot meet again: the
    new count."""
    m, apart = touching(b, r, i, j, k, m, 0.0)
    r.due[i, j] = b[i, TRAVEL] + b[j, TRAVEL] + max(0.0, apart)
    return m


@inlined
def _search(b: Floats, r: Run, k: Floats, gravity: float) -> int:
    """All contacts of those awake; who of those asleep is touched is awake."""
    for i in r.roster[: r.tally[UP]]:
        place(b, i, r.corners, r.walls, r.edges)
    none: int = np.int64(0)  # type: ignore[assignment]  # of that very type: a bare 0 would have much compiled twice
    again, m = True, none
    while again:
        again, m = False, none
        for i in r.roster[: r.tally[UP]]:
            if b[i, LOWEST] <= 0.0:
                m, apart = touching(b, r, i, TABLE, k, m, 0.0)
                b[i, EDGE_DUE] = b[i, TRAVEL] + apart
            for j in r.roster[: r.tally[UP]]:
                if j > i and b[i, TRAVEL] + b[j, TRAVEL] >= r.due[i, j]:
                    m = _pair(b, r, i, j, k, m)
            if b[i, TRAVEL] < b[i, SLEEP_DUE]:
                continue
            soon = NEVER
            for j in range(len(b)):
                if b[j, STATE] != ASLEEP:
                    continue
                low, high = min(i, j), max(i, j)
                if b[i, TRAVEL] + b[j, TRAVEL] >= r.due[low, high]:
                    had = m
                    m = _pair(b, r, low, high, k, m)
                    if m > had:
                        wake(b, r, k, m, j, gravity)
                        again = True
                soon = min(soon, r.due[low, high] - b[j, TRAVEL])
            b[i, SLEEP_DUE] = soon
    return m


@inlined
def _free_step(b: Floats, r: Run, gravity: float, step: float) -> float:
    """The time in which nothing can touch anything [s]."""
    dt = LONGEST
    for i in r.roster[: r.tally[UP]]:
        fast = pace(b, i) + gravity * LONGEST
        if b[i, LOWEST] > -2.0 * b[i, REACH]:
            ahead = b[i, LOWEST]
            if ahead <= 0.0:  # beside the table, or just on it
                ahead = max(0.0, b[i, EDGE_DUE] - b[i, TRAVEL]) if beyond(b, r.edge, i) > 0.0 else 0.0
            dt = min(dt, ahead / fast)
        dt = min(dt, max(0.0, (b[i, SLEEP_DUE] - b[i, TRAVEL]) / fast))
        for j in r.roster[: r.tally[UP]]:
            if j > i:
                ahead = r.due[i, j] - b[i, TRAVEL] - b[j, TRAVEL]
                dt = min(dt, max(0.0, ahead / (fast + pace(b, j) + gravity * LONGEST)))
        if dt < step:
            return step
    return max(step, 0.9 * dt)


@inlined
def _scale(b: Floats, r: Run) -> None:
    """Choose how finely the contacts of this step are solved: by the fastest point and the thinnest wall, softer where
    all has been gentle for a while.

    What springs had been compressed is forgotten to the same force, or they would give back more than they took.
    """
    clock = r.clock
    before = clock[SCALE]
    fastest, thin = 0.0, 1.0
    for i in r.roster[: r.tally[UP]]:
        fastest = max(fastest, pace(b, i))
        thin = min(thin, b[i, THICK])
    need = fastest / min(FASTEST, SHARE * thin / STEP)
    clock[SCALE] = max(need, min(1.0, max(SOFT, clock[LATELY] / HARD)))
    if before != clock[SCALE]:
        share = before / clock[SCALE]
        for m in range(r.tally[BEFORE]):
            r.last[m, 3] *= min(1.0, share * share)
            for x in range(4):
                r.last[m, 4 + x] *= share


@inlined
def _note(b: Floats, r: Run, k: Floats, count: int, dt: float) -> None:
    """Note who touches whom, how strongly, and who has met anew."""
    now, tally = r.clock[TIME], r.tally
    for m in range(count):
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        if i == tally[THROWN] or j == tally[THROWN]:
            r.clock[MET] = min(r.clock[MET], now)
        b[i, TOUCHED_T] = now
        if j >= 0:
            b[i, HELD_T] = b[j, HELD_T] = b[j, TOUCHED_T] = now
        elif k[m, DX + 2] < 0.999:
            b[i, HELD_T] = now
        fresh = now - r.seen[i, j + 1] > AGAIN or r.seen[i, j + 1] < 0.0
        if fresh:
            for x in range(3):
                r.force[i, j + 1, x] = 0.0
            if abs(k[m, APPROACH]) >= NOTED and tally[HITS] < len(r.hits):
                row = r.hits[tally[HITS]]
                row[0], row[1], row[2], row[6] = now, i, j, abs(k[m, APPROACH])
                for x in range(3):
                    row[3 + x] = k[m, AX + x]
                tally[HITS] += 1
        r.seen[i, j + 1] = now
        if j >= 0:
            r.seen[j, i + 1] = now
    blend = min(1.0, dt / SMOOTH)
    for m in range(count):
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        again = False
        for q in range(m):
            again = again or (k[q, FIRST] == i and k[q, SECOND] == j)
        for x in range(3):
            had = r.force[i, j + 1, x] * (1.0 if again else 1.0 - blend)
            push = k[m, PUSH] * k[m, DX + x] + k[m, PUSH + 1] * k[m, DX + 3 + x] + k[m, PUSH + 2] * k[m, DX + 6 + x]
            r.force[i, j + 1, x] = had + blend * push / dt
            if j >= 0:
                r.force[j, i + 1, x] = -r.force[i, j + 1, x]


@bare
def _on_face(r: Run, i: int) -> bool:
    """True if body `i` is on a whole face on the table."""
    down = 0
    for v in range(5):
        if r.corners[i, v, 2] < LOW_ENOUGH:
            down += 1
    return down >= 3


@bare
def firm(b: Floats, r: Run, i: int) -> bool:
    """True if body `i` is on a whole face on the table, its middle well over that."""
    if not _on_face(r, i) or beyond(b, r.edge, i) > -FIRM:
        return False
    p = r.corners
    x, y = b[i, CX], b[i, CY]
    lows = 0
    for v in range(5):
        if p[i, v, 2] < LOW_ENOUGH:
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
        inside = inside and left * turn > FIRM
        at = to
    return inside


@bare
def _watch(b: Floats, i: int, dt: float, ease: float) -> None:
    """For how long body `i` has been slow, and for how long it has not strayed from where it was."""
    b[i, SLOW_T] = b[i, SLOW_T] + dt if pace(b, i) < QUIET * ease else 0.0
    strayed = 0.0
    for x in range(3):
        strayed += abs(b[i, CX + x] - b[i, ANCHOR + x])
        strayed += b[i, REACH] * abs(b[i, PX + x] - b[i, ANCHOR + 3 + x])
        strayed += b[i, REACH] * abs(b[i, NX + x] - b[i, ANCHOR + 6 + x])
    if strayed < STRAY * ease:
        b[i, STILL_T] += dt
        return
    b[i, STILL_T] = 0.0
    for x in range(3):
        b[i, ANCHOR + x], b[i, ANCHOR + 3 + x], b[i, ANCHOR + 6 + x] = b[i, CX + x], b[i, PX + x], b[i, NX + x]


@bare
def _settled(b: Floats, r: Run, i: int) -> bool:
    """True if body `i` could rest by itself."""
    now = r.clock[TIME]
    if now - b[i, TOUCHED_T] > LINGER:
        return False
    if b[i, STILL_T] >= STILL_FOR:  # on no face, or its middle beyond the edge, only what else touches it holds it
        stays = _on_face(r, i) or b[i, STILL_T] >= BALANCED
        return now - b[i, HELD_T] <= LINGER or (stays and beyond(b, r.edge, i) <= 0.0)
    return b[i, SLOW_T] >= QUIET_FOR and now - b[i, HELD_T] > QUIET_FOR and firm(b, r, i)


@inlined
def _rest(b: Floats, r: Run, gravity: float) -> bool:
    """Put every island to sleep whose bodies have all come to rest; whether nobody is left awake."""
    now, awake = r.clock[TIME], r.roster[: r.tally[UP]]
    for i in awake:
        b[i, ISLAND] = i
    for i in awake:
        for j in awake:
            if j <= i or b[i, ISLAND] == b[j, ISLAND] or r.seen[i, j + 1] < max(0.0, now - LINGER):
                continue
            old, new = b[j, ISLAND], b[i, ISLAND]
            for q in awake:
                if b[q, ISLAND] == old:
                    b[q, ISLAND] = new
    for root in awake:
        some, all_rest = False, True
        for i in awake:
            if b[i, ISLAND] == root and b[i, STATE] == AWAKE and all_rest:
                some = True
                all_rest = _settled(b, r, i)
        if not (some and all_rest):
            continue
        for i in awake:
            if b[i, ISLAND] == root and b[i, STATE] == AWAKE:
                r.clock[LEAST] -= energy(b, i, gravity) / b[i, IM] / r.clock[UNIT]
                b[i, STATE] = ASLEEP
                for x in range(3):
                    b[i, VX + x] = b[i, LX + x] = b[i, WX + x] = 0.0
                _knot(b, r, i)
    up = r.tally[UP]
    call_roll(b, r)
    if r.tally[UP] < up:
        for i in r.roster[: r.tally[UP]]:
            b[i, SLEEP_DUE] = 0.0  # more is asleep than was
    return bool(r.tally[UP] == 0)


@bare
def _knot(b: Floats, r: Run, i: int) -> None:
    """Note where body `i` is now."""
    at = r.tally[KNOTS]
    if at >= len(r.knots):
        return
    r.knots[at, 0], r.knots[at, 1] = r.clock[TIME], i
    for x in range(3):
        r.knots[at, 2 + x], r.knots[at, 5 + x], r.knots[at, 8 + x] = b[i, CX + x], b[i, PX + x], b[i, NX + x]
    r.tally[KNOTS] += 1


@bare
def advance(b: Floats, r: Run, k: Floats, materials: Floats, gravity: float) -> int:
    """Run until there is a reason to stop, and say which; call again to go on after FULL."""
    many = len(b)
    clock, tally = r.clock, r.tally
    while clock[TIME] < clock[T_MAX]:
        if clock[TIME] >= clock[NEXT]:
            if tally[KNOTS] + 3 * many >= len(r.knots) or tally[HITS] + 64 >= len(r.hits):
                return FULL
            clock[NEXT] = clock[TIME] + clock[EVERY]
            for i in r.roster[: r.tally[UP]]:
                _knot(b, r, i)
        count = _search(b, r, k, gravity)
        if count > 0:
            _scale(b, r)
            scale = clock[SCALE]
            dt, stiff = STEP / scale, STIFF * scale * scale
            deepest_first(k, r.order, count)
            remember(b, r.roster[: r.tally[UP]])
            hard = min(1.0, clock[LATELY] / HARD)
            prepare(b, k, r.last, count, tally[BEFORE], materials, stiff, dt, hard)
            relax(b, k, r.order, count, SWEEPS, materials)
            finish(b, k, count)
            keep(k, r.last, count)
            left = hold(b, r.roster[: r.tally[UP]], k, count, gravity, (clock[LEAST] + LEEWAY) * clock[UNIT])
            clock[LEAST] = min(clock[LEAST], (left + sprung(k, count, stiff, dt)) / clock[UNIT])
            clock[GAIN] = max(clock[GAIN], left / clock[UNIT] - clock[LEAST])
            _note(b, r, k, count, dt)
            clock[LATELY] /= 1.0 + dt / FADING
            for m in range(count):
                clock[LATELY] = max(clock[LATELY], abs(k[m, APPROACH]))
        else:
            clock[LEAST] = min(clock[LEAST], whole(b, r.roster[: r.tally[UP]], gravity) / clock[UNIT])
            step = STEP / clock[SCALE]
            dt = _free_step(b, r, gravity, step)
            if dt > 2.0 * step:
                clock[SCALE], clock[LATELY] = 1.0, HARD
        tally[BEFORE] = count
        tally[STEPS] += 1
        dt = min(dt, clock[T_MAX] - clock[TIME])
        ease = max(1.0, clock[TIME] / clock[PATIENCE]) ** 4
        clock[TIME] += dt
        fell = slow = False
        for i in r.roster[: r.tally[UP]]:
            _watch(b, i, dt, ease)
            b[i, TRAVEL] += (pace(b, i) + gravity * dt) * dt
            fly_on(b, i, dt, gravity)
            if b[i, CZ] < -DROPPED:
                _knot(b, r, i)
                clock[LEAST] -= energy(b, i, gravity) / b[i, IM] / clock[UNIT]
                b[i, STATE] = GONE
                fell = True
            slow = slow or (b[i, STATE] == AWAKE and b[i, SLOW_T] >= QUIET_FOR)
        if fell:
            call_roll(b, r)
        if tally[UP] == 0 or (slow and _rest(b, r, gravity)):
            return RESTED
    return LATE
