"""Measure, print, and write one CSV a machine: `python -m benchmarks [--repeats N] [--results FOLDER]`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks import sheet
from flicksim.base.machine import machine
from flicksim.bench.costs import SCENES, Cost
from flicksim.bench.costs import costs as costs_of
from flicksim.cli.sheet import out
from flicksim.cli.words import show_costs

RESULTS = Path(__file__).parent / "results"


def main(words: Sequence[str] | None = None) -> list[Cost]:
    """Run everything and return it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args(words)
    rows: list[Cost] = []
    for name in SCENES:
        costs = list(costs_of(name, repeats=given.repeats))
        rows += costs
        show_costs(name, costs)
    path = given.results / f"{machine()}.csv"
    sheet.write(path, rows)
    out.print(f"written to {path}; only ratios within a run, and changes between runs, mean anything")
    return rows


if __name__ == "__main__":
    main()
