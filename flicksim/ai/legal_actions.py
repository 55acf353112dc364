"""Protocols of the legal actions that a player needs (structural types of `referee.LegalActions`)."""

from collections.abc import Sequence
from typing import Protocol

from flicksim.core.type_aliases import Action


class LegalActionsLike(Protocol):
    """Legal actions: ranges of flicks, and decisions."""

    @property
    def flicks(self) -> Sequence[Action]: ...
    @property
    def actions(self) -> Sequence[Action]: ...


class PromptedActions(LegalActionsLike, Protocol):
    """Legal actions with a one-line prompt."""

    @property
    def prompt(self) -> str: ...
