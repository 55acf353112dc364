"""Gestures that release a flick, with their noise factors. Estimated, not measured, like `hold_time_noise_factor`.

"pull": the aim is held still and released. "hold": a release near the top of an oscillating meter. "flick": direction
and speed of the pointer as it passes the piece; by keys, the second of two beats. All have the same grades of noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, pow, remainder

import numpy as np

from flicksim.ai import hold_time_noise_factor
from flicksim.core.geometry import Point
from flicksim.core.units import deg2rad

MIN_NOISE_SCALE, MAX_NOISE_SCALE = 0.8, 1.5
"""Smallest and largest noise factors of any gesture, relative to the grade."""
METER_PERIOD = 1.2
"""Period of the meter [s]."""
BEAT_INTERVAL = 0.8
"""Time from the first beat to the second [s]."""
_WORST_DELAY, _WORST_DEVIATION = 0.2, 0.06
"""Timing error of a beat [s], and relative deviation of a stroke [1], of the greatest noise."""
_METER_EXPONENT = 6.0
"""Sharpness of the top of the meter."""
_STROKE_WINDOW = 0.12
"""Duration of the end of a stroke that is fitted [s]."""
_MAX_STROKE_SPEED = 2600.0
"""Pointer speed of the strongest flick [units/s]."""
_SNAP_ANGLE, _SNAP_RATIO = deg2rad(25.0), 3.0
"""Angle [rad] and ratio of speeds within which a stroke snaps to the previous aim."""
_ANGLE_REMAINDER, _SPEED_REMAINDER = 0.15, 0.06
"""Fractions of its own direction and speed that remain then, about the noise of a club player."""
_MIN_STROKE = 12.0
"""Least length of a stroke [units]."""


def meter_height(t: float) -> float:
    """Height of the meter, 0 to 1, at a time after its start [s]."""
    return 0.5 * (1.0 - cos(2.0 * pi * t / METER_PERIOD))


def meter_noise_scale(t: float) -> float:
    """Noise factor of a release at a time after the meter's start [s]."""
    return MAX_NOISE_SCALE - (MAX_NOISE_SCALE - MIN_NOISE_SCALE) * pow(meter_height(t), _METER_EXPONENT)


def beat_noise_scale(t: float) -> float:
    """Noise factor of a second beat at a time after the first [s]."""
    return float(np.interp(abs(t - BEAT_INTERVAL), (0.0, _WORST_DELAY), (MIN_NOISE_SCALE, MAX_NOISE_SCALE)))


def stroke_noise_scale(deviation: float) -> float:
    """Noise factor of a stroke by its relative deviation from a line."""
    return float(np.interp(deviation, (0.0, _WORST_DEVIATION), (MIN_NOISE_SCALE, MAX_NOISE_SCALE)))


def hold_noise_scale(hold_time: float) -> float:
    """Noise factor of an aim by the time it was held [s]."""
    return hold_time_noise_factor(hold_time)


@dataclass(frozen=True, slots=True)
class PointerStroke:
    """Stroke of the pointer through the piece.

    Args:
        azimuth: direction on the screen [rad]. strength: 0 to 1.
        deviation: RMS distance from a line over length [1].
    """

    azimuth: float
    strength: float
    deviation: float


def fit_stroke(trace: Sequence[tuple[float, Point]], scale: float) -> PointerStroke | None:
    """Fit a stroke to timed positions of the pointer; None if it is too short.

    Args:
        trace: times [s] and positions [pixels]. scale: pixels per unit.
    """
    if len(trace) < 2:
        return None
    end = trace[-1][0]
    last = [sample for sample in trace if sample[0] >= end - _STROKE_WINDOW]
    last = last if len(last) > 1 else list(trace[-2:])
    (start, a), (_, b) = last[0], last[-1]
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = hypot(dx, dy)
    if length < _MIN_STROKE * scale or end <= start:
        return None
    offsets = [((p[0] - a[0]) * dy - (p[1] - a[1]) * dx) / length for _, p in last[1:-1]]
    deviation = (sum(sample * sample for sample in offsets) / len(offsets)) ** 0.5 / length if offsets else 0.0
    return PointerStroke(atan2(-dy, dx), min(1.0, length / scale / (end - start) / _MAX_STROKE_SPEED), deviation)


def snap_to_aim(azimuth: float, speed: float, previous_aim: tuple[float, float]) -> tuple[float, float]:
    """Direction [rad] and speed [m/s] of a stroke, snapped to the previous aim where it is near."""
    aim_azimuth, aim_speed = previous_aim
    angle, ratio = remainder(azimuth - aim_azimuth, 2.0 * pi), speed / max(aim_speed, 1e-6)
    if abs(angle) > _SNAP_ANGLE or not 1.0 / _SNAP_RATIO <= ratio <= _SNAP_RATIO:
        return azimuth, speed
    return remainder(aim_azimuth + _ANGLE_REMAINDER * angle, 2.0 * pi), aim_speed * float(ratio**_SPEED_REMAINDER)


def passes_within(a: Point, b: Point, point: Point, radius: float) -> bool:
    """Return True if a pointer's segment passes a point within a distance [pixels]."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length_squared = dx * dx + dy * dy
    fraction = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / length_squared if length_squared else 0.0
    nearest = (a[0] + min(max(fraction, 0.0), 1.0) * dx, a[1] + min(max(fraction, 0.0), 1.0) * dy)
    return fraction <= 1.0 and hypot(nearest[0] - point[0], nearest[1] - point[1]) <= radius
