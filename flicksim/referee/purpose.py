"""Purpose of an action, as an identifier and in words: "squop", "squop Red 2"."""

from collections.abc import Iterable, Mapping
from typing import Protocol

import msgspec

from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, SimulationResult, State


class Purpose(Value, frozen=True, kw_only=True):
    """Purpose of an action.

    Args:
        kind: purpose defined by the game, as "squop". pieces: ids of the target pieces, or other words of the text.
        text: both, for people.
    """

    kind: str
    pieces: tuple[str, ...] = msgspec.field(default=(), name="of")
    text: str = msgspec.field(name="says")


class PurposeModel(Protocol):
    """Purposes that a game's actions may have, as pure functions.

    Attributes:
        TEMPLATES: text of each kind, with placeholders for what it is about.
    """

    @property
    def TEMPLATES(self) -> Mapping[str, str]: ...

    def purpose_of_aim(self, state: State, action: Action) -> tuple[str, tuple[str, ...]] | None:
        """Kind and targets that the aim of a flick, or a move of cards, alone determines; None if there are none."""

    def describe(self, kind: str, pieces: tuple[str, ...]) -> str:
        """Describe a purpose as an instruction: "squop Red 2"."""


class FlickPurposeModel(PurposeModel, Protocol):
    """Purposes of flicks, which depend on their results too.

    Attributes:
        WEIGHTS: relative weight of each kind: a rarer but more valuable effect may be the purpose all the same.
    """

    @property
    def WEIGHTS(self) -> Mapping[str, float]: ...

    def purposes_served(self, state: State, action: Action, result: SimulationResult) -> Mapping[str, tuple[str, ...]]:
        """Purposes that a simulated flick has served, by kind, each with its target pieces."""


def join_names(names: Iterable[str]) -> str:
    """Join names in a list: "Red 1, Red 2 and Red 3"."""
    *others, last = ("", *names)
    return f"{', '.join(others[1:])} and {last}" if others[1:] else last
