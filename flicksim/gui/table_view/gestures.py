"""Gestures that release a flick: their noise, a person's execution noise by gesture and quality, and feedback on it.

"pull": the aim is held still and released. "hold": a release near the top of an oscillating meter. "flick": direction
and speed of the pointer as it passes the piece; by keys, the second of two beats. All have the same grades of noise.
Estimated, not measured, like `hold_time_noise_factor`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, pow, remainder

import numpy as np

from flicksim.ai import ExecutionNoise, hold_time_noise_factor
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.core.units import deg2rad, to_degrees
from flicksim.gui.toolkit import Gesture
from flicksim.match import Turn
from flicksim.scene import Flick, Launch, Squidge

RELEASE_TEXTS: dict[Gesture, str] = {
    "pull": "Space {verb}s, or drag back anywhere",
    "hold": "hold Space, or drag back anywhere, and let go at the top",
    "flick": "two beats of Space, or a stroke of the mouse through the piece",
}
"""Gesture that releases a shot, as text with the verb for it."""
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
SPREAD_SIGMAS = 2.0
"""Half width of the 95 % interval [standard deviations]."""
_STABLE_AFTER = 5.0
"""Time after which an unchanged aim has constant noise [s]."""
_TRACE_TIME = 0.5
"""Duration of the stored pointer trace [s]."""
_MAX_UNTOUCHED_TIME = 1.5
"""Greatest hold time of an aim that was not changed yet: reading the table is not tiring [s]."""


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


@dataclass(frozen=True, slots=True)
class ShotSpread:
    """Interval of 95 % of the shots about the intended one.

    Args:
        azimuth: half width [rad]. speed: relative half width [1].
        noise_scale: factor on the standard deviations of the grade now.
    """

    azimuth: float
    speed: float
    noise_scale: float

    @property
    def distance_range(self) -> tuple[float, float]:
        """Shortest and longest travel relative to the intended one, which is proportional to the speed squared."""
        return max(0.0, 1.0 - self.speed) ** 2, (1.0 + self.speed) ** 2


def shot_spread(noise: ExecutionNoise, noise_scale: float = 1.0, meant: Action = None) -> ShotSpread | None:
    """Spread of execution noise scaled by a factor, for a shot where it is given; None: no noise."""
    if not (noise.azimuth or noise.speed):
        return None
    by_speed, by_turn = noise.speed_and_azimuth_std(meant)
    return ShotSpread(SPREAD_SIGMAS * by_turn * noise_scale, SPREAD_SIGMAS * by_speed * noise_scale, noise_scale)


class GestureNoise:
    """Noise of a person's shots by gesture (see the module) and its quality.

    Args:
        gesture: that releases a shot.
    """

    def __init__(self, gesture: Gesture = "pull") -> None:
        self.gesture: Gesture = gesture
        self.has_effect = True
        """False if a shot has the noise of its grade, however it is released: the host makes it."""
        self.hold_time = 0.0
        """Time since the aim was changed [s]."""
        self.meter_time: float | None = None
        """Time since the start of the meter [s]; None: not running."""
        self.beat_time: float | None = None
        """Time since the first beat [s]; None without one."""
        self.stroke: PointerStroke | None = None
        """Last stroke of the pointer."""
        self._aim: Action = None
        self._is_touched = False
        self._time = 0.0
        self._pointer_trace: list[tuple[float, Point]] = []
        self._is_key_held = False

    def update(self, aim: Action, dt: float, *, is_pulling: bool = False) -> None:
        """Advance time [s].

        Args:
            aim: the shot aimed; None without one. dt: time since the last call [s].
            is_pulling: the mouse pulls back.
        """
        self._time += dt
        if aim is None or self._aim is None:
            self._is_touched = False
        elif aim != self._aim or is_pulling:
            self._is_touched = True
        self.hold_time = self.hold_time + dt if aim is not None and aim == self._aim else 0.0
        if not self._is_touched:
            self.hold_time = min(self.hold_time, _MAX_UNTOUCHED_TIME)
        self._aim = aim
        if aim is None:
            self.reset()
        if self.meter_time is not None:
            self.meter_time += dt
            if not (is_pulling or self._is_key_held):
                self.meter_time = None
        elif is_pulling and self.gesture == "hold":
            self.meter_time = 0.0
        if self.beat_time is not None:
            self.beat_time = self.beat_time + dt if self.beat_time < 2.0 * BEAT_INTERVAL else None

    def accept_aim(self, aim: Action) -> None:
        """Take an aim that the hand did not make, as a hint, or one that has to wait: keeping it is not tiring."""
        if aim != self._aim:
            self.hold_time = 0.0
        self._aim, self._is_touched = aim, False

    @property
    def is_changing(self) -> bool:
        """True while the noise scale changes: a gesture is under way, or the aim was changed recently."""
        steady_after = _STABLE_AFTER if self._is_touched else _MAX_UNTOUCHED_TIME
        is_steadying = self._aim is not None and self.hold_time < steady_after
        return is_steadying or self.meter_time is not None or self.beat_time is not None

    # -- keys -----------------------------------------------------------------------------------------------------

    def press(self) -> bool:
        """Handle a press of the flick key; return True if that releases the shot."""
        if self.gesture == "hold":
            self.meter_time, self._is_key_held = 0.0, True
            return False
        if self.gesture == "flick" and self.beat_time is None:
            self.beat_time = 0.0
            return False
        return True

    def release(self) -> bool:
        """Handle a release of the flick key; return True if that releases the shot."""
        is_released, self._is_key_held = self._is_key_held and self.meter_time is not None, False
        return is_released

    def reset(self) -> bool:
        """Abort the gesture; return True if one had begun."""
        was_active = self.meter_time is not None or self.beat_time is not None
        self.meter_time, self.beat_time, self.stroke, self._is_key_held = None, None, None, False
        self._pointer_trace.clear()
        return was_active

    # -- pointer --------------------------------------------------------------------------------------------------

    def record_pointer(self, position: Point) -> None:
        """Record a position of the pointer [pixels]; the last of several at one time counts."""
        if self._pointer_trace and self._pointer_trace[-1][0] == self._time:
            self._pointer_trace.pop()
        self._pointer_trace.append((self._time, position))
        self._pointer_trace = [sample for sample in self._pointer_trace if sample[0] >= self._time - _TRACE_TIME]

    def finish_stroke(self, scale: float) -> PointerStroke | None:
        """Finish the stroke of the pointer; None if it was none."""
        self.stroke = fit_stroke(self._pointer_trace, scale)
        return self.stroke

    # -- noise ----------------------------------------------------------------------------------------------------

    @property
    def noise_scale(self) -> float:
        """Noise scale relative to the grade's, for a shot released now."""
        if not self.has_effect:
            return 1.0
        if self.gesture == "pull":
            return hold_time_noise_factor(self.hold_time)
        if self.stroke is not None:
            return stroke_noise_scale(self.stroke.deviation)
        if self.meter_time is not None:
            return meter_noise_scale(self.meter_time)
        return beat_noise_scale(self.beat_time) if self.beat_time is not None else 1.0

    def spread(self, noise: ExecutionNoise, meant: Action = None) -> ShotSpread | None:
        """Spread of a grade for a shot released now; None: no noise."""
        return shot_spread(noise, self.noise_scale, meant)

    def spread_text(self, noise: ExecutionNoise, meant: Action = None) -> str:
        """Spread as text."""
        spread = self.spread(noise, meant)
        if spread is None:
            return "exact"
        return f"±{to_degrees(spread.azimuth):.1f}°, ±{100.0 * spread.speed:.0f} %"


