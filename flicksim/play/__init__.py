"""The one loop, the record of it, and the door where table wing and card wing are joined."""

from flicksim.play.match import Match, Player, Rules, Stage, Turn
from flicksim.play.open_match import Seat, open_match, parse_seat

__all__ = [
    "Match",
    "Player",
    "Rules",
    "Seat",
    "Stage",
    "Turn",
    "open_match",
    "parse_seat",
]
