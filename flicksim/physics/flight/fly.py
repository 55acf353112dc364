"""The surface of the height layer: winks in, a frozen account of their flight out."""

from collections.abc import Sequence
from enum import Enum
from typing import Final

import numpy as np

from flicksim.physics.flight import advance as loop
from flicksim.physics.flight import notes
from flicksim.physics.flight.account import FlightResult, account
from flicksim.physics.flight.apart import LAID
from flicksim.physics.flight.bodies import AWAKE, CX, CZ, HELD, NX, NZ, STATE, bodies
from flicksim.physics.flight.contacts import SAMPLES, WIDTH
from flicksim.physics.flight.guard import whole
from flicksim.physics.flight.params import PLAY, Floats, Params, Pot
from flicksim.physics.flight.search import wake
from flicksim.physics.flight.winks import Winks

_NO_POT: Final = np.zeros(0)
_NO_EDGE: Final = np.zeros((0, 2))
_LOG_ROWS: Final = 512
_KNOT_ROWS: Final = 512


class Until(Enum):
    """What a run is for."""

    REST = loop.TO_REST
    """Until everything is at rest."""
    VERDICT = loop.TO_VERDICT
    """Until the shooter is potted or not; nothing else about the end is told."""
    SLIDE = loop.TO_SLIDE
    """Until every wink is at rest or flat on the felt, where a plane world can take over (see `hand_over`)."""


def fly(
    winks: Winks,
    params: Params = PLAY,
    pot: Pot | None = None,
    *,
    shooter: int | None = None,
    moving: Sequence[int] | None = None,
    laid: Sequence[tuple[int, int]] = (),
    edge: Floats | None = None,
    t_max: float = 10.0,
    until: Until = Until.REST,
    record: float | None = None,
) -> FlightResult:
    """Let the winks move until they rest.

    Args:
        winks: where all are, and how they move.
        params: materials, air and steps.
        pot: the pot, if one stands there.
        shooter: the wink shot off the felt. Until it has first been clear of the felt it rolls off its trailing edge:
            a backspinning wink would else strike the felt with that while it is still being launched.
        moving: winks awake from the beginning; those with a velocity or spin unless told. The others rest until
            touched.
        laid: which wink was laid on which; they wake together, even if they do not quite touch.
        edge: corners of the mat, counter-clockwise or clockwise [M, 2] [m]; endless without.
        t_max: simulated time after which the run ends in any case [s].
        until: what to run for.
        record: spacing of the recorded knots [s]; blows have knots of their own. None records nothing.

    Raises:
        ValueError: `until` asks for a verdict without a shooter or a pot, or nothing is finite.
    """
    if until is Until.VERDICT and (shooter is None or pot is None):
        raise ValueError("a verdict is about a shooter and a pot: give both")
    discs = len(winks.R)
    for name, array in (("c", winks.c), ("n", winks.n), ("v", winks.v), ("L", winks.L)):
        if array.shape != (discs, 3) or not np.isfinite(array).all():
            raise ValueError(f"winks.{name} must be {discs} finite rows of 3, not {array!r}")
    drag = params.drag_rate(winks.R, winks.h, winks.mass)
    b = bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, drag)
    corners = _NO_EDGE if edge is None else np.array(edge, dtype=np.float64)
    cup = _NO_POT if pot is None else pot.numbers()
    room = 16 * discs + 64
    r = notes.run_of(discs, corners, _LOG_ROWS, _KNOT_ROWS if record else 0)
    k, last, order = np.zeros((room, WIDTH)), np.zeros((room, 9)), np.zeros(room, dtype=np.int64)
    r.clock[notes.T_MAX], r.clock[notes.SCALE] = t_max, 1.0
    r.clock[notes.KNOT_EVERY], r.clock[notes.UNIT] = record or 0.0, float(winks.mass.min())
    r.clock[notes.LEAST] = whole(b, params.gravity) / r.clock[notes.UNIT]
    r.tally[notes.SHOOTER], r.tally[notes.AIM] = -1 if shooter is None else shooter, until.value
    for upper, lower in laid:
        r.pairs[min(upper, lower), max(upper, lower), LAID] = 1.0
    awake = _movers(winks) if moving is None else list(moving)
    if shooter is not None:
        b[shooter, HELD] = 1.0
    if len(awake):
        b[awake, STATE] = AWAKE
        wake(b, r.pairs, k, 0, int(awake[0]), np.zeros(SAMPLES))
    times: list[Floats] = []
    track: list[Floats] = []
    why = loop.KNOTS_FULL if len(awake) else loop.RESTED
    while why == loop.KNOTS_FULL:
        why = loop.advance(b, r, k, last, order, cup, params.materials(), params.numbers())
        if record:
            rows = int(r.tally[notes.KNOTS])
            times.append(r.when[:rows].copy())
            track.append(r.knots[:rows].copy())
            r.tally[notes.KNOTS] = 0
    if record:
        times.append(np.array([r.clock[notes.TIME]]))
        track.append(np.concatenate([b[:, CX : CZ + 1], b[:, NX : NZ + 1]], axis=1)[None])
    return account(b, r, winks, pot, shooter, why, times, track)


def _movers(winks: Winks) -> list[int]:
    """Winks with a velocity or a spin."""
    moving = np.any(winks.v != 0.0, axis=1) | np.any(winks.L != 0.0, axis=1)
    return [int(i) for i in np.flatnonzero(moving)]
