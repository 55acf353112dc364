"""A player for games with hidden cards: it imagines what it does not see, many times, and takes the best on average.

It is handed a game's imagination and never imports a game. It sees only its view: what is hidden is dealt anew in each
imagined world, consistent with what has been shown, and every candidate is tried in the same worlds.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from flicksim.base.codec import Value


class Imagination(Protocol):
    """What such a player must be able to ask."""

    def candidates(self, view: Any, rng: np.random.Generator, count: int) -> list[Any]:
        """Up to `count` actions worth a thought, the best by rule of thumb first."""

    def sample(self, view: Any, rng: np.random.Generator) -> Any:
        """A world that may be, given the view."""

    def outcome(self, view: Any, world: Any, action: Any, seed: int) -> float:
        """What an action comes to in that world, for the seat to play."""


class Pondering(Value, frozen=True, kw_only=True):
    """How deep it thinks.

    Args:
        candidates: actions considered. worlds: worlds imagined for each; 0 follows the rule of thumb.
        slips: share of turns in which it takes any candidate, unthinking.
    """

    candidates: int
    worlds: int
    slips: float = 0.0


PONDERINGS: dict[str, Pondering] = {
    "beginner": Pondering(candidates=12, worlds=0, slips=0.35),
    "club": Pondering(candidates=12, worlds=0),
    "expert": Pondering(candidates=8, worlds=36),
    "world": Pondering(candidates=12, worlds=120),
}
"""Depth by grade, weakest first."""


class DeterminisedPlayer:
    """Chooses by rule of thumb, or by the mean over imagined worlds.

    The worlds are spent by halving: all candidates in a few, the better half in as many again, until one is left to
    stand against the rule of thumb, which it must beat clearly.

    Args:
        imagination: the game's. pondering: how deep.
    """

    def __init__(self, imagination: Imagination, pondering: Pondering) -> None:
        self._game, self._pondering = imagination, pondering

    def choose(self, view: Any, choices: Any, rng: np.random.Generator) -> Any:
        """The action with the best mean, the rule of thumb's unless another is clearly better."""
        pondering = self._pondering
        found = self._game.candidates(view, rng, pondering.candidates)
        if not found:
            return choices.actions[0]
        if pondering.slips and rng.random() < pondering.slips:
            return found[int(rng.integers(len(found)))]
        if len(found) == 1 or not pondering.worlds:
            return found[0]
        return self._best(view, found, rng)

    def _best(self, view: Any, found: list[Any], rng: np.random.Generator) -> Any:
        thumb = 0
        got: list[list[float]] = [[] for _ in found]
        rivals = list(range(1, len(found)))
        stages = max(1, len(rivals).bit_length())
        share = max(1, self._pondering.worlds // stages)
        for stage in range(stages):
            for _ in range(share):
                world, seed = self._game.sample(view, rng), int(rng.integers(2**62))
                for k in (thumb, *rivals):
                    got[k].append(self._game.outcome(view, world, found[k], seed))
            rivals.sort(key=lambda k: (-sum(got[k]), k))
            if stage + 1 < stages:
                rivals = rivals[: (len(rivals) + 1) // 2]
        best = rivals[0]
        # one standard error of the paired difference: luck in a few worlds does not overrule the rule of thumb
        gain = np.subtract(got[best], got[thumb])
        sure = gain.mean() > gain.std() / np.sqrt(len(gain))
        return found[best] if sure else found[thumb]
