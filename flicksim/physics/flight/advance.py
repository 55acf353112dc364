"""The loop: look for contacts, wake who is touched, solve, move on, let rest who rests, and say when to stop."""

import math
from typing import Final, NamedTuple

import numpy as np

from flicksim.physics.flight.bodies import (
    AWAKE,
    CX,
    CY,
    CZ,
    DUE_POT,
    EXIT_T,
    EXIT_X,
    EXIT_Y,
    FLAT_T,
    FROZEN,
    GONE,
    HALF,
    HELD,
    IM,
    ISLAND,
    LX,
    LY,
    LZ,
    NX,
    NY,
    NZ,
    OVER,
    RADIUS,
    SLOW_T,
    STATE,
    TOUCHING,
    TRAVEL,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
    Ints,
    energy,
    fly_on,
    lowest,
    pace,
)
from flicksim.physics.flight.contacts import (
    APPROACH,
    DZ,
    FELT,
    FIRST,
    GAP,
    POT,
    PUSH,
    PX,
    PY,
    PZ,
    SAMPLES,
    SECOND,
    deepest_first,
    rest_on,
)
from flicksim.physics.flight.jit import compiled
from flicksim.physics.flight.mat import crossing, on_mat
from flicksim.physics.flight.pair import touch
from flicksim.physics.flight.params import Floats
from flicksim.physics.flight.solve import finish, prepare, relax
from flicksim.physics.flight.wall import in_pot, touch_pot

RESTED, LATE, KNOTS_FULL, POTTED, MISSED, SLIDING = range(6)
"""Why `advance` returned: all at rest, out of time, room for knots used up, the early verdicts, all flat or at rest."""

TO_REST, TO_VERDICT, TO_SLIDE = range(3)
"""What to run for."""

TIME, T_MAX, KNOT_EVERY, NEXT_KNOT, LEAST, GAIN, SCALE, UNIT, CALM = range(9)
"""Places in `Run.clock`: now, the end, spacing of knots (0: none) and the next, least energy seen and the largest
rise above it, how much faster than tabled the contacts are solved, the mass energies are told per, and for how long contacts have been gentle [s]."""

KNOTS, LOGGED, DROPPED, BEFORE, SHOOTER, AIM, TOUCHED, STEPS = range(8)
"""Places in `Run.tally`: knots and log rows used, rows dropped, contacts of the step before, the disc verdicts are
about (-1: none), what to run for, whether the shooter has touched anything, steps done."""

QUIET: Final = 20e-3
"""A disc is slow below this speed of its rim [m/s]."""
QUIET_FOR: Final = 30e-3
"""An island that was slow this long is at rest [s]."""
BALANCED_FOR: Final = 0.3
"""The same for a wink on its edge, ten times as long as it takes to begin to fall [s]."""
LEVEL: Final = math.cos(math.radians(3.0))
"""|n.z| above which a wink counts as flat."""
TOGETHER: Final = 20e-6
"""Winks closer than this touch at rest, and wake together [m]."""
BLOW: Final = 0.1
"""An approach that deserves a knot of its own [m/s]."""
LONGEST: Final = 4e-3
"""Longest step of free flight [s]."""
FASTEST: Final = 6.0
"""Fastest rim for which the tabled step is fine enough [m/s]; above, step and spring scale, restitution stays."""


SOFT: Final = 0.25
"""Scale of the contacts of what moves gently on the felt."""
GENTLE: Final = 0.03
"""Approach in a gentle contact, at most [m/s]."""
CALM_FOR: Final = 2e-3
"""Contacts are softened after having been gentle this long [s]."""


class Run(NamedTuple):
    """Everything about a run that is not a body or a contact, so that it can stop and go on.

    Attributes:
        clock: see `TIME`.
        tally: see `KNOTS`.
        due: travel of both before which a pair cannot meet [N, N] [m].
        edge: corners of the mat [M, 2] [m].
        open: log row of the present touch of each disc and pot, felt, discs [N, N + 2].
        seen: when they last touched [N, N + 2] [s].
        log: time, disc, against, approach [m/s], impulse [N s], x, y, z, until [rows, 9].
        when: times of knots [rows] [s].
        knots: centres and normals [rows, N, 6].
    """

    clock: Floats
    tally: Ints
    due: Floats
    edge: Floats
    open: Ints
    seen: Floats
    log: Floats
    when: Floats
    knots: Floats


