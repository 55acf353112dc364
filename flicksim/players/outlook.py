"""The outlook of plans: each made many times by an unsteady hand and played on, all by the same luck."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from flicksim.base.kinds import Action, State, View
from flicksim.players.hand import Hand
from flicksim.players.model_error import ModelError
from flicksim.table import Scene

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Slide = Callable[[Floats, Bools, Ints, Floats, Floats, Floats], tuple[Floats, Bools]]
"""Settles flicks of flat pieces: places [S, N, 2], which are there [S, N], the column flicked, speed, azimuth, offset
[S]. It gives the places at rest, and which are gone."""
F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """The outcomes of P plans, each tried S times; try for try the luck is the same.

    Args:
        chance: to win the game, 0 to 1. [P, S]
        points: ahead of the others when the end or round is over. [P, S]
        made: speed [m/s] and azimuth [rad] as the hand made it; nothing of what is no flick. [P, S, 2]
        shots: settled for that.
    """

    chance: Floats
    points: Floats
    made: Floats
    shots: int


class Future(Protocol):
    """The questions whoever weighs must be able to ask of a game."""

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth a thought, the most natural first."""

    def check(self, view: View, action: Action) -> None:
        """Raises IllegalAction when the rules do not allow it."""

    def same_idea(self, view: View, one: Action, other: Action, hand: Hand) -> bool:
        """Tell whether two actions are one idea to people."""

    def plainer(self, view: View, action: Action) -> Action | None:
        """The same idea as people would do it; None where they would do it so."""

    def model_error(self, view: View) -> ModelError | None:
        """The error of what is told of a view, beside the luck of the tries; None where nobody knows it."""

    def guesses(
        self, view: View, seat: int, plans: Sequence[Action], hand: Hand, seed: int
    ) -> tuple[Floats, Floats] | None:  # fmt: skip
        """The chance to win and the points ahead of each plan, as tables tell them before it is tried; NaN of those no
        table tells of, None where there is no table. [P], [P]"""

    def play_out(
        self, view: View, seat: int, plans: Sequence[Action], hand: Hand, tries: int, seed: int, *,
        exact: bool = False,
    ) -> Outcomes:  # fmt: skip
        """Make each plan so often and play on to the end of the end or round; try for try by the same luck.

        Args:
            seat: whose chance and points are told. hand: everybody's.
            exact: whether the plans are made just as meant, and only what follows is not.
        """


class Means(Protocol):
    """The means a game's bot is handed to play its game out with.

    Attributes:
        learnt: whether whoever thinks knows what was learnt of the game from many others.
    """

    learnt: bool

    def slide(self, scene: Scene) -> Slide:
        """The settling of flicks of a scene's coins, wherever on their board they lie."""

    def after(self, turns: Sequence[tuple[View, Action]]) -> Iterator[State]:
        """The state after each of these actions, or the `FlicksimError` for which it cannot be done."""

    def quick(self, function: F) -> F:
        """A function of numbers and arrays, compiled where that can be."""
