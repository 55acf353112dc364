"""Slides of discs between impacts as array rows: `friction.SlidingDisc` for the compiled loop.

A run is a row of numbers; its columns are named below. Values at the keyframes are looked up when asked, not laid out.
"""

from math import atan2, inf, pi, sqrt
from typing import Final

from flicksim.engine.batch.arrays import BoardArrays, Floats
from flicksim.engine.jit import njit_no_refcount

START_TIME: Final = 0
"""Time at which the run began [s]."""
X: Final = 1
Y: Final = 2
ANGLE: Final = 3
DIR_X: Final = 4
DIR_Y: Final = 5
END_TIME: Final = 6
"""Time at which the piece stops or falls [s]."""
SPEED: Final = 7
RIM_SPEED: Final = 8
"""Speed and rim speed, never below 0, at the beginning [m/s]."""
SPIN_SIGN: Final = 9
"""-1 where it spins clockwise, else 1."""
STOP_TIME: Final = 10
STOP_DISTANCE: Final = 11
"""Time [s] and way [m] to rest."""
SPEED_SCALE: Final = 12
ROW_FRACTION: Final = 13
TABLE_ROW: Final = 14
"""Scale [m/s], and place in the stopping tables: between TABLE_ROW and TABLE_ROW + 1 by ROW_FRACTION; NO_SPIN or
FRICTIONLESS have none."""
CONTACT_KIND: Final = 15
RADIUS: Final = 16
DECELERATION: Final = 17
"""Kind of contact, radius [m] and deceleration [m/s^2] of the piece."""
FALLS_OFF: Final = 18
"""1 where the run ends at the edge."""
SEGMENT_COLUMNS: Final = 19

NO_SPIN: Final = -1.0
"""TABLE_ROW of a run that does not spin."""
FRICTIONLESS: Final = -2.0
"""TABLE_ROW of a run without friction."""

_DISTANCE: Final = 0
_ROTATION: Final = 1
_SPEED: Final = 2
_RIM_SPEED: Final = 3


@njit_no_refcount
def init_slide(
    run: Floats, board: BoardArrays, v: float, w: float, radius: float, deceleration: float, contact: int
) -> None:
    """Write how a piece with speed v and rim speed w [m/s] runs down; place, way and time are set elsewhere."""
    run[SPEED], run[RIM_SPEED] = v, abs(w)
    run[SPIN_SIGN] = -1.0 if w < 0.0 else 1.0
    run[RADIUS], run[DECELERATION], run[CONTACT_KIND] = radius, deceleration, contact
    if deceleration <= 0.0:
        run[TABLE_ROW] = FRICTIONLESS
        run[STOP_TIME] = run[STOP_DISTANCE] = inf if v > 0.0 or w != 0.0 else 0.0
        return
    if run[RIM_SPEED] <= 1e-9 * v:
        run[RIM_SPEED] = 0.0
        run[TABLE_ROW] = NO_SPIN
        run[STOP_TIME], run[STOP_DISTANCE] = v / deceleration, v * v / (2.0 * deceleration)
        return
    shapes = board.stop_times.shape[1]
    place = atan2(v, run[RIM_SPEED]) * ((shapes - 1) / (pi / 2))
    row = min(int(place), shapes - 2)
    part = place - row
    rho = sqrt(v * v + run[RIM_SPEED] * run[RIM_SPEED])
    run[TABLE_ROW], run[ROW_FRACTION], run[SPEED_SCALE] = row, part, rho
    run[STOP_TIME] = (
        (board.stop_times[contact, row] * (1.0 - part) + board.stop_times[contact, row + 1] * part) * rho / deceleration
    )
    run[STOP_DISTANCE] = _node_value(run, board, _DISTANCE, board.node_fractions.shape[0] - 1)


@njit_no_refcount
def _node_value(run: Floats, board: BoardArrays, which: int, knot: int) -> float:
    """Way, turn, speed or rim speed of a run at a keyframe."""
    if knot == 0:
        if which == _SPEED:
            return run[SPEED]
        if which == _RIM_SPEED:
            return run[RIM_SPEED]
    row, part, rho = int(run[TABLE_ROW]), run[ROW_FRACTION], run[SPEED_SCALE]
    table = board.node_values[int(run[CONTACT_KIND]), which]
    scale = rho
    if which == _DISTANCE:
        scale = rho * rho / run[DECELERATION]
    elif which == _ROTATION:
        scale = rho * rho / run[DECELERATION] / run[RADIUS]
    return (table[row, knot] * (1.0 - part) + table[row + 1, knot] * part) * scale


