"""Adapter to Stable-Baselines3: environments as `VecEnv`, evaluation callback, PPO; imported only when training."""

from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from flicksim.core.arrays import Array, Bools
from flicksim.core.type_aliases import JsonValue, Unchecked
from flicksim.envs import ShotVectorEnv
from flicksim.training.evaluation import evaluate, make_game_env, make_shot_env
from flicksim.training.learning_curve import CurvePoint
from flicksim.training.tasks import TrainingTask


class ShotVecEnv(VecEnv):
    """Adapter of `ShotVectorEnv` to the `VecEnv` interface, with autoreset in the same step."""

    def __init__(self, env: ShotVectorEnv, seed: int) -> None:
        self._env = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
        self._seed = seed
        self._actions: Array = np.zeros(env.action_space.shape or (), np.float32)

    def reset(self) -> npt.NDArray[np.float32]:
        """Reset all shots."""
        return self._env.reset(seed=self._seed)[0]

    def step_async(self, actions: Array) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, JsonValue]]]:
        """Simulate the shots; each ends an episode."""
        observations, rewards, over, cut, _ = self._env.step(self._actions)
        return observations, rewards.astype(np.float32), over | cut, [{} for _ in range(self.num_envs)]

    def close(self) -> None:
        """Do nothing: no resource is held."""

    def get_attr(self, attr_name: str, indices: Unchecked = None) -> list[Unchecked]:
        """Attribute shared by all environments."""
        return [getattr(self._env, attr_name, None)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Unchecked, indices: Unchecked = None) -> None:
        """Raise AttributeError: no attribute can be set."""
        raise AttributeError(attr_name)

    def env_method(
        self, method_name: str, *args: Unchecked, indices: Unchecked = None, **kwargs: Unchecked
    ) -> list[Unchecked]:
        """Raise AttributeError: no method can be called by row."""
        raise AttributeError(method_name)

    def env_is_wrapped(self, wrapper_class: Unchecked, indices: Unchecked = None) -> list[bool]:
        """Return False for every row."""
        return [False] * len(self._rows(indices))

    def _rows(self, indices: Unchecked) -> Sequence[int]:
        return list(self._get_indices(indices))


class EvalCallback(BaseCallback):
    """Callback that evaluates the policy at every point of the curve."""

    def __init__(self, task: TrainingTask, seed: int, on_point: Callable[[CurvePoint, Unchecked], None]) -> None:
        super().__init__()
        self._task, self._eval_seed, self._on_point = task, seed, on_point
        self._next_eval, self._last_eval, self._eval_seconds, self._start_time = 0, -1, 0.0, process_time()

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._next_eval:
            self.evaluate()

    def evaluate(self) -> None:
        """Evaluate once, unless just done at this step."""
        if self.num_timesteps == self._last_eval:
            return
        start = process_time()
        seconds = start - self._start_time - self._eval_seconds
        scores = evaluate(self._task, self._predict, self._eval_seed)
        self._next_eval, self._last_eval = self.num_timesteps + self._task.eval_interval, self.num_timesteps
        steps, asked = self.num_timesteps, self._task.eval_episodes
        self._on_point(CurvePoint(steps=steps, seconds=round(seconds, 2), scores=scores, asked=asked), self.model)
        self._eval_seconds += process_time() - start

    def _predict(self, observations: npt.NDArray[np.float32], masks: Bools | None) -> Array:
        more = {} if masks is None else {"action_masks": masks}
        result: Array = self.model.predict(observations, deterministic=not self._task.stochastic_eval, **more)[0]
        return result

    def _on_step(self) -> bool:
        return True


def algorithm_name(task: TrainingTask) -> str:
    """Name of the algorithm."""
    return "PPO" if task.kind == "shot" else "MaskablePPO"


def train_policy(task: TrainingTask, seed: int, on_point: Callable[[CurvePoint, Unchecked], None]) -> Unchecked:
    """Train a policy on a task.

    Args:
        on_point: called with each point of the curve and the model.
    """
    torch.set_num_threads(1)  # so that sums are added in one order, and other cores stay free
    if task.kind == "shot":
        kind, env = PPO, ShotVecEnv(make_shot_env(task, task.num_envs), seed)
    else:
        kind, env = MaskablePPO, DummyVecEnv([lambda: _make_scaled_env(task)] * task.num_envs)
    model = kind("MlpPolicy", env, seed=seed, n_steps=task.rollout_steps, device="cpu", **_algorithm_settings(task))
    evaluation = EvalCallback(task, seed, on_point)
    model.learn(task.steps, callback=evaluation)
    evaluation.evaluate()
    env.close()
    return model


def _algorithm_settings(task: TrainingTask) -> dict[str, JsonValue]:
    """Hyperparameters, with a learning rate that decays linearly."""
    result = {
        name: dict(value) if isinstance(value, dict) else value for name, value in task.algorithm_settings.items()
    }
    rate = result["learning_rate"]
    return {**result, "learning_rate": lambda left: rate * max(left, 0.05)}


def _make_scaled_env(task: TrainingTask) -> gymnasium.Env[Any, Any]:
    """Game environment with scaled rewards."""
    return gymnasium.wrappers.TransformReward(make_game_env(task), lambda one: float(one) * task.reward_scale)