def run_of(discs: int, edge: Floats, log_rows: int, knot_rows: int) -> Run:
    """A run about to begin."""
    return Run(
        np.zeros(9),
        np.zeros(8, dtype=np.int64),
        np.zeros((discs, discs)),
        edge,
        np.full((discs, discs + 2), -1, dtype=np.int64),
        np.full((discs, discs + 2), -1.0),
        np.zeros((log_rows, 9)),
        np.zeros(knot_rows),
        np.zeros((knot_rows, discs, 6)),
    )


@compiled
def wake(b: Floats, k: Floats, m: int, i: int, near: Floats) -> None:
    """Wake disc `i` and, one after the other, all that touch it: a pile wakes as one."""
    b[i, STATE] = AWAKE
    b[i, SLOW_T] = 0.0
    grown = True
    while grown:
        grown = False
        for p in range(len(b)):
            if b[p, STATE] != AWAKE:
                continue
            for q in range(len(b)):
                if b[q, STATE] == FROZEN:
                    found, _ = touch(b, min(p, q), max(p, q), k, m, TOGETHER, near)
                    if found > m:
                        b[q, STATE] = AWAKE
                        b[q, SLOW_T] = 0.0
                        grown = True


@compiled
def _let_go(b: Floats, i: int, gravity: float) -> None:
    """From here on the felt holds disc `i`, which was shot off it.

    A shot with more spin than rise never gets clear. It is then lifted onto the felt, and its motion pays for the height;
    left inside, the felt would throw it out.
    """
    b[i, HELD] = 0.0
    deep = -lowest(b, i)
    if deep <= 0.0:
        return
    had = energy(b, i, gravity) - gravity * b[i, CZ]
    b[i, CZ] += deep
    keep = math.sqrt(max(0.0, 1.0 - gravity * deep / had)) if had > 0.0 else 1.0
    for x in range(3):
        b[i, VX + x] *= keep
        b[i, LX + x] *= keep
        b[i, WX + x] *= keep


@compiled
def _search(b: Floats, due: Floats, k: Floats, pot: Floats, gravity: float, near: Floats) -> int:
    """All contacts of awake discs, waking whom they touch; pairs that cannot have met yet are not looked at."""
    discs = len(b)
    m = 0
    i = 0
    while i < discs:
        if b[i, STATE] != AWAKE:
            i += 1
            continue
        if len(pot) > 0 and in_pot(b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ], pot):
            m = rest_on(b, i, pot[6], POT, k, m)
        elif b[i, OVER] == 1:
            if b[i, HELD] == 1 and (lowest(b, i) > 0.0 or b[i, VZ] <= 0.0):
                _let_go(b, i, gravity)
            if b[i, HELD] == 0:
                m = rest_on(b, i, 0.0, FELT, k, m)
        if len(pot) > 0 and b[i, TRAVEL] >= b[i, DUE_POT]:
            m, clear = touch_pot(b, i, pot, k, m, 0.0, near)
            b[i, DUE_POT] = b[i, TRAVEL] + clear
        woken = False
        for j in range(discs):
            if j == i or b[j, STATE] == GONE or (b[j, STATE] == AWAKE and j < i):
                continue
            p, q = min(i, j), max(i, j)
            travel = b[p, TRAVEL] + b[q, TRAVEL]
            if travel < due[p, q]:
                continue
            found, clear = touch(b, p, q, k, m, 0.0, near)
            due[p, q] = travel + clear
            if found > m and b[j, STATE] == FROZEN:
                wake(b, k, found, j, near)
                woken = True
                break
            m = found
        i += 1
        if woken:  # look again with everybody awake, before anything is pushed: held fixed it would be hit too hard
            m = 0
            i = 0
    return m


