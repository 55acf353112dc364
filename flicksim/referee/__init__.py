"""Questions to a finished account, and the shape of an answer. It moves nothing and rolls no dice."""

from flicksim.referee.game import (
    Choices,
    FlickRange,
    Game,
    LaunchRange,
    Option,
    OwnUp,
    Pick,
    Progress,
    Row,
    SquidgeRange,
    check_seats,
    options_of,
    parse_options,
    says,
    seated,
)
from flicksim.referee.verdict import Reason, Ruling, Verdict, winners

__all__ = [
    "Choices",
    "FlickRange",
    "Game",
    "LaunchRange",
    "Option",
    "OwnUp",
    "Pick",
    "Progress",
    "Reason",
    "Row",
    "Ruling",
    "SquidgeRange",
    "Verdict",
    "check_seats",
    "options_of",
    "parse_options",
    "says",
    "seated",
    "winners",
]
