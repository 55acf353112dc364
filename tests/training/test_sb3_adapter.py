"""Training with Stable-Baselines3 is reproducible and improves. Skipped without the extra."""

from dataclasses import replace
from typing import Any

import pytest

from flicksim.training import TrainedPolicy, get_task, train

pytest.importorskip("sb3_contrib")
pytestmark = pytest.mark.filterwarnings("ignore")


def quick_task(name: str, seed: int, **more: Any) -> TrainedPolicy:
    """A lesson cut short."""
    return train(
        replace(get_task(name), **{"eval_interval": 512, "eval_episodes": 20, "steps": 1024, "num_envs": 64, **more}),
        seed,
    )


def scores(study: TrainedPolicy) -> list[tuple[int, dict[str, float]]]:
    """A curve without its times."""
    return [(point.steps, point.scores) for point in study.points]


def test_the_same_seed_is_the_same_curve_of_shots() -> None:
    one, two, other = (scores(quick_task("draw", seed, eval_episodes=200)) for seed in (1, 1, 2))
    assert one == two != other
    assert [steps for steps, _ in one] == [0, 512, 1024]


def test_the_same_seed_is_the_same_curve_of_games() -> None:
    small = {"num_envs": 2, "rollout_steps": 64, "eval_interval": 128, "steps": 256, "eval_episodes": 4}
    one, two = (quick_task("dominoes", 1, **small) for _ in range(2))
    assert scores(one) == scores(two)
    assert one.info.method == "MaskablePPO"


def test_draws_are_learned() -> None:
    study = quick_task("draw", 1, eval_interval=8192, eval_episodes=300, steps=8192, num_envs=256)
    first, last = study.points[0].scores["reward"], study.points[-1].scores["reward"]
    assert last > first + 0.1
