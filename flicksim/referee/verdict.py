"""Verdict of a turn: the ruling and its reasons, each citing a rule."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import msgspec

from flicksim.core.serialization import RenamedFields, Value


class Reason(Value, metaclass=RenamedFields, frozen=True):
    """Reason of a verdict.

    Args:
        rule: rule id of the rule. text: the reason, in a sentence.
    """

    old_keywords: ClassVar[dict[str, str]] = {"says": "text"}

    rule: str
    text: str = msgspec.field(name="says")


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
        return " ".join(f"{reason.text} [{reason.rule}]" for reason in self.reasons)


def top_scorers(scores: Sequence[Fraction | int]) -> tuple[int, ...]:
    """Seats with the most points; more than one in a tie."""
    best = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
