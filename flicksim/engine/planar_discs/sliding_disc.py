"""Closed-form slides of spinning discs between impacts as array rows: `friction.SlidingDisc` for the compiled loop."""

from math import atan2, inf, pi, sqrt
from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.planar_discs.board import BoardArrays, Floats

START_TIME: Final = 0
"""Start time [s]. Columns of a segment [SEGMENT_COLUMNS]; next: start position, angle and unit direction."""
X: Final = 1
Y: Final = 2
ANGLE: Final = 3
DIR_X: Final = 4
DIR_Y: Final = 5
END_TIME: Final = 6
"""Time at which the piece stops or falls [s]."""
SPEED: Final = 7
RIM_SPEED: Final = 8
"""Initial speed and unsigned rim speed [m/s]."""
SPIN_SIGN: Final = 9
"""-1 where it spins clockwise, else 1."""
STOP_TIME: Final = 10
STOP_DISTANCE: Final = 11
"""Time [s] and distance [m] to rest."""
SPEED_SCALE: Final = 12
ROW_FRACTION: Final = 13
TABLE_ROW: Final = 14
"""Speed scale [m/s], and interpolation in the stopping tables: between TABLE_ROW and TABLE_ROW + 1 by ROW_FRACTION;
TABLE_ROW may also be NO_SPIN or FRICTIONLESS."""
CONTACT_KIND: Final = 15
RADIUS: Final = 16
DECELERATION: Final = 17
"""Kind of contact, radius [m] and deceleration [m/s^2] of the piece."""
FALLS_OFF: Final = 18
"""1 if the segment ends at the board's edge."""
SEGMENT_COLUMNS: Final = 19

NO_SPIN: Final = -1.0
"""TABLE_ROW of a slide without spin."""
FRICTIONLESS: Final = -2.0
"""TABLE_ROW of a slide without friction."""

_DISTANCE: Final = 0
_ROTATION: Final = 1
_SPEED: Final = 2
_RIM_SPEED: Final = 3


@njit_no_refcount
def init_slide(
    seg: Floats, board: BoardArrays, v: float, w: float, radius: float, deceleration: float, contact: int
) -> None:
    """Set the columns of deceleration from speed v and rim speed w [m/s]; pose and times are set elsewhere."""
    seg[SPEED], seg[RIM_SPEED] = v, abs(w)
    seg[SPIN_SIGN] = -1.0 if w < 0.0 else 1.0
    seg[RADIUS], seg[DECELERATION], seg[CONTACT_KIND] = radius, deceleration, contact
    if deceleration <= 0.0:
        seg[TABLE_ROW] = FRICTIONLESS
        seg[STOP_TIME] = seg[STOP_DISTANCE] = inf if v > 0.0 or w != 0.0 else 0.0
        return
    if seg[RIM_SPEED] <= 1e-9 * v:
        seg[RIM_SPEED] = 0.0
        seg[TABLE_ROW] = NO_SPIN
        seg[STOP_TIME], seg[STOP_DISTANCE] = v / deceleration, v * v / (2.0 * deceleration)
        return
    shapes = board.stop_times.shape[1]
    position = atan2(v, seg[RIM_SPEED]) * ((shapes - 1) / (pi / 2))
    row = min(int(position), shapes - 2)
    fraction = position - row
    rho = sqrt(v * v + seg[RIM_SPEED] * seg[RIM_SPEED])
    seg[TABLE_ROW], seg[ROW_FRACTION], seg[SPEED_SCALE] = row, fraction, rho
    seg[STOP_TIME] = (
        (board.stop_times[contact, row] * (1.0 - fraction) + board.stop_times[contact, row + 1] * fraction)
        * rho
        / deceleration
    )
    seg[STOP_DISTANCE] = _node_value(seg, board, _DISTANCE, board.node_fractions.shape[0] - 1)


@njit_no_refcount
def _node_value(seg: Floats, board: BoardArrays, which: int, node: int) -> float:
    """Distance, rotation, speed or rim speed at a node."""
    if node == 0:
        if which == _SPEED:
            return seg[SPEED]
        if which == _RIM_SPEED:
            return seg[RIM_SPEED]
    row, fraction, rho = int(seg[TABLE_ROW]), seg[ROW_FRACTION], seg[SPEED_SCALE]
    table = board.node_values[int(seg[CONTACT_KIND]), which]
    scale = rho
    if which == _DISTANCE:
        scale = rho * rho / seg[DECELERATION]
    elif which == _ROTATION:
        scale = rho * rho / seg[DECELERATION] / seg[RADIUS]
    return (table[row, node] * (1.0 - fraction) + table[row + 1, node] * fraction) * scale


