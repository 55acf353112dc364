"""History of games played and challenges tried, one JSON line each; its statistics: bests, wins, streaks of days."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from errno import ENOSPC
from pathlib import Path
from typing import Annotated

import msgspec

from flicksim.core.atomic_files import os_error_message, path_exists
from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.core.limits import MAX_LINE_BYTES, MAX_RECORD_BYTES, Name, Text
from flicksim.core.serialization import Value, from_json, read_bytes, to_json

DateText = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
CountNumber = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class GameEntry(Value, frozen=True, kw_only=True, tag="game", tag_field="line", omit_defaults=True):
    """A finished game.

    Args:
        day: local date. who: name of the player. game: name.
        against: strongest opponent: a bot's grade, "random", or "friends". share: 1 won, 1/2 shared, 0 lost.
        tried, made: pots tried and made, in games with a pot.
    """

    day: DateText
    who: Name
    game: Name
    against: Name
    share: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
    tried: CountNumber = 0
    made: CountNumber = 0


class AttemptEntry(Value, frozen=True, kw_only=True, tag="try", tag_field="line", omit_defaults=True):
    """An attempt at a challenge.

    Args:
        day, who: as in a game. challenge: its name. tried: number of the attempt, from 1. stars: 0 if not solved.
        measure: measured value, in `unit`; None: nothing is measured. more: whether a larger measure is better.
        says: its status in a sentence. daily: date of a daily challenge. told: the solution was told after it; the
            line stands for that alone.
    """

    day: DateText
    who: Name
    challenge: Name
    tried: CountNumber
    stars: Annotated[int, msgspec.Meta(ge=0, le=3)]
    measure: float | None = None
    unit: Name = ""
    more: bool = False
    says: Text = ""
    daily: DateText | None = None
    told: bool = False


HistoryEntry = GameEntry | AttemptEntry


@dataclass(frozen=True, slots=True)
class History:
    """History as read from its file.

    Args:
        entries: in order. skipped: number of lines that could not be read: cut off, damaged, or of a newer flicksim.
    """

    entries: tuple[HistoryEntry, ...] = ()
    skipped: int = 0


def read_history(path: Path) -> History:
    """Read the entries of a file; none if there is no file. Unreadable lines are skipped, and stay in the file.

    Raises:
        InvalidFile: the file itself cannot be read.
    """
    if not path_exists(path):
        return History()
    entries: list[HistoryEntry] = []
    skipped = 0
    for raw in read_bytes(path, MAX_RECORD_BYTES).split(b"\n"):
        if not raw.strip() or len(raw) > MAX_LINE_BYTES:
            continue
        try:
            entries.append(from_json(raw, HistoryEntry, name=path.name))  # type: ignore[arg-type]
        except InvalidInput:
            skipped += 1
    return History(tuple(entries), skipped)


def append_entry(path: Path, entry: HistoryEntry) -> None:
    """Append an entry in one write, on a line of its own even after a line that was cut off.

    Raises:
        InvalidFile: it cannot be written.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            size = os.fstat(handle).st_size
            is_cut_off = size > 0 and _last_byte(handle, size) != b"\n"
            text = (b"\n" if is_cut_off else b"") + to_json(entry) + b"\n"
            if os.write(handle, text) < len(text):
                raise OSError(ENOSPC, os.strerror(ENOSPC))
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise InvalidFile(f"cannot write {str(path)!r}: {os_error_message(error)}") from None


def _last_byte(handle: int, size: int) -> bytes:
    """Read the last byte of an open file."""
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1)


@dataclass(frozen=True, slots=True)
class BestAttempt:
    """Best result of a player at a challenge.

    Args:
        stars: most stars earned. attempts: number of attempts. measure: best measure, in `unit`; None: none was taken.
        is_told: its solution was told.
    """

    stars: int
    attempts: int
    measure: float | None = None
    unit: str = ""
    is_told: bool = False

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
            max(best.stars, entry.stars),
            best.attempts + (not entry.told),
            measure,
            entry.unit or best.unit,
            best.is_told or entry.told,
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
    """Dates whose daily challenge a player has solved without having been told its solution."""
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
