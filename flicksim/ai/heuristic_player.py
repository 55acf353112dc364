"""Player that follows a heuristic policy with epsilon-greedy slips."""

from typing import Protocol

import numpy as np

from flicksim.ai.legal_actions import LegalActionsLike
from flicksim.core.type_aliases import Action, View

EPSILONS = {"beginner": 0.35}
"""Share of turns in which a grade plays a random candidate, unless its game sets another."""
_MAX_CANDIDATES = 12
"""Largest number of candidates requested."""


class HeuristicPolicy(Protocol):
    """Source of candidates ordered by heuristic value."""

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth evaluating, the best by heuristic first."""


class HeuristicPlayer:
    """Player of the best candidate by heuristic; with probability `epsilon`, of a random one.

    Args:
        policy: heuristic policy of the game. epsilon: share of turns in which it plays a random candidate.
    """

    def __init__(self, policy: HeuristicPolicy, epsilon: float = 0.0) -> None:
        self._policy, self._epsilon = policy, epsilon

    def choose(self, view: View, legal_actions: LegalActionsLike, rng: np.random.Generator) -> Action:
        """Choose the first candidate, or with probability epsilon a random one."""
        candidates = self._policy.candidates(view, rng, _MAX_CANDIDATES)
        if not candidates:
            return legal_actions.actions[0]
        if self._epsilon and rng.random() < self._epsilon:
            return candidates[int(rng.integers(len(candidates)))]
        return candidates[0]
