"""With the library there: the same seed is the same curve, and something is learned. Skipped without the extra."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flicksim.lab.learn import Study, learn, lesson_of

pytest.importorskip("sb3_contrib")
pytestmark = pytest.mark.filterwarnings("ignore")


def quick(name: str, seed: int, **more: Any) -> Study:
    """A lesson cut short."""
    return learn(replace(lesson_of(name), **{"every": 512, "asked": 20, "steps": 1024, "envs": 64, **more}), seed)


def scores(study: Study) -> list[tuple[int, dict[str, float]]]:
    """A curve without its times."""
    return [(point.steps, point.scores) for point in study.points]


def test_the_same_seed_is_the_same_curve_of_shots() -> None:
    one, two, other = (scores(quick("draw", seed, asked=200)) for seed in (1, 1, 2))
    assert one == two != other
    assert [steps for steps, _ in one] == [0, 512, 1024]


def test_the_same_seed_is_the_same_curve_of_games() -> None:
    small = {"envs": 2, "rollout": 64, "every": 128, "steps": 256, "asked": 4}
    one, two = (quick("dominoes", 1, **small) for _ in range(2))
    assert scores(one) == scores(two)
    assert one.course.method == "MaskablePPO"


def test_draws_are_learned() -> None:
    study = quick("draw", 1, every=8192, asked=300, steps=8192, envs=256)
    first, last = study.points[0].scores["reward"], study.points[-1].scores["reward"]
    assert last > first + 0.1
