"""Winks alone in motion, one shot after another without a rest: `squidge.flown` as a compiled loop.

The same flight (`flight.advance`), and the same glide of what lies flat (`mat.Mat`). Where another wink or the pot's
foot comes into it, the shot is given back to be made by itself.
"""

from math import cos, hypot, inf, isnan, sin, sqrt
from typing import Final, NamedTuple

import numpy as np

from flicksim.physics.batch import glide
from flicksim.physics.batch.coins import meet_resting, send
from flicksim.physics.batch.glide import BEGIN, END, FALLS, UX, UY, X, Y
from flicksim.physics.batch.tables import SETTLED, SKIPPED, TOO_LONG, Board, Bools, Floats, Ints
from flicksim.physics.flight import advance as loop
from flicksim.physics.flight.bodies import (
    AWAKE,
    COLUMNS,
    CX,
    CY,
    CZ,
    EXIT_X,
    EXIT_Y,
    FLAT_T,
    FROZEN,
    GLIDING,
    GONE,
    HALF,
    HELD,
    LEVEL,
    LX,
    LY,
    LZ,
    NX,
    NY,
    NZ,
    RADIUS,
    REACH,
    SLOW_T,
    STATE,
    TRAVEL,
    VX,
    VY,
    VZ,
    set_spin,
)
from flicksim.physics.flight.contacts import SAMPLES, WIDTH
from flicksim.physics.flight.fly import ASK_AGAIN, LEVELLED, LOG_ROWS
from flicksim.physics.flight.guard import whole
from flicksim.physics.flight.jit import bare, compiled
from flicksim.physics.flight.notes import (
    AIM,
    ALONE,
    CALM,
    KNOT_EVERY,
    KNOTS,
    LEAST,
    LOGGED,
    NEXT_KNOT,
    SHOOTER,
    T_MAX,
    TIME,
    UNIT,
    Run,
)
from flicksim.physics.flight.search import TOGETHER, wake
from flicksim.physics.flight.wall import in_pot, touch_pot
from flicksim.physics.mat import NEARBY, SHORTEST

BY_ITSELF: Final = 100
"""Reason why a shot has not been made: more than one wink has to do with it."""
GOES_ON: Final = -1
"""In place of why: it is not over."""
ON_FELT, LEANS, ON_EDGE, IN_POT, ON_RIM, LEFT, MISSED = range(7)
"""Ends of a wink; MISSED: surely not in the pot, followed no further."""
LANDING: Final = 0.02
"""Slower touches are no landings [m/s] (see `squidge`)."""
_KNOT_ROWS: Final = 64


class Kits(NamedTuple):
    """Mats before a shot; all stand on one board.

    Args:
        bodies, pairs: as `Flight` has them. [K, N, COLUMNS], [K, N, N, 5]
        materials: at each of the rolling resistances tried in turn. [K, D, 3, 4]
        numbers, unit: of the flight; the least mass [kg]. [K, 4], [K]
        pull, contact: of the run-down of a flat wink (see `tables.Laid`). [K, N]
        foot: distance of a flat wink's middle from the pot's axis where they touch [m]. [K, N]
        gentle, longest: approach [m/s], and time until it is slowed harder [s]. [K]
        every: spacing of the places between which lines are looked for [s]; 0 where there are none. [K]
        pot, edge: the pot's numbers, and the mat's corners. [10] or [0], [M, 2]
    """

    bodies: Floats
    pairs: Floats
    materials: Floats
    numbers: Floats
    unit: Floats
    pull: Floats
    contact: Ints
    foot: Floats
    gentle: Floats
    longest: Floats
    every: Floats
    pot: Floats
    edge: Floats


class Shot(NamedTuple):
    """The squidges, a row a shot.

    Args:
        kit, piece: which mat, and the row of the wink there. [S]
        at: where each wink lies instead [m]; NaN where it stays. [S, N, 2], or [S, 0, 2] where all stay
        v, spin: its velocity [m/s] and angular momentum per mass [m^2/s]. [S, 3]
    """

    kit: Ints
    piece: Ints
    at: Floats
    v: Floats
    spin: Floats


