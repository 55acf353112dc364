"""Storage of profile and history; safe for several windows at once."""

from collections.abc import Callable
from pathlib import Path
from time import sleep

import msgspec

from flicksim.core.atomic_files import path_exists, write_atomic
from flicksim.core.errors import FileLocked, FlicksimError, InvalidInput
from flicksim.core.file_lock import FileLock
from flicksim.core.serialization import read_bytes
from flicksim.profiles import history, profile
from flicksim.profiles.history import History, HistoryEntry
from flicksim.profiles.profile import Profile

PROFILE_FILENAME, HISTORY_FILENAME = "profile.json", "history.jsonl"
_RETRY_DELAY, _MAX_RETRIES = 0.01, 20
"""Delay between attempts to lock a file that another window is writing [s], and number of attempts."""


class ProfileStore:
    """Stored profile and history of the player at this machine.

    Args:
        folder: folder of the files; it may not exist yet. None: nothing is stored, and the profile is a new one.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._is_newer_version = False
        self.warning = ""
        """Warning about a file, until `take_warning` returns it."""
        self.profile = self._read()
        self._history = self._read_history()

    @property
    def entries(self) -> tuple[HistoryEntry, ...]:
        """All entries of the history, in order."""
        return self._history.entries

    def take_warning(self) -> str:
        """Return the pending warning and clear it; empty if there is none."""
        warning, self.warning = self.warning, ""
        return warning

    # -- the profile ----------------------------------------------------------------------------------------------

    def _read(self) -> Profile:
        path = self._path(PROFILE_FILENAME)
        if path is None:
            return Profile()
        try:
            if not path_exists(path):
                return Profile()
            return profile.parse_profile(read_bytes(path), path.name)
        except profile.NewerVersion as error:
            self._is_newer_version = True
            self.warning = f"Your profile cannot be read: {error}. The file is not changed."
        except InvalidInput as error:
            self.warning = f"Your profile is reset: {error}.{_quarantine(path)}"
        return Profile()

    def update_profile(self, update: Callable[[Profile], Profile]) -> None:
        """Apply an update to the profile on the disk, which another window may have changed meanwhile.

        Raises:
            FlicksimError: it cannot be written; in memory it is changed all the same.
        """
        self.profile = update(self.profile)
        if self._folder is None or self._is_newer_version:
            return
        path = self._writable_path(PROFILE_FILENAME, "profile")
        with _acquire_lock(path):
            stored = self._read()
            if self._is_newer_version:  # a newer version has written it meanwhile
                return
            self.profile = update(stored)
            text = msgspec.json.format(msgspec.json.encode(self.profile), indent=2)
            write_atomic(path, text + b"\n")

    # -- the history ----------------------------------------------------------------------------------------------

    def _read_history(self) -> History:
        path = self._path(HISTORY_FILENAME)
        if path is None:
            return History()
        try:
            stored = history.read_history(path)
        except InvalidInput as error:
            self.warning = self.warning or f"Your history cannot be read: {error}."
            return History()
        if stored.skipped:
            skipped_lines = "1 line" if stored.skipped == 1 else f"{stored.skipped} lines"
            self.warning = (
                self.warning
                or f"{skipped_lines} of {path.name} could not be read; they stay in the file and do not count."
            )
        return stored

    def add_entry(self, entry: HistoryEntry) -> None:
        """Add an entry to the history.

        Raises:
            FlicksimError: it cannot be written; in memory it is added all the same.
        """
        self._history = History((*self._history.entries, entry), self._history.skipped)
        if self._folder is not None:
            history.append_entry(self._writable_path(HISTORY_FILENAME, "history"), entry)

    def _path(self, name: str) -> Path | None:
        return None if self._folder is None else self._folder / name

    def _writable_path(self, name: str, what: str) -> Path:
        """Path of a file whose folder is made if need be."""
        path = self._path(name)
        assert path is not None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FlicksimError(f"your {what} cannot be saved: {error.strerror}") from None
        return path


def _acquire_lock(path: Path) -> FileLock:
    """Lock a file, waiting for another window that is writing it."""
    for _ in range(_MAX_RETRIES):
        try:
            return FileLock(path)
        except FileLocked:
            sleep(_RETRY_DELAY)
    return FileLock(path)


def _quarantine(path: Path) -> str:
    """Rename a broken file to a free name; return a sentence with the new name."""
    number = 1
    try:
        while (target := path.with_name(f"{path.stem}-broken-{number}{path.suffix}")).exists():
            number += 1
        path.replace(target)
    except OSError:
        return ""
    return f" The old file is kept as {target}."
