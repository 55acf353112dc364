"""Players that choose within this process: random, by heuristic, by lookahead, by rollouts."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from typing import Any, Protocol

import numpy as np

from flicksim.ai.cancellation import cancel_unless, stop_if_cancelled
from flicksim.ai.evaluation import SearchConfig, SuccessiveElimination
from flicksim.ai.execution_noise import ExecutionNoise
from flicksim.ai.rollouts import CandidateSource, RolloutModel
from flicksim.core.errors import Cancelled, FlicksimError, IllegalAction
from flicksim.core.geometry import Point, wrap_angle
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, State, View
from flicksim.scene import Flick, Launch, Squidge


class LegalActionsLike(Protocol):
    """Legal actions: ranges of flicks, and decisions."""

    @property
    def flicks(self) -> Sequence[Action]: ...
    @property
    def actions(self) -> Sequence[Action]: ...


class PromptedActions(LegalActionsLike, Protocol):
    """Legal actions with a one-line prompt."""

    @property
    def prompt(self) -> str: ...


_MAX_DRAWS = 1000
"""Largest number of draws for a legal action; the last is returned even if illegal."""


class RandomPlayer:
    """Player that draws uniformly from the legal actions.

    Args:
        check: raises IllegalAction where the rules forbid an action after all (a start on top of a coin).
    """

    def __init__(self, check: Callable[[View, Action], None] | None = None) -> None:
        self._check = check

    def choose(self, view: View, legal_actions: LegalActionsLike, rng: np.random.Generator) -> Action:
        """Draw a random legal action; draw again while the rules refuse it."""
        for _ in range(_MAX_DRAWS):
            action = self._sample(legal_actions, rng)
            with suppress(IllegalAction):
                if self._check is not None:
                    self._check(view, action)
                break
        return action

    def _sample(self, legal_actions: LegalActionsLike, rng: np.random.Generator) -> Action:
        count = len(legal_actions.flicks) + len(legal_actions.actions)
        pick = int(rng.integers(count))
        if pick >= len(legal_actions.flicks):
            return legal_actions.actions[pick - len(legal_actions.flicks)]
        return sample_flick(legal_actions.flicks[pick], rng)


def sample_flick(span: Any, rng: np.random.Generator) -> Flick | Squidge | Launch:
    """Draw a flick from a `FlickRange`, `SquidgeRange` or `LaunchRange`."""
    start = None
    if span.start:
        share = rng.dirichlet(np.ones(len(span.start)))
        x, y = (float(sum(k * p[axis] for k, p in zip(share, span.start, strict=True))) for axis in (0, 1))
        start = (x, y)

    def draw(name: str) -> float:
        value = float(rng.uniform(*getattr(span, name)))
        return wrap_angle(value) if name == "azimuth" else value

    return flick_in_range(span, start, draw)


def flick_in_range(
    span: Any, start: Point | None, value_of: Callable[[str], float], offset: float = 0.0
) -> Flick | Squidge | Launch:
    """Flick of the kind of a `FlickRange`, `SquidgeRange` or `LaunchRange`, told apart by their fields.

    Args:
        start: of the piece, if it starts anew [m]. value_of: value of a field (speed, azimuth, ...) by its name.
        offset: of a flick of a flat piece [radii].
    """
    speed, azimuth = value_of("speed"), value_of("azimuth")
    if hasattr(span, "lift"):
        return Launch(
            piece=span.piece, size=span.size, hold=start or span.hold, azimuth=azimuth, speed=speed,
            height=value_of("height"), slant=value_of("slant"), lift=span.lift,
        )  # fmt: skip
    if hasattr(span, "elevation"):
        return Squidge(
            piece=span.piece, speed=speed, azimuth=azimuth, elevation=value_of("elevation"), tumble=value_of("tumble"),
            start=start,
        )  # fmt: skip
    return Flick(piece=span.piece, speed=speed, azimuth=azimuth, offset=offset, start=start)


EPSILONS = {"beginner": 0.35}
"""Share of turns in which a grade plays a random candidate, unless its game sets another."""
_MAX_CANDIDATES = 12
"""Largest number of candidates requested."""


class HeuristicPlayer:
    """Player of the best candidate by heuristic; with probability `epsilon`, of a random one.

    Args:
        policy: heuristic policy of the game. epsilon: share of turns in which it plays a random candidate.
    """

    def __init__(self, policy: CandidateSource, epsilon: float = 0.0) -> None:
        self._policy, self._epsilon = policy, epsilon

    def choose(self, view: View, legal_actions: LegalActionsLike, rng: np.random.Generator) -> Action:
        """Choose the first candidate, or with probability epsilon a random one."""
        candidates = self._policy.candidates(view, rng, _MAX_CANDIDATES)
        if not candidates:
            return legal_actions.actions[0]
        if self._epsilon and rng.random() < self._epsilon:
            return candidates[int(rng.integers(len(candidates)))]
        return candidates[0]


class ForwardModel(CandidateSource, Protocol):
    """Game model that a lookahead needs: candidates, successor states, values."""

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
            after, value = next(states), -inf
            if not isinstance(after, FlicksimError):
                with suppress(FlicksimError):
                    value = self._model.value(after, self._seat)
            values.append(value)
        return values


class RolloutPlayer:
    """Player that evaluates candidates by successive elimination and plays the one that wins most.

    Args:
        model: rollout model of the game. seat: seat whose value it maximises. noise: its own, assumed of every
            player. config: its search budget. uncompiled_config: budget without JIT; equal to `config` where None.
        limit_config: reduces a budget in some views, as at the opening of a game; the same with and without JIT.
    """

    def __init__(
        self,
        model: RolloutModel,
        seat: int,
        noise: ExecutionNoise,
        config: SearchConfig,
        uncompiled_config: SearchConfig | None = None,
        limit_config: Callable[[View, SearchConfig], SearchConfig] | None = None,
    ) -> None:
        self._model, self._seat, self._noise = model, seat, noise
        self._config, self._uncompiled_config = config, uncompiled_config or config
        self._limit_config = limit_config or _full_config

    def needs_compilation(self, view: View) -> bool:
        """Return True if it simulates shots there only with the compiled engine: uncompiled they would take minutes."""
        return self._limit_config(view, self._config).shots > 0 == self._uncompiled_config.shots

    def choose(self, view: View, legal_actions: LegalActionsLike, rng: np.random.Generator) -> Action:
        """Choose the action that wins most in rollouts, or the default one within its margin."""
        search = self._new_search(self._config, view, rng)
        search.run()
        return _best_action(search, legal_actions)

    def choose_fast(
        self, view: View, legal_actions: LegalActionsLike, rng: np.random.Generator, keep_going: Callable[[], bool]
    ) -> Action:  # fmt: skip
        """Choose with the search budget of an uncompiled engine; the best action so far once cancelled."""
        search = self._new_search(self._uncompiled_config, view, rng)
        with suppress(Cancelled), cancel_unless(keep_going):
            search.run()
        return _best_action(search, legal_actions)

    def _new_search(self, config: SearchConfig, view: View, rng: np.random.Generator) -> SuccessiveElimination:
        config = self._limit_config(view, config)
        return SuccessiveElimination(self._model, self._noise, config, view, self._seat, rng)


def _full_config(_view: View, config: SearchConfig) -> SearchConfig:  # no lambda: players go to other processes
    return config


def _best_action(search: SuccessiveElimination, legal_actions: LegalActionsLike) -> Action:
    action = search.best_action
    return legal_actions.actions[0] if action is None else action
