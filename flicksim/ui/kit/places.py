"""Folders of the player's own files. Nothing is touched when nobody is at the window."""

from __future__ import annotations

import os
from pathlib import Path

from flicksim.base.errors import BadFile
from flicksim.base.files import reason
from flicksim.base.places import HOME, Kind, own_place

UNSEEN = ("dummy", "offscreen")
"""Drivers of windows that nobody sees."""
_DIGITS = 12
"""Number of digits in a name from which on the file was not numbered here."""


def place(kind: Kind) -> Path | None:
    """The folder for files of a kind, which need not be there yet; None when none are to be kept.

    A window that nobody sees (a dummy driver, as in tests) keeps nothing, unless it is told where.
    """
    if not os.environ.get(HOME) and os.environ.get("SDL_VIDEODRIVER", "") in UNSEEN:
        return None
    return own_place(kind)


def made(folder: Path) -> Path:
    """The folder, made if need be.

    Raises:
        BadFile: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadFile(f"cannot make the folder {str(folder)!r}: {reason(wrong)}") from None
    return folder


def numbered(folder: Path, name: str, ending: str) -> Path:
    """A file that is not there yet: name-0001, or the next number after the highest there is."""
    taken = [path.stem.removeprefix(f"{name}-") for path in folder.glob(f"{name}-*{ending}")]
    plain = (number for number in taken if number.isdecimal() and number.isascii() and len(number) < _DIGITS)
    most = max(map(int, plain), default=0)
    return folder / f"{name}-{most + 1:04d}{ending}"
