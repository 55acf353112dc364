"""Preferences of the player and their file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from flicksim.core.atomic_files import path_exists, write_atomic
from flicksim.core.errors import InvalidInput
from flicksim.core.file_lock import FileLock
from flicksim.core.serialization import from_json, read_bytes
from flicksim.gui.toolkit.user_folders import ensure_folder, user_folder

PACES = ((1.0, "calm"), (0.45, "brisk"), (0.0, "at once"))
"""Paces: the time the others' moves stay to be seen, beside the usual."""
FILE_NAME = "settings.json"

PaletteName = Literal["dark", "light", "high-contrast", "deutan", "protan", "tritan"]
PlaybackSpeed = Literal["true speed", "slow", "very slow", "at once"]
Gesture = Literal["pull", "hold", "flick"]
Grade = Literal["beginner", "club", "expert", "world"]


class Preferences(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Preferences of the player.

    Args:
        palette: colours. scale: size of letters and buttons, beside what fits the window.
        volume: of sounds, 0 to 1. quiet: none at all. motion: how fast shots are shown.
        grade: of the bots in a quick game. hand: how steady one's own hand is where it can fail.
        four: a colour for each suit. by_suit: the hand sorted by suit, not by rank.
        pace: which of PACES the others play cards at.
        calm: as little motion as may be: nothing flies, slides or swells that teaches nothing.
        full: the window takes the whole screen. gesture: how one gives a flick.
        language: code of the words' language, as "de"; empty for the system's.
    """

    palette: PaletteName = "dark"
    scale: Annotated[float, msgspec.Meta(ge=0.7, le=2.0)] = 1.0
    volume: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 0.7
    quiet: bool = False
    motion: PlaybackSpeed = "true speed"
    grade: Grade = "club"
    hand: Literal["steady", "beginner", "club", "expert", "world"] = "club"
    four: bool = False
    by_suit: bool = False
    pace: Annotated[int, msgspec.Meta(ge=0, le=len(PACES) - 1)] = 0
    calm: bool = False
    full: bool = False
    gesture: Gesture = "pull"
    language: Annotated[str, msgspec.Meta(pattern="^([a-z]{2,3})?$")] = ""

    @property
    def turn_delay_scale(self) -> float:
        """Factor on the time that moves of others stay visible."""
        return PACES[self.pace][0]

    @property
    def effective_volume(self) -> float:
        """Volume of sounds, 0 to 1."""
        return 0.0 if self.quiet else self.volume

    def next_pace(self) -> str:
        """Switch to the next pace. Return it as text."""
        self.pace = (self.pace + 1) % len(PACES)
        return PACES[self.pace][1]


def load_preferences() -> tuple[Preferences, str]:
    """Load the saved preferences, with a message if their file was invalid.

    An invalid file is renamed, so that nothing is lost.
    """
    folder = user_folder("config")
    path = None if folder is None else folder / FILE_NAME
    if path is None:
        return Preferences(), ""
    try:
        if not path_exists(path):
            return Preferences(), ""
        return from_json(read_bytes(path), Preferences, name=FILE_NAME), ""
    except InvalidInput as wrong:
        return Preferences(), f"The usual settings are used: {wrong}.{_move_broken_file(path)}"


def _move_broken_file(path: Path) -> str:
    """Rename a broken file; return a message with its new name."""
    aside = path.with_name("settings-broken.json")
    try:
        path.replace(aside)
    except OSError:
        return ""
    return f" The old file is kept as {aside}."


def acquire_lock(*, on_acquire: bool) -> FileLock | None:
    """Lock the settings file for as long as a window is open; None when none are stored.

    Args:
        on_acquire: create the folder if need be; without it, there is nothing to lock before the folder exists.

    Raises:
        InUse: another window has it. InvalidFile: nothing can be written there.
    """
    folder = user_folder("config")
    if folder is None or not (on_acquire or folder.is_dir()):
        return None
    return FileLock(ensure_folder(folder) / FILE_NAME)


def save_preferences(preferences: Preferences) -> None:
    """Save the preferences atomically.

    Raises:
        InvalidFile: they cannot be written.
    """
    folder = user_folder("config")
    if folder is not None:
        text = msgspec.json.format(msgspec.json.encode(preferences), indent=2)
        write_atomic(ensure_folder(folder) / FILE_NAME, text + b"\n")
