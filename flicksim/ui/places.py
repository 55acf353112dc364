"""Where the player's own files lie: settings, games, pictures. Nothing is touched when nobody is at the window."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import platformdirs

from flicksim.base.errors import BadFile

HOME = "FLICKSIM_HOME"
"""Environment variable: a folder that holds everything instead of the places the system keeps for it."""
_DIGITS = 12
"""What has so many digits in its name, or more, was not numbered here."""
Kind = Literal["config", "data", "pictures"]


def place(kind: Kind) -> Path | None:
    """The folder for files of a kind, which need not be there yet; None when none are to be kept.

    A window that nobody sees (a dummy driver, as in tests) keeps nothing, unless it is told where.
    """
    home = os.environ.get(HOME)
    if home:
        return Path(home) / kind
    if os.environ.get("SDL_VIDEODRIVER", "") in ("dummy", "offscreen"):
        return None
    match kind:
        case "config":
            return platformdirs.user_config_path("flicksim", appauthor=False)
        case "data":
            return platformdirs.user_data_path("flicksim", appauthor=False)
        case "pictures":
            return platformdirs.user_pictures_path() / "flicksim"


def made(folder: Path) -> Path:
    """The folder, made if need be.

    Raises:
        BadFile: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadFile(f"cannot make the folder {str(folder)!r}: {(wrong.strerror or str(wrong)).lower()}") from None
    return folder


def numbered(folder: Path, name: str, ending: str) -> Path:
    """A file that is not there yet: name-0001, or the next number after the highest there is."""
    taken = [path.stem.removeprefix(f"{name}-") for path in folder.glob(f"{name}-*{ending}")]
    plain = (number for number in taken if number.isdecimal() and number.isascii() and len(number) < _DIGITS)
    most = max(map(int, plain), default=0)
    return folder / f"{name}-{most + 1:04d}{ending}"
