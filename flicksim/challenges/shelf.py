"""All challenges there are, found by the games' folders as games are; and the one of a day, made from its date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from flicksim.base.errors import BadOption
from flicksim.base.seeding import Seeds
from flicksim.games import load, names
from flicksim.referee import Challenge, Game

DAILY = "daily"


@dataclass(frozen=True, slots=True)
class Posed:
    """A challenge of a game.

    Args:
        day: of a daily one.
    """

    game: Game
    challenge: Challenge
    day: date | None = None

    @property
    def name(self) -> str:
        """As written in the shell and kept with its results: "GAME/NAME"."""
        return f"{self.game.name}/{self.challenge.name}"


def every(games: Sequence[Game] | None = None) -> tuple[Posed, ...]:
    """The challenges that are shipped, by game, easiest first. Of those games; of all without."""
    found = [load(name) for name in names()] if games is None else games
    return tuple(
        Posed(game, challenge)
        for game in found
        if game.challenges is not None
        for challenge in game.challenges.shipped()
    )


@lru_cache(maxsize=32)
def daily(day: date) -> Posed:
    """The challenge of a day: the same on every machine."""
    dice = Seeds(seed=day.toordinal()).child(DAILY).generator()
    games = [game for game in map(load, names()) if game.challenges is not None]
    game = games[int(dice.integers(len(games)))]
    assert game.challenges is not None
    return Posed(game, game.challenges.drawn(dice, f"{DAILY}-{day.isoformat()}"), day)


def find(name: str) -> Posed:
    """The challenge called "GAME/NAME", or "daily-YEAR-MONTH-DAY"; the game may be left out where one has that name.

    Raises:
        BadOption: there is none; says what there is.
    """
    short = name.rpartition("/")[2]
    if short.startswith(f"{DAILY}-"):
        try:
            return daily(date.fromisoformat(short.removeprefix(f"{DAILY}-")))
        except ValueError:
            raise BadOption(f"no day {short!r}; a daily challenge is called like 'daily-2025-01-31'") from None
    found = [one for one in every() if name in (one.name, one.challenge.name)]
    if not found:
        raise BadOption(f"no challenge {name!r}; there are {', '.join(one.name for one in every())}")
    return found[0]