@njit_no_refcount
def _node_before(run: Floats, board: BoardArrays, t: float) -> int:
    """The last keyframe that is not after t."""
    low, high = 0, board.node_fractions.shape[0]
    while low < high:
        middle = (low + high) // 2
        if t < board.node_fractions[middle] * run[STOP_TIME]:
            high = middle
        else:
            low = middle + 1
    return low - 1


@njit_no_refcount
def _cubic_hermite(p0: float, p1: float, m0: float, m1: float, u: float) -> float:
    """Cubic Hermite interpolation between p0 and p1 with slopes m0 and m1."""
    s = 1.0 - u
    return p0 * (1.0 + 2.0 * u) * s * s + m0 * u * s * s + p1 * u * u * (3.0 - 2.0 * u) - m1 * u * u * s


@njit_no_refcount
def distance_and_speed(run: Floats, board: BoardArrays, t: float) -> tuple[float, float]:
    """Distance [m] and speed [m/s] after t seconds."""
    if run[TABLE_ROW] == FRICTIONLESS:
        return run[SPEED] * t, run[SPEED]
    if t >= run[STOP_TIME]:
        return run[STOP_DISTANCE], 0.0
    if run[TABLE_ROW] == NO_SPIN:
        return run[SPEED] * t - 0.5 * run[DECELERATION] * t * t, run[SPEED] - run[DECELERATION] * t
    i = _node_before(run, board, t)
    begin, end = board.node_fractions[i] * run[STOP_TIME], board.node_fractions[i + 1] * run[STOP_TIME]
    h = end - begin
    u = (t - begin) / h
    v0, v1 = _node_value(run, board, _SPEED, i), _node_value(run, board, _SPEED, i + 1)
    way = _cubic_hermite(
        _node_value(run, board, _DISTANCE, i), _node_value(run, board, _DISTANCE, i + 1), v0 * h, v1 * h, u
    )
    return way, v0 + (v1 - v0) * u


@njit_no_refcount
def rotation_and_rim_speed(run: Floats, board: BoardArrays, t: float) -> tuple[float, float]:
    """Angle turned [rad] and rim speed [m/s] after t seconds, both signed."""
    sense = run[SPIN_SIGN]
    if run[TABLE_ROW] == FRICTIONLESS:
        return sense * run[RIM_SPEED] / run[RADIUS] * t, sense * run[RIM_SPEED]
    if run[TABLE_ROW] == NO_SPIN:
        return 0.0, 0.0
    if t >= run[STOP_TIME]:
        return sense * _node_value(run, board, _ROTATION, board.node_fractions.shape[0] - 1), 0.0
    i = _node_before(run, board, t)
    begin, end = board.node_fractions[i] * run[STOP_TIME], board.node_fractions[i + 1] * run[STOP_TIME]
    h = end - begin
    u = (t - begin) / h
    w0, w1 = _node_value(run, board, _RIM_SPEED, i), _node_value(run, board, _RIM_SPEED, i + 1)
    turn = _cubic_hermite(
        _node_value(run, board, _ROTATION, i),
        _node_value(run, board, _ROTATION, i + 1),
        w0 * h / run[RADIUS],
        w1 * h / run[RADIUS],
        u,
    )
    return sense * turn, sense * (w0 + (w1 - w0) * u)


@njit_no_refcount
def time_at_distance(run: Floats, board: BoardArrays, distance: float) -> float:
    """Time at which it has slid that far [s]; inf if it never does."""
    if distance <= 0.0:
        return 0.0
    if distance > run[STOP_DISTANCE]:
        return inf
    if run[TABLE_ROW] == FRICTIONLESS:
        return distance / run[SPEED]
    if run[TABLE_ROW] == NO_SPIN:
        return (run[SPEED] - sqrt(max(0.0, run[SPEED] * run[SPEED] - 2.0 * run[DECELERATION] * distance))) / run[
            DECELERATION
        ]
    knots = board.node_fractions.shape[0]
    low, high = 0, knots
    while low < high:
        middle = (low + high) // 2
        if distance < _node_value(run, board, _DISTANCE, middle):
            high = middle
        else:
            low = middle + 1
    i = min(max(low - 1, 0), knots - 2)
    early, late = board.node_fractions[i] * run[STOP_TIME], board.node_fractions[i + 1] * run[STOP_TIME]
    before, after = _node_value(run, board, _DISTANCE, i), _node_value(run, board, _DISTANCE, i + 1)
    t = early + (late - early) * (distance - before) / max(after - before, 1e-300)
    for _ in range(60):  # Newton, halved back into the bracket where it would leave it
        gone, speed = distance_and_speed(run, board, t)
        if gone < distance:
            early = t
        else:
            late = t
        ahead = t + (distance - gone) / speed if speed > 0.0 else late
        if not early < ahead < late:
            ahead = 0.5 * (early + late)
        if abs(ahead - t) < 1e-12:
            break
        t = ahead
    return t
