"""Rollout protocol: outcomes of candidates, each executed with noise many times under common random numbers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from flicksim.ai.execution_noise import ExecutionNoise
from flicksim.ai.model_error import ModelError
from flicksim.core.arrays import Bools, Floats, Ints
from flicksim.core.type_aliases import Action, State, View
from flicksim.scene import Scene

DiscSimulator = Callable[[Floats, Bools, Ints, Floats, Floats, Floats], tuple[Floats, Bools]]
"""Vectorised simulator of flicks of flat pieces: (positions [S, N, 2], present [S, N], column flicked [S], speed [S],
azimuth [S], offset [S]) -> (final positions [S, N, 2], fallen off [S, N])."""
F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutOutcomes:
    """Outcomes of P candidates with S rollouts each; column for column under common random numbers.

    Args:
        win_probability: 0 to 1. [P, S]
        point_margin: points ahead of the others when the end or round is over. [P, S]
        executed: speed [m/s] and azimuth [rad] as executed; zero of other actions. [P, S, 2]
        shots: number of shots simulated.
    """

    win_probability: Floats
    point_margin: Floats
    executed: Floats
    shots: int


class CandidateSource(Protocol):
    """Source of actions worth evaluating."""

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth evaluating, ordered by prior or heuristic, best first."""


class RolloutModel(CandidateSource, Protocol):
    """Game model that an evaluation needs: candidates and their rollouts.

    A model that inherits from it has no simpler actions, no model error and no prior values unless it says so.
    """

    def check(self, view: View, action: Action) -> None:
        """Raise IllegalAction if the rules do not allow the action."""

    def is_similar(self, view: View, first: Action, second: Action, noise: ExecutionNoise) -> bool:
        """Return True if two actions are variations of the same idea."""

    def simpler_action(self, view: View, action: Action) -> Action | None:
        """Simpler action with the same idea; None where the action is simple."""
        del view, action
        return None

    def model_error(self, view: View) -> ModelError | None:
        """Error of the model itself in a view, beside the sampling error; None where there is none, or it was not
        measured."""
        del view
        return None

    def prior_values(
        self, view: View, seat: int, candidates: Sequence[Action], noise: ExecutionNoise, seed: int
    ) -> tuple[Floats, Floats] | None:  # fmt: skip
        """Prior win probability and point margin of each candidate from tables; NaN where unknown, None without tables.
        [P], [P]"""
        del view, seat, candidates, noise, seed
        return None

    def rollout(
        self, view: View, seat: int, candidates: Sequence[Action], noise: ExecutionNoise, rollouts: int, seed: int, *,
        exact: bool = False,
    ) -> RolloutOutcomes:  # fmt: skip
        """Execute each candidate `rollouts` times and play the end or round out, with common random numbers.

        Args:
            seat: whose win probability and points are returned, to play or not. noise: execution noise of every player.
            exact: whether the candidates themselves are executed without noise.
        """


class RolloutContext(Protocol):
    """Services handed to a game's bot for its rollouts: simulation and compilation.

    Attributes:
        use_learned: whether the learned tables of the game are used.
    """

    use_learned: bool

    def disc_simulator(self, scene: Scene) -> DiscSimulator:
        """Simulator of flicks of a scene's coins, wherever on their board they lie."""

    def states_after(self, transitions: Sequence[tuple[View, Action]]) -> Iterator[State]:
        """State after each of these actions, or the `FlicksimError` by which it failed."""

    def compile(self, function: F) -> F:
        """Compile a function of numbers and arrays, where compilation is available."""
