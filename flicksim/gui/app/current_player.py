"""Current player of the window: profile and recording of results."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date

import msgspec

from flicksim import profiles
from flicksim.ai import GRADES
from flicksim.challenges import ChallengeEntry
from flicksim.core.errors import FlicksimError
from flicksim.gui.toolkit import user_folder
from flicksim.referee import AttemptStatus


def profile_store() -> profiles.ProfileStore:
    """Profile store of the player; without files if the window is not visible."""
    folder = user_folder("data")
    return profiles.ProfileStore(None if folder is None else folder / "player")


class CurrentPlayer:
    """The player at the window.

    Args:
        store: the profile's files. show_notice: shows a message about what could not be written.
    """

    def __init__(self, store: profiles.ProfileStore, show_notice: Callable[[str], None]) -> None:
        self._store, self._show_notice = store, show_notice
        self._history_cache: tuple[tuple[int, str], tuple[profiles.HistoryEntry, ...]] = ((-1, ""), ())
        if warning := store.take_warning():
            show_notice(warning)

    @property
    def profile(self) -> profiles.Profile:
        """Profile: name, colour and the games already begun."""
        return self._store.profile

    @property
    def name(self) -> str:
        """Name of the player; empty while none is set."""
        return self.profile.name

    @property
    def history(self) -> tuple[profiles.HistoryEntry, ...]:
        """All entries of the player, with those from before a name was set."""
        entries, name = self._store.entries, self.name
        if self._history_cache[0] != (len(entries), name):
            own = (entry if entry.who else msgspec.structs.replace(entry, who=name) for entry in entries)
            self._history_cache = ((len(entries), name), tuple(own))
        return self._history_cache[1]

    def best_results(self) -> dict[str, profiles.BestAttempt]:
        """Best attempt by challenge."""
        return profiles.best_attempts(self.history, self.name)

    def streak(self, today: date) -> int:
        """Number of consecutive days with the daily challenge solved."""
        return profiles.current_streak(profiles.daily_challenge_dates(self.history, self.name), today)

    def next_attempt(self, entry: ChallengeEntry) -> int:
        """Number of the next attempt at a challenge: it goes on from the last one, and is 1 after one with stars."""
        own = (line for line in reversed(self.history) if isinstance(line, profiles.AttemptEntry))
        tried = (line for line in own if (line.who, line.challenge) == (self.name, entry.name) and not line.told)
        last = next(tried, None)
        return 1 if last is None or last.stars else last.tried + 1

    def record_attempt(
        self, entry: ChallengeEntry, status: AttemptStatus, attempts: int, stars: int, *, is_told: bool = False
    ) -> None:
        """Record an attempt at a challenge, or that its solution was told after it."""
        challenge, daily = entry.challenge, None if entry.day is None else str(entry.day)
        self._append(profiles.AttemptEntry(
            day=_today(), who=self.name, challenge=entry.name, tried=attempts, stars=stars, measure=status.measure,
            unit=challenge.unit, more=challenge.objective == "more", daily=daily, told=is_told,
        ))  # fmt: skip

    def record_game(
        self, game: str, opponent: str, win_share: float, pot_counts: tuple[int, int], *, profile_name: str
    ) -> None:
        """Record a finished game; pots are those tried and made."""
        tried, made = pot_counts
        self._append(profiles.GameEntry(
            day=_today(), who=profile_name, game=game, against=opponent, share=win_share, tried=tried, made=made,
        ))  # fmt: skip

    def is_new_to(self, game: str) -> bool:
        """True if the player has never begun this game."""
        return game not in self.profile.played

    def has_won(self, game: str) -> bool:
        """True if the player has won this game against bots with a grade."""
        won = (entry for entry in self.history if isinstance(entry, profiles.GameEntry) and entry.share == 1.0)
        return any((entry.who, entry.game) == (self.name, game) and entry.against in GRADES for entry in won)

    def record_start(self, game: str) -> None:
        """Record that a game was begun."""
        if self.is_new_to(game):
            self.update_profile(lambda profile: msgspec.structs.replace(profile, played=(*profile.played, game)))

    def record_lesson(self, game: str) -> None:
        """Record that the lesson of a game was completed."""
        if game not in self.profile.lessons:
            self.update_profile(lambda profile: msgspec.structs.replace(profile, lessons=(*profile.lessons, game)))

    def update_profile(self, change: Callable[[profiles.Profile], profiles.Profile]) -> None:
        """Change the profile; show a notice if it cannot be saved."""
        with self._failures_shown():
            self._store.update_profile(change)

    def _append(self, entry: profiles.HistoryEntry) -> None:
        with self._failures_shown():
            self._store.add_entry(entry)

    @contextmanager
    def _failures_shown(self) -> Iterator[None]:
        """Show a notice of what cannot be saved within the context."""
        try:
            yield
        except FlicksimError as error:
            self._show_notice(error.sentence)


def _today() -> str:
    return date.today().isoformat()
