"""Profile and history of the player at this machine, stored in the user's files.

They depend on no game and no window and read no clock: the caller gives the date of an entry.
"""

from flicksim.profiles.history import (
    AttemptEntry,
    BestAttempt,
    GameEntry,
    GameTally,
    History,
    HistoryEntry,
    best_attempts,
    current_streak,
    daily_challenge_dates,
    game_tallies,
)
from flicksim.profiles.profile_store import COLOURS, MAX_NAME_LENGTH, Profile, ProfileStore, clean_name

__all__ = [
    "COLOURS",
    "MAX_NAME_LENGTH",
    "AttemptEntry",
    "BestAttempt",
    "GameEntry",
    "GameTally",
    "History",
    "HistoryEntry",
    "Profile",
    "ProfileStore",
    "best_attempts",
    "clean_name",
    "current_streak",
    "daily_challenge_dates",
    "game_tallies",
]  # fmt: skip
