"""Time to report on an experiment, relative to running it: `python -m benchmarks.report_times [--shots N]`.

Processor time of one process: to simulate and store the shots, to read them with all hashes checked, and to make the
page with its plots. The ratio is reading plus reporting over simulating. One row per results store.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import msgspec

from benchmarks import command_line
from benchmarks.batch_costs import COINS
from flicksim.experiments import Run, read_results, write_report
from flicksim.experiments.results_store import STORES


class ReportTiming(msgspec.Struct, frozen=True):
    """Processor times of an experiment in one results store [s]."""

    store: str
    shots: int
    simulation_s: float
    read_s: float
    report_s: float

    @property
    def ratio(self) -> float:
        """Reading plus reporting over simulating [-]."""
        return (self.read_s + self.report_s) / self.simulation_s


def measure(store: str, shots: int) -> ReportTiming:
    """Time one experiment."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "out"
        for _ in Run(COINS, Path(scratch) / "warmup", shots=10, store=store):
            pass
        times = [process_time()]
        for _ in Run(COINS, folder, shots=shots, store=store):
            pass
        times.append(process_time())
        manifest, table = read_results(folder)
        times.append(process_time())
        write_report(folder, manifest, table)
        times.append(process_time())
    simulation_s, read_s, report_s = (after - before for before, after in pairwise(times))
    return ReportTiming(store, shots, simulation_s, read_s, report_s)


def main(argv: Sequence[str] | None = None) -> list[ReportTiming]:
    """Command line entry point."""
    args = command_line.parser("report_times", __doc__, shots=600_000).parse_args(argv)
    timings = [measure(store, args.shots) for store in STORES]
    rows = []
    for timing in timings:
        figures = (timing.simulation_s, timing.read_s, timing.report_s, timing.ratio)
        rows.append((timing.store, timing.shots, *(f"{figure:.2f}" for figure in figures)))
    command_line.show_table(("store", "shots", "simulate [s]", "read [s]", "report [s]", "ratio"), rows)
    return timings


if __name__ == "__main__":
    main()
