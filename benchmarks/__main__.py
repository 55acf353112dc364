"""Measure, print, and write one CSV a machine: `python -m benchmarks [--repeats N] [--results FOLDER]`."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from flicksim.base.codec import to_plain
from flicksim.physics.bench import SCENES, Cost, costs, machine
from flicksim.table.samples import stresses

RESULTS = Path(__file__).parent / "results"


def main(words: Sequence[str] | None = None) -> list[Cost]:
    """Run everything and return it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args(words)
    console = Console()
    rows = []
    for name in SCENES:
        table = Table(title=f"{name}: {stresses(name)}", title_justify="left")
        for heading in ("what", "unit", "median", "p95", "ratio to bare stepping"):
            table.add_column(heading, justify="left" if heading in ("what", "unit") else "right")
        for row in costs(name, repeats=given.repeats):
            rows.append(row)
            ratio = "" if row.ratio != row.ratio else f"{row.ratio:.2f}"
            table.add_row(row.what, row.unit, f"{row.median:.3f}", f"{row.p95:.3f}", ratio)
        console.print(table)
    given.results.mkdir(parents=True, exist_ok=True)
    path = given.results / f"{machine()}.csv"
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, [field.name for field in msgspec.structs.fields(Cost)])
        writer.writeheader()
        writer.writerows(to_plain(row) for row in rows)
    console.print(f"written to {path}; only ratios within a run, and changes between runs, mean anything")
    return rows


if __name__ == "__main__":
    main()
