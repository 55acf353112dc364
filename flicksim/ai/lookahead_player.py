"""Player that samples the outcome of candidate actions in a model of the game (one-ply lookahead)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from flicksim.ai.cancellation import cancel_unless, stop_if_cancelled
from flicksim.ai.execution_noise import ExecutionNoise
from flicksim.ai.legal_actions import LegalActionsLike
from flicksim.core.errors import Cancelled, FlicksimError
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, State, View


class ForwardModel(Protocol):
    """Game model that a lookahead needs: candidates, successor states, values."""

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth evaluating, ordered by prior, best first."""

    def next_states(self, view: View, actions: Sequence[Action]) -> Iterator[State]:
        """State after each of these actions, or the `FlicksimError` by which it failed."""

    def value(self, view: View, seat: int) -> float:
        """Value of a view to a seat [expected points]."""


class LookaheadConfig(Value, frozen=True, kw_only=True):
    """Search budget of one decision.

    Args:
        candidates: number of actions simulated once without execution noise.
        refined: number of these simulated again with execution noise.
        samples: repetitions of each of those.
    """

    candidates: int
    refined: int
    samples: int


LOOKAHEAD_CONFIGS: dict[str, LookaheadConfig] = {
    "beginner": LookaheadConfig(candidates=6, refined=1, samples=1),
    "club": LookaheadConfig(candidates=16, refined=4, samples=4),
    "expert": LookaheadConfig(candidates=32, refined=7, samples=10),
    "world": LookaheadConfig(candidates=48, refined=10, samples=20),
}


class LookaheadPlayer:
    """Player that tries candidates in the model, the best again with execution noise, and takes the best mean.

    Every candidate is tried with the same errors (common random numbers), so that differences are due to the
    candidates.

    Args:
        seat: seat whose value it maximises. noise: its own execution noise, known to it.
    """

    def __init__(self, model: ForwardModel, seat: int, noise: ExecutionNoise, config: LookaheadConfig) -> None:
        self._model, self._seat, self._noise, self._config = model, seat, noise, config

    def choose(self, view: View, legal_actions: LegalActionsLike, rng: np.random.Generator) -> Action:
        """Choose the candidate with the best mean value."""
        candidates = self._model.candidates(view, rng, self._config.candidates)
        seed = int(rng.integers(2**63))
        if len(candidates) <= 1:
            return candidates[0] if candidates else legal_actions.actions[0]
        values = self._values(view, candidates)
        order = sorted(range(len(candidates)), key=lambda k: (-values[k], k))
        refined = [candidates[k] for k in order[: self._config.refined]]
        if len(refined) == 1:
            return refined[0]
        means = [sum(samples) / self._config.samples for samples in self._sampled_values(view, refined, seed)]
        return refined[int(np.argmax(means))]

    def choose_fast(
        self, view: View, legal_actions: LegalActionsLike, rng: np.random.Generator, keep_going: Callable[[], bool]
    ) -> Action:  # fmt: skip
        """Choose like `choose`; the action of the highest prior if cancelled before a result."""
        try:
            with cancel_unless(keep_going):
                return self.choose(view, legal_actions, rng)
        except Cancelled:
            natural = self._model.candidates(view, rng, 1)
            return natural[0] if natural else legal_actions.actions[0]

    def _sampled_values(self, view: View, candidates: Sequence[Action], seed: int) -> list[list[float]]:
        """Values of each candidate in each sample; samples use common random numbers."""
        samples, made = self._config.samples, []
        for meant in candidates:
            rng = np.random.Generator(np.random.PCG64(seed))
            made += [self._noise.execute(meant, rng) for _ in range(samples)]
        values = self._values(view, made)
        return [values[k : k + samples] for k in range(0, len(values), samples)]

    def _values(self, view: View, actions: Sequence[Action]) -> list[float]:
        """Value of the state after each action; minus infinity where it failed."""
        values, states = [], self._model.next_states(view, actions)
        for _ in actions:
            stop_if_cancelled()
            after = next(states)
            values.append(float("-inf") if isinstance(after, FlicksimError) else self._value(after))
        return values

    def _value(self, after: State) -> float:
        try:
            return self._model.value(after, self._seat)
        except FlicksimError:
            return float("-inf")
