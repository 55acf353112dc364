"""Questions to a finished account, and the shape of an answer. It moves nothing and rolls no dice."""

from flicksim.referee.challenge import MOST_STARS, Came, Challenge, Challenges, Done, Puzzle, Solution
from flicksim.referee.choices import Choices, FlickRange, LaunchRange, OwnUp, Pick, SquidgeRange
from flicksim.referee.game import Game, Progress, Row, check_seats, seated
from flicksim.referee.options import Option, Switches, option_name, options_of, parse_options, says
from flicksim.referee.parts import Count, Fixture, Positions, Rules, Setting, Team
from flicksim.referee.purpose import Purpose, Purposes, listed
from flicksim.referee.reading import EPS
from flicksim.referee.verdict import Reason, Ruling, Verdict, winners

__all__ = [
    "EPS", "MOST_STARS", "Came", "Challenge", "Challenges", "Choices", "Count", "Done", "Fixture", "FlickRange",
    "Game", "LaunchRange", "Option", "OwnUp", "Pick", "Positions", "Progress", "Purpose", "Purposes", "Puzzle",
    "Reason", "Row", "Rules", "Ruling", "Setting", "Solution", "SquidgeRange", "Switches", "Team", "Verdict",
    "check_seats", "listed", "option_name", "options_of", "parse_options", "says", "seated", "winners",
]  # fmt: skip
