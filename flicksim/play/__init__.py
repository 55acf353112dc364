"""The one loop, and the door where the wings are joined. It knows every room below and no window."""

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
