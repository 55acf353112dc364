"""Preferences of the player and their file."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from flicksim.core.atomic_files import path_exists, write_atomic
from flicksim.core.errors import FileLocked, FlicksimError, InvalidFile, InvalidInput
from flicksim.core.file_lock import FileLock
from flicksim.core.serialization import from_json, read_bytes
from flicksim.gui.toolkit.user_folders import ensure_folder, user_folder

PACES = ((1.0, "calm"), (0.45, "brisk"), (0.0, "at once"))
"""Paces of card games: factor on the time for which the others' moves are shown, and name."""
FILE_NAME = "settings.json"
_SECOND_WINDOW_NOTICE = (
    "Another flicksim window is open here. You can play; settings changed in this one last until it closes."
)

PaletteName = Literal["dark", "light", "high-contrast", "deutan", "protan", "tritan"]
PlaybackSpeed = Literal["true speed", "slow", "very slow", "at once"]
Gesture = Literal["pull", "hold", "flick"]
Grade = Literal["beginner", "club", "expert", "world"]
BotGrade = Literal["adaptive", "beginner", "club", "expert", "world"]


_FILE_KEYS = {
    "reduced_motion": "calm",
    "fullscreen": "full",
    "muted": "quiet",
    "four_suit_colours": "four",
    "card_pace": "pace",
    "playback_speed": "motion",
    "bot_grade": "grade",
    "sort_by_suit": "by_suit",
}
"""Keys in the file of fields whose name differs from it."""


class Preferences(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename=_FILE_KEYS):
    """Preferences of the player.

    Args:
        palette: colours. scale: of the interface, relative to what fits the window.
        volume: of sounds, 0 to 1. muted: no sounds. playback_speed: of shots.
        bot_grade: of the bots in a quick game; adaptive: club in a game that was won, else beginner.
        hand: grade of the player's execution noise.
        four_suit_colours: a colour for each suit. sort_by_suit: sort the hand by suit, not by rank.
        card_pace: index into PACES.
        reduced_motion: no decorative animation.
        fullscreen: the window fills the screen. gesture: that releases a flick.
        language: code of the language, as "de"; empty for the system's.
    """

    palette: PaletteName = "dark"
    scale: Annotated[float, msgspec.Meta(ge=0.7, le=2.0)] = 1.0
    volume: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 0.7
    muted: bool = False
    playback_speed: PlaybackSpeed = "true speed"
    bot_grade: BotGrade = "adaptive"
    hand: Literal["steady", "beginner", "club", "expert", "world"] = "club"
    four_suit_colours: bool = False
    sort_by_suit: bool = False
    card_pace: Annotated[int, msgspec.Meta(ge=0, le=len(PACES) - 1)] = 0
    reduced_motion: bool = False
    fullscreen: bool = False
    gesture: Gesture = "pull"
    language: Annotated[str, msgspec.Meta(pattern="^([a-z]{2,3})?$")] = ""

    @property
    def turn_delay_scale(self) -> float:
        """Factor on the time that moves of others stay visible."""
        return PACES[self.card_pace][0]

    def next_pace(self) -> str:
        """Switch to the next pace. Return it as text."""
        self.card_pace = (self.card_pace + 1) % len(PACES)
        return PACES[self.card_pace][1]


def load_preferences() -> tuple[Preferences, str]:
    """Load the saved preferences, with a message if their file was invalid.

    An invalid file is renamed, not overwritten.
    """
    if (folder := user_folder("config")) is None:
        return Preferences(), ""
    path = folder / FILE_NAME
    try:
        found = from_json(read_bytes(path), Preferences, name=FILE_NAME) if path_exists(path) else Preferences()
        return found, ""
    except InvalidInput as error:
        return Preferences(), f"The usual settings are used: {error}.{_move_broken_file(path)}"


def _move_broken_file(path: Path) -> str:
    """Rename a broken file; return a message with its new name."""
    backup = path.with_name("settings-broken.json")
    try:
        path.replace(backup)
    except OSError:
        return ""
    return f" The old file is kept as {backup}."


def save_preferences(preferences: Preferences) -> None:
    """Save the preferences atomically.

    Raises:
        InvalidFile: they cannot be written.
    """
    folder = user_folder("config")
    if folder is not None:
        text = msgspec.json.format(msgspec.json.encode(preferences), indent=2)
        write_atomic(ensure_folder(folder) / FILE_NAME, text + b"\n")


class SettingsFile:
    """Settings file, locked as long as a window is open: another window reads it and saves nothing."""

    def __init__(self) -> None:
        self._lock: FileLock | None = None

    def _acquire(self, *, create_folder: bool) -> None:
        """Lock the file, if it is to be stored and its folder exists or may be created.

        Raises:
            FileLocked: another window has it. InvalidFile: nothing can be written there.
        """
        folder = user_folder("config")
        if self._lock is None and folder is not None and (create_folder or folder.is_dir()):
            self._lock = FileLock(ensure_folder(folder) / FILE_NAME)

    def open(self) -> tuple[Preferences, str]:
        """Lock the file, and load the preferences, with a message about them; empty for none."""
        try:
            self._acquire(create_folder=False)
        except FileLocked:
            return load_preferences()[0], _SECOND_WINDOW_NOTICE
        except InvalidFile:  # reported when there is something to be saved
            pass
        return load_preferences()

    def save(self, preferences: Preferences) -> str:
        """Save the preferences. Return a message if that fails."""
        try:
            self._acquire(create_folder=True)
            save_preferences(preferences)
        except FileLocked:
            return _SECOND_WINDOW_NOTICE
        except FlicksimError as error:
            return f"The settings could not be kept: {error}."
        return ""

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
