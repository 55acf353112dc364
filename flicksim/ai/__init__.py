"""Players: execution noise, random, heuristic, lookahead and rollout players, programs, and position evaluation."""

from flicksim.ai.cancellation import cancel_unless, stop_if_cancelled
from flicksim.ai.evaluation import (
    BATCH_TRIES,
    MIN_TRIES,
    CandidateValue,
    Evaluation,
    EvaluationInterrupted,
    SearchConfig,
    SuccessiveElimination,
    TooFewShots,
    ValueEstimate,
    ValueMap,
    best_candidates,
    compute_value_map,
    estimate_value,
    evaluate,
    paired_difference,
    split_batches,
    wilson_interval,
    within_execution_noise,
)
from flicksim.ai.execution_noise import (
    GRADES,
    NO_NOISE,
    NOISE_LEVELS,
    ExecutionNoise,
    could_result_from,
    grade_name,
    hold_time_noise_factor,
    noise_named,
    parse_grade,
)
from flicksim.ai.heuristic_player import EPSILONS, HeuristicPlayer
from flicksim.ai.lookahead_player import LOOKAHEAD_CONFIGS, ForwardModel, LookaheadConfig, LookaheadPlayer
from flicksim.ai.model_error import ModelError, ModelErrorTable, model_error_at
from flicksim.ai.progress import report_progress_to, report_shots
from flicksim.ai.python_player import AbsentPlayer, PythonPlayer, as_choose_function, player_name
from flicksim.ai.random_player import RandomPlayer, sample_flick
from flicksim.ai.rollout_player import RolloutPlayer
from flicksim.ai.rollouts import DiscSimulator, RolloutContext, RolloutModel, RolloutOutcomes
from flicksim.ai.subprocess_client import require_executable, split_command
from flicksim.ai.subprocess_player import DEFAULT_TIME_LIMIT, SubprocessPlayer, describe_decision

__all__ = [
    "BATCH_TRIES",
    "DEFAULT_TIME_LIMIT",
    "EPSILONS",
    "GRADES",
    "LOOKAHEAD_CONFIGS",
    "MIN_TRIES",
    "NOISE_LEVELS",
    "NO_NOISE",
    "AbsentPlayer",
    "CandidateValue",
    "DiscSimulator",
    "Evaluation",
    "EvaluationInterrupted",
    "ExecutionNoise",
    "ForwardModel",
    "HeuristicPlayer",
    "LookaheadConfig",
    "LookaheadPlayer",
    "ModelError",
    "ModelErrorTable",
    "PythonPlayer",
    "RandomPlayer",
    "RolloutContext",
    "RolloutModel",
    "RolloutOutcomes",
    "RolloutPlayer",
    "SearchConfig",
    "SubprocessPlayer",
    "SuccessiveElimination",
    "TooFewShots",
    "ValueEstimate",
    "ValueMap",
    "as_choose_function",
    "best_candidates",
    "cancel_unless",
    "compute_value_map",
    "could_result_from",
    "describe_decision",
    "estimate_value",
    "evaluate",
    "grade_name",
    "hold_time_noise_factor",
    "model_error_at",
    "noise_named",
    "paired_difference",
    "parse_grade",
    "player_name",
    "report_progress_to",
    "report_shots",
    "require_executable",
    "sample_flick",
    "split_batches",
    "split_command",
    "stop_if_cancelled",
    "wilson_interval",
    "within_execution_noise",
]  # fmt: skip
