"""Statistics over the history: bests, wins by opponent, pots, streaks of days."""

from __future__ import annotations

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

    def with_game(self, line: GameEntry) -> GameTally:
        """Totals with one more game."""
        return GameTally(
            self.played + 1, self.won + line.share, self.pots_tried + line.tried, self.pots_made + line.made
        )


def best_attempts(lines: Iterable[HistoryEntry], player: str) -> dict[str, BestAttempt]:
    """Best result of a player at each challenge, by its name."""
    bests: dict[str, BestAttempt] = {}
    for line in lines:
        if not isinstance(line, AttemptEntry) or line.who != player:
            continue
        best = bests.get(line.challenge, BestAttempt(0, 0))
        measure = best.measure
        if line.measure is not None:
            candidates = [line.measure] if measure is None else [line.measure, measure]
            measure = max(candidates) if line.more else min(candidates)
        bests[line.challenge] = BestAttempt(
            max(best.stars, line.stars), best.attempts + 1, measure, line.unit or best.unit
        )
    return bests


def game_tallies(lines: Iterable[HistoryEntry], player: str) -> dict[tuple[str, str], GameTally]:
    """Totals of a player by game and opponent."""
    tallies: dict[tuple[str, str], GameTally] = {}
    for line in lines:
        if isinstance(line, GameEntry) and line.who == player:
            key = (line.game, line.against)
            tallies[key] = tallies.get(key, GameTally()).with_game(line)
    return tallies


def daily_challenge_dates(lines: Iterable[HistoryEntry], player: str) -> frozenset[date]:
    """Dates whose daily challenge a player has solved."""
    dates = set()
    for line in lines:
        if isinstance(line, AttemptEntry) and line.who == player and line.daily is not None and line.stars:
            try:
                dates.add(date.fromisoformat(line.daily))
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
