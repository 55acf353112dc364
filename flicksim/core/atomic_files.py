"""Atomic file writing: written beside the target, then renamed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ELOOP
from functools import partial
from itertools import chain, count
from pathlib import Path
from secrets import token_hex
from typing import IO

from flicksim.core.errors import InvalidFile


@contextmanager
def open_atomic(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Context manager: open a temporary file beside `path` that replaces it once all of it is on the disk.

    After an error the temporary file is removed and `path` is unchanged. A symbolic link is replaced, not followed, but
    refused where it leads to no regular file.

    Args:
        private: whether only the user may read it.

    Raises:
        InvalidFile: it cannot be written; says why.
    """
    try:
        if path.exists() and not path.is_file():  # or a link to a device, a pipe or a folder
            raise InvalidFile(f"cannot write {str(path)!r}: it is there and no file")
        temporary = path.with_name(f".{path.name[:40]}.{token_hex(4)}")
        try:
            with open(temporary, "xb", opener=partial(os.open, mode=0o600 if private else 0o666)) as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InvalidFile(f"cannot write {str(path)!r}: {os_error_message(error)}") from None


def write_atomic(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file atomically (see `open_atomic`).

    Raises:
        InvalidFile: it cannot be written; says why.
    """
    with open_atomic(path, private=private) as out:
        out.write(data)


def os_error_message(error: OSError) -> str:
    """Message of the operating system for an error, in lower case."""
    return (error.strerror or str(error)).lower()


def path_exists(path: Path) -> bool:
    """True if a file or folder has that path.

    Raises:
        InvalidFile: the path cannot be looked up; says why.
    """
    try:
        path.stat()  # `Path.exists` calls every path that cannot be looked up absent, from Python 3.14 on
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError as error:
        if error.errno == ELOOP:
            return False
        raise InvalidFile(f"cannot read {str(path)!r}: {os_error_message(error)}") from None
    return True


def free_path(path: Path) -> Path:
    """Path that nothing has: this one, or the first with a number from 2; raises as `path_exists` does."""
    numbered = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(name for name in chain((path,), numbered) if not path_exists(name))


def is_folder(path: Path) -> bool:
    """True if a folder has that path; raises as `path_exists` does."""
    return path_exists(path) and path.is_dir()
