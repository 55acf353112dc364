"""Write the results of benchmarks as CSV files."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec

from flicksim.core.atomic_files import write_atomic
from flicksim.core.serialization import to_builtins


def write(path: Path, rows: Sequence[msgspec.Struct]) -> None:
    """Write records of one class, with their field names as the header; the folder is created if missing."""
    names = [field.name for field in msgspec.structs.fields(rows[0])]
    write_lines(path, names, ([to_builtins(row)[name] for name in names] for row in rows))


def write_lines(path: Path, names: Sequence[str], lines: Iterable[Sequence[Any]]) -> None:
    """Write rows of values under a header of names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(lines)
    write_atomic(path, text.getvalue().encode())
