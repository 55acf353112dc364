"""Statistics over the history: bests, wins by opponent, pots, streaks of days."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from flicksim.profiles.history import AttemptEntry, GameEntry, HistoryEntry


@dataclass(frozen=True, slots=True)
class BestAttempt:
    """Best result of a player at a challenge.

    Args:
        stars: most stars earned. attempts: number of attempts. measure: best measure, in `unit`; None: none was taken.
    """

    stars: int
    attempts: int
    measure: float | None = None
    unit: str = ""

    def format_measure(self) -> str:
        """Format the measure with its unit; empty if there is none."""
        return "" if self.measure is None else f"{self.measure:g} {self.unit}"


@dataclass(frozen=True, slots=True)
class GameTally:
    """Totals over games of a player.

    Args:
        played: number of games. won: number won, a shared win counting in part. pots_tried, pots_made: pots in all.
    """

    played: int = 0
    won: float = 0.0
    pots_tried: int = 0
    pots_made: int = 0

    def with_game(self, entry: GameEntry) -> "GameTally":
        """Totals with one more game."""
        return GameTally(
            self.played + 1, self.won + entry.share, self.pots_tried + entry.tried, self.pots_made + entry.made
        )


def best_attempts(entries: Iterable[HistoryEntry], player: str) -> dict[str, BestAttempt]:
    """Best result of a player at each challenge, by its name."""
    bests: dict[str, BestAttempt] = {}
    for entry in entries:
        if not isinstance(entry, AttemptEntry) or entry.who != player:
            continue
        best = bests.get(entry.challenge, BestAttempt(0, 0))
        measure = best.measure
        if entry.measure is not None:
            candidates = [entry.measure] if measure is None else [entry.measure, measure]
            measure = max(candidates) if entry.more else min(candidates)
        bests[entry.challenge] = BestAttempt(
            max(best.stars, entry.stars), best.attempts + 1, measure, entry.unit or best.unit
        )
    return bests


def game_tallies(entries: Iterable[HistoryEntry], player: str) -> dict[tuple[str, str], GameTally]:
    """Totals of a player by game and opponent."""
    tallies: dict[tuple[str, str], GameTally] = {}
    for entry in entries:
        if isinstance(entry, GameEntry) and entry.who == player:
            key = (entry.game, entry.against)
            tallies[key] = tallies.get(key, GameTally()).with_game(entry)
    return tallies


def daily_challenge_dates(entries: Iterable[HistoryEntry], player: str) -> frozenset[date]:
    """Dates whose daily challenge a player has solved."""
    dates = set()
    for entry in entries:
        if isinstance(entry, AttemptEntry) and entry.who == player and entry.daily is not None and entry.stars:
            try:
                dates.add(date.fromisoformat(entry.daily))
            except ValueError:  # the pattern of dates admits 30 February
                continue
    return frozenset(dates)


def current_streak(completed: frozenset[date], today: date) -> int:
    """Number of consecutive days up to today, or to yesterday while today's is not done.

    Future dates do not count: a clock may have been ahead.
    """
    day = today if today in completed else today - timedelta(days=1)
    count = 0
    while day in completed:
        count, day = count + 1, day - timedelta(days=1)
    return count
