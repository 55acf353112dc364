"""Training tasks: evaluation, heuristic baselines, learning curves."""

import importlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from shlex import quote
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from flicksim import training
from flicksim.core.errors import InvalidFile, InvalidInput, InvalidOption, MissingExtra
from flicksim.training import CURVE, TRAINING_TASKS, CurvePoint, baseline_scores, get_task, read_curve, train
from flicksim.training.evaluation import heuristic_actions, make_shot_env, win_share
from tests.cli_runner import invoke
from tests.python_process import run_code

POINTS = tuple(CurvePoint(steps=100 * k, seconds=float(k), scores={"potted": 0.1 * k}, asked=7) for k in range(3))


def fake_train_policy(lesson: Any, seed: int, reached: Any) -> Any:
    """Stands in for the library: reaches three points."""
    del lesson, seed
    model = SimpleNamespace()
    for point in POINTS:
        model.save = lambda out, steps=point.steps: out.write(b"a policy of %d steps" % steps)
        reached(point, model)
    return model


@pytest.fixture
def teacher(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A library that is there."""
    found = SimpleNamespace(train_policy=fake_train_policy, algorithm_name=lambda lesson: f"by heart, {lesson.name}")
    monkeypatch.setitem(sys.modules, "flicksim.training.sb3_adapter", found)
    study = importlib.import_module("flicksim.training.train")
    monkeypatch.setattr(study, "baseline_scores", lambda *_: {"potted": {"random": 0.01, "rule of thumb": 0.7}})
    return found


def small_task(name: str, episodes: int, **more: Any) -> Any:
    """Task with few evaluation episodes."""
    return replace(get_task(name, **more), eval_episodes=episodes)


@pytest.mark.parametrize(("name", "least"), [("pot", 0.8), ("squop", 0.1), ("draw", 0.6)])
def test_heuristic_shots_are_good(name: str, least: float) -> None:
    lesson = small_task(name, 60, hand="steady")
    ((experiment, scores),) = baseline_scores(lesson, 1).items()
    assert experiment == {"pot": "potted", "squop": "squopped", "draw": "reward"}[name]
    assert scores["random"] < 0.1
    assert scores["rule of thumb"] > least
    assert baseline_scores(lesson, 1)[experiment] == scores


def test_execution_noise_worsens_heuristic_shots() -> None:
    steady, beginner = (
        baseline_scores(small_task("draw", 200, hand=hand), 1)["reward"] for hand in ("steady", "beginner")
    )
    assert beginner["rule of thumb"] < steady["rule of thumb"] - 0.2


def test_heuristic_actions_are_within_bounds() -> None:
    for name in ("pot", "squop", "draw"):
        lesson = small_task(name, 30)
        observation, _ = make_shot_env(lesson, 30).reset(seed=3)
        actions = heuristic_actions(lesson, observation)
        assert actions.shape == (30, 4)
        assert np.abs(actions).max() <= 1.0


def test_baselines_of_games_by_opponent() -> None:
    found = baseline_scores(small_task("dominoes", 12), 1)
    assert list(found) == ["won against random", "won against bot:club"]
    for scores in found.values():
        assert list(scores) == ["random", "bot:club"]
        assert all(0.0 <= score <= 1.0 for score in scores.values())


def test_a_shared_win_is_a_part_of_one() -> None:
    match = SimpleNamespace(winners=(0, 2))
    assert [win_share(match, seat) for seat in range(3)] == [0.5, 0.0, 0.5]  # type: ignore[arg-type]


def test_invalid_tasks_are_refused() -> None:
    for name, more, message in (
        ("lob", {}, "no task 'lob'; there are pot, squop, draw, dominoes, tinkle"),
        ("pot", {"opponent": "random"}, "opponent 'random' does not apply: a pot is made alone"),
        ("dominoes", {"hand": "club"}, "hand 'club' does not apply: nothing is flicked in dominoes"),
        ("pot", {"hand": "god"}, "no grade 'god'"),
        ("dominoes", {"opponent": "god"}, "no seat 'god'"),
    ):
        with pytest.raises(InvalidOption, match=message):
            get_task(name, **more)
    assert get_task("pot", hand="steady", steps=7).settings["execution_noise"] is None
    assert TRAINING_TASKS["pot"].settings["execution_noise"] == "club"


@pytest.mark.usefixtures("teacher")
def test_a_curve_is_written_point_by_point(tmp_path: Path) -> None:
    stored = []
    with training.CurveWriter(tmp_path / "pots" / CURVE) as keeper:

        def told(policy: training.TrainedPolicy) -> None:
            keeper.write(policy.points[-1])
            stored.append((keeper.point_count, len((tmp_path / "pots" / CURVE).read_text().splitlines())))

        study = train(get_task("pot", steps=300), 4, on_start=keeper.write, on_point=told)
    assert stored == [(1, 2), (2, 3), (3, 4)]
    course, points = read_curve(tmp_path / "pots")
    assert (course, points) == (study.info, study.points)
    assert (course.seed, course.steps, course.method) == (4, 300, "by heart, pot")
    assert course.environment == "flicksim/Pot-v1"
    assert points == POINTS


def test_invalid_curves_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match=r"curve\.jsonl"):
        read_curve(tmp_path)
    (tmp_path / CURVE).write_text("")
    with pytest.raises(InvalidFile, match="is empty; it must hold a learning curve"):
        read_curve(tmp_path)
    with pytest.raises(InvalidFile, match="is there already; choose another folder"):
        training.CurveWriter(tmp_path / CURVE)
    (tmp_path / CURVE).write_text('{"lesson": 3}\n')
    with pytest.raises(InvalidInput):
        read_curve(tmp_path)


@pytest.mark.usefixtures("teacher")
def test_the_command_saves_curve_and_policy(tmp_path: Path) -> None:
    process = invoke("train", "pot", "--seed", "3", "--steps", "200", "--out", tmp_path / "a", "--json")
    assert process.stderr.startswith("Each score is of 1000 shots.\npotted: random 0.010, rule of thumb 0.700\n")
    found = json.loads(process.stdout)
    assert found["course"]["seed"] == 3
    assert len(found["points"]) == 3
    assert (tmp_path / "a" / "policy.zip").read_text() == "a policy of 200 steps"
    assert read_curve(found["curve"])[1] == POINTS


@pytest.mark.parametrize("reached_points", [0, 1])
def test_ctrl_c_keeps_the_curve_and_the_policy_so_far(
    tmp_path: Path, teacher: SimpleNamespace, reached_points: int
) -> None:
    def stopped(lesson: Any, seed: int, reached: Any) -> Any:
        del lesson, seed
        for point in POINTS[:reached_points]:
            reached(point, SimpleNamespace(save=lambda out: out.write(b"a policy")))
        raise KeyboardInterrupt

    teacher.train_policy = stopped
    told = " ".join(invoke("train", "pot", "--out", tmp_path, code=1).output.split())
    assert f"Stopped with {reached_points} point" in told
    assert read_curve(tmp_path)[1] == POINTS[:reached_points]
    policy, is_saved = tmp_path / "policy.zip", bool(reached_points)
    assert (policy.name in told, policy.exists()) == (is_saved, is_saved)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_the_command_lists_tasks() -> None:
    process = invoke("train", "--json")
    assert [one["name"] for one in json.loads(process.stdout)] == list(TRAINING_TASKS)
    assert "dominoes" in invoke("train").output


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delitem(sys.modules, "flicksim.training.sb3_adapter", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(
        MissingExtra, match=r"learning a policy needs the extra 'learn': .+ -m pip install 'flicksim\[learn\]'"
    ):
        train(get_task("pot"), 1)
    process = invoke("train", "pot", "--out", tmp_path / "none", code=None)
    assert isinstance(process.exception, MissingExtra)
    assert not (tmp_path / "none").exists()


def test_without_extras_tasks_are_listed_and_training_names_the_one_it_needs() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; from flicksim.cli import main; sys.exit(main())"
    assert "dominoes" in run_code(code, "train").stdout
    process = run_code(code, "train", "pot", "--out", "none", status=2)
    install = f"{quote(sys.executable)} -m pip install 'flicksim[learn]'"
    assert process.stderr == f"flicksim: learning a policy needs the extra 'learn': {install}\n"
    code = "import sys; sys.modules['gymnasium'] = None; import flicksim.envs"
    process = run_code(code, status=1)
    assert "MissingExtra: an environment for learning agents needs the extra 'env'" in process.stderr
