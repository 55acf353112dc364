"""Export of results as a data set: one CSV or Parquet file of rows, and a data sheet beside it."""

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
_KIND_TEXT = {"number": "a number", "boolean": "0 or 1", "text": "text"}
_ROLE_TEXT = {
    "index": "index of the shot, from 0",
    "grid": "parameter: levels of a grid",
    "random": "parameter: random, uniform",
    "noise": "parameter: random about a mean",
    "measure": "measured",
    "error": "why the shot failed; empty where it did not",
}


def write_dataset(path: str | PathLike[str], manifest: Manifest, table: Table) -> tuple[Path, Path]:
    """Write results as one file of rows, CSV or Parquet by its name, and beside it a data sheet.

    Returns:
        The file, and the sheet: `shots.csv` has `shots.csv.md`.

    Raises:
        InvalidFile: the name ends otherwise, or the file cannot be written. MissingExtra: Parquet needs pyarrow.
    """
    file = as_path(path, "the data set")
    suffix = file.suffix.lower()
    if suffix not in _SUFFIXES:
        raise InvalidFile(f"the data set {str(file)!r} must be called something{' or something'.join(_SUFFIXES)}")
    write_atomic(file, _csv(table) if suffix == ".csv" else _parquet(manifest, table))
    sheet_path = data_sheet_path(file)
    write_atomic(sheet_path, datasheet(manifest, table, file.name).encode())
    return file, sheet_path


def data_sheet_path(file: Path) -> Path:
    """Path of the data sheet of a data set: `shots.csv.md` of `shots.csv`."""
    return file.with_name(f"{file.name}.md")


def datasheet(manifest: Manifest, table: Table, name: str) -> str:
    """Data sheet of a data set: provenance, seed, hash, columns with units, and the experiment."""
    experiment, hash_text = manifest.experiment, manifest.hash or "none yet: the run is not complete"
    facts = {
        "rows": f"{len(table)}, one a shot; {manifest.failed} failed",
        "seed": str(manifest.seed),
        "hash": f"`{hash_text}` over all rows, the same on any machine and with any number of workers",
        "made by": f"flicksim {manifest.flicksim} on {manifest.machine}, begun {manifest.begun}",
        "units": "SI: metres, seconds, radians; a column without a unit has none",
    }
    lines = [f"# {name}: {experiment.title}", ""]
    lines += [experiment.description, ""] if experiment.description else []
    lines += ["| | |", "|---|---|", *(f"| {heading} | {_cell(text)} |" for heading, text in facts.items()), ""]
    lines += ["## Columns", "", "| column | title | values | unit | role |", "|---|---|---|---|---|"]
    lines += [
        f"| `{c.name}` | {_cell(c.title)} | {_KIND_TEXT[c.kind]} | {unit_of(c)} | {_ROLE_TEXT[c.role]} |"
        for c in table.columns.values()
    ]
    lines += ["", "## Experiment", "", "The experiment, which `flicksim experiment` runs again from a file:", ""]
    lines += ["```json", to_json(experiment).decode(), "```", ""]
    return "\n".join(lines)


def unit_of(column: Column) -> str:
    """Unit of a column; "-" if it has none."""
    return column.unit or ("-" if column.kind != "number" or column.role == "index" else "as in the experiment")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _csv(table: Table) -> bytes:
    out = StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table)
    columns = [table.to_list(name) for name in table]
    writer.writerows([["" if value is None else value for value in row] for row in zip(*columns, strict=True)])
    return out.getvalue().encode()


def _parquet(manifest: Manifest, table: Table) -> bytes:
    arrow = table.to_arrow()
    from pyarrow import parquet

    metadata = {"title": manifest.experiment.title, "seed": str(manifest.seed), "hash": manifest.hash or ""}
    metadata |= {"flicksim": manifest.flicksim, "experiment": to_json(manifest.experiment).decode()}
    data = BytesIO()
    parquet.write_table(arrow.replace_schema_metadata(metadata), data)
    return data.getvalue()
