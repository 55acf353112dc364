"""Training of a policy by proximal policy optimisation (PPO), with illegal moves masked in card games."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from flicksim.core.atomic_files import open_atomic
from flicksim.core.errors import InvalidOption, MissingExtra
from flicksim.core.type_aliases import Unchecked
from flicksim.envs import shot_env, versus_env
from flicksim.training.evaluation import baseline_scores
from flicksim.training.learning_curve import CurvePoint, TrainingInfo
from flicksim.training.tasks import TrainingTask

_REQUIRED_PACKAGES = ("torch", "stable-baselines3", "sb3-contrib")


@dataclass(frozen=True, slots=True)
class TrainedPolicy:
    """A trained policy with its learning curve.

    Args:
        info: description of the run. points: of its learning curve so far. model: the policy of Stable-Baselines3.
    """

    info: TrainingInfo
    points: tuple[CurvePoint, ...]
    model: Unchecked = field(repr=False)

    def save(self, path: Path) -> None:
        """Save the policy in the library's file format, atomically.

        Raises:
            InvalidFile: it cannot be written; says why.
        """
        with open_atomic(path) as out:
            self.model.save(out)


def require_sb3() -> Unchecked:
    """Import the Stable-Baselines3 adapter.

    Raises:
        MissingExtra: the library is not installed.
    """
    try:
        return import_module("flicksim.training.sb3_adapter")
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("torch", "stable_baselines3", "sb3_contrib"):
            raise
        raise MissingExtra("learning a policy", "learn") from None


def train(
    task: TrainingTask, seed: int, *, on_start: Callable[[TrainingInfo], None] = lambda _: None,
    on_point: Callable[[TrainedPolicy], None] = lambda _: None,
) -> TrainedPolicy:  # fmt: skip
    """Train a policy on a task. The same seed gives the same curve on the same machine and versions.

    Args:
        on_start: called once with the description of the run. on_point: called at each point of the curve, with the
            policy as it is then.

    Raises:
        MissingExtra: the library is not installed. InvalidOption: no steps, or an invalid seed.
    """
    adapter = require_sb3()
    if task.steps < 1 or not 0 <= seed < 2**31:
        raise InvalidOption(f"steps={task.steps} must be 1 or more, and seed={seed} 0 to {2**31 - 1}")
    number = shot_env.VERSION if task.kind == "shot" else versus_env.VERSION
    info = TrainingInfo(
        lesson=task.name,
        seed=seed,
        steps=task.steps,
        environment=f"{task.environment}-v{number}",
        settings=dict(task.settings),
        method=adapter.algorithm_name(task),
        versions={name: _version(name) for name in ("flicksim", *_REQUIRED_PACKAGES)},
        references=baseline_scores(task, seed),
    )
    on_start(info)
    points: list[CurvePoint] = []

    def record(point: CurvePoint, model: Unchecked) -> None:
        points.append(point)
        on_point(TrainedPolicy(info, tuple(points), model))

    model = adapter.train_policy(task, seed, record)
    return TrainedPolicy(info, tuple(points), model)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
