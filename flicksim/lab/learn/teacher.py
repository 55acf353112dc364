"""The library that teaches, and our environments as it wants them. Nothing else imports it before it is asked for."""

from __future__ import annotations

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

from flicksim.base.kinds import Given, Plain
from flicksim.lab.env import ShotVectorEnv
from flicksim.lab.learn.curve import Point
from flicksim.lab.learn.lessons import Lesson
from flicksim.lab.measure import Array


class Shots(VecEnv):
    """A vector of shots as the library has its vectors: what is over has been laid out anew."""

    def __init__(self, env: ShotVectorEnv, seed: int) -> None:
        self._env = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
        self._seed = seed
        self._actions: Array = np.zeros(env.action_space.shape or (), np.float32)

    def reset(self) -> npt.NDArray[np.float32]:
        """The first shots."""
        return self._env.reset(seed=self._seed)[0]

    def step_async(self, actions: Array) -> None:
        """Take the actions."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Plain]]]:
        """Make the shots; each ends an episode."""
        seen, rewards, over, cut, _ = self._env.step(self._actions)
        return seen, rewards.astype(np.float32), over | cut, [{} for _ in range(self.num_envs)]

    def close(self) -> None:
        """Nothing is held."""

    def get_attr(self, attr_name: str, indices: Given = None) -> list[Given]:
        """An attribute that all share."""
        return [getattr(self._env, attr_name, None)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Given, indices: Given = None) -> None:
        """Nothing of it can be set."""
        raise AttributeError(attr_name)

    def env_method(self, method_name: str, *args: Given, indices: Given = None, **kwargs: Given) -> list[Given]:
        """Nothing of it is called row by row."""
        raise AttributeError(method_name)

    def env_is_wrapped(self, wrapper_class: Given, indices: Given = None) -> list[bool]:
        """No row is."""
        return [False] * len(self._rows(indices))

    def _rows(self, indices: Given) -> Sequence[int]:
        return list(self._get_indices(indices))


class Asked(BaseCallback):
    """Asks at every point of the curve how well it does."""

    def __init__(self, lesson: Lesson, seed: int, reached: Callable[[Point], None]) -> None:
        super().__init__()
        self._lesson, self._asked, self._reached = lesson, seed, reached
        self._due, self._last, self._idle, self._began = 0, -1, 0.0, process_time()

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._due:
            self.ask()

    def ask(self) -> None:
        """One more point, unless it was just asked."""
        if self.num_timesteps == self._last:
            return
        begun = process_time()
        seconds = begun - self._began - self._idle
        scores = self._lesson.scores(self._chooses, self._asked)
        self._due, self._last = self.num_timesteps + self._lesson.every, self.num_timesteps
        self._reached(
            Point(steps=self.num_timesteps, seconds=round(seconds, 2), scores=scores, asked=self._lesson.asked)
        )
        self._idle += process_time() - begun

    def _chooses(self, seen: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_] | None) -> Array:
        more = {} if masks is None else {"action_masks": masks}
        found: Array = self.model.predict(seen, deterministic=not self._lesson.draws, **more)[0]
        return found

    def _on_step(self) -> bool:
        return True


def method_of(lesson: Lesson) -> str:
    """The name of the method."""
    return "PPO" if lesson.kind == "shot" else "MaskablePPO"


def taught(lesson: Lesson, seed: int, reached: Callable[[Point], None]) -> Given:
    """A policy that has gone through a lesson.

    Args:
        reached: told of each point of the curve.
    """
    torch.set_num_threads(1)  # so that sums are added in one order, and a machine is left to others
    if lesson.kind == "shot":
        kind, env = PPO, Shots(lesson.shots(lesson.envs), seed)
    else:
        kind, env = MaskablePPO, DummyVecEnv([lambda: _scaled(lesson)] * lesson.envs)
    model = kind("MlpPolicy", env, seed=seed, n_steps=lesson.rollout, device="cpu", **_set(lesson))
    asked = Asked(lesson, seed, reached)
    model.learn(lesson.steps, callback=asked)
    asked.ask()
    env.close()
    return model


def _set(lesson: Lesson) -> dict[str, Plain]:
    """The settings of the method; its steps grow smaller to the end."""
    found = {name: dict(value) if isinstance(value, dict) else value for name, value in lesson.teach.items()}
    rate = found["learning_rate"]
    return {**found, "learning_rate": lambda left: rate * max(left, 0.05)}


def _scaled(lesson: Lesson) -> gymnasium.Env[Any, Any]:
    """A game with rewards of about 1."""
    env = lesson.game()
    return (
        env if lesson.reward == 1.0 else gymnasium.wrappers.TransformReward(env, lambda one: float(one) * lesson.reward)
    )
