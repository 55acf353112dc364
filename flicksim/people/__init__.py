"""People: who plays at this machine, and what they did here: files of the player's own, by which nothing is lost.

Nothing here knows a game, a window or the time of day: whoever writes a line says when that was.
"""

from flicksim.people.figures import Best, Tally, bests, days, streak, tallies
from flicksim.people.history import GameLine, History, Line, TryLine
from flicksim.people.profile import COLOURS, LONGEST, Profile, checked_name
from flicksim.people.store import Store

__all__ = [
    "COLOURS", "LONGEST", "Best", "GameLine", "History", "Line", "Profile", "Store", "Tally", "TryLine", "bests",
    "checked_name", "days", "streak", "tallies",
]  # fmt: skip
