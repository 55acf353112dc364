"""State of a run: its clock, its log of touches and its knots, so that it can stop and go on."""

from typing import Final, NamedTuple

import numpy as np

from flicksim.physics.flight.bodies import CX, NX, TOUCHING, Ints
from flicksim.physics.flight.contacts import APPROACH, DZ, FELT, FIRST, PX, PY, PZ, SAMPLES, SECOND
from flicksim.physics.flight.jit import inlined
from flicksim.physics.flight.params import Floats

TIME, T_MAX, KNOT_EVERY, NEXT_KNOT, LEAST, GAIN, SCALE, UNIT, CALM, TAKEN, AHEAD = range(11)
"""Places in `Run.clock`: now, the end, spacing of knots (0: none) and the next, least energy seen, springs
included, and the largest rise above it, how much faster than tabled the contacts are solved (0: not chosen yet), the
mass energies are told per, for how long contacts have been gentle [s], what the guard took (see `guard`), and the
travel in which soft contacts must have nothing in their way [m]; energies per that mass [J/kg].
"""

KNOTS, LOGGED, DROPPED, BEFORE, SHOOTER, AIM, TOUCHED, STEPS, ALONE = range(9)
"""Places in `Run.tally`: knots and log rows used, rows dropped, contacts of the step before, the disc verdicts are
about (-1: none), what to run for, whether the shooter has touched anything, steps done, whether to
stop once two are awake."""

BLOW: Final = 0.1
"""An approach that deserves a knot of its own [m/s]."""


class Run(NamedTuple):
    """Everything about a run that is not a body or a contact, so that it can stop and go on.

    Attributes:
        clock: see `TIME`.
        tally: see `KNOTS`.
        pairs: what is remembered of each pair, see `apart` [N, N, 5].
        edge: corners of the mat [M, 2] [m].
        open: log row of the present touch of each disc and pot, felt, discs [N, N + 2].
        seen: when they last touched [N, N + 2] [s].
        log: time, disc, against, approach [m/s], x, y, z, until [rows, 8].
        when: times of knots [rows] [s].
        knots: centres and normals [rows, N, 6].
        near: room for what is found round an edge circle [SAMPLES].
        who: rows of the discs that are awake, as far as there are [N].
    """

    clock: Floats
    tally: Ints
    pairs: Floats
    edge: Floats
    open: Ints
    seen: Floats
    log: Floats
    when: Floats
    knots: Floats
    near: Floats
    who: Ints


def run_of(discs: int, edge: Floats, log_rows: int, knot_rows: int) -> Run:
    """A run about to begin."""
    return Run(
        np.zeros(11),
        np.zeros(9, dtype=np.int64),
        np.zeros((discs, discs, 5)),
        edge,
        np.full((discs, discs + 2), -1, dtype=np.int64),
        np.full((discs, discs + 2), -1.0),
        np.zeros((log_rows, 8)),
        np.zeros(knot_rows),
        np.zeros((knot_rows, discs, 6)),
        np.zeros(SAMPLES),
        np.zeros(discs, dtype=np.int64),
    )


@inlined
def note(b: Floats, r: Run, k: Floats, order: Ints, count: int, dt: float) -> bool:
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
                log[row, 4], log[row, 5], log[row, 6] = k[m, PX], k[m, PY], k[m, PZ]
                current[i, j + 2] = row
            else:
                tally[DROPPED] += 1
                current[i, j + 2] = len(log)
        seen[i, j + 2] = now
        row = current[i, j + 2]
        if row < len(log):
            log[row, 7] = now + dt
        bits = 1
        if k[m, DZ] < 0.9995:
            bits |= 2
        if j != FELT:
            bits |= 4
        b[i, TOUCHING] = int(b[i, TOUCHING]) | bits
        if j >= 0:
            b[j, TOUCHING] = int(b[j, TOUCHING]) | bits
    return blow


@inlined
def knot(b: Floats, r: Run) -> None:
    """Record where everything is."""
    row = r.tally[KNOTS]
    r.when[row] = r.clock[TIME]
    for i in range(len(b)):
        for x in range(3):
            r.knots[row, i, x], r.knots[row, i, 3 + x] = b[i, CX + x], b[i, NX + x]
    r.tally[KNOTS] = row + 1
    r.clock[NEXT_KNOT] = r.clock[TIME] + r.clock[KNOT_EVERY]
