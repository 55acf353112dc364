"""Profile of the player at this machine, and storage of profile and history; safe for several windows at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec

from flicksim.core.atomic_files import path_exists, write_atomic
from flicksim.core.counting import count_of
from flicksim.core.errors import FlicksimError, InvalidInput
from flicksim.core.file_lock import wait_for_lock
from flicksim.core.serialization import Value, from_json, read_bytes
from flicksim.profiles import history
from flicksim.profiles.history import History, HistoryEntry

PROFILE_VERSION = 1
"""Version of the file format; increased when older versions of flicksim could not read it."""
MAX_NAME_LENGTH = 24
"""Longest name [characters]."""
_MAX_FRIENDS = 12

Colour = Literal["blue", "green", "red", "yellow"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_LENGTH)]


class Profile(Value, frozen=True, kw_only=True):
    """Profile of a player.

    Args:
        version: version of the file format. name: empty until chosen. colour: preferred colour.
        greeted: whether the player has been asked for both. lessons: games whose lesson was finished.
        played: games begun on this machine. friends: names of companions, the latest first.
    """

    version: int = PROFILE_VERSION
    name: Name = ""
    colour: Colour = "blue"
    greeted: bool = False
    lessons: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    friends: Annotated[tuple[Name, ...], msgspec.Meta(max_length=_MAX_FRIENDS)] = ()

    def __post_init__(self) -> None:
        for name in (self.name, *self.friends):
            if clean_name(name) != name:
                raise ValueError(f"name {name[:40]!r} holds what cannot be seen, or begins or ends with a space")

    def with_friend(self, name: str) -> "Profile":
        """Copy with a companion put first."""
        friends = (name, *(other for other in self.friends if other != name))[:_MAX_FRIENDS]
        return msgspec.structs.replace(self, friends=friends)


class _VersionHeader(msgspec.Struct):
    """Field that every version has."""

    version: int = PROFILE_VERSION


class NewerVersion(InvalidInput):
    """The profile was written by a newer flicksim; it must not be changed."""


def clean_name(text: str) -> str:
    """Remove unprintable characters and extra spaces from a name and cut it to length; may become empty."""
    printable = "".join(letter for letter in text if letter.isprintable())
    return " ".join(printable.split())[:MAX_NAME_LENGTH].strip()


def parse_profile(text: bytes, name: str) -> Profile:
    """Decode a profile from the text of its file.

    Raises:
        NewerVersion: a newer flicksim wrote it. InvalidInput: it is no valid profile.
    """
    try:
        version = msgspec.json.decode(text, type=_VersionHeader).version
    except (msgspec.DecodeError, UnicodeDecodeError):
        version = PROFILE_VERSION
    if version > PROFILE_VERSION:
        raise NewerVersion(
            f"{name} is of version {version}, from a newer flicksim; this one knows version {PROFILE_VERSION}"
        )
    return from_json(text, Profile, name=name)


PROFILE_FILENAME, HISTORY_FILENAME = "profile.json", "history.jsonl"
_LOCK_TRIES = 20
"""Attempts to lock a file that another window is writing."""


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
            return parse_profile(read_bytes(path), path.name)
        except NewerVersion as error:
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
        with wait_for_lock(path, _LOCK_TRIES):
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
            skipped_lines = count_of(stored.skipped, "line")
            rest = "it stays in the file and does" if stored.skipped == 1 else "they stay in the file and do"
            self.warning = self.warning or f"{skipped_lines} of {path.name} could not be read; {rest} not count."
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
