"""Results as a data set for others: one file of rows, and beside it a sheet that says what they are."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from os import PathLike
from pathlib import Path

from flicksim.base.asked import path_of
from flicksim.base.codec import to_json
from flicksim.base.errors import BadFile
from flicksim.base.files import write_aside
from flicksim.lab.column import Column
from flicksim.lab.run import Manifest
from flicksim.lab.stores import Table

_KINDS = (".csv", ".parquet")
_HOLDS = {"number": "a number", "share": "0 or 1", "text": "words"}
_ROLES = {
    "index": "the shot's number, from 0",
    "grid": "varied: goes through a grid",
    "drawn": "varied: drawn anew for every shot",
    "noise": "varied: drawn about a mean for every shot",
    "answer": "measured",
    "failed": "why the shot could not be made; empty where it was",
}


def write_dataset(path: str | PathLike[str], manifest: Manifest, table: Table) -> tuple[Path, Path]:
    """Write results as one file of rows, CSV or Parquet by its name, and beside it a data sheet.

    Returns:
        The file, and the sheet: `shots.csv` has `shots.csv.md`.

    Raises:
        BadFile: it is called otherwise, or cannot be written. MissingExtra: Parquet needs pyarrow.
    """
    file = path_of(path, "the data set")
    kind = file.suffix.lower()
    if kind not in _KINDS:
        raise BadFile(f"the data set {str(file)!r} must be called something{' or something'.join(_KINDS)}")
    write_aside(file, _csv(table) if kind == ".csv" else _parquet(manifest, table))
    sheet = file.with_name(f"{file.name}.md")
    write_aside(sheet, datasheet(manifest, table, file.name).encode())
    return file, sheet


def datasheet(manifest: Manifest, table: Table, name: str) -> str:
    """The sheet of a data set: what was asked and how, seed and hash, and what stands in every column in which unit."""
    asked, whole = manifest.experiment, manifest.hash or "none yet: not all shots are made"
    facts = {
        "rows": f"{len(table)}, one a shot; {manifest.failed} could not be made",
        "seed": str(manifest.seed),
        "hash": f"`{whole}` over all rows, the same on any machine and with any number of workers",
        "made by": f"flicksim {manifest.flicksim} on {manifest.machine}, begun {manifest.begun}",
        "units": "SI: metres, seconds, radians; a column without a unit has none",
    }
    lines = [f"# {name}: {asked.title}", ""]
    lines += [asked.about, ""] if asked.about else []
    lines += ["| | |", "|---|---|", *(f"| {what} | {_cell(says)} |" for what, says in facts.items()), ""]
    lines += ["## Columns", "", "| column | what it is | holds | unit | |", "|---|---|---|---|---|"]
    lines += [
        f"| `{c.name}` | {_cell(c.title)} | {_HOLDS[c.kind]} | {unit_of(c)} | {_ROLES[c.role]} |"
        for c in table.columns.values()
    ]
    lines += ["", "## How", "", "The whole question, which `flicksim experiment` puts again from a file:", ""]
    lines += ["```json", to_json(asked).decode(), "```", ""]
    return "\n".join(lines)


def unit_of(column: Column) -> str:
    """The unit of a column, in words where it has none of its own."""
    return column.unit or ("-" if column.kind != "number" or column.role == "index" else "as in the question")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _csv(table: Table) -> bytes:
    out = StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table)
    columns = [table.plain(name) for name in table]
    writer.writerows([["" if one is None else one for one in row] for row in zip(*columns, strict=True)])
    return out.getvalue().encode()


def _parquet(manifest: Manifest, table: Table) -> bytes:
    arrow = table.to_arrow()
    from pyarrow import parquet

    known = {"title": manifest.experiment.title, "seed": str(manifest.seed), "hash": manifest.hash or ""}
    known |= {"flicksim": manifest.flicksim, "experiment": to_json(manifest.experiment).decode()}
    data = BytesIO()
    parquet.write_table(arrow.replace_schema_metadata(known), data)
    return data.getvalue()
