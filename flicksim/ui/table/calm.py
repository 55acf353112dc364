"""The calm of a person's hand: how long an aim has been held still, and how well it is made therefore."""

from __future__ import annotations

from dataclasses import dataclass

from flicksim.base.kinds import Action
from flicksim.base.units import to_degrees
from flicksim.players import Hand, unrest

SURE = 2.0
"""Standard deviations within which nearly all shots lie: 19 of 20."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Where nearly all shots of a hand go, beside where they are meant to go.

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


def spread_of(hand: Hand, unrest: float = 1.0) -> Spread | None:
    """Where shots of a hand go that errs so many times as usual; None: just where they are meant to go."""
    if not (hand.azimuth or hand.speed):
        return None
    return Spread(SURE * hand.azimuth * unrest, SURE * hand.speed * unrest, unrest)


class Calm:
    """A hand that grows calm while its aim is held, and tired when it is held too long."""

    def __init__(self) -> None:
        self.held = 0.0
        """How long the aim has been still [s]."""
        self._aim: Action = None

    def update(self, aim: Action, dt: float) -> None:
        """Let time go on [s] with this shot aimed; None: nothing is."""
        self.held = self.held + dt if aim is not None and aim == self._aim else 0.0
        self._aim = aim

    def hand(self, own: Hand) -> Hand:
        """A hand of that grade as it is now."""
        return own.times(unrest(self.held))

    def spread(self, own: Hand) -> Spread | None:
        """Where shots of a hand of that grade go now; None: just where they are meant to go."""
        return spread_of(own, unrest(self.held))

    def words(self, own: Hand) -> str:
        """The same in words."""
        spread = self.spread(own)
        if spread is None:
            return "exact"
        return f"±{to_degrees(spread.turn):.1f}°, ±{100.0 * spread.speed:.0f} %"
