"""Where the files shipped with flicksim lie, in a checkout and in an installed copy alike."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def assets() -> Path:
    """The folder of shipped files."""
    installed = _PACKAGE / "_assets"
    return installed if installed.is_dir() else _PACKAGE.parent / "assets"
