"""Player that evaluates its candidates by rollouts and plays the best (successive elimination)."""

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from flicksim.ai.cancellation import cancel_unless
from flicksim.ai.evaluation import SearchConfig, SuccessiveElimination
from flicksim.ai.execution_noise import ExecutionNoise
from flicksim.ai.legal_actions import LegalActionsLike
from flicksim.ai.rollouts import RolloutModel
from flicksim.core.errors import Cancelled
from flicksim.core.type_aliases import Action, View


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
        config = self._limit_config(view, self._config)
        search = SuccessiveElimination(self._model, self._noise, config, view, self._seat, rng)
        search.run()
        return _best_action(search, legal_actions)

    def choose_fast(
        self, view: View, legal_actions: LegalActionsLike, rng: np.random.Generator, keep_going: Callable[[], bool]
    ) -> Action:  # fmt: skip
        """Choose with the search budget of an uncompiled engine; the best action so far once cancelled."""
        config = self._limit_config(view, self._uncompiled_config)
        search = SuccessiveElimination(self._model, self._noise, config, view, self._seat, rng)
        with suppress(Cancelled), cancel_unless(keep_going):
            search.run()
        return _best_action(search, legal_actions)


def _full_config(_view: View, config: SearchConfig) -> SearchConfig:
    return config


def _best_action(search: SuccessiveElimination, legal_actions: LegalActionsLike) -> Action:
    action = search.best_action
    return legal_actions.actions[0] if action is None else action
