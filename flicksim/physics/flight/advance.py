"""The loop: look for contacts, wake who is touched, solve, move on, let rest who rests, and say when to stop."""

import math
from typing import Final

from flicksim.physics.flight.bodies import (
    AWAKE,
    CX,
    CY,
    CZ,
    EXIT_T,
    EXIT_X,
    EXIT_Y,
    FLAT_T,
    FROZEN,
    GONE,
    HALF,
    ISLAND,
    LEVEL,
    LX,
    LY,
    LZ,
    NX,
    NY,
    NZ,
    OVER,
    RADIUS,
    REACH,
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
    pace,
)
from flicksim.physics.flight.contacts import APPROACH, DZ, FIRST, GAP, SECOND, deepest_first
from flicksim.physics.flight.glides import FLAT_FOR, met
from flicksim.physics.flight.guard import LEEWAY, hold, moving, remember, sprung
from flicksim.physics.flight.jit import bare, inlined
from flicksim.physics.flight.mat import crossing, on_mat
from flicksim.physics.flight.notes import (
    AHEAD,
    AIM,
    ALONE,
    BEFORE,
    CALM,
    GAIN,
    KNOT_EVERY,
    KNOTS,
    LEAST,
    NEXT_KNOT,
    SCALE,
    SHOOTER,
    STEPS,
    T_MAX,
    TAKEN,
    TIME,
    TOUCHED,
    UNIT,
    Run,
    knot,
    note,
)
from flicksim.physics.flight.params import Floats
from flicksim.physics.flight.search import awake, clear_for, free_step, search
from flicksim.physics.flight.solve import finish, prepare, relax
from flicksim.physics.flight.wall import in_pot

RESTED, LATE, KNOTS_FULL, POTTED, MISSED, FLAT, MET, JOINED = range(8)
"""Reasons for which `advance` returned: all at rest, out of time, room for knots used up, the early verdicts, a disc
that may glide, a disc near the way of one that glides, a second disc awake."""

TO_REST, TO_VERDICT, TO_GLIDE, TO_POTTED = range(4)
"""Goals of a run; to rest, but for what may glide; the same, but no further once the shooter is surely potted."""

QUIET: Final = 20e-3
"""A disc is slow below this speed of its rim [m/s]."""
QUIET_FOR: Final = 30e-3
"""An island that was slow this long is at rest [s]."""
LINGER: Final = 5e-3
"""Discs that touched this recently rest together or not at all [s]."""
BALANCED_FOR: Final = 0.3
"""The same for a wink on its edge, ten times as long as it takes to begin to fall [s]."""
FASTEST: Final = 6.0
"""Fastest rim for which the tabled step is fine enough [m/s]; above, step and spring scale, restitution stays."""


SOFT: Final = 0.25
"""Scale of the contacts of what moves gently on the felt. Half of it halves the steps of a wink that rolls out, but
what wakes and rests again sinks by 50 micrometres."""
GENTLE: Final = 0.03
"""Approach in a gentle contact, at most [m/s]."""
FALLING: Final = 0.03
"""Speed that anything gains in a step, at most [m/s]."""
CALM_FOR: Final = 2e-3
"""Contacts are softened after having been gentle this long [s]."""


@bare
def _softest(b: Floats, who: Ints, pairs: Floats, pot: Floats, soft: float, numbers: Floats) -> float:
    """The scale of contacts that are to be so soft, as far as all else is far enough away for their long steps."""
    if soft < 1.0:
        clear = clear_for(b, who, pairs, pot, numbers[0])
        while soft < 1.0 and clear <= 2.0 * numbers[2] / soft:
            soft *= 2.0
        soft = min(1.0, soft)
    return soft


@inlined
def _soften(
    b: Floats, who: Ints, pairs: Floats, pot: Floats, last: Floats, before: int, clock: Floats, numbers: Floats
) -> None:
    """Choose how finely the contacts of this step are solved.

    What only rolls, slides or settles on the felt, far from all else, is solved with softer springs and longer steps:
    its contacts carry little more than its weight. Before it can hit anything the springs are stiff again, and what
    they had been compressed is forgotten to the same force, or they would give back more than they took.

    What touches in the very first step may be fast already: shot hard at a wall it lies against, it passed through it.
    """
    scale = clock[SCALE]
    calm = clock[CALM] >= CALM_FOR
    if not calm and scale >= 1.0:
        return
    fastest = 0.0
    for i in who:
        fastest = max(fastest, pace(b, i))
    soft = max(SOFT, fastest / FASTEST)
    clock[SCALE] = _softest(b, who, pairs, pot, soft, numbers) if calm else max(1.0, soft)
    if scale != clock[SCALE]:
        share = scale / clock[SCALE]
        for m in range(before):
            last[m, 8] *= min(1.0, share * share)
    if calm and soft < 1.0:
        clock[AHEAD] = (fastest + FALLING) * 2.5 * numbers[2] / soft


@inlined
def _guard(
    b: Floats, who: Ints, still: float, k: Floats, count: int, clock: Floats, gravity: float, materials: Floats,
    dt: float,
) -> None:  # fmt: skip
    """Hold the energy of this step's pushes to the least there was, and note what there is now, springs included.

    `still`: energy of who is not awake [J].
    """
    unit = clock[UNIT]
    made, left = hold(b, who, k, count, gravity, (clock[LEAST] + LEEWAY) * unit - still)
    clock[TAKEN] += (made - left) / unit
    left += still
    clock[LEAST] = min(clock[LEAST], (left + sprung(b, k, count, materials, dt)) / unit)
    clock[GAIN] = max(clock[GAIN], left / unit - clock[LEAST])