@compiled
def _clear_for(b: Floats, due: Floats, pot: Floats, gravity: float) -> float:
    """For how long no awake disc can come to touch the pot or another disc [s]."""
    dt = LONGEST
    discs = len(b)
    extra = 0.5 * LONGEST * gravity + 0.01
    for i in range(discs):
        if b[i, STATE] != AWAKE:
            continue
        rate = pace(b, i) + extra
        if len(pot) > 0:
            dt = min(dt, 0.9 * (b[i, DUE_POT] - b[i, TRAVEL]) / rate)
        for j in range(discs):
            if j == i or b[j, STATE] == GONE:
                continue
            both = rate
            if b[j, STATE] == AWAKE:
                both += pace(b, j) + extra
            p, q = min(i, j), max(i, j)
            dt = min(dt, 0.9 * (due[p, q] - b[p, TRAVEL] - b[q, TRAVEL]) / both)
    return dt


@compiled
def _free_step(b: Floats, due: Floats, pot: Floats, gravity: float, shortest: float) -> float:
    """The longest step in which nothing can come to touch [s]."""
    dt = _clear_for(b, due, pot, gravity)
    extra = 0.5 * LONGEST * gravity + 0.01
    for i in range(len(b)):
        if b[i, STATE] != AWAKE:
            continue
        level = 0.0
        if len(pot) > 0 and in_pot(b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ], pot):
            level = pot[6]
        if b[i, HELD] == 1:
            dt = shortest
        elif b[i, OVER] == 1:
            dt = min(dt, 0.9 * (lowest(b, i) - level) / (pace(b, i) + extra))
    return max(dt, shortest)


@compiled
def _soften(b: Floats, due: Floats, pot: Floats, last: Floats, before: int, clock: Floats, numbers: Floats) -> None:
    """Choose how finely the contacts of this step are solved.

    What only rolls, slides or settles on the felt, far from all else, is solved with softer springs and longer steps: its
    contacts carry little more than its weight. Before it can hit anything the springs are stiff again, and what they had
    been compressed is forgotten to the same force, or they would give back more than they took.
    """
    scale = clock[SCALE]
    calm = clock[CALM] >= CALM_FOR
    if not calm and scale >= 1.0:
        return
    fastest = 0.0
    for i in range(len(b)):
        if b[i, STATE] == AWAKE:
            fastest = max(fastest, pace(b, i))
    soft = max(SOFT, fastest / FASTEST)
    if calm and (soft >= 1.0 or _clear_for(b, due, pot, numbers[0]) > 2.0 * numbers[2] / soft):
        clock[SCALE] = soft
    else:
        clock[SCALE] = max(1.0, soft)
    if scale != clock[SCALE]:
        share = scale / clock[SCALE]
        for m in range(before):
            last[m, 8] *= min(1.0, share * share)


@compiled
def _note(b: Floats, r: Run, k: Floats, order: Ints, count: int, dt: float) -> bool:
    """Log the touches of this step; whether one of them was a blow."""
    seen, current, log, tally, now = r.seen, r.open, r.log, r.tally, r.clock[TIME]
    blow = False
    for at in range(count):
        m = order[at]
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        if seen[i, j + 2] < now - 2e-3 or current[i, j + 2] < 0:
            row = tally[LOGGED]
            if -k[m, APPROACH] > BLOW:
                blow = True
            if row < len(log):
                tally[LOGGED] = row + 1
                log[row, 0], log[row, 1], log[row, 2], log[row, 3] = now, i, j, -k[m, APPROACH]
                log[row, 5], log[row, 6], log[row, 7] = k[m, PX], k[m, PY], k[m, PZ]
                current[i, j + 2] = row
            else:
                tally[DROPPED] += 1
                current[i, j + 2] = len(log)
        seen[i, j + 2] = now
        row = current[i, j + 2]
        if row < len(log):
            log[row, 4] += k[m, PUSH]
            log[row, 8] = now + dt
        bits = 1
        if k[m, DZ] < 0.9995:
            bits |= 2
        if j != FELT:
            bits |= 4
        b[i, TOUCHING] = int(b[i, TOUCHING]) | bits
        if j >= 0:
            b[j, TOUCHING] = int(b[j, TOUCHING]) | bits
    return blow


