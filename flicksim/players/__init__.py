"""Anything that answers a state with an action. Players see only what they are handed and import no game."""

from flicksim.players.cancellation import stop_if_cancelled, while_wanted
from flicksim.players.child import must_be_there, words_of
from flicksim.players.hand import GRADES, HANDS, STEADY, Hand, could_make, grade, name_of, unrest
from flicksim.players.model_error import Measured, ModelError, measured_error
from flicksim.players.outlook import Future, Means, Outcomes, Slide
from flicksim.players.own import Absent, OwnPlayer, chooses, name_of_own
from flicksim.players.program import PATIENCE, ProgramPlayer
from flicksim.players.progress import tell_settled, while_heard
from flicksim.players.random_player import RandomPlayer
from flicksim.players.search import THOUGHTS, Model, SearchPlayer, Thought
from flicksim.players.thumb import SLIPS, ThumbPlayer
from flicksim.players.weigher import (
    ENOUGH,
    LEAST,
    Chart,
    CutShort,
    Depth,
    Race,
    TooFewShots,
    Weighed,
    Weighing,
    Worth,
    best_plans,
    chart,
    gained,
    one_idea,
    parts_of,
    weigh,
    worth_of,
)
from flicksim.players.weighing_player import WeighingPlayer

__all__ = [
    "ENOUGH", "GRADES", "HANDS", "LEAST", "PATIENCE", "SLIPS", "STEADY", "THOUGHTS", "Absent", "Chart", "CutShort",
    "Depth", "Future", "Hand", "Means", "Measured", "Model", "ModelError", "Outcomes", "OwnPlayer", "ProgramPlayer",
    "Race", "RandomPlayer", "SearchPlayer", "Slide", "Thought", "ThumbPlayer", "TooFewShots", "Weighed", "Weighing",
    "WeighingPlayer", "Worth", "best_plans", "chart", "chooses", "could_make", "gained", "grade", "measured_error",
    "must_be_there", "name_of", "name_of_own", "one_idea", "parts_of", "stop_if_cancelled", "tell_settled", "unrest",
    "weigh", "while_heard", "while_wanted", "words_of", "worth_of",
]  # fmt: skip
