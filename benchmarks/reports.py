"""Time to report on an experiment beside the time to make it: `python -m benchmarks.reports [--shots N]`.

Processor time of one process: the shots made and kept, read again with every hash checked, and the page with its
pictures made; the ratio is reading and reporting over making. One row for each store.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks.batch import COINS
from flicksim.lab import Run, read_results, write_report
from flicksim.lab.stores import STORES


class Cost(msgspec.Struct, frozen=True):
    """Processor time by store [s], of so many shots."""

    store: str
    shots: int
    made: float
    read: float
    reported: float

    @property
    def ratio(self) -> float:
        """Reading and reporting over making [-]."""
        return (self.read + self.reported) / self.made


def measured(store: str, shots: int) -> Cost:
    """The cost of one experiment."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "out"
        for _ in Run(COINS, Path(scratch) / "warm", shots=10, store=store):
            pass
        times = [process_time()]
        for _ in Run(COINS, folder, shots=shots, store=store):
            pass
        times.append(process_time())
        manifest, table = read_results(folder)
        times.append(process_time())
        write_report(folder, manifest, table)
        times.append(process_time())
    made, read, reported = (after - before for before, after in pairwise(times))
    return Cost(store, shots, made, read, reported)


def main(words: Sequence[str] | None = None) -> list[Cost]:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reports", description=__doc__)
    parser.add_argument("--shots", type=int, default=600_000)
    given: Any = parser.parse_args(words)
    costs = [measured(store, given.shots) for store in STORES]
    table = Table("store", "shots", "made [s]", "read [s]", "reported [s]", "ratio")
    for one in costs:
        figures = (one.made, one.read, one.reported, one.ratio)
        table.add_row(one.store, str(one.shots), *(f"{figure:.2f}" for figure in figures))
    Console().print(table)
    return costs


if __name__ == "__main__":
    main()
