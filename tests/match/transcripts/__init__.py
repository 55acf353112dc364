"""A short game of every kind, told in full. `python -m tests.match.transcripts` tells them anew."""

from pathlib import Path
from typing import Any

from flicksim.match import MatchLimits, transcript
from tests.matches import new_match

HERE = Path(__file__).parent
GAMES: dict[str, tuple[tuple[str, ...], dict[str, Any], int]] = {
    "penny-white": (("bot:club", "random"), {"ends": 1}, 20),
    "tiddlywinks": (("bot:beginner", "bot:club") * 2, {}, 10),
    "ice": (("bot:club", "bot:beginner"), {}, 10),
    "dominoes": (("bot:club",) * 4, {"rounds": 1}, 60),
    "tinkle": (("bot:club",) * 3, {}, 14),
}
"""Seats, options, and turns at most."""


def transcript_of(name: str) -> str:
    """The transcript of a game."""
    seats, options, turns = GAMES[name]
    match = new_match(name, *seats, seed=3, bounds=MatchLimits(turns=turns), **options)
    return "\n".join(transcript(match, list(match.run()), seats)) + "\n"