class Flown(NamedTuple):
    """The outcome of the shots; written by the loop.

    Args:
        centre, normal: of the wink in the end; where it left. [S, 3]
        how: it ended, as above. [S]
        time: when all was at rest [s]. [S]
        first: what it touched first, FELT or POT; 0 for nothing. [S]
        landing: where it first came down [m], NaN for nowhere. [S, 2]
        crossed: how often it crossed each line. [S, L]
        why: as `tables`, or BY_ITSELF. [S]
    """

    centre: Floats
    normal: Floats
    how: Ints
    time: Floats
    first: Ints
    landing: Floats
    crossed: Ints
    why: Ints


@bare
def launched(
    n: Floats, radius: Floats, half: Floats, speed: Floats, azimuth: Floats, elevation: Floats, tumble: Floats,
    v: Floats, spin: Floats,
) -> None:  # fmt: skip
    """Write the motion of winks shot off the felt (see `flight.launch`); of one row, n, radius and half serve all."""
    for s in range(len(speed)):
        q = min(s, len(radius) - 1)
        flat, co, si = speed[s] * cos(elevation[s]), cos(azimuth[s]), sin(azimuth[s])
        v[s, 0], v[s, 1], v[s, 2] = flat * co, flat * si, speed[s] * sin(elevation[s])
        wx, wy = tumble[s] * si, tumble[s] * -co
        it, ia = radius[q] * radius[q] / 4.0 + half[q] * half[q] / 3.0, radius[q] * radius[q] / 2.0
        along = (ia - it) * (wx * n[q, 0] + wy * n[q, 1])
        spin[s, 0], spin[s, 1], spin[s, 2] = it * wx + along * n[q, 0], it * wy + along * n[q, 1], along * n[q, 2]


@compiled
def shoot(first: int, last: int, goal: int, kits: Kits, shot: Shot, board: Board, flown: Flown) -> None:
    """Make the shots from one row to before another."""
    discs = kits.bodies.shape[1]
    room = 16 * discs + 64
    b, pairs = np.zeros((discs, COLUMNS)), np.zeros((discs, discs, 5))
    k, past, order = np.zeros((room, WIDTH)), np.zeros((room, 9)), np.zeros(room, np.int64)
    run = Run(
        np.zeros(11), np.zeros(9, np.int64), pairs, kits.edge,
        np.zeros((discs, discs + 2), np.int64), np.zeros((discs, discs + 2)), np.zeros((LOG_ROWS, 8)),
        np.zeros(_KNOT_ROWS), np.zeros((_KNOT_ROWS, discs, 6)), np.zeros(SAMPLES),
        np.zeros(discs, np.int64),
    )  # fmt: skip
    runs, moving, motion = np.zeros((1, glide.WIDTH)), np.zeros(1, np.bool_), np.zeros((1, 6))
    none: int = np.int64(0)  # type: ignore[assignment]  # of that very type: with a bare 0 much is compiled twice
    # one function, however long: each that calls the flight has all of it compiled once more
    for s in range(first, last):
        if flown.why[s] == SKIPPED:
            continue
        _begin(s, goal, kits, shot, b, run)
        kit, i, clock, tally = shot.kit[s], shot.piece[s], run.clock, run.tally
        wake(b, pairs, k, none, i, run.near)
        awake = 0
        for j in range(discs):
            if b[j, STATE] == AWAKE:
                awake += 1
        over = BY_ITSELF if awake > 1 else GOES_ON
        x, y, tried = b[i, CX], b[i, CY], 0
        clock[T_MAX] = kits.longest[kit]
        while over == GOES_ON:
            why = loop.advance(b, run, k, past, order, kits.pot, kits.materials[kit, tried], kits.numbers[kit])
            if clock[KNOT_EVERY] > 0.0:
                for row in range(tally[KNOTS]):
                    _cross(s, x, y, run.knots[row, i, 0], run.knots[row, i, 1], board, flown)
                    x, y = run.knots[row, i, 0], run.knots[row, i, 1]
                tally[KNOTS] = 0
            if why == loop.FLAT:
                why = _glide(kit, i, kits, board, b, run, runs, moving, motion)
                if clock[KNOT_EVERY] > 0.0:
                    _cross(s, x, y, b[i, CX], b[i, CY], board, flown)
                    x, y = b[i, CX], b[i, CY]
            if why == BY_ITSELF or why == loop.JOINED or why == loop.MET:
                over = BY_ITSELF
            elif why == loop.LATE:
                tried += 1
                clock[T_MAX] = clock[TIME] + kits.longest[kit]
                if tried == kits.materials.shape[1]:
                    over = TOO_LONG
            elif why == loop.RESTED or why == loop.POTTED or why == loop.MISSED:
                over = SETTLED
                _cross(s, x, y, b[i, CX], b[i, CY], board, flown)
                at = False
                if why == loop.RESTED:
                    if len(kits.pot) > 0 and b[i, STATE] != GONE:
                        found, _ = touch_pot(b, i, kits.pot, k, none, TOGETHER, run.near)
                        at = found > 0
                else:
                    flown.how[s] = IN_POT if why == loop.POTTED else MISSED
                _tell(s, i, kits.pot, flown, b, run, at)
        flown.why[s] = over


