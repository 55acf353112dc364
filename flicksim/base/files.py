"""Files that are written at once: whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from stat import S_ISLNK, S_ISREG
from typing import IO

from flicksim.base.errors import BadFile


@contextmanager
def aside(path: Path) -> Iterator[IO[bytes]]:
    """A file beside `path`, put in its place once all of it is on the disk; until then nothing of `path` changes.

    Of a file that could not be written to its end nothing is left. A link of that name is replaced, not followed.

    Raises:
        BadFile: it cannot be written; says why.
    """
    try:
        if path.is_symlink() or path.exists():
            _check_replaceable(path)
        beside = path.with_name(f".{path.name[:40]}.{token_hex(4)}")
        try:
            with beside.open("xb") as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as wrong:
        raise BadFile(f"cannot write {str(path)!r}: {reason(wrong)}") from None


def write_aside(path: Path, data: bytes) -> None:
    """Write a whole file (see `aside`).

    Raises:
        BadFile: it cannot be written; says why.
    """
    with aside(path) as out:
        out.write(data)


def reason(wrong: OSError) -> str:
    """The system's words for an error, as the end of a sentence."""
    return (wrong.strerror or str(wrong)).lower()


def there(path: Path) -> bool:
    """True where something has that name.

    Raises:
        BadFile: it cannot be looked for; says why.
    """
    try:
        return path.exists()
    except OSError as wrong:
        raise BadFile(f"cannot read {str(path)!r}: {reason(wrong)}") from None


def _check_replaceable(path: Path) -> None:
    """See that a rename would put nothing but a file away: never a device, a pipe or a folder."""
    kind = path.lstat().st_mode
    if not (S_ISREG(kind) or S_ISLNK(kind)):
        raise BadFile(f"cannot write {str(path)!r}: it is there and no file")