@compiled
def _watch(b: Floats, i: int, dt: float, gravity: float) -> None:
    """How long disc `i` has been slow, and how long flat and sliding; whether it is still over the mat, or gone."""
    wx, wy, wz = b[i, WX], b[i, WY], b[i, WZ]
    v2 = b[i, VX] * b[i, VX] + b[i, VY] * b[i, VY] + b[i, VZ] * b[i, VZ]
    slow = math.sqrt(v2) + math.sqrt(wx * wx + wy * wy + wz * wz) * b[i, RADIUS] < QUIET
    b[i, SLOW_T] = b[i, SLOW_T] + dt if slow else 0.0
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    flat = int(b[i, TOUCHING]) & 4 == 0 and abs(nz) > LEVEL and b[i, OVER] == 1
    if flat:
        axial = (wx * nx + wy * ny + wz * nz) * (b[i, LX] * nx + b[i, LY] * ny + b[i, LZ] * nz)
        spare = b[i, VZ] * b[i, VZ] + wx * b[i, LX] + wy * b[i, LY] + wz * b[i, LZ] - axial
        flat = 0.5 * spare + gravity * (b[i, CZ] - b[i, HALF]) < gravity * 0.3e-3
    b[i, FLAT_T] = b[i, FLAT_T] + dt if flat else 0.0


@compiled
def _leave(b: Floats, edge: Floats, now: float, i: int, x: float, y: float, dt: float) -> None:
    """Note where disc `i`, which was at (x, y), crosses the mat's edge; once below the felt it is gone."""
    if len(edge) == 0:
        return
    over = on_mat(b[i, CX], b[i, CY], edge)
    if b[i, OVER] == 1 and not over:
        part = crossing(x, y, b[i, CX], b[i, CY], edge)
        b[i, EXIT_T] = now + part * dt
        b[i, EXIT_X], b[i, EXIT_Y] = x + part * (b[i, CX] - x), y + part * (b[i, CY] - y)
    b[i, OVER] = 1 if over else 0
    if not over and b[i, CZ] < 0.0:
        b[i, STATE] = GONE


@compiled
def _rest(b: Floats, k: Floats, count: int) -> bool:
    """Freeze every island whose discs have all been slow long enough; whether nobody is left awake."""
    discs = len(b)
    ready = False
    for i in range(discs):
        if b[i, STATE] == AWAKE and b[i, SLOW_T] >= QUIET_FOR:
            ready = True
    if ready:
        for i in range(discs):
            b[i, ISLAND] = i
        for m in range(count):
            p, q = int(k[m, FIRST]), int(k[m, SECOND])
            if q < 0 or b[p, ISLAND] == b[q, ISLAND]:
                continue
            old, new = b[q, ISLAND], b[p, ISLAND]
            for i in range(discs):
                if b[i, ISLAND] == old:
                    b[i, ISLAND] = new
        for root in range(discs):
            still = False
            for i in range(discs):
                if b[i, ISLAND] != root or b[i, STATE] != AWAKE:
                    continue
                still = True
                on_edge = int(b[i, TOUCHING]) & 2 == 0 and abs(b[i, NZ]) < LEVEL
                if b[i, TOUCHING] == 0 or b[i, SLOW_T] < (BALANCED_FOR if on_edge else QUIET_FOR):
                    still = False
                    break
            if not still:
                continue
            for i in range(discs):
                if b[i, ISLAND] == root and b[i, STATE] == AWAKE:
                    b[i, STATE] = FROZEN
                    for x in range(3):
                        b[i, VX + x] = b[i, LX + x] = b[i, WX + x] = 0.0
    awake = 0
    for i in range(discs):
        if b[i, STATE] == AWAKE:
            awake += 1
    return awake == 0


@compiled
def _verdict(b: Floats, i: int, pot: Floats, gravity: float, sprung: float) -> int:
    """POTTED or MISSED as soon as disc `i` has not the energy to change it, else -1.

    `sprung` bounds the energy per mass that sits in its contacts' springs; forgotten, bouncing winks would be called
    potted.
    """
    x, y, z = b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ]
    if z >= pot[4]:
        return -1
    spare = energy(b, i, gravity) + sprung
    if in_pot(x, y, z, pot):
        if z < pot[4] - b[i, HALF] and spare < gravity * (pot[4] - 1e-3):
            return POTTED
    elif spare < 0.9 * gravity * pot[4]:
        return MISSED
    return -1


