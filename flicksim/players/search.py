"""A player that imagines before it acts. It is handed a model of the game and never imports one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from flicksim.base.codec import Value
from flicksim.base.errors import FlicksimError, GivenUp
from flicksim.base.kinds import Action, State, View
from flicksim.players.allowed import Allowed
from flicksim.players.cancellation import stop_if_cancelled, while_wanted
from flicksim.players.hand import Hand


class Model(Protocol):
    """The questions a search must be able to ask."""

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth a thought, the most natural first."""

    def imagine(self, view: View, actions: Sequence[Action]) -> Iterator[State]:
        """The states after each of these actions, or the `FlicksimError` for which it cannot be done."""

    def value(self, view: View, seat: int) -> float:
        """Worth of that to a seat [points it may expect]."""


class Thought(Value, frozen=True, kw_only=True):
    """The depth of its thought.

    Args:
        candidates: actions tried once as meant.
        keep: of these, how many are tried again with an unsteady hand.
        samples: how often each of those.
    """

    candidates: int
    keep: int
    samples: int


THOUGHTS: dict[str, Thought] = {
    "beginner": Thought(candidates=6, keep=1, samples=1),
    "club": Thought(candidates=16, keep=4, samples=4),
    "expert": Thought(candidates=32, keep=7, samples=10),
    "world": Thought(candidates=48, keep=10, samples=20),
}


class SearchPlayer:
    """Tries candidates in the model, the best of them again with its own execution error, and takes the best mean.

    Every candidate is tried with the same errors (common random numbers), so what is compared is the plan, not luck.

    Args:
        seat: whose good it seeks. hand: its own execution error, which it knows.
    """

    def __init__(self, model: Model, seat: int, hand: Hand, thought: Thought) -> None:
        self._model, self._seat, self._hand, self._thought = model, seat, hand, thought

    def choose(self, view: View, choices: Allowed, rng: np.random.Generator) -> Action:
        """The action with the best expected value of those tried."""
        candidates = self._model.candidates(view, rng, self._thought.candidates)
        seed = int(rng.integers(2**63))
        if len(candidates) <= 1:
            return candidates[0] if candidates else choices.actions[0]
        worths = self._worths(view, candidates)
        tried = sorted(range(len(candidates)), key=lambda k: (-worths[k], k))
        kept = [candidates[k] for k in tried[: self._thought.keep]]
        if len(kept) == 1:
            return kept[0]
        means = [sum(tries) / self._thought.samples for tries in self._tries(view, kept, seed)]
        return kept[int(np.argmax(means))]

    def hurried(
        self, view: View, choices: Allowed, rng: np.random.Generator, wanted: Callable[[], bool]
    ) -> Action:  # fmt: skip
        """The same, or the most natural action where that is not wanted any more before it is found."""
        try:
            with while_wanted(wanted):
                return self.choose(view, choices, rng)
        except GivenUp:
            natural = self._model.candidates(view, rng, 1)
            return natural[0] if natural else choices.actions[0]

    def _tries(self, view: View, plans: Sequence[Action], seed: int) -> list[list[float]]:
        """Outcomes of each plan, try for try, all with the same errors."""
        samples, made = self._thought.samples, []
        for meant in plans:
            rng = np.random.Generator(np.random.PCG64(seed))
            made += [self._hand.make(meant, rng) for _ in range(samples)]
        worths = self._worths(view, made)
        return [worths[k : k + samples] for k in range(0, len(worths), samples)]

    def _worths(self, view: View, actions: Sequence[Action]) -> list[float]:
        """Worth of each of these."""
        found, imagined = [], self._model.imagine(view, actions)
        for _ in actions:
            stop_if_cancelled()
            after = next(imagined)
            found.append(float("-inf") if isinstance(after, FlicksimError) else self._worth(after))
        return found

    def _worth(self, after: State) -> float:
        try:
            return self._model.value(after, self._seat)
        except FlicksimError:
            return float("-inf")
