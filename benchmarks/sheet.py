"""A benchmark's rows as a CSV file beside those of other machines."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import msgspec

from flicksim.base.codec import Value, to_plain


def write(path: Path, rows: Sequence[Value]) -> None:
    """Write rows of one kind under the names of their fields; the folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in msgspec.structs.fields(rows[0])])
        writer.writeheader()
        writer.writerows(to_plain(row) for row in rows)
