"""The purpose of a flick, in a word that stays and in words for people: "squop", "squop Red 2"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from flicksim.base.codec import Value
from flicksim.base.kinds import Account, Action, State


class Purpose(Value, frozen=True, kw_only=True):
    """The purpose of a flick.

    Args:
        kind: one of those its game knows, as "squop". of: ids of the pieces it is about. says: both, for people.
    """

    kind: str
    of: tuple[str, ...] = ()
    says: str


class Purposes(Protocol):
    """The purposes that a game's flicks may have. Pure, as the rules are.

    Attributes:
        KINDS: each with its words, and a place for the pieces it is about.
        WORTH: of each kind, beside the others: what comes off seldom and is worth more may be the purpose all the same.
    """

    @property
    def KINDS(self) -> Mapping[str, str]: ...

    @property
    def WORTH(self) -> Mapping[str, float]: ...

    def aimed(self, state: State, action: Action) -> tuple[str, tuple[str, ...]] | None:
        """The kind that the aim alone tells, and the pieces it is about; None where only what comes of it does."""

    def brought(self, state: State, action: Action, account: Account) -> Mapping[str, tuple[str, ...]]:
        """The purposes that a finished flick has served, by kind, each with the pieces it is about."""

    def says(self, kind: str, of: tuple[str, ...]) -> str:
        """A purpose in words, as one says what is to be done: "squop Red 2"."""


def listed(names: Iterable[str]) -> str:
    """Names as people list them: "Red 1, Red 2 and Red 3"."""
    *others, last = ("", *names)
    return f"{', '.join(others[1:])} and {last}" if others[1:] else last
