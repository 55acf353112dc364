"""Challenges: those of every game, one for each day, and tries at them, judged by the games' own referees.

No clock and no window is known here: whoever asks for the one of a day says which day.
"""

from flicksim.challenges.shelf import Posed, daily, every, find
from flicksim.challenges.trying import Outcome, laid, stood, tried

__all__ = ["Outcome", "Posed", "daily", "every", "find", "laid", "stood", "tried"]
