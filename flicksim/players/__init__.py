"""Anything that answers a state with an action. Players see only what they are handed and import no game."""

from flicksim.players.determinised import PONDERINGS, DeterminisedPlayer, Pondering
from flicksim.players.hand import GRADES, Hand, grade
from flicksim.players.own import OwnPlayer
from flicksim.players.program import ProgramPlayer
from flicksim.players.random_player import RandomPlayer
from flicksim.players.search import Model, SearchPlayer, Thought

__all__ = [
    "GRADES",
    "PONDERINGS",
    "DeterminisedPlayer",
    "Hand",
    "Model",
    "OwnPlayer",
    "Pondering",
    "ProgramPlayer",
    "RandomPlayer",
    "SearchPlayer",
    "Thought",
    "grade",
]
