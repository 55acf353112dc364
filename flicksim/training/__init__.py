"""Training of policies by reinforcement learning with Stable-Baselines3: tasks, training runs and learning curves.

A training task is an environment with its hyperparameters and evaluation. `train` runs one and reports every point of
its learning curve. It needs the extra `learn`; tasks and learning curves do not.
"""

from typing import NoReturn

from flicksim.core.errors import MissingExtra
from flicksim.training.learning_curve import CURVE, CurvePoint, CurveWriter, TrainingInfo, read_curve
from flicksim.training.tasks import TRAINING_TASKS, TrainingTask, get_task

try:
    from flicksim.training.evaluation import baseline_scores
    from flicksim.training.train import TrainedPolicy, require_sb3, train
except MissingExtra:  # of the environments, which the extra `learn` brings too

    def __getattr__(name: str) -> NoReturn:
        if name in __all__:
            raise MissingExtra("learning a policy", "learn")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "CURVE",
    "TRAINING_TASKS",
    "CurvePoint",
    "CurveWriter",
    "TrainedPolicy",
    "TrainingInfo",
    "TrainingTask",
    "baseline_scores",
    "get_task",
    "read_curve",
    "require_sb3",
    "train",
]  # fmt: skip