@bare
def _begin(s: int, goal: int, kits: Kits, shot: Shot, b: Floats, run: Run) -> None:
    """Lay the mat of a shot out, and set its wink in motion (see `Flight`)."""
    kit, i = shot.kit[s], shot.piece[s]
    # element by element: to assign whole arrays, all that could be said of shapes that do not match is compiled too
    for j in range(len(b)):
        for x in range(COLUMNS):
            b[j, x] = kits.bodies[kit, j, x]
        for q in range(len(b)):
            for x in range(run.pairs.shape[2]):
                run.pairs[j, q, x] = kits.pairs[kit, j, q, x]
        for q in range(len(b) + 2):
            run.open[j, q], run.seen[j, q] = -1, -1.0
    for x in range(len(run.clock)):
        run.clock[x] = 0.0
    for x in range(len(run.tally)):
        run.tally[x] = 0
    for j in range(shot.at.shape[1]):
        if not isnan(shot.at[s, j, 0]):
            b[j, CX], b[j, CY] = shot.at[s, j, 0], shot.at[s, j, 1]
    for x in range(3):
        b[i, VX + x], b[i, LX + x] = shot.v[s, x], shot.spin[s, x]
    set_spin(b, i)
    clock, tally = run.clock, run.tally
    clock[UNIT], clock[KNOT_EVERY] = kits.unit[kit], kits.every[kit]
    clock[LEAST] = whole(b, kits.numbers[kit, 0]) / clock[UNIT]
    tally[SHOOTER], tally[AIM], tally[ALONE] = i, goal, 1
    b[i, HELD] = 1.0


@bare
def _glide(
    kit: int, i: int, kits: Kits, board: Board, b: Floats, run: Run,
    runs: Floats, moving: Bools, motion: Floats,
) -> int:  # fmt: skip
    """Let a wink that lies flat glide, to rest or to the mat's edge (see `Mat`); RESTED, FLAT to fly on, BY_ITSELF."""
    clock, gravity, radius = run.clock, kits.numbers[kit, 0], b[i, RADIUS]
    motion[0, 0], motion[0, 1], motion[0, 2] = b[i, CX], b[i, CY], 0.0
    spin = 2.0 * b[i, LZ] / (radius * radius)
    send(
        0, b[i, VX], b[i, VY], spin, clock[TIME], motion, runs, moving, board, radius,
        kits.pull[kit, i], kits.contact[kit, i],
    )  # fmt: skip
    way = runs[0]
    lasts = way[END] - way[BEGIN]
    along, speed = glide.slid(way, board, lasts)
    ex, ey = along * way[UX], along * way[UY]
    for j in range(len(b)):
        if j == i or b[j, STATE] == GONE:
            continue
        dx, dy = b[j, CX] - way[X], b[j, CY] - way[Y]
        share = min(1.0, max(0.0, (dx * ex + dy * ey) / (ex * ex + ey * ey))) if along > 0.0 else 0.0
        dx, dy = dx - share * ex, dy - share * ey
        if sqrt(dx * dx + dy * dy) < b[i, REACH] + b[j, REACH] + NEARBY:
            return BY_ITSELF
    if len(kits.pot) > 0:
        met = meet_resting(
            way, kits.pot[0], kits.pot[1], board, kits.foot[kit, i] + NEARBY, 0.0, clock[TIME]
        )  # fmt: skip
        dx, dy = kits.pot[0] - way[X], kits.pot[1] - way[Y]
        if met < inf or sqrt(dx * dx + dy * dy) < kits.foot[kit, i] + NEARBY:
            return BY_ITSELF
    if way[FALLS] > 0.0 and way[END] < clock[TIME] + SHORTEST:
        b[i, FLAT_T] = -ASK_AGAIN
        return loop.FLAT
    _lay(b, i, way[X], way[Y], 0.0, 0.0, 0.0, clock, gravity)
    b[i, STATE] = GLIDING
    _, rim = glide.turned(way, board, lasts)
    clock[TIME] = way[END]
    clock[NEXT_KNOT] = clock[TIME] + clock[KNOT_EVERY]
    if way[FALLS] > 0.0:
        _lay(
            b, i, way[X] + ex, way[Y] + ey, way[UX] * speed, way[UY] * speed, rim / radius, clock, gravity
        )  # fmt: skip
        b[i, STATE], b[i, SLOW_T], b[i, FLAT_T], clock[CALM] = AWAKE, 0.0, 0.0, 0.0
        return loop.FLAT
    _lay(b, i, way[X] + ex, way[Y] + ey, 0.0, 0.0, 0.0, clock, gravity)
    b[i, STATE] = FROZEN
    return loop.RESTED


