"""Folder of the files shipped with flicksim, in a checkout and in an installed copy alike."""

from __future__ import annotations

from pathlib import Path

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
