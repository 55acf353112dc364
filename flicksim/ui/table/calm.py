"""The calm of a person's hand: how a flick is given, and how well it is made therefore."""

from __future__ import annotations

from dataclasses import dataclass

from flicksim.base.geometry import Point
from flicksim.base.kinds import Action
from flicksim.base.units import to_degrees
from flicksim.players import Hand
from flicksim.ui.kit.preferences import Gesture
from flicksim.ui.table import gestures
from flicksim.ui.table.gestures import Stroke

SURE = 2.0
"""Standard deviations within which nearly all shots lie: 19 of 20."""
_SETTLED = 5.0
"""An aim that has been still for so long changes no more [s]."""
_TRACED = 0.5
"""Length of the pointer's way that is kept [s]."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Spread of nearly all shots of a hand about what is meant.

    Args:
        turn: to either side [rad]. speed: slower or faster [-].
        unrest: how many times the errors of its grade the hand makes now.
    """

    turn: float
    speed: float
    unrest: float

    @property
    def ways(self) -> tuple[float, float]:
        """The shortest and longest ways, over the one meant: a way goes by the square of the speed."""
        return max(0.0, 1.0 - self.speed) ** 2, (1.0 + self.speed) ** 2


_READING = 1.5
"""Time that an aim counts as held which nobody has touched yet, at most: who reads the table does not tire [s]."""


def spread_of(hand: Hand, unrest: float = 1.0) -> Spread | None:
    """Spread of a hand that errs so many times as usual; None: just where its shots are meant to go."""
    if not (hand.azimuth or hand.speed):
        return None
    return Spread(SURE * hand.azimuth * unrest, SURE * hand.speed * unrest, unrest)


class Calm:
    """A hand that gives flicks by one of the gestures (see `gestures`), and errs by how well it does.

    Args:
        gesture: which.
    """

    def __init__(self, gesture: Gesture = "pull") -> None:
        self.gesture: Gesture = gesture
        self.held = 0.0
        """Time that the aim has been still [s]."""
        self.swung: float | None = None
        """Time that the meter has swung [s]; None: it does not."""
        self.struck: float | None = None
        """Time since the first beat [s]; None: there was none."""
        self.stroke: Stroke | None = None
        """The stroke that was made with the pointer."""
        self._aim: Action = None
        self._touched = False
        self._now = 0.0
        self._path: list[tuple[float, Point]] = []
        self._by_key = False

    def update(self, aim: Action, dt: float, *, drawn: bool = False) -> None:
        """Let time go on [s].

        Args:
            aim: the shot aimed; None: nothing is. drawn: whether the mouse is drawing back.
        """
        self._now += dt
        if aim is None or self._aim is None:
            self._touched = False
        elif aim != self._aim or drawn:
            self._touched = True
        self.held = self.held + dt if aim is not None and aim == self._aim else 0.0
        if not self._touched:
            self.held = min(self.held, _READING)
        self._aim = aim
        if aim is None:
            self.forget()
        if self.swung is not None:
            self.swung += dt
            if not (drawn or self._by_key):
                self.swung = None
        elif drawn and self.gesture == "hold":
            self.swung = 0.0
        if self.struck is not None:
            self.struck = self.struck + dt if self.struck < 2.0 * gestures.BEAT else None

    @property
    def changing(self) -> bool:
        """True while its unrest is seen to change: a flick is being given, or the aim is fresh."""
        return self.swung is not None or self.struck is not None or (self._aim is not None and self.held < _SETTLED)

    # -- keys -----------------------------------------------------------------------------------------------------

    def press(self) -> bool:
        """The key went down that flicks; True where that gives the flick."""
        if self.gesture == "hold":
            self.swung, self._by_key = 0.0, True
            return False
        if self.gesture == "flick" and self.struck is None:
            self.struck = 0.0
            return False
        return True

    def release(self) -> bool:
        """The key came up again; True where that gives the flick."""
        let_go, self._by_key = self._by_key and self.swung is not None, False
        return let_go

    def forget(self) -> bool:
        """Give no flick: it was given, or nobody wants to any more. True where one was begun."""
        begun = self.swung is not None or self.struck is not None
        self.swung, self.struck, self.stroke, self._by_key = None, None, None, False
        self._path.clear()
        return begun

    # -- the pointer ----------------------------------------------------------------------------------------------

    def trace(self, at: Point) -> None:
        """Note where the pointer is [pixels]; of several places at one time the last counts."""
        if self._path and self._path[-1][0] == self._now:
            self._path.pop()
        self._path.append((self._now, at))
        self._path = [one for one in self._path if one[0] >= self._now - _TRACED]

    def made(self, scale: float) -> Stroke | None:
        """The stroke of the pointer up to now; None: it is none."""
        self.stroke = gestures.stroke(self._path, scale)
        return self.stroke

    # -- the hand -------------------------------------------------------------------------------------------------

    @property
    def unrest(self) -> float:
        """Errors of the hand, over those of its grade, were the flick given now."""
        if self.gesture == "pull":
            return gestures.holding(self.held)
        if self.stroke is not None:
            return gestures.straight(self.stroke.crooked)
        if self.swung is not None:
            return gestures.rhythm(self.swung)
        return gestures.beat(self.struck) if self.struck is not None else 1.0

    def hand(self, own: Hand) -> Hand:
        """A hand of that grade as it is now."""
        return own.times(self.unrest)

    def spread(self, own: Hand) -> Spread | None:
        """Spread of a hand of that grade now; None: just where its shots are meant to go."""
        return spread_of(own, self.unrest)

    def words(self, own: Hand) -> str:
        """The same in words."""
        spread = self.spread(own)
        if spread is None:
            return "exact"
        return f"±{to_degrees(spread.turn):.1f}°, ±{100.0 * spread.speed:.0f} %"