@bare
def _lay(
    b: Floats, i: int, x: float, y: float, vx: float, vy: float, spin: float, clock: Floats, gravity: float
) -> None:
    """Put disc `i` level on the felt, with this motion (see `Flight`)."""
    had = whole(b, gravity)
    b[i, TRAVEL] += hypot(x - b[i, CX], y - b[i, CY]) + LEVELLED
    b[i, CX], b[i, CY], b[i, CZ] = x, y, min(b[i, CZ], b[i, HALF])
    b[i, NX], b[i, NY], b[i, NZ] = 0.0, 0.0, 1.0 if b[i, NZ] > 0.0 else -1.0
    b[i, VX], b[i, VY], b[i, VZ] = vx, vy, 0.0
    b[i, LX], b[i, LY], b[i, LZ] = 0.0, 0.0, 0.5 * (b[i, RADIUS] * b[i, RADIUS]) * spin
    set_spin(b, i)
    clock[LEAST] += (whole(b, gravity) - had) / clock[UNIT]


@bare
def _cross(s: int, x: float, y: float, to_x: float, to_y: float, board: Board, flown: Flown) -> None:
    """Count the lines that a wink crosses on its way between two places (see `squidge`)."""
    for q in range(board.lines.shape[0]):
        ax, ay = board.lines[q, 0], board.lines[q, 1]
        ex, ey = board.lines[q, 2] - ax, board.lines[q, 3] - ay
        before, after = ex * (y - ay) - ey * (x - ax), ex * (to_y - ay) - ey * (to_x - ax)
        if (before < 0.0) == (after < 0.0):
            continue
        part = before / (before - after)
        cx, cy = x + part * (to_x - x), y + part * (to_y - y)
        along = ((cx - ax) * ex + (cy - ay) * ey) / (ex * ex + ey * ey)
        if 0.0 <= along <= 1.0:
            flown.crossed[s, q] += 1


@bare
def _tell(s: int, i: int, pot: Floats, flown: Flown, b: Floats, run: Run, at: bool) -> None:
    """Write down how a wink ended, that touches the pot or not (see `account`)."""
    flown.time[s] = run.clock[TIME]
    for x in range(3):
        flown.centre[s, x], flown.normal[s, x] = b[i, CX + x], b[i, NX + x]
    rows = run.tally[LOGGED]
    for row in range(rows):
        if run.log[row, 3] >= LANDING:
            flown.first[s] = int(run.log[row, 2])
            flown.landing[s, 0], flown.landing[s, 1] = run.log[row, 4], run.log[row, 5]
            break
    if flown.how[s] >= 0:
        return
    x, y, z = b[i, CX], b[i, CY], b[i, CZ]
    inside = False
    if b[i, STATE] == GONE:
        flown.how[s] = LEFT
        flown.centre[s, 0], flown.centre[s, 1] = b[i, EXIT_X], b[i, EXIT_Y]
        return
    if len(pot) > 0:
        inside = in_pot(x - pot[0], y - pot[1], z, pot)
    if inside:
        flown.how[s] = IN_POT
    elif at and z > pot[4] - b[i, HALF]:
        flown.how[s] = ON_RIM
    elif abs(b[i, NZ]) > LEVEL:
        flown.how[s] = ON_FELT
    else:
        flown.how[s] = LEANS if at else ON_EDGE
