"""Anything that answers a state with an action. Players see only what they are handed and import no game."""

from flicksim.players.cancellation import stop_if_cancelled, while_wanted
from flicksim.players.child import must_be_there, words_of
from flicksim.players.determinised import PONDERINGS, DeterminisedPlayer, Pondering
from flicksim.players.hand import GRADES, HANDS, STEADY, Hand, could_make, grade, name_of, unrest
from flicksim.players.own import OwnPlayer, chooses, name_of_own
from flicksim.players.program import PATIENCE, ProgramPlayer
from flicksim.players.random_player import RandomPlayer
from flicksim.players.search import THOUGHTS, Model, SearchPlayer, Thought

__all__ = [
    "GRADES", "HANDS", "PATIENCE", "PONDERINGS", "STEADY", "THOUGHTS", "DeterminisedPlayer", "Hand", "Model",
    "OwnPlayer", "Pondering", "ProgramPlayer", "RandomPlayer", "SearchPlayer", "Thought", "chooses", "could_make",
    "grade", "must_be_there", "name_of", "name_of_own", "stop_if_cancelled", "unrest", "while_wanted", "words_of",
]  # fmt: skip
