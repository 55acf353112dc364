"""Deeds of players here, a line each: games played, challenges tried. A line that is cut harms no other."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path
from typing import Annotated

import msgspec

from flicksim.base.bounds import LINE, RECORD, Name, Words
from flicksim.base.codec import Value, from_json, read_bytes, to_json
from flicksim.base.errors import BadFile, BadInput
from flicksim.base.files import reason, there

Day = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class GameLine(Value, frozen=True, kw_only=True, tag="game", tag_field="line", omit_defaults=True):
    """A game that somebody finished.

    Args:
        day: on which, as the clock of the machine had it. who: player. game: name.
        against: the best of the others: a bot's grade, "random", or "friends". share: 1 won, 1/2 shared, 0 lost.
        tried, made: pots, where the game has a pot.
    """

    day: Day
    who: Name
    game: Name
    against: Name
    share: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
    tried: Count = 0
    made: Count = 0


class TryLine(Value, frozen=True, kw_only=True, tag="try", tag_field="line", omit_defaults=True):
    """A try at a challenge.

    Args:
        day, who: as in a game. challenge: its name. tried: the so-manieth try. stars: 0 where it was not done.
        measure: what came of it, in `unit`; None: nothing is measured. more: whether more of it is better.
        daily: the day whose challenge it was.
    """

    day: Day
    who: Name
    challenge: Name
    tried: Count
    stars: Annotated[int, msgspec.Meta(ge=0, le=3)]
    measure: float | None = None
    unit: Name = ""
    more: bool = False
    says: Words = ""
    daily: Day | None = None


Line = GameLine | TryLine


@dataclass(frozen=True, slots=True)
class History:
    """All that was read.

    Args:
        lines: in order. skipped: lines that could not be read: cut, spoiled, or of a newer flicksim.
    """

    lines: tuple[Line, ...] = ()
    skipped: int = 0


def read(path: Path) -> History:
    """The lines of a file; none where there is no file. What cannot be read is passed over, and stays where it is.

    Raises:
        BadFile: the file itself cannot be read.
    """
    if not there(path):
        return History()
    found: list[Line] = []
    skipped = 0
    for raw in _lines(read_bytes(path, RECORD)):
        try:
            found.append(from_json(raw, Line, name=path.name))  # type: ignore[arg-type]
        except BadInput:
            skipped += 1
    return History(tuple(found), skipped)


def _lines(text: bytes) -> Iterable[bytes]:
    return (line for line in text.split(b"\n") if line.strip() and len(line) <= LINE)


def append(path: Path, line: Line) -> None:
    """Write one line after all others, whole; after one that was cut, on a line of its own.

    Raises:
        BadFile: it cannot be written.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            size = os.fstat(handle).st_size
            cut = size > 0 and _last(handle, size) != b"\n"
            text = (b"\n" if cut else b"") + to_json(line) + b"\n"
            if os.write(handle, text) < len(text):
                raise OSError(ENOSPC, os.strerror(ENOSPC))
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as wrong:
        raise BadFile(f"cannot write {str(path)!r}: {reason(wrong)}") from None


def _last(handle: int, size: int) -> bytes:
    """The last byte of an open file."""
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1)
