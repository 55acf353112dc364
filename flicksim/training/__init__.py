"""Training of policies by reinforcement learning with Stable-Baselines3: tasks, training runs and learning curves.

A training task is an environment with its hyperparameters and evaluation. `train` runs one and reports every point of
its learning curve. It needs the extra `learn`.
"""

from flicksim.core.errors import MissingExtra

try:
    from flicksim.training.learning_curve import CURVE, CurvePoint, CurveWriter, TrainingInfo, read_curve
    from flicksim.training.tasks import TRAINING_TASKS, TrainingTask, baseline_scores, get_task
    from flicksim.training.train import TrainedPolicy, require_sb3, train
except MissingExtra:  # of the environments, which the extra `learn` brings too
    raise MissingExtra("learning a policy", "learn") from None

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
