"""The outlook of plans: each made many times by an unsteady hand and played on, all by the same luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from flicksim.base.kinds import Action, View
from flicksim.players.hand import Hand

Floats = npt.NDArray[np.float64]


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

    def play_out(
        self, view: View, seat: int, plans: Sequence[Action], hand: Hand, tries: int, seed: int, *,
        exact: bool = False,
    ) -> Outcomes:  # fmt: skip
        """Make each plan so often and play on to the end of the end or round; try for try by the same luck.

        Args:
            seat: whose chance and points are told. hand: everybody's.
            exact: whether the plans are made just as meant, and only what follows is not.
        """
