"""The player who imagines hidden cards: its candidates race, and luck does not overrule the rule of thumb."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from flicksim.players import DeterminisedPlayer, Pondering


class Urns:
    """A game of urns that pay 1 by chance: the action is an urn, the first is the rule of thumb's."""

    def __init__(self, *chances: float) -> None:
        self.chances = chances
        self.asked = [0] * len(chances)

    def candidates(self, view: Any, rng: np.random.Generator, count: int) -> list[Any]:
        del view, rng
        return list(range(len(self.chances)))[:count]

    def sample(self, view: Any, rng: np.random.Generator) -> float:
        del view
        return float(rng.random())

    def outcome(self, view: Any, world: float, action: int, seed: int) -> float:
        del view
        self.asked[action] += 1
        # half of the luck lies in the world, and is the same for all
        return float((world + Random(seed * 31 + action).random()) / 2 < self.chances[action])


def chosen(urns: Urns, worlds: int, games: int) -> list[int]:
    player = DeterminisedPlayer(urns, Pondering(candidates=8, worlds=worlds))
    return [player.choose(None, None, np.random.default_rng(seed)) for seed in range(games)]


def test_the_best_wins_the_race() -> None:
    found = chosen(Urns(0.4, 0.3, 0.55, 0.2), 200, 40)
    assert found.count(2) > 36


def test_worlds_are_spent_where_the_choice_is_close() -> None:
    urns = Urns(0.5, 0.02, 0.5)
    chosen(urns, 200, 10)
    thumb, hopeless, rival = urns.asked
    assert hopeless < 0.2 * thumb
    assert rival > 0.5 * thumb


def test_luck_does_not_overrule_the_rule_of_thumb() -> None:
    """Of equals the rule of thumb's stays, unless a standard error of luck is passed: one time in five or so."""
    found = chosen(Urns(0.5, 0.5), 100, 100)
    assert 70 < found.count(0) < 95
    assert set(chosen(Urns(1.0, 1.0), 100, 3)) == {0}


def test_a_race_shorter_than_a_lap_is_decided_too() -> None:
    assert chosen(Urns(0.0, 1.0), 5, 3) == [1, 1, 1]
