"""The flick of a person told afterwards: how the hand gave it, and how far it went beside what was meant."""

from __future__ import annotations

from math import pi, remainder

from flicksim.base.kinds import Action
from flicksim.base.units import to_degrees
from flicksim.play import Turn
from flicksim.table import Flick, Launch, Squidge
from flicksim.ui.table import gestures
from flicksim.ui.table.calm import Calm

_CALM, _TIRED = 0.95, 2.05
"""An aim held still for so long is calm enough, and for longer is held too long [s]."""
_ON_TIME = 0.03
"""A beat no farther off is on time [s]."""
_STRAIGHT = 0.015
"""A stroke that strays by no more of its length is straight."""


def given(calm: Calm) -> str:
    """The way the hand gives the flick now, as a sentence."""
    if calm.gesture == "pull":
        if calm.held < _CALM:
            return f"You let go after {calm.held:.1f} s; held still for a second, the hand is calmest."
        tired = calm.held > _TIRED
        return f"You held it for {calm.held:.1f} s; after two the hand tires." if tired else "You held it calmly."
    if calm.stroke is not None:
        straight = calm.stroke.crooked <= _STRAIGHT
        return "Your stroke was straight." if straight else "Your stroke was crooked; a straight one errs less."
    if calm.swung is not None:
        return _timed(remainder(calm.swung - 0.5 * gestures.SWING, gestures.SWING))
    return _timed(calm.struck - gestures.BEAT) if calm.struck is not None else ""


def _timed(late: float) -> str:
    if abs(late) <= _ON_TIME:
        return "Your timing was good."
    return f"You were {abs(late):.2f} s too {'late' if late > 0.0 else 'early'}."


def told(turn: Turn, given: str) -> str:
    """A flick of a person told whole: how far it went beside what was meant, and how it was given; else empty."""
    said = "" if turn.made is None else missed(turn.meant, turn.made)
    return f"{said} {given}".strip() if said else ""


def missed(meant: Action, made: Action) -> str:
    """The error of the hand as a sentence; empty where it made just what was meant, or made no flick."""
    kinds = Flick | Squidge | Launch
    if not isinstance(meant, kinds) or not isinstance(made, kinds) or meant == made:
        return ""
    found = []
    if meant.speed > 0.0 and (more := round(100.0 * (made.speed / meant.speed - 1.0))):
        found.append(f"{abs(more)} % too {'hard' if more > 0 else 'soft'}")
    turn = to_degrees(remainder(made.azimuth - meant.azimuth, 2.0 * pi))
    if abs(turn) >= 0.1:
        found.append(f"{abs(turn):.1f}° to the {'left' if turn > 0.0 else 'right'}")
    return f"It went {', '.join(found)}." if found else "It went just as you meant."
