"""A player stops thinking where nobody waits for it any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from flicksim.base.errors import GivenUp
from flicksim.players import Depth, Outcomes, SearchPlayer, Thought, WeighingPlayer
from flicksim.players.cancellation import stop_if_cancelled, while_wanted
from flicksim.players.hand import STEADY


class Slow:
    """A model and a future; it notes how often it was asked."""

    asked = 0

    def candidates(self, view: Any, rng: np.random.Generator, count: int) -> list[int]:
        del view, rng
        return list(range(count))

    def imagine(self, view: Any, actions: Sequence[Any]) -> Iterator[Any]:
        del view
        for action in actions:
            self.asked += 1
            yield action

    def value(self, view: Any, seat: int) -> float:
        del seat
        return float(view)

    def play_out(self, view: Any, seat: int, plans: Sequence[Any], *_: Any) -> Outcomes:
        del view, seat
        self.asked += 1
        told = np.random.default_rng(self.asked).random((len(plans), 16))
        return Outcomes(chance=told, points=told, made=np.zeros((len(plans), 16, 2)), shots=1)

    def check(self, view: Any, action: Any) -> None:
        """Everything is allowed."""

    def guesses(self, *_: Any) -> None:
        """No table tells of anything."""


@pytest.mark.parametrize("kind", ["search", "weighing"])
def test_a_thought_ends_when_nobody_waits(kind: str) -> None:
    model = Slow()
    player = (
        SearchPlayer(model, 0, STEADY, Thought(candidates=40, keep=1, samples=1))
        if kind == "search"
        else WeighingPlayer(model, 0, STEADY, Depth(shots=10**9, plans=40))
    )
    with pytest.raises(GivenUp), while_wanted(lambda: model.asked < 7):
        player.choose(0, None, np.random.default_rng(1))
    assert model.asked == 7


def test_everything_is_wanted_where_nobody_says_otherwise() -> None:
    with pytest.raises(GivenUp), while_wanted(lambda: False):
        stop_if_cancelled()
    stop_if_cancelled()
