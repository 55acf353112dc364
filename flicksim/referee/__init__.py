"""Adjudication: queries on a finished trajectory, verdicts, legal actions, and the description of a game."""

from typing import TYPE_CHECKING

from flicksim.core.deprecation import renamed_attribute
from flicksim.referee.aim_limits import (
    LAUNCH_SPEED_RANGE,
    MAX_LAUNCH_TURN,
    MIN_FLICK_SPEED,
    MIN_SQUIDGE_SPEED,
    aim_limits,
)
from flicksim.referee.challenge import (
    MAX_STARS,
    AttemptStatus,
    Challenge,
    ChallengeSource,
    CompletedAction,
    Puzzle,
    Solution,
)
from flicksim.referee.game import Game, Progress, assign_seats, check_seat_count
from flicksim.referee.game_protocols import (
    CardPositionEditor,
    CardZone,
    Counter,
    Fixture,
    PositionEditor,
    PositionNotation,
    Rules,
    ScenePositionEditor,
    TeamMatch,
)
from flicksim.referee.legal_actions import ActionField, FlickRange, LaunchRange, LegalActions, SelfReport, SquidgeRange
from flicksim.referee.options import GameOptions, Option, option_help, option_name, options_of, parse_options
from flicksim.referee.position_files import PositionFiles, UnruledPositions, no_ruling_reasons
from flicksim.referee.purpose import FlickPurposeModel, Purpose, PurposeModel, join_names
from flicksim.referee.queries import LENGTH_TOLERANCE
from flicksim.referee.rulebook import RuleEntry, load_option_help, load_rulebook
from flicksim.referee.verdict import Reason, Ruling, Verdict, top_scorers

__all__ = [
    "LAUNCH_SPEED_RANGE",
    "LENGTH_TOLERANCE",
    "MAX_LAUNCH_TURN",
    "MAX_STARS",
    "MIN_FLICK_SPEED",
    "MIN_SQUIDGE_SPEED",
    "ActionField",
    "AttemptStatus",
    "CardPositionEditor",
    "CardZone",
    "Challenge",
    "ChallengeSource",
    "CompletedAction",
    "Counter",
    "Fixture",
    "FlickPurposeModel",
    "FlickRange",
    "Game",
    "GameOptions",
    "LaunchRange",
    "LegalActions",
    "Option",
    "PositionEditor",
    "PositionFiles",
    "PositionNotation",
    "Progress",
    "Purpose",
    "PurposeModel",
    "Puzzle",
    "Reason",
    "RuleEntry",
    "Rules",
    "Ruling",
    "ScenePositionEditor",
    "SelfReport",
    "Solution",
    "SquidgeRange",
    "TeamMatch",
    "UnruledPositions",
    "Verdict",
    "aim_limits",
    "assign_seats",
    "check_seat_count",
    "join_names",
    "load_option_help",
    "load_rulebook",
    "no_ruling_reasons",
    "option_help",
    "option_name",
    "options_of",
    "parse_options",
    "top_scorers",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = renamed_attribute(__name__)
