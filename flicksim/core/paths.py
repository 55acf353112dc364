"""Paths of user data, configuration and cache, and of the shipped assets."""

import os
import stat
from pathlib import Path
from typing import Literal

import platformdirs

from flicksim.core.errors import InvalidInput

HOME_VARIABLE = "FLICKSIM_HOME"
"""Environment variable: a folder that holds the user's files instead of the platform's folders."""
CACHE_VARIABLE = "FLICKSIM_CACHE"
"""Environment variable: a folder for cached files, which takes precedence over `FLICKSIM_HOME`."""
DirectoryKind = Literal["config", "data", "pictures", "cache"]


def user_dir(kind: DirectoryKind) -> Path | None:
    """Folder of the user's files of a kind, which may not exist yet; None for a user without a home folder.

    Raises:
        InvalidInput: `FLICKSIM_HOME`, or `FLICKSIM_CACHE`, is not an absolute path.
    """
    variable = CACHE_VARIABLE if kind == "cache" else HOME_VARIABLE
    if chosen := os.environ.get(variable):
        if not Path(chosen).is_absolute():
            raise InvalidInput(
                f"{variable}={chosen!r} must be a whole path, from the root on: it would follow the folder "
                "one happens to be in"
            )
        return Path(chosen) if kind == "cache" else Path(chosen) / kind
    try:
        found: Path = getattr(platformdirs.PlatformDirs("flicksim", appauthor=False), f"user_{kind}_path")
    except RuntimeError:
        return None
    if kind == "pictures":
        found /= "flicksim"
    return found if found.is_absolute() else None  # else a "~" that could not be expanded


def make_private_dir(folder: Path, root: Path) -> Path:
    """Make a folder that only the user may enter, with all folders from `root` down to it; return it.

    Raises:
        OSError: a folder cannot be made.
    """
    if folder != root:
        make_private_dir(folder.parent, root)
    else:
        folder.parent.mkdir(parents=True, exist_ok=True)
    if not folder.exists():
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def untrusted_reason(folder: Path, root: Path) -> str:
    """Reason why another user could have written into an existing folder; empty if none could.

    Everything in the folder must belong to the user and, where others can enter it, not be writable by them; the folder
    and its parents up to `root` must never be writable by others. Folders above `root` must belong to the user or to
    the superuser, and may be writable by others only with the sticky bit, as the folder for temporary files. Where
    files have no POSIX owners (Windows) everything is trusted.
    """
    if not hasattr(os, "getuid"):
        return ""
    user, folder, root = os.getuid(), folder.resolve(), root.resolve()
    for path in (folder, *folder.parents):
        status = path.stat()
        is_above_root = not path.is_relative_to(root)
        if status.st_uid != user and not (is_above_root and status.st_uid == 0):
            return f"{str(path)!r} belongs to another user"
        others_write = stat.S_IWOTH if is_above_root else stat.S_IWOTH | stat.S_IWGRP
        if status.st_mode & others_write and not (is_above_root and status.st_mode & stat.S_ISVTX):
            return f"others may write to {str(path)!r}"
    can_enter = folder.stat().st_mode & (stat.S_IXOTH | stat.S_IXGRP)
    for path in folder.rglob("*"):
        status = path.lstat()
        if status.st_uid != user:
            return f"{str(path)!r} belongs to another user"
        if can_enter and status.st_mode & (stat.S_IWOTH | stat.S_IWGRP) and not stat.S_ISLNK(status.st_mode):
            return f"others may write to {str(path)!r}"
    return ""


_PACKAGE = Path(__file__).resolve().parents[1]


def assets_dir() -> Path:
    """Folder of the files shipped with the package."""
    installed = _PACKAGE / "_assets"
    return installed if installed.is_dir() else _PACKAGE.parent / "assets"


def resolve_asset(path: Path) -> Path:
    """Path of a file, or of the shipped file of that name where none exists, as `assets/scenes/draw.json`."""
    if path.parts[:1] == ("assets",) and not path.exists():
        shipped = assets_dir().joinpath(*path.parts[1:])
        if shipped.exists():
            return shipped
    return path
