"""The likings of the player at this window, and the file that remembers them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from flicksim.base.codec import from_json, read_bytes
from flicksim.base.errors import BadInput
from flicksim.base.files import there, write_aside
from flicksim.base.lock import Lock
from flicksim.ui.kit.places import made, place

PACES = ((1.0, "calm"), (0.45, "brisk"), (0.0, "at once"))
"""Paces: the time the others' moves stay to be seen, beside the usual."""
FILE = "settings.json"

Look = Literal["dark", "light", "high-contrast", "deutan", "protan", "tritan"]
Showing = Literal["true speed", "slow", "very slow", "at once"]
Gesture = Literal["pull", "hold", "flick"]
Grade = Literal["beginner", "club", "expert", "world"]


class Preferences(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Likings.

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

    palette: Look = "dark"
    scale: Annotated[float, msgspec.Meta(ge=0.7, le=2.0)] = 1.0
    volume: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 0.7
    quiet: bool = False
    motion: Showing = "true speed"
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
    def wait(self) -> float:
        """Share of the usual time that moves of others stay."""
        return PACES[self.pace][0]

    @property
    def loud(self) -> float:
        """Loudness of sounds, 0 to 1."""
        return 0.0 if self.quiet else self.volume

    def faster(self) -> str:
        """The next pace. Returns it in words."""
        self.pace = (self.pace + 1) % len(PACES)
        return PACES[self.pace][1]


def remembered() -> tuple[Preferences, str]:
    """The settings of the last time, and a sentence about what was wrong with their file, if anything was.

    A file that cannot be used is kept beside it under another name, so that nothing is lost.
    """
    folder = place("config")
    path = None if folder is None else folder / FILE
    if path is None:
        return Preferences(), ""
    try:
        if not there(path):
            return Preferences(), ""
        return from_json(read_bytes(path), Preferences, name=FILE), ""
    except BadInput as wrong:
        return Preferences(), f"The usual settings are used: {wrong}.{_aside(path)}"


def _aside(path: Path) -> str:
    """Put a broken file aside; says where it went."""
    aside = path.with_name("settings-broken.json")
    try:
        path.replace(aside)
    except OSError:
        return ""
    return f" The old file is kept as {aside}."


def claimed(*, begin: bool) -> Lock | None:
    """The right to write the settings down, for as long as a window is open; None when none are kept.

    Args:
        begin: make their folder if need be; without, there is nothing to claim before there are any.

    Raises:
        InUse: another window has it. BadFile: nothing can be written there.
    """
    folder = place("config")
    if folder is None or not (begin or folder.is_dir()):
        return None
    return Lock(made(folder) / FILE)


def remember(preferences: Preferences) -> None:
    """Write the settings down, whole or not at all.

    Raises:
        BadFile: they cannot be written.
    """
    folder = place("config")
    if folder is not None:
        text = msgspec.json.format(msgspec.json.encode(preferences), indent=2)
        write_aside(made(folder) / FILE, text + b"\n")
