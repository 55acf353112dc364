"""Folders: of the user's own files (settings, games, pictures, what is kept to save time), and of the shipped ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import platformdirs

HOME = "FLICKSIM_HOME"
"""Environment variable: a folder that holds everything instead of the places the system keeps for it."""
Kind = Literal["config", "data", "pictures", "cache"]


def own_place(kind: Kind) -> Path | None:
    """The folder for the user's files of a kind, which need not be there yet; None for a user who has no home."""
    home = os.environ.get(HOME)
    if home:
        return Path(home) / kind
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