@inlined
def _watch(b: Floats, i: int, dt: float, gravity: float) -> None:
    """Count for how long disc `i` has been slow, and flat and sliding."""
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


@inlined
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


@inlined
def _rest(b: Floats, who: Ints, seen: Floats, now: float) -> bool:
    """Freeze every island whose discs have all been slow long enough; whether nobody is left awake.

    Who touched within the last few milliseconds belongs together: contacts in a leaning pile flicker from step to step,
    and a part frozen by itself is woken by the rest, for ever.
    """
    discs = len(b)
    ready = False
    for i in who:
        if b[i, STATE] == AWAKE and b[i, SLOW_T] >= QUIET_FOR:
            ready = True
    if ready:
        for i in range(discs):
            b[i, ISLAND] = i
        for p in range(discs):
            for q in range(p + 1, discs):
                if seen[p, q + 2] < now - LINGER or b[p, ISLAND] == b[q, ISLAND]:
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
                touched = b[i, TOUCHING] > 0
                for q in range(discs + 2):
                    touched = touched or seen[i, q] > now - LINGER or (q < i and seen[q, i + 2] > now - LINGER)
                if not touched or b[i, SLOW_T] < (BALANCED_FOR if on_edge else QUIET_FOR):
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
    for i in who:
        if b[i, STATE] == AWAKE:
            awake += 1
    return awake == 0


@inlined
def _verdict(b: Floats, i: int, pot: Floats, gravity: float, sprung: float) -> int:
    """POTTED or MISSED as soon as disc `i` has not the energy to change it, else -1.

    `sprung` bounds the energy per mass that sits in its contacts' springs; forgotten, bouncing winks would be called
    potted. Where no other disc is about, what moves away from the pot, clear of it, does not come back by that motion:
    the felt only brakes it."""
    x, y, z = b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ]
    if z >= pot[4]:
        return -1
    spare = energy(b, i, gravity) + sprung
    if in_pot(x, y, z, pot):
        if z < pot[4] - b[i, HALF] and spare < gravity * (pot[4] - 1e-3):
            return POTTED
    elif spare < 0.9 * gravity * pot[4]:
        return MISSED
    elif len(b) == 1:
        rho, away = math.sqrt(x * x + y * y), x * b[i, VX] + y * b[i, VY]
        if rho > pot[3] + pot[5] + b[i, REACH] and away > 0.0:
            away /= rho
            if spare - 0.5 * away * away < 0.9 * gravity * pot[4]:
                return MISSED
    return -1


@bare
def advance(
    b: Floats, r: Run, k: Floats, last: Floats, order: Ints, pot: Floats, materials: Floats, numbers: Floats
) -> int:
    """Run until there is a reason to stop, and say which; call again to go on after KNOTS_FULL."""
    gravity, stiffness, step, sweeps = numbers[0], numbers[1], numbers[2], int(numbers[3])
    clock, tally, pairs, edge, near = r.clock, r.tally, r.pairs, r.edge, r.near
    shooter, goal = tally[SHOOTER], tally[AIM]
    glide, early = goal in (TO_GLIDE, TO_POTTED), goal in (TO_VERDICT, TO_POTTED)
    while clock[TIME] < clock[T_MAX]:
        if glide and met(b):
            return MET
        if clock[KNOT_EVERY] > 0.0 and clock[TIME] >= clock[NEXT_KNOT]:
            if tally[KNOTS] >= len(r.when):
                return KNOTS_FULL
            knot(b, r)
        sprung = 0.0
        count = search(b, pairs, k, pot, gravity, near, clock[AHEAD])
        clock[AHEAD] = 0.0
        up, still = awake(b, r.who, gravity)
        who = r.who[:up]
        for i in who:
            b[i, TOUCHING] = 0
        if up > 1 and tally[ALONE] == 1:
            return JOINED
        if count > 0:
            _soften(b, who, pairs, pot, last, tally[BEFORE], clock, numbers)
            scale = clock[SCALE]
            dt = step / scale
            stiff = stiffness * scale * scale
            deepest_first(k, order, count)
            prepare(b, who, k, last, count, tally[BEFORE], materials, dt)
            remember(b, who)
            relax(b, who, k, order, count, sweeps, dt)
            finish(b, who, k, count, materials)
            _guard(b, who, still, k, count, clock, gravity, materials, dt)
            if note(b, r, k, order, count, dt):
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
            total, fastest = (moving(b, who, gravity) + still) / clock[UNIT], 0.0
            for i in who:
                fastest = max(fastest, pace(b, i))
            clock[LEAST] = min(clock[LEAST], total)
            clock[GAIN] = max(clock[GAIN], total - clock[LEAST])
            clock[SCALE] = max(1.0, fastest / FASTEST)
            dt = free_step(b, who, pairs, pot, gravity, step / clock[SCALE])
        tally[BEFORE] = count
        tally[STEPS] += 1
        if early and tally[TOUCHED] == 1:
            verdict = _verdict(b, shooter, pot, gravity, sprung)
            if verdict == POTTED or (verdict == MISSED and goal == TO_VERDICT):
                return verdict
        dt = min(dt, clock[T_MAX] - clock[TIME])
        flat = False
        for i in who:
            x, y = b[i, CX], b[i, CY]
            fly_on(b, i, dt, gravity)
            b[i, TRAVEL] += (pace(b, i) + gravity * dt) * dt
            _watch(b, i, dt, gravity)
            _leave(b, edge, clock[TIME], i, x, y, dt)
            flat = flat or b[i, FLAT_T] >= FLAT_FOR
        clock[TIME] += dt
        if _rest(b, who, r.seen, clock[TIME]):
            return RESTED
        if glide and flat:
            return FLAT
    return LATE
