"""Cancellation of searches."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from flicksim.ai import LookaheadConfig, LookaheadPlayer, RolloutOutcomes, RolloutPlayer, SearchConfig
from flicksim.ai.cancellation import cancel_unless, stop_if_cancelled
from flicksim.ai.execution_noise import NO_NOISE
from flicksim.core.errors import Cancelled


class Slow:
    """A model and a future; it notes how often it was asked."""

    asked = 0

    def candidates(self, view: Any, rng: np.random.Generator, count: int) -> list[int]:
        return list(range(count))

    def next_states(self, view: Any, actions: Sequence[Any]) -> Iterator[Any]:
        for action in actions:
            self.asked += 1
            yield action

    def value(self, view: Any, seat: int) -> float:
        return float(view)

    def rollout(self, view: Any, seat: int, plans: Sequence[Any], *_: Any) -> RolloutOutcomes:
        self.asked += 1
        told = np.random.default_rng(self.asked).random((len(plans), 16))
        return RolloutOutcomes(win_probability=told, point_margin=told, executed=np.zeros((len(plans), 16, 2)), shots=1)

    def check(self, view: Any, action: Any) -> None:
        """Allow every action."""

    def prior_values(self, *_: Any) -> None:
        """Return no priors."""


@pytest.mark.parametrize("kind", ["search", "weighing"])
def test_cancelled_search_stops(kind: str) -> None:
    model = Slow()
    player = (
        LookaheadPlayer(model, 0, NO_NOISE, LookaheadConfig(candidates=40, refined=1, samples=1))
        if kind == "search"
        else RolloutPlayer(model, 0, NO_NOISE, SearchConfig(shots=10**9, candidates=40))
    )
    with pytest.raises(Cancelled), cancel_unless(lambda: model.asked < 7):
        player.choose(0, None, np.random.default_rng(1))
    assert model.asked == 7


def test_nothing_is_cancelled_by_default() -> None:
    with pytest.raises(Cancelled), cancel_unless(lambda: False):
        stop_if_cancelled()
    stop_if_cancelled()
