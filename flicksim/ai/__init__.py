"""Players: execution noise, random, heuristic, lookahead and rollout players, programs, and position evaluation."""

import typing

from flicksim.ai.cancellation import cancel_unless as cancel_unless
from flicksim.ai.cancellation import report_progress_to as report_progress_to
from flicksim.ai.cancellation import report_shots as report_shots
from flicksim.ai.cancellation import stop_if_cancelled as stop_if_cancelled
from flicksim.ai.evaluation import BATCH_TRIES as BATCH_TRIES
from flicksim.ai.evaluation import MIN_TRIES as MIN_TRIES
from flicksim.ai.evaluation import CandidateValue as CandidateValue
from flicksim.ai.evaluation import Evaluation as Evaluation
from flicksim.ai.evaluation import EvaluationInterrupted as EvaluationInterrupted
from flicksim.ai.evaluation import SearchConfig as SearchConfig
from flicksim.ai.evaluation import SuccessiveElimination as SuccessiveElimination
from flicksim.ai.evaluation import TooFewShots as TooFewShots
from flicksim.ai.evaluation import ValueEstimate as ValueEstimate
from flicksim.ai.evaluation import ValueMap as ValueMap
from flicksim.ai.evaluation import best_candidates as best_candidates
from flicksim.ai.evaluation import compute_value_map as compute_value_map
from flicksim.ai.evaluation import estimate_value as estimate_value
from flicksim.ai.evaluation import evaluate as evaluate
from flicksim.ai.evaluation import paired_difference as paired_difference
from flicksim.ai.evaluation import split_batches as split_batches
from flicksim.ai.evaluation import wilson_interval as wilson_interval
from flicksim.ai.evaluation import within_execution_noise as within_execution_noise
from flicksim.ai.evaluation import z_score as z_score
from flicksim.ai.execution_noise import GRADES as GRADES
from flicksim.ai.execution_noise import NO_NOISE as NO_NOISE
from flicksim.ai.execution_noise import NOISE_LEVELS as NOISE_LEVELS
from flicksim.ai.execution_noise import ExecutionNoise as ExecutionNoise
from flicksim.ai.execution_noise import could_result_from as could_result_from
from flicksim.ai.execution_noise import grade_name as grade_name
from flicksim.ai.execution_noise import hold_time_noise_factor as hold_time_noise_factor
from flicksim.ai.execution_noise import noise_named as noise_named
from flicksim.ai.execution_noise import parse_grade as parse_grade
from flicksim.ai.model_error import ModelError as ModelError
from flicksim.ai.model_error import ModelErrorTable as ModelErrorTable
from flicksim.ai.model_error import model_error_at as model_error_at
from flicksim.ai.players import EPSILONS as EPSILONS
from flicksim.ai.players import LOOKAHEAD_CONFIGS as LOOKAHEAD_CONFIGS
from flicksim.ai.players import ForwardModel as ForwardModel
from flicksim.ai.players import HeuristicPlayer as HeuristicPlayer
from flicksim.ai.players import LookaheadConfig as LookaheadConfig
from flicksim.ai.players import LookaheadPlayer as LookaheadPlayer
from flicksim.ai.players import RandomPlayer as RandomPlayer
from flicksim.ai.players import RolloutPlayer as RolloutPlayer
from flicksim.ai.players import flick_in_range as flick_in_range
from flicksim.ai.players import sample_flick as sample_flick
from flicksim.ai.python_player import AbsentPlayer as AbsentPlayer
from flicksim.ai.python_player import PythonPlayer as PythonPlayer
from flicksim.ai.python_player import as_choose_function as as_choose_function
from flicksim.ai.python_player import player_name as player_name
from flicksim.ai.rollouts import DiscSimulator as DiscSimulator
from flicksim.ai.rollouts import RolloutContext as RolloutContext
from flicksim.ai.rollouts import RolloutModel as RolloutModel
from flicksim.ai.rollouts import RolloutOutcomes as RolloutOutcomes
from flicksim.ai.subprocess_client import require_executable as require_executable
from flicksim.ai.subprocess_client import split_command as split_command
from flicksim.ai.subprocess_player import DEFAULT_TIME_LIMIT as DEFAULT_TIME_LIMIT
from flicksim.ai.subprocess_player import SubprocessPlayer as SubprocessPlayer
from flicksim.ai.subprocess_player import describe_decision as describe_decision
from flicksim.core import exports

if not typing.TYPE_CHECKING:
    __all__ = exports.exported_names(__name__)
