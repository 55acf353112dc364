"""Folders of the player's files; none without a window."""

import os
from collections.abc import Callable
from pathlib import Path

from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import InvalidFile
from flicksim.core.paths import HOME_VARIABLE, DirectoryKind, user_dir

HEADLESS_DRIVERS = ("dummy", "offscreen")
"""SDL video drivers without a visible window."""
_DIGITS = 12
"""Number of digits in a name from which on the file was not numbered here."""


def user_folder(kind: DirectoryKind) -> Path | None:
    """Folder for files of a kind, which need not exist yet; None when none are to be stored.

    A window without a display (a dummy driver, as in tests) stores nothing, unless a folder is given.
    """
    if not os.environ.get(HOME_VARIABLE) and os.environ.get("SDL_VIDEODRIVER", "") in HEADLESS_DRIVERS:
        return None
    return user_dir(kind)


def ensure_folder(folder: Path) -> Path:
    """Create the folder if missing, and return it.

    Raises:
        InvalidFile: it cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidFile(f"cannot make the folder {str(folder)!r}: {os_error_message(error)}") from None
    return folder


def keep_file(
    kind: DirectoryKind, name: str, suffix: str, write: Callable[[Path], object], subfolder: str = ""
) -> Path:
    """Write a new numbered file into a folder of the player's. Return its path.

    Raises:
        InvalidFile: this window keeps no files, or it cannot be written.
    """
    folder = user_folder(kind)
    if folder is None:
        raise InvalidFile("this window keeps no files")
    path = next_free_path(ensure_folder(folder / subfolder), name, suffix)
    write(path)
    return path


def next_free_path(folder: Path, name: str, suffix: str) -> Path:
    """Path of a new file: name-0001, or the next number after the highest present."""
    taken = [path.stem.removeprefix(f"{name}-") for path in folder.glob(f"{name}-*{suffix}")]
    numbers = (number for number in taken if number.isdecimal() and number.isascii() and len(number) < _DIGITS)
    highest = max(map(int, numbers), default=0)
    return folder / f"{name}-{highest + 1:04d}{suffix}"
