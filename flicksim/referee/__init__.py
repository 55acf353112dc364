"""Adjudication: queries on a finished trajectory, verdicts, legal actions, and the description of a game."""

import typing

from flicksim.core import deprecation, exports
from flicksim.referee.challenge import MAX_STARS as MAX_STARS
from flicksim.referee.challenge import AttemptStatus as AttemptStatus
from flicksim.referee.challenge import Challenge as Challenge
from flicksim.referee.challenge import ChallengeSource as ChallengeSource
from flicksim.referee.challenge import CompletedAction as CompletedAction
from flicksim.referee.challenge import Policy as Policy
from flicksim.referee.challenge import Puzzle as Puzzle
from flicksim.referee.challenge import Solution as Solution
from flicksim.referee.game import Game as Game
from flicksim.referee.game import Progress as Progress
from flicksim.referee.game import assign_seats as assign_seats
from flicksim.referee.game import check_seat_count as check_seat_count
from flicksim.referee.game_protocols import CardPositionEditor as CardPositionEditor
from flicksim.referee.game_protocols import CardZone as CardZone
from flicksim.referee.game_protocols import Counter as Counter
from flicksim.referee.game_protocols import Fixture as Fixture
from flicksim.referee.game_protocols import PositionEditor as PositionEditor
from flicksim.referee.game_protocols import PositionNotation as PositionNotation
from flicksim.referee.game_protocols import Rules as Rules
from flicksim.referee.game_protocols import ScenePositionEditor as ScenePositionEditor
from flicksim.referee.game_protocols import TeamMatch as TeamMatch
from flicksim.referee.game_protocols import TeamScore as TeamScore
from flicksim.referee.legal_actions import LAUNCH_SPEED_RANGE as LAUNCH_SPEED_RANGE
from flicksim.referee.legal_actions import MAX_LAUNCH_TURN as MAX_LAUNCH_TURN
from flicksim.referee.legal_actions import MAX_NAIL_OFFSET as MAX_NAIL_OFFSET
from flicksim.referee.legal_actions import MIN_FLICK_SPEED as MIN_FLICK_SPEED
from flicksim.referee.legal_actions import MIN_SQUIDGE_SPEED as MIN_SQUIDGE_SPEED
from flicksim.referee.legal_actions import ActionField as ActionField
from flicksim.referee.legal_actions import FlickRange as FlickRange
from flicksim.referee.legal_actions import LaunchRange as LaunchRange
from flicksim.referee.legal_actions import LegalActions as LegalActions
from flicksim.referee.legal_actions import SelfReport as SelfReport
from flicksim.referee.legal_actions import SquidgeRange as SquidgeRange
from flicksim.referee.legal_actions import aim_limits as aim_limits
from flicksim.referee.options import GameOptions as GameOptions
from flicksim.referee.options import Option as Option
from flicksim.referee.options import option_help as option_help
from flicksim.referee.options import option_name as option_name
from flicksim.referee.options import options_of as options_of
from flicksim.referee.options import parse_options as parse_options
from flicksim.referee.position_files import PositionFiles as PositionFiles
from flicksim.referee.position_files import UnruledPositions as UnruledPositions
from flicksim.referee.position_files import no_ruling_reasons as no_ruling_reasons
from flicksim.referee.purpose import FlickPurposeModel as FlickPurposeModel
from flicksim.referee.purpose import Purpose as Purpose
from flicksim.referee.purpose import PurposeModel as PurposeModel
from flicksim.referee.purpose import join_names as join_names
from flicksim.referee.queries import LENGTH_TOLERANCE as LENGTH_TOLERANCE
from flicksim.referee.rulebook import RuleEntry as RuleEntry
from flicksim.referee.rulebook import load_option_help as load_option_help
from flicksim.referee.rulebook import load_rulebook as load_rulebook
from flicksim.referee.rulebook import load_texts as load_texts
from flicksim.referee.verdict import Reason as Reason
from flicksim.referee.verdict import Ruling as Ruling
from flicksim.referee.verdict import Verdict as Verdict
from flicksim.referee.verdict import top_scorers as top_scorers

if not typing.TYPE_CHECKING:
    __all__ = exports.exported_names(__name__)
    __getattr__ = deprecation.renamed_attribute(__name__)