_STEADY_AFTER, _TIRED_AFTER = 0.95, 2.05
"""Hold times from which on an aim is steady, and tired [s]."""
_TIMING_TOLERANCE = 0.03
"""Greatest timing error called good [s]."""
_STRAIGHTNESS_TOLERANCE = 0.015
"""Greatest relative deviation of a straight stroke [1]."""


def gesture_feedback(noise: GestureNoise) -> str:
    """Describe the present gesture in a sentence; empty where it has no effect."""
    if not noise.has_effect:
        return ""
    if noise.gesture == "pull":
        if noise.hold_time < _STEADY_AFTER:
            return f"You let go after {noise.hold_time:.1f} s; held still for a second, the hand is calmest."
        if noise.hold_time > _TIRED_AFTER:
            return f"You held it for {noise.hold_time:.1f} s; after two the hand tires."
        return "You held it calmly."
    if noise.stroke is not None:
        is_straight = noise.stroke.deviation <= _STRAIGHTNESS_TOLERANCE
        return "Your stroke was straight." if is_straight else "Your stroke was crooked; a straight one errs less."
    if noise.meter_time is not None:
        return _timing_feedback(remainder(noise.meter_time - 0.5 * METER_PERIOD, METER_PERIOD))
    return "" if noise.beat_time is None else _timing_feedback(noise.beat_time - BEAT_INTERVAL)


def _timing_feedback(delay: float) -> str:
    if abs(delay) <= _TIMING_TOLERANCE:
        return "Your timing was good."
    return f"You were {abs(delay):.2f} s too {'late' if delay > 0.0 else 'early'}."


def shot_feedback(turn: Turn, gesture_text: str) -> str:
    """Feedback on a person's flick: deviation from the aim, and the gesture; empty for none."""
    text = "" if turn.made is None else execution_error_text(turn.meant, turn.made)
    return f"{text} {gesture_text}".strip() if text else ""


def execution_error_text(meant: Action, made: Action) -> str:
    """The execution error as a sentence; empty where there is none."""
    shot_types = Flick | Squidge | Launch
    if not isinstance(meant, shot_types) or not isinstance(made, shot_types) or meant == made:
        return ""
    parts = []
    if meant.speed > 0.0 and (percent := round(100.0 * (made.speed / meant.speed - 1.0))):
        parts.append(f"{abs(percent)} % too {'hard' if percent > 0 else 'soft'}")
    angle = to_degrees(remainder(made.azimuth - meant.azimuth, 2.0 * pi))
    if abs(angle) >= 0.1:
        parts.append(f"{abs(angle):.1f}° to the {'left' if angle > 0.0 else 'right'}")
    return f"It went {', '.join(parts)}." if parts else "It went just as you meant."
