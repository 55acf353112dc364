"""Files opened by their paths, to be listed again in later windows."""

import os
from contextlib import suppress
from pathlib import Path

from flicksim.core.atomic_files import path_exists, write_atomic
from flicksim.core.errors import FlicksimError
from flicksim.core.limits import Text
from flicksim.core.serialization import from_json, read_bytes, to_json
from flicksim.gui.toolkit.user_folders import ensure_folder, user_folder

_FILE_NAME = "opened.json"
_MAX_FILES = 20
"""Number of files remembered; older ones are forgotten."""


def opened_files() -> list[Path]:
    """Paths of remembered files that are still there, the last opened first."""
    folder = user_folder("data")
    with suppress(FlicksimError):  # a broken list is begun anew
        if folder is not None and path_exists(path := folder / "player" / _FILE_NAME):
            known = from_json(read_bytes(path), tuple[Text, ...], name=_FILE_NAME)
            return [Path(name) for name in known if os.path.isfile(name)]  # noqa: PTH113 - false of any wrong path
    return []


def remember_file(path: Path) -> None:
    """Remember a file as the last opened one."""
    folder = user_folder("data")
    if folder is not None:
        known = dict.fromkeys([path, *opened_files()])
        with suppress(FlicksimError, UnicodeError):  # it was opened all the same
            text = to_json([str(path) for path in known][:_MAX_FILES])
            write_atomic(ensure_folder(folder / "player") / _FILE_NAME, text + b"\n")
