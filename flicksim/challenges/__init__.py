"""Challenges of every game: registry, daily challenge, attempts.

They read no clock: the caller of `daily_challenge` gives the date.
"""

from typing import TYPE_CHECKING

from flicksim.challenges.attempts import AttemptResult, attempt_status, run_attempts, start_attempt
from flicksim.challenges.registry import (
    DAILY_ENTRIES,
    ChallengeEntry,
    all_challenges,
    daily_challenge,
    daily_puzzle,
    find_challenge,
)
from flicksim.core.deprecation import renamed_attribute

__all__ = [
    "DAILY_ENTRIES",
    "AttemptResult",
    "ChallengeEntry",
    "all_challenges",
    "attempt_status",
    "daily_challenge",
    "daily_puzzle",
    "find_challenge",
    "run_attempts",
    "start_attempt",
]

if not TYPE_CHECKING:
    __getattr__ = renamed_attribute(__name__)
