"""Challenge registry: plug-in discovery and the daily challenge."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from flicksim.core.errors import InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.games import load, names
from flicksim.referee import Challenge, Game

DAILY = "daily"


@dataclass(frozen=True, slots=True)
class ChallengeEntry:
    """A challenge together with its game.

    Args:
        day: date of a daily challenge; None for others.
    """

    game: Game
    challenge: Challenge
    day: date | None = None

    @property
    def name(self) -> str:
        """Name in commands and results: "GAME/NAME"."""
        return f"{self.game.name}/{self.challenge.name}"


def all_challenges(games: Sequence[Game] | None = None) -> tuple[ChallengeEntry, ...]:
    """Built-in challenges by game, easiest first; `games` None: of every game."""
    chosen = [load(name) for name in names()] if games is None else games
    return tuple(
        ChallengeEntry(game, challenge)
        for game in chosen
        if game.challenges is not None
        for challenge in game.challenges.builtin()
    )


@lru_cache(maxsize=32)
def daily_challenge(day: date) -> ChallengeEntry:
    """Daily challenge of a date, the same on every machine."""
    rng = RandomStreams(seed=day.toordinal()).spawn(DAILY).generator()
    games = [game for game in map(load, names()) if game.challenges is not None]
    game = games[int(rng.integers(len(games)))]
    assert game.challenges is not None
    return ChallengeEntry(game, game.challenges.generate(rng, f"{DAILY}-{day.isoformat()}"), day)


def find_challenge(name: str) -> ChallengeEntry:
    """Find a challenge by "GAME/NAME", by NAME alone, or by "daily-YEAR-MONTH-DAY".

    Raises:
        InvalidOption: there is none; lists those there are.
    """
    short = name.rpartition("/")[2]
    if short.startswith(f"{DAILY}-"):
        try:
            return daily_challenge(date.fromisoformat(short.removeprefix(f"{DAILY}-")))
        except ValueError:
            raise InvalidOption(f"no day {short!r}; a daily challenge is named like 'daily-2025-01-31'") from None
    found = [entry for entry in all_challenges() if name in (entry.name, entry.challenge.name)]
    if not found:
        raise InvalidOption(f"no challenge {name!r}; there are {', '.join(entry.name for entry in all_challenges())}")
    return found[0]