@compiled
def _knot(b: Floats, r: Run) -> None:
    """Record where everything is."""
    row = r.tally[KNOTS]
    r.when[row] = r.clock[TIME]
    for i in range(len(b)):
        for x in range(3):
            r.knots[row, i, x], r.knots[row, i, 3 + x] = b[i, CX + x], b[i, NX + x]
    r.tally[KNOTS] = row + 1
    r.clock[NEXT_KNOT] = r.clock[TIME] + r.clock[KNOT_EVERY]


@compiled
def advance(
    b: Floats, r: Run, k: Floats, last: Floats, order: Ints, pot: Floats, materials: Floats, numbers: Floats
) -> int:
    """Run until there is a reason to stop, and say which; call again to go on after KNOTS_FULL."""
    gravity, stiffness, step, sweeps = numbers[0], numbers[1], numbers[2], int(numbers[3])
    discs = len(b)
    clock, tally, due, edge = r.clock, r.tally, r.due, r.edge
    shooter, goal = tally[SHOOTER], tally[AIM]
    near = np.empty(SAMPLES)
    while clock[TIME] < clock[T_MAX]:
        if clock[KNOT_EVERY] > 0.0 and clock[TIME] >= clock[NEXT_KNOT]:
            if tally[KNOTS] >= len(r.when):
                return KNOTS_FULL
            _knot(b, r)
        sprung = 0.0
        count = _search(b, due, k, pot, gravity, near)
        for i in range(discs):
            b[i, TOUCHING] = 0
        if count > 0:
            _soften(b, due, pot, last, tally[BEFORE], clock, numbers)
            scale = clock[SCALE]
            dt = step / scale
            stiff = stiffness * scale * scale
            deepest_first(k, order, count)
            prepare(b, k, last, count, tally[BEFORE], materials, stiff, dt)
            relax(b, k, order, count, sweeps)
            finish(b, k, count, materials)
            if _note(b, r, k, order, count, dt):
                clock[NEXT_KNOT] = min(clock[NEXT_KNOT], clock[TIME])
            if shooter >= 0 and b[shooter, TOUCHING] > 0:
                tally[TOUCHED] = 1
            clock[CALM] += dt
            for m in range(count):
                if k[m, SECOND] >= 0 or k[m, DZ] < 0.9999 or abs(k[m, APPROACH]) > GENTLE:
                    clock[CALM] = 0.0
                if k[m, FIRST] == shooter or k[m, SECOND] == shooter:
                    sprung += 0.5 * stiff * k[m, GAP] * k[m, GAP]
        else:
            total, fastest = 0.0, 0.0
            for i in range(discs):
                if b[i, STATE] != GONE:
                    total += energy(b, i, gravity) / (b[i, IM] * clock[UNIT])
                if b[i, STATE] == AWAKE:
                    fastest = max(fastest, pace(b, i))
            clock[LEAST] = min(clock[LEAST], total)
            clock[GAIN] = max(clock[GAIN], total - clock[LEAST])
            clock[SCALE] = max(1.0, fastest / FASTEST)
            dt = _free_step(b, due, pot, gravity, step / clock[SCALE])
        tally[BEFORE] = count
        tally[STEPS] += 1
        if goal == TO_VERDICT and tally[TOUCHED] == 1:
            verdict = _verdict(b, shooter, pot, gravity, sprung)
            if verdict >= 0:
                return verdict
        dt = min(dt, clock[T_MAX] - clock[TIME])
        waiting = 0
        for i in range(discs):
            if b[i, STATE] != AWAKE:
                continue
            x, y = b[i, CX], b[i, CY]
            fly_on(b, i, dt, gravity)
            b[i, TRAVEL] += (pace(b, i) + gravity * dt) * dt
            _watch(b, i, dt, gravity)
            _leave(b, edge, clock[TIME], i, x, y, dt)
            if b[i, FLAT_T] < 5e-3:
                waiting += 1
        clock[TIME] += dt
        if _rest(b, k, count):
            return RESTED
        if goal == TO_SLIDE and waiting == 0:
            return SLIDING
    return LATE
