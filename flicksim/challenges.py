"""Challenges of every game: registry with plug-in discovery, daily challenge, attempts by a bot.

They read no clock: the caller of `daily_challenge` gives the date.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from math import gcd
from typing import TYPE_CHECKING

import msgspec

from flicksim.core.deprecation import renamed_attribute
from flicksim.core.errors import FlicksimError, InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.suggestions import did_you_mean
from flicksim.games import load, names
from flicksim.match import Match, SeatLike, Turn, open_match
from flicksim.referee import AttemptStatus, Challenge, Game

__all__ = [
    "DAILY_ENTRIES", "AttemptResult", "ChallengeEntry", "all_challenges", "attempt_status", "daily_challenge",
    "daily_puzzle", "find_challenge", "run_attempts", "start_attempt",
]  # fmt: skip

_DAILY = "daily"
"""Stream of the daily challenge, and prefix of its name in records."""


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

    @property
    def title(self) -> str:
        """Title for people; of a daily one with what it is."""
        if self.day is None:
            return self.challenge.title
        kind = "challenge" if self.challenge.solution is None else "puzzle"
        return f"The {kind} of the day: {self.challenge.title}"


def all_challenges(games: Sequence[Game] | None = None) -> tuple[ChallengeEntry, ...]:
    """Built-in challenges by game, easiest first; `games` None: of every game."""
    return _shipped_challenges() if games is None else _challenges_of(games)


@cache
def _shipped_challenges() -> tuple[ChallengeEntry, ...]:
    """Built-in challenges of every game, made once: those of puzzles are told from their positions."""
    return _challenges_of([load(name) for name in names()])


def _challenges_of(games: Sequence[Game]) -> tuple[ChallengeEntry, ...]:
    return tuple(
        ChallengeEntry(game, challenge)
        for game in games
        if game.challenges is not None
        for challenge in game.challenges.builtin()
    )


@lru_cache(maxsize=32)
def daily_challenge(day: date) -> ChallengeEntry:
    """Daily challenge of a date, the same on every machine."""
    rng = RandomStreams(seed=day.toordinal()).spawn(_DAILY).generator()
    games = [
        (game, generate)
        for game in map(load, names())
        if game.challenges is not None and (generate := game.challenges.generate) is not None
    ]
    game, generate = games[int(rng.integers(len(games)))]
    return ChallengeEntry(game, generate(rng, f"{_DAILY}-{day.isoformat()}"), day)


@lru_cache(maxsize=32)
def daily_puzzle(day: date) -> ChallengeEntry:
    """Puzzle of a date: the games that have puzzles take turns, and each goes through its own."""
    by_game: dict[str, list[ChallengeEntry]] = {}
    for entry in all_challenges():
        if entry.challenge.solution is not None:
            by_game.setdefault(entry.game.name, []).append(entry)
    games = list(by_game.values())
    turn, number = divmod(day.toordinal(), len(games))
    puzzles = games[number]
    # steps of the golden section, rounded to be prime to the number: the days do not go from easy to hard
    step = next(k for k in range(round(0.618 * len(puzzles)), 2 * len(puzzles) + 2) if gcd(k, len(puzzles)) == 1)
    return replace(puzzles[turn * step % len(puzzles)], day=day)


DAILY_ENTRIES: Mapping[str, Callable[[date], ChallengeEntry]] = {
    "daily-challenge": daily_challenge, "daily-puzzle": daily_puzzle,
}  # fmt: skip
"""Entries of each day, by name."""


def find_challenge(name: str) -> ChallengeEntry:
    """Find a challenge by "GAME/NAME", by NAME alone, or one of a day.

    Those of a day are "daily-challenge-YEAR-MONTH-DAY" (also "daily-YEAR-MONTH-DAY") and "daily-puzzle-...".

    Raises:
        InvalidOption: there is none; names close ones.
    """
    short = name.rpartition("/")[2]
    for kind in (*DAILY_ENTRIES, _DAILY):
        if short.startswith(f"{kind}-"):
            try:
                find = DAILY_ENTRIES.get(kind, daily_challenge)
                return find(date.fromisoformat(short.removeprefix(f"{kind}-")))
            except ValueError:
                raise InvalidOption(f"no day {short!r}; those of a day are named like '{kind}-2025-01-31'") from None
    found = [entry for entry in all_challenges() if name in (entry.name, entry.challenge.name)]
    if not found:
        close = did_you_mean(short, (*DAILY_ENTRIES, *(entry.challenge.name for entry in all_challenges())))
        raise InvalidOption(f"no challenge {name!r}; flicksim challenges lists them{close}")
    return found[0]


# -- attempts ------------------------------------------------------------------------------------------------------


class AttemptResult(Value, frozen=True, kw_only=True):
    """Result of one or more attempts at a challenge.

    Args:
        challenge: its name. tries: number of attempts. done: whether the last one solved it. stars: stars earned.
        measure: measure of the last attempt, in `unit`. text: its status in a sentence. shots: its number of turns.
    """

    challenge: str
    tries: int
    done: bool
    stars: int
    measure: float | None = None
    unit: str = ""
    text: str = msgspec.field(default="", name="says")
    shots: int = 0


def start_attempt(entry: ChallengeEntry, player: SeatLike = "human", seed: int = 0) -> Match:
    """Start an attempt: a match at the position of the challenge, with one player at all seats, or at the one to play
    where the challenge has an opponent."""
    challenge, state = entry.challenge, entry.challenge.initial_state()
    own = entry.game.rules.to_play(state)
    players = [player if seat == own else challenge.opponent or player for seat in range(challenge.seats)]
    match = open_match(entry.game, challenge.options, players, seed)
    match.set_opening(state)
    return match


def attempt_status(entry: ChallengeEntry, turns: Sequence[Turn]) -> AttemptStatus:
    """Status of an attempt after these turns."""
    return entry.challenge.judge(turns)


def run_attempts(entry: ChallengeEntry, player: str, seed: int, max_attempts: int = 1) -> AttemptResult:
    """Let a bot attempt a challenge until it is solved, at most `max_attempts` times.

    Args:
        player: the bot, as "bot:club". seed: seed of the first attempt; later ones count up.

    Raises:
        FlicksimError: the challenge has no turn to play.
    """
    status, match, count = AttemptStatus(), None, 0
    for count in range(1, max_attempts + 1):
        match = start_attempt(entry, player, seed + count - 1)
        status = _play_attempt(entry, match)
        if status.is_solved:
            break
    return AttemptResult(
        challenge=entry.name, tries=count, done=status.is_solved, stars=entry.challenge.stars(status, count),
        measure=status.measure, unit=entry.challenge.unit, text=status.text, shots=len(match.turns) if match else 0,
    )  # fmt: skip


def _play_attempt(entry: ChallengeEntry, match: Match) -> AttemptStatus:
    """Play one attempt to its end."""
    challenge, status = entry.challenge, AttemptStatus()
    while not status.is_over and not match.is_over:
        if challenge.policy is None:
            match.play(match.ask_player())
        else:
            rng = match.streams.spawn("plan", len(match.turns)).generator()
            match.play(challenge.policy(match.state, rng))
        status = attempt_status(entry, match.turns)
    if not match.turns:
        raise FlicksimError(f"{entry.name!r} cannot be tried: nobody is to play there")
    return status


if not TYPE_CHECKING:
    __getattr__ = renamed_attribute(__name__)