@njit_no_refcount
def _node_before(seg: Floats, board: BoardArrays, t: float) -> int:
    """Last node at or before time t."""
    low, high = 0, board.node_fractions.shape[0]
    while low < high:
        middle = (low + high) // 2
        if t < board.node_fractions[middle] * seg[STOP_TIME]:
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
def distance_and_speed(seg: Floats, board: BoardArrays, t: float) -> tuple[float, float]:
    """Distance [m] and speed [m/s] after time t [s]."""
    if seg[TABLE_ROW] == FRICTIONLESS:
        return seg[SPEED] * t, seg[SPEED]
    if t >= seg[STOP_TIME]:
        return seg[STOP_DISTANCE], 0.0
    if seg[TABLE_ROW] == NO_SPIN:
        return seg[SPEED] * t - 0.5 * seg[DECELERATION] * t * t, seg[SPEED] - seg[DECELERATION] * t
    i = _node_before(seg, board, t)
    begin, end = board.node_fractions[i] * seg[STOP_TIME], board.node_fractions[i + 1] * seg[STOP_TIME]
    h = end - begin
    u = (t - begin) / h
    v0, v1 = _node_value(seg, board, _SPEED, i), _node_value(seg, board, _SPEED, i + 1)
    distance = _cubic_hermite(
        _node_value(seg, board, _DISTANCE, i), _node_value(seg, board, _DISTANCE, i + 1), v0 * h, v1 * h, u
    )
    return distance, v0 + (v1 - v0) * u


@njit_no_refcount
def rotation_and_rim_speed(seg: Floats, board: BoardArrays, t: float) -> tuple[float, float]:
    """Signed rotation [rad] and rim speed [m/s] after time t [s]."""
    sign = seg[SPIN_SIGN]
    if seg[TABLE_ROW] == FRICTIONLESS:
        return sign * seg[RIM_SPEED] / seg[RADIUS] * t, sign * seg[RIM_SPEED]
    if seg[TABLE_ROW] == NO_SPIN:
        return 0.0, 0.0
    if t >= seg[STOP_TIME]:
        return sign * _node_value(seg, board, _ROTATION, board.node_fractions.shape[0] - 1), 0.0
    i = _node_before(seg, board, t)
    begin, end = board.node_fractions[i] * seg[STOP_TIME], board.node_fractions[i + 1] * seg[STOP_TIME]
    h = end - begin
    u = (t - begin) / h
    w0, w1 = _node_value(seg, board, _RIM_SPEED, i), _node_value(seg, board, _RIM_SPEED, i + 1)
    rotation = _cubic_hermite(
        _node_value(seg, board, _ROTATION, i),
        _node_value(seg, board, _ROTATION, i + 1),
        w0 * h / seg[RADIUS],
        w1 * h / seg[RADIUS],
        u,
    )
    return sign * rotation, sign * (w0 + (w1 - w0) * u)


@njit_no_refcount
def time_at_distance(seg: Floats, board: BoardArrays, distance: float) -> float:
    """Time at which a distance is reached [s]; inf if it never is."""
    if distance <= 0.0:
        return 0.0
    if distance > seg[STOP_DISTANCE]:
        return inf
    if seg[TABLE_ROW] == FRICTIONLESS:
        return distance / seg[SPEED]
    if seg[TABLE_ROW] == NO_SPIN:
        return (seg[SPEED] - sqrt(max(0.0, seg[SPEED] * seg[SPEED] - 2.0 * seg[DECELERATION] * distance))) / seg[
            DECELERATION
        ]
    nodes = board.node_fractions.shape[0]
    low, high = 0, nodes
    while low < high:
        middle = (low + high) // 2
        if distance < _node_value(seg, board, _DISTANCE, middle):
            high = middle
        else:
            low = middle + 1
    i = min(max(low - 1, 0), nodes - 2)
    early, late = board.node_fractions[i] * seg[STOP_TIME], board.node_fractions[i + 1] * seg[STOP_TIME]
    before, after = _node_value(seg, board, _DISTANCE, i), _node_value(seg, board, _DISTANCE, i + 1)
    t = early + (late - early) * (distance - before) / max(after - before, 1e-300)
    for _ in range(60):  # safeguarded Newton iteration
        gone, speed = distance_and_speed(seg, board, t)
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
