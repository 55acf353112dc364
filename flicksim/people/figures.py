"""Sums over the lines of a history: bests, games won by opponent, pots, days in a row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from flicksim.people.history import GameLine, Line, TryLine


@dataclass(frozen=True, slots=True)
class Best:
    """The best of somebody at a challenge.

    Args:
        stars: most. tries: how many there were. measure: best, in `unit`; None: nothing was measured.
    """

    stars: int
    tries: int
    measure: float | None = None
    unit: str = ""

    def words(self) -> str:
        """The measure in words; empty where there is none."""
        return "" if self.measure is None else f"{self.measure:g} {self.unit}"


@dataclass(frozen=True, slots=True)
class Tally:
    """Games of somebody, in sum.

    Args:
        played: how many. won: of these, a shared win counting in part. tried, made: pots.
    """

    played: int = 0
    won: float = 0.0
    tried: int = 0
    made: int = 0

    def plus(self, line: GameLine) -> Tally:
        """With one more."""
        return Tally(self.played + 1, self.won + line.share, self.tried + line.tried, self.made + line.made)


def bests(lines: Iterable[Line], who: str) -> dict[str, Best]:
    """The best at each challenge, by its name."""
    found: dict[str, Best] = {}
    for line in lines:
        if not isinstance(line, TryLine) or line.who != who:
            continue
        old = found.get(line.challenge, Best(0, 0))
        measure = old.measure
        if line.measure is not None:
            pair = [line.measure] if measure is None else [line.measure, measure]
            measure = max(pair) if line.more else min(pair)
        found[line.challenge] = Best(max(old.stars, line.stars), old.tries + 1, measure, line.unit or old.unit)
    return found


def tallies(lines: Iterable[Line], who: str) -> dict[tuple[str, str], Tally]:
    """Games by game and by opponent."""
    found: dict[tuple[str, str], Tally] = {}
    for line in lines:
        if isinstance(line, GameLine) and line.who == who:
            key = (line.game, line.against)
            found[key] = found.get(key, Tally()).plus(line)
    return found


def days(lines: Iterable[Line], who: str) -> frozenset[date]:
    """The days whose daily challenge was done."""
    found = set()
    for line in lines:
        if isinstance(line, TryLine) and line.who == who and line.daily is not None and line.stars:
            try:
                found.add(date.fromisoformat(line.daily))
            except ValueError:  # as the 30th of February
                continue
    return frozenset(found)


def streak(done: frozenset[date], today: date) -> int:
    """Days in a row up to today, or to yesterday while today's is not done. Days still to come count nothing: the
    clock of a machine may have been ahead."""
    day = today if today in done else today - timedelta(days=1)
    count = 0
    while day in done:
        count, day = count + 1, day - timedelta(days=1)
    return count
