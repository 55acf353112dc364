"""A player for games with hidden cards: it imagines what it does not see, many times, and takes the best on average.

It is handed a game's imagination and never imports a game. It sees only its view: what is hidden is dealt anew in each
imagined world, consistent with what has been shown, and every candidate is tried in the same worlds.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from flicksim.base.codec import Value
from flicksim.base.kinds import Action, State, View
from flicksim.players.allowed import Allowed
from flicksim.players.cancellation import stop_if_cancelled


class Imagination(Protocol):
    """The questions such a player must be able to ask."""

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth a thought, the best by rule of thumb first."""

    def sample(self, view: View, rng: np.random.Generator) -> State:
        """A world that may be, given the view."""

    def outcome(self, view: View, world: View, action: Action, seed: int) -> float:
        """Outcome of an action in that world, for the seat to play."""


class Pondering(Value, frozen=True, kw_only=True):
    """The depth of its thought.

    Args:
        candidates: actions considered. worlds: most worlds imagined; 0 follows the rule of thumb.
        slips: share of turns in which it takes any candidate, unthinking.
    """

    candidates: int
    worlds: int
    slips: float = 0.0


PONDERINGS: dict[str, Pondering] = {
    "beginner": Pondering(candidates=12, worlds=0, slips=0.35),
    "club": Pondering(candidates=12, worlds=0),
    "expert": Pondering(candidates=8, worlds=200),
    "world": Pondering(candidates=12, worlds=600),
}
"""Depth by grade, weakest first."""
LAP = 20
"""Worlds between two looks at who is out of the race."""
BEHIND = 2.0
"""Standard errors of the paired difference by which an action is behind the leader when it drops out."""


class DeterminisedPlayer:
    """Chooses by rule of thumb, or by the mean over imagined worlds.

    The candidates race: all are tried in the same worlds, those clearly behind drop out lap by lap, so worlds are spent
    where the choice is close. One that cannot be told from the rule of thumb when they are spent gives way to it.

    Args:
        imagination: the game's. pondering: how deep.
    """

    def __init__(self, imagination: Imagination, pondering: Pondering) -> None:
        self._game, self._pondering = imagination, pondering

    def choose(self, view: View, choices: Allowed, rng: np.random.Generator) -> Action:
        """The action with the best mean, the rule of thumb's unless another is better by more than luck."""
        pondering = self._pondering
        found = self._game.candidates(view, rng, pondering.candidates)
        if not found:
            return choices.actions[0]
        if pondering.slips and rng.random() < pondering.slips:
            return found[int(rng.integers(len(found)))]
        if len(found) == 1 or not pondering.worlds:
            return found[0]
        return found[self._race(view, found, rng)]

    def _race(self, view: View, found: list[Action], rng: np.random.Generator) -> int:
        got: dict[int, list[float]] = {k: [] for k in range(len(found))}
        leader, worlds = 0, self._pondering.worlds
        for number in range(1, worlds + 1):
            world, seed = self._game.sample(view, rng), int(rng.integers(2**62))
            for k, values in got.items():
                stop_if_cancelled()
                values.append(self._game.outcome(view, world, found[k], seed))
            if number % LAP == 0 or number == worlds:
                leader = max(got, key=lambda k: (sum(got[k]), -k))
                got = {k: values for k, values in got.items() if not _ahead(got[leader], values, BEHIND)}
                if len(got) == 1:
                    return leader
        return leader if 0 not in got or _ahead(got[leader], got[0], 1.0) else 0


def _ahead(one: list[float], other: list[float], errors: float) -> bool:
    """True where one is ahead of another by more than so many standard errors of their difference in the same
    worlds."""
    gain = np.subtract(one, other)
    return bool(gain.mean() > errors * gain.std() / np.sqrt(len(gain)))
