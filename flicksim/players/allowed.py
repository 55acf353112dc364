"""The choices as players must know them (see `referee.Choices`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from flicksim.base.kinds import Action


class Allowed(Protocol):
    """Flicks by their ranges, and decisions, whole."""

    @property
    def flicks(self) -> Sequence[Action]: ...
    @property
    def actions(self) -> Sequence[Action]: ...


class Offered(Allowed, Protocol):
    """The same with a line that says what is asked."""

    @property
    def says(self) -> str: ...
