"""Folders: of the user's own files (settings, games, pictures, what is kept to save time), and of the shipped ones."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Literal

import platformdirs

from flicksim.base.errors import BadInput

HOME = "FLICKSIM_HOME"
"""Environment variable: a folder that holds the user's files instead of the places the system keeps for them."""
CACHE = "FLICKSIM_CACHE"
"""Environment variable: a folder for what is kept only to save time, wherever the user's files are."""
Kind = Literal["config", "data", "pictures", "cache"]


def own_place(kind: Kind) -> Path | None:
    """The folder for the user's files of a kind, which need not be there yet; None for a user who has no home.

    Raises:
        BadInput: `FLICKSIM_HOME`, or `FLICKSIM_CACHE`, is not the whole path of a folder.
    """
    variable = CACHE if kind == "cache" else HOME
    if chosen := os.environ.get(variable):
        if not Path(chosen).is_absolute():
            raise BadInput(
                f"{variable}={chosen!r} must be a whole path, from the root on: it would follow the folder "
                "one happens to be in"
            )
        return Path(chosen) if kind == "cache" else Path(chosen) / kind
    try:
        found = _system_place(kind)
    except RuntimeError:
        return None
    return found if found.is_absolute() else None  # else a "~" that stands for nothing


def _system_place(kind: Kind) -> Path:
    """The folder the system keeps for files of a kind."""
    match kind:
        case "config":
            return platformdirs.user_config_path("flicksim", appauthor=False)
        case "data":
            return platformdirs.user_data_path("flicksim", appauthor=False)
        case "cache":
            return platformdirs.user_cache_path("flicksim", appauthor=False)
        case "pictures":
            return platformdirs.user_pictures_path() / "flicksim"


def private(folder: Path, within: Path) -> Path:
    """The folder, made if need be, for the user alone, as all between it and `within`, which is made likewise.

    Raises:
        OSError: it cannot be made.
    """
    if folder != within:
        private(folder.parent, within)
    else:
        folder.parent.mkdir(parents=True, exist_ok=True)
    if not folder.exists():
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def untrusted(folder: Path, within: Path) -> str:
    """The reason why somebody else could have put files into a folder that is there; empty if nobody could.

    All in it must be the user's own, and closed to others' writing where they can enter it; it itself and all up to
    `within` likewise, whoever can enter.
    Those above must be the user's or root's, and others may write there only where they cannot rename what is not
    theirs, as in a common folder for temporary files. Where files have no such owners (Windows) all is trusted.
    """
    if not hasattr(os, "getuid"):
        return ""
    user, folder, within = os.getuid(), folder.resolve(), within.resolve()
    for path in (folder, *folder.parents):
        found = path.stat()
        above = not path.is_relative_to(within)
        if found.st_uid != user and not (above and found.st_uid == 0):
            return f"{str(path)!r} belongs to another user"
        open_to = stat.S_IWOTH if above else stat.S_IWOTH | stat.S_IWGRP
        if found.st_mode & open_to and not (above and found.st_mode & stat.S_ISVTX):
            return f"others may write to {str(path)!r}"
    entered = folder.stat().st_mode & (stat.S_IXOTH | stat.S_IXGRP)
    for path in folder.rglob("*"):
        found = path.lstat()
        if found.st_uid != user:
            return f"{str(path)!r} belongs to another user"
        if entered and found.st_mode & (stat.S_IWOTH | stat.S_IWGRP) and not stat.S_ISLNK(found.st_mode):
            return f"others may write to {str(path)!r}"
    return ""


_PACKAGE = Path(__file__).resolve().parents[1]


def assets() -> Path:
    """The folder of shipped files."""
    installed = _PACKAGE / "_assets"
    return installed if installed.is_dir() else _PACKAGE.parent / "assets"


def at_hand(path: Path) -> Path:
    """A path, or what is shipped under it where nothing else is called so: `assets/scenes/draw.json` goes anywhere."""
    if path.parts[:1] == ("assets",) and not path.exists():
        shipped = assets().joinpath(*path.parts[1:])
        if shipped.exists():
            return shipped
    return path
