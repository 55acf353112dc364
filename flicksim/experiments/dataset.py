"""Export of results as a data set: one CSV or Parquet file of rows, and a data sheet beside it."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from os import PathLike
from pathlib import Path

from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import InvalidFile
from flicksim.core.serialization import to_json
from flicksim.core.validation import as_path
from flicksim.experiments.result_columns import Column
from flicksim.experiments.results_store import Table
from flicksim.experiments.run import Manifest

_SUFFIXES = (".csv", ".parquet")
_KIND_TEXT = {"number": "a number", "boolean": "0 or 1", "text": "words"}
_ROLE_TEXT = {
    "index": "the shot's number, from 0",
    "grid": "varied: goes through a grid",
    "random": "varied: drawn anew for every shot",
    "noise": "varied: drawn about a mean for every shot",
    "measure": "measured",
    "error": "why the shot could not be made; empty where it was",
}


def write_dataset(path: str | PathLike[str], manifest: Manifest, table: Table) -> tuple[Path, Path]:
    """Write results as one file of rows, CSV or Parquet by its name, and beside it a data sheet.

    Returns:
        The file, and the sheet: `shots.csv` has `shots.csv.md`.

    Raises:
        InvalidFile: it is called otherwise, or cannot be written. MissingExtra: Parquet needs pyarrow.
    """
    file = as_path(path, "the data set")
    kind = file.suffix.lower()
    if kind not in _SUFFIXES:
        raise InvalidFile(f"the data set {str(file)!r} must be called something{' or something'.join(_SUFFIXES)}")
    write_atomic(file, _csv(table) if kind == ".csv" else _parquet(manifest, table))
    sheet = file.with_name(f"{file.name}.md")
    write_atomic(sheet, datasheet(manifest, table, file.name).encode())
    return file, sheet


def datasheet(manifest: Manifest, table: Table, name: str) -> str:
    """Data sheet of a data set: provenance, seed, hash, columns with units, and the experiment."""
    asked, whole = manifest.experiment, manifest.hash or "none yet: not all shots are made"
    facts = {
        "rows": f"{len(table)}, one a shot; {manifest.failed} could not be made",
        "seed": str(manifest.seed),
        "hash": f"`{whole}` over all rows, the same on any machine and with any number of workers",
        "made by": f"flicksim {manifest.flicksim} on {manifest.machine}, begun {manifest.begun}",
        "units": "SI: metres, seconds, radians; a column without a unit has none",
    }
    lines = [f"# {name}: {asked.title}", ""]
    lines += [asked.description, ""] if asked.description else []
    lines += ["| | |", "|---|---|", *(f"| {what} | {_cell(says)} |" for what, says in facts.items()), ""]
    lines += ["## Columns", "", "| column | what it is | holds | unit | |", "|---|---|---|---|---|"]
    lines += [
        f"| `{c.name}` | {_cell(c.title)} | {_KIND_TEXT[c.kind]} | {unit_of(c)} | {_ROLE_TEXT[c.role]} |"
        for c in table.columns.values()
    ]
    lines += ["", "## How", "", "The whole question, which `flicksim experiment` puts again from a file:", ""]
    lines += ["```json", to_json(asked).decode(), "```", ""]
    return "\n".join(lines)


def unit_of(column: Column) -> str:
    """Unit of a column, in words where it has none of its own."""
    return column.unit or ("-" if column.kind != "number" or column.role == "index" else "as in the question")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _csv(table: Table) -> bytes:
    out = StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table)
    columns = [table.to_list(name) for name in table]
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
