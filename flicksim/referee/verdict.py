"""A verdict is a value; its reasons stand apart from its result."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flicksim.base.codec import Value


class Reason(Value, frozen=True, kw_only=True):
    """A reason: a ledger id and one plain sentence."""

    rule: str
    says: str


class Ruling(Value, frozen=True, kw_only=True):
    """The result of a turn. Games add to it what their next state needs.

    Args:
        points: gained by each seat through this turn, exact.
        next: seat that acts next; None when the game is over.
    """

    points: tuple[Fraction, ...]
    next: int | None

    @property
    def over(self) -> bool:
        """True where the game ends with this turn."""
        return self.next is None


class Verdict(Value, frozen=True, kw_only=True):
    """Reasons and ruling on one turn."""

    reasons: tuple[Reason, ...]
    ruling: Ruling

    @property
    def rules(self) -> tuple[str, ...]:
        """The ledger ids it rests on."""
        return tuple(reason.rule for reason in self.reasons)

    def __str__(self) -> str:
        return " ".join(f"{reason.says} [{reason.rule}]" for reason in self.reasons)


def winners(scores: Sequence[Fraction | int]) -> tuple[int, ...]:
    """Seats with the most points; several when level."""
    best = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
