"""Gesture noise: execution noise of a person, by gesture and its quality."""

from dataclasses import dataclass

from flicksim.ai import ExecutionNoise
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.core.units import to_degrees
from flicksim.gui.table_view import gestures
from flicksim.gui.table_view.gestures import PointerStroke
from flicksim.gui.toolkit.preferences import Gesture

SPREAD_SIGMAS = 2.0
"""Half width of the 95 % interval [standard deviations]."""
_STABLE_AFTER = 5.0
"""Time after which an unchanged aim has constant noise [s]."""
_TRACE_TIME = 0.5
"""Duration of the stored pointer trace [s]."""


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


_MAX_UNTOUCHED_TIME = 1.5
"""Greatest hold time of an aim that was not changed yet: reading the table is not tiring [s]."""


def shot_spread(noise: ExecutionNoise, noise_scale: float = 1.0) -> ShotSpread | None:
    """Spread of execution noise scaled by a factor; None: no noise."""
    if not (noise.azimuth or noise.speed):
        return None
    return ShotSpread(
        SPREAD_SIGMAS * noise.azimuth * noise_scale, SPREAD_SIGMAS * noise.speed * noise_scale, noise_scale
    )


class GestureNoise:
    """Noise of a person's shots by gesture (see `gestures`) and its quality.

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
            self.beat_time = self.beat_time + dt if self.beat_time < 2.0 * gestures.BEAT_INTERVAL else None

    @property
    def is_changing(self) -> bool:
        """True while the noise scale changes: a gesture is under way, or the aim was changed recently."""
        return (
            self.meter_time is not None
            or self.beat_time is not None
            or (self._aim is not None and self.hold_time < _STABLE_AFTER)
        )

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
        self.stroke = gestures.fit_stroke(self._pointer_trace, scale)
        return self.stroke

    # -- noise ----------------------------------------------------------------------------------------------------

    @property
    def noise_scale(self) -> float:
        """Noise scale relative to the grade's, for a shot released now."""
        if not self.has_effect:
            return 1.0
        if self.gesture == "pull":
            return gestures.hold_noise_scale(self.hold_time)
        if self.stroke is not None:
            return gestures.stroke_noise_scale(self.stroke.deviation)
        if self.meter_time is not None:
            return gestures.meter_noise_scale(self.meter_time)
        return gestures.beat_noise_scale(self.beat_time) if self.beat_time is not None else 1.0

    def scaled_noise(self, noise: ExecutionNoise) -> ExecutionNoise:
        """Execution noise of a grade, scaled for a shot released now."""
        return noise.scaled(self.noise_scale)

    def spread(self, noise: ExecutionNoise) -> ShotSpread | None:
        """Spread of a grade for a shot released now; None: no noise."""
        return shot_spread(noise, self.noise_scale)

    def spread_text(self, noise: ExecutionNoise) -> str:
        """Spread as text."""
        spread = self.spread(noise)
        if spread is None:
            return "exact"
        return f"±{to_degrees(spread.azimuth):.1f}°, ±{100.0 * spread.speed:.0f} %"
