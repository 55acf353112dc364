"""A benchmark's rows as a CSV file beside those of other machines."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec

from flicksim.base.codec import Value, to_plain
from flicksim.base.files import write_aside


def write(path: Path, rows: Sequence[Value]) -> None:
    """Write rows of one kind under the names of their fields; the folder is made if need be."""
    names = [field.name for field in msgspec.structs.fields(rows[0])]
    write_lines(path, names, ([to_plain(row)[name] for name in names] for row in rows))


def write_lines(path: Path, names: Sequence[str], lines: Iterable[Sequence[Any]]) -> None:
    """The same for lines of values under these names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(lines)
    write_aside(path, text.getvalue().encode())
