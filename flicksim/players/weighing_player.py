"""A player that weighs its plans by playing them out."""

from __future__ import annotations

import numpy as np

from flicksim.base.kinds import Action, View
from flicksim.players.allowed import Allowed
from flicksim.players.hand import Hand
from flicksim.players.outlook import Future
from flicksim.players.weigher import Depth, Race


class WeighingPlayer:
    """Races the plans it has, and does what wins most.

    Args:
        future: what is to come, as the game has it. seat: whose good it seeks. hand: its own, which it takes to be
            everybody's. depth: how deep it looks.
    """

    def __init__(self, future: Future, seat: int, hand: Hand, depth: Depth) -> None:
        self._future, self._seat, self._hand, self._depth = future, seat, hand, depth

    def choose(self, view: View, choices: Allowed, rng: np.random.Generator) -> Action:
        """The action that wins most, by all that was tried, or the usual one where habit holds against it."""
        race = Race(self._future, self._hand, self._depth, view, self._seat, rng)
        race.run()
        action = race.choice
        return choices.actions[0] if action is None else action
