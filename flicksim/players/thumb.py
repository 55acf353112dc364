"""A player that does as a game's rule of thumb says, and now and then does not."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from flicksim.base.kinds import Action, View
from flicksim.players.allowed import Allowed

SLIPS = {"beginner": 0.35}
"""Share of its turns in which a grade takes any candidate, unthinking, where its game says nothing else."""
_THOUGHT_OF = 12
"""Candidates it thinks of, at most."""


class Thumb(Protocol):
    """The question such a player must be able to ask."""

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth a thought, the best by rule of thumb first."""


class ThumbPlayer:
    """Does what the rule of thumb says.

    Args:
        thumb: the game's. slips: share of turns in which it takes any candidate.
    """

    def __init__(self, thumb: Thumb, slips: float = 0.0) -> None:
        self._thumb, self._slips = thumb, slips

    def choose(self, view: View, choices: Allowed, rng: np.random.Generator) -> Action:
        """The first candidate, or any where it slips."""
        found = self._thumb.candidates(view, rng, _THOUGHT_OF)
        if not found:
            return choices.actions[0]
        if self._slips and rng.random() < self._slips:
            return found[int(rng.integers(len(found)))]
        return found[0]
