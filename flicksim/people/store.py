"""The player's files: a profile written whole, a history a line at a time. Two windows may write both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import sleep

import msgspec

from flicksim.base.codec import read_bytes
from flicksim.base.errors import BadInput, FlicksimError, InUse
from flicksim.base.files import there, write_aside
from flicksim.base.lock import Lock
from flicksim.people import history, profile
from flicksim.people.history import History, Line
from flicksim.people.profile import Profile

PROFILE, HISTORY = "profile.json", "history.jsonl"
_PATIENCE, _WAITS = 0.01, 20
"""Wait between two looks at a file that another window is just writing [s], and the number of looks."""


class Store:
    """The files of the player at this machine.

    Args:
        folder: where they lie; it need not be there yet. None: nothing is kept, and all is as for somebody new.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._newer = False
        self.amiss = ""
        """A sentence about what was wrong with a file, until somebody has been told."""
        self.profile = self._read()
        self._history = self._past()

    @property
    def lines(self) -> tuple[Line, ...]:
        """All that was done here, in order."""
        return self._history.lines

    def told(self) -> str:
        """Take the message there is to tell, once; empty where all is well."""
        amiss, self.amiss = self.amiss, ""
        return amiss

    # -- the profile ----------------------------------------------------------------------------------------------

    def _read(self) -> Profile:
        path = self._path(PROFILE)
        if path is None:
            return Profile()
        try:
            if not there(path):
                return Profile()
            return profile.read(read_bytes(path), path.name)
        except profile.Newer as wrong:
            self._newer = True
            self.amiss = f"Your name is not known here: {wrong}. The file is left as it is, and nothing is added to it."
        except BadInput as wrong:
            self.amiss = f"Your name is asked anew: {wrong}.{_aside(path)}"
        return Profile()

    def change(self, how: Callable[[Profile], Profile]) -> None:
        """Change the profile as it stands on the disk, where another window may have changed it since.

        Raises:
            FlicksimError: it cannot be written; for this window it is changed all the same.
        """
        path = self._path(PROFILE)
        if path is None or self._newer:
            self.profile = how(self.profile)
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            self.profile = how(self.profile)
            raise FlicksimError(f"your profile cannot be kept: {wrong.strerror}") from None
        try:
            with _locked(path):
                kept = self._read()
                if self._newer:  # another window has grown newer meanwhile
                    self.profile = how(self.profile)
                    return
                self.profile = how(kept)
                text = msgspec.json.format(msgspec.json.encode(self.profile), indent=2)
                write_aside(path, text + b"\n")
        except FlicksimError:
            self.profile = how(self.profile)
            raise

    # -- the history ----------------------------------------------------------------------------------------------

    def _past(self) -> History:
        path = self._path(HISTORY)
        if path is None:
            return History()
        try:
            found = history.read(path)
        except BadInput as wrong:
            self.amiss = self.amiss or f"What you did before cannot be read: {wrong}."
            return History()
        if found.skipped:
            many = "1 line" if found.skipped == 1 else f"{found.skipped} lines"
            self.amiss = self.amiss or f"{many} of {path.name} could not be read and stay there uncounted."
        return found

    def note(self, line: Line) -> None:
        """Add a line to what was done here.

        Raises:
            FlicksimError: it cannot be written; this window counts it all the same.
        """
        self._history = History((*self._history.lines, line), self._history.skipped)
        path = self._path(HISTORY)
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            raise FlicksimError(f"what you did cannot be kept: {wrong.strerror}") from None
        history.append(path, line)

    def _path(self, name: str) -> Path | None:
        return None if self._folder is None else self._folder / name


def _locked(path: Path) -> Lock:
    """The right to write it, waiting for another window that is just doing so."""
    for _ in range(_WAITS):
        try:
            return Lock(path)
        except InUse:
            sleep(_PATIENCE)
    return Lock(path)


def _aside(path: Path) -> str:
    """Put a broken file aside under a name that is free; says where it went."""
    number = 1
    try:
        while (aside := path.with_name(f"{path.stem}-broken-{number}{path.suffix}")).exists():
            number += 1
        path.replace(aside)
    except OSError:
        return ""
    return f" The old file is kept as {aside}."
