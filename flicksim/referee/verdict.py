"""Verdict of a turn: the ruling and its reasons, each citing a rule."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flicksim.core.serialization import Value


class Reason(Value, frozen=True, kw_only=True):
    """Reason of a verdict: ledger id of a rule and one plain sentence."""

    rule: str
    says: str


class Ruling(Value, frozen=True, kw_only=True):
    """Result of a turn. Games extend it with what their next state needs.

    Args:
        points: gained by each seat through this turn, exact.
        next: seat that acts next; None when the game is over.
    """

    points: tuple[Fraction, ...]
    next: int | None

    @property
    def is_over(self) -> bool:
        """True if the game ends with this turn."""
        return self.next is None


class Verdict(Value, frozen=True, kw_only=True):
    """Reasons and ruling on one turn."""

    reasons: tuple[Reason, ...]
    ruling: Ruling

    @property
    def rule_ids(self) -> tuple[str, ...]:
        """Ledger ids of the rules cited."""
        return tuple(reason.rule for reason in self.reasons)

    def __str__(self) -> str:
        return " ".join(f"{reason.says} [{reason.rule}]" for reason in self.reasons)


def top_scorers(scores: Sequence[Fraction | int]) -> tuple[int, ...]:
    """Seats with the most points; several in a tie."""
    best = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
