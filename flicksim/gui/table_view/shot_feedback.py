"""Feedback after a person's shot: gesture, and deviation from the aim."""

from math import pi, remainder

from flicksim.core.type_aliases import Action
from flicksim.core.units import to_degrees
from flicksim.gui.table_view import gestures
from flicksim.gui.table_view.gestures import GestureNoise
from flicksim.match import Turn
from flicksim.scene import Flick, Launch, Squidge

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
        return _timing_feedback(remainder(noise.meter_time - 0.5 * gestures.METER_PERIOD, gestures.METER_PERIOD))
    return "" if noise.beat_time is None else _timing_feedback(noise.beat_time - gestures.BEAT_INTERVAL)


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
