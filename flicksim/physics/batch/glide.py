"""Runs of flat pieces from one impact to the next, as numbers in arrays: `friction.Glide` for the compiled loop.

A run is a row of numbers; its columns are named below. Values at the knots are looked up when asked, not laid out.
"""

from math import atan2, inf, pi, sqrt
from typing import Final

from flicksim.physics.batch.tables import Board, Floats
from flicksim.physics.flight.jit import bare

BEGIN: Final = 0
"""Time at which the run began [s]."""
X: Final = 1
Y: Final = 2
ANGLE: Final = 3
UX: Final = 4
UY: Final = 5
END: Final = 6
"""Time at which the piece stops or falls [s]."""
V: Final = 7
W: Final = 8
"""Speed and rim speed, never below 0, at the beginning [m/s]."""
SENSE: Final = 9
"""-1 where it spins clockwise, else 1."""
STOP: Final = 10
LENGTH: Final = 11
"""Time [s] and way [m] to rest."""
RHO: Final = 12
PART: Final = 13
ROW: Final = 14
"""Scale [m/s], and place in the run-down tables: between ROW and ROW + 1 by PART; SLIDE or FREE have none."""
CONTACT: Final = 15
RADIUS: Final = 16
PULL: Final = 17
"""Kind of contact, radius [m] and deceleration [m/s^2] of the piece."""
FALLS: Final = 18
"""1 where the run ends at the edge."""
WIDTH: Final = 19

SLIDE: Final = -1.0
"""ROW of a run that does not spin."""
FREE: Final = -2.0
"""ROW of a run without friction."""

_WAY: Final = 0
_TURN: Final = 1
_V: Final = 2
_W: Final = 3


@bare
def set_off(run: Floats, board: Board, v: float, w: float, radius: float, pull: float, contact: int) -> None:
    """Write how a piece with speed v and rim speed w [m/s] runs down; place, way and time are set elsewhere."""
    run[V], run[W] = v, abs(w)
    run[SENSE] = -1.0 if w < 0.0 else 1.0
    run[RADIUS], run[PULL], run[CONTACT] = radius, pull, contact
    if pull <= 0.0:
        run[ROW] = FREE
        run[STOP] = run[LENGTH] = inf if v > 0.0 or w != 0.0 else 0.0
        return
    if run[W] <= 1e-9 * v:
        run[W] = 0.0
        run[ROW] = SLIDE
        run[STOP], run[LENGTH] = v / pull, v * v / (2.0 * pull)
        return
    shapes = board.times.shape[1]
    place = atan2(v, run[W]) * ((shapes - 1) / (pi / 2))
    row = min(int(place), shapes - 2)
    part = place - row
    rho = sqrt(v * v + run[W] * run[W])
    run[ROW], run[PART], run[RHO] = row, part, rho
    run[STOP] = (board.times[contact, row] * (1.0 - part) + board.times[contact, row + 1] * part) * rho / pull
    run[LENGTH] = _value(run, board, _WAY, board.fractions.shape[0] - 1)


@bare
def _value(run: Floats, board: Board, which: int, knot: int) -> float:
    """Way, turn, speed or rim speed of a run at a knot."""
    if knot == 0:
        if which == _V:
            return run[V]
        if which == _W:
            return run[W]
    row, part, rho = int(run[ROW]), run[PART], run[RHO]
    table = board.columns[int(run[CONTACT]), which]
    scale = rho
    if which == _WAY:
        scale = rho * rho / run[PULL]
    elif which == _TURN:
        scale = rho * rho / run[PULL] / run[RADIUS]
    return (table[row, knot] * (1.0 - part) + table[row + 1, knot] * part) * scale


@bare
def _knot_before(run: Floats, board: Board, t: float) -> int:
    """The last knot that is not after t."""
    low, high = 0, board.fractions.shape[0]
    while low < high:
        middle = (low + high) // 2
        if t < board.fractions[middle] * run[STOP]:
            high = middle
        else:
            low = middle + 1
    return low - 1


@bare
def _cubic(p0: float, p1: float, m0: float, m1: float, u: float) -> float:
    """The cubic with these ends and slopes."""
    s = 1.0 - u
    return p0 * (1.0 + 2.0 * u) * s * s + m0 * u * s * s + p1 * u * u * (3.0 - 2.0 * u) - m1 * u * u * s


@bare
def slid(run: Floats, board: Board, t: float) -> tuple[float, float]:
    """Way [m] and speed [m/s] after t seconds."""
    if run[ROW] == FREE:
        return run[V] * t, run[V]
    if t >= run[STOP]:
        return run[LENGTH], 0.0
    if run[ROW] == SLIDE:
        return run[V] * t - 0.5 * run[PULL] * t * t, run[V] - run[PULL] * t
    i = _knot_before(run, board, t)
    begin, end = board.fractions[i] * run[STOP], board.fractions[i + 1] * run[STOP]
    h = end - begin
    u = (t - begin) / h
    v0, v1 = _value(run, board, _V, i), _value(run, board, _V, i + 1)
    way = _cubic(_value(run, board, _WAY, i), _value(run, board, _WAY, i + 1), v0 * h, v1 * h, u)
    return way, v0 + (v1 - v0) * u


@bare
def turned(run: Floats, board: Board, t: float) -> tuple[float, float]:
    """Angle turned [rad] and rim speed [m/s] after t seconds, both signed."""
    sense = run[SENSE]
    if run[ROW] == FREE:
        return sense * run[W] / run[RADIUS] * t, sense * run[W]
    if run[ROW] == SLIDE:
        return 0.0, 0.0
    if t >= run[STOP]:
        return sense * _value(run, board, _TURN, board.fractions.shape[0] - 1), 0.0
    i = _knot_before(run, board, t)
    begin, end = board.fractions[i] * run[STOP], board.fractions[i + 1] * run[STOP]
    h = end - begin
    u = (t - begin) / h
    w0, w1 = _value(run, board, _W, i), _value(run, board, _W, i + 1)
    turn = _cubic(
        _value(run, board, _TURN, i), _value(run, board, _TURN, i + 1), w0 * h / run[RADIUS], w1 * h / run[RADIUS], u
    )
    return sense * turn, sense * (w0 + (w1 - w0) * u)


@bare
def time_at(run: Floats, board: Board, way: float) -> float:
    """Time at which it has come that far [s]; inf if it never does."""
    if way <= 0.0:
        return 0.0
    if way > run[LENGTH]:
        return inf
    if run[ROW] == FREE:
        return way / run[V]
    if run[ROW] == SLIDE:
        return (run[V] - sqrt(max(0.0, run[V] * run[V] - 2.0 * run[PULL] * way))) / run[PULL]
    knots = board.fractions.shape[0]
    low, high = 0, knots
    while low < high:
        middle = (low + high) // 2
        if way < _value(run, board, _WAY, middle):
            high = middle
        else:
            low = middle + 1
    i = min(max(low - 1, 0), knots - 2)
    early, late = board.fractions[i] * run[STOP], board.fractions[i + 1] * run[STOP]
    before, after = _value(run, board, _WAY, i), _value(run, board, _WAY, i + 1)
    t = early + (late - early) * (way - before) / max(after - before, 1e-300)
    for _ in range(60):  # Newton, halved back into the bracket where it would leave it
        gone, speed = slid(run, board, t)
        if gone < way:
            early = t
        else:
            late = t
        ahead = t + (way - gone) / speed if speed > 0.0 else late
        if not early < ahead < late:
            ahead = 0.5 * (early + late)
        if abs(ahead - t) < 1e-12:
            break
        t = ahead
    return t
