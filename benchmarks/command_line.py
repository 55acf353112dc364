"""Command lines of the benchmarks: options with defaults, and numbered trials."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.trial_report import TrialReport, run_in_processes

RESULTS = Path(__file__).parent / "results"
"""Folder of the results that are kept with the code."""
OPTION_HELP = {
    "base": "diameter of the pot's base [mm]",
    "count": "how many are made",
    "drawn": "launches drawn in the first round",
    "jobs": "worker processes",
    "label": "name of the rows in the results",
    "minutes": "duration [min]",
    "option": "option of the game, as name=value; may be repeated",
    "out": "where results are written",
    "picture": "file of the picture",
    "plain": "without compiled code",
    "repeats": "repetitions of each measurement",
    "results": "folder of the results",
    "scale": "factor on the repetitions",
    "seconds": "duration of each measurement [s]",
    "seed": "random seed",
    "size": "window size, as 1280x800; may be repeated",
    "times": "rounds through all environments",
    "wink": "name of the wink",
}
"""Help of options whose names several benchmarks share or do not say enough; other counts are a "number of"."""


def parser(module: str, doc: str | None, **defaults: Any) -> argparse.ArgumentParser:
    """Argument parser of a benchmark with an option for each default, of its type; [] may be given several times."""
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks{'.' if module else ''}{module}",
        description=doc,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for name, default in defaults.items():
        text = OPTION_HELP.get(name, f"number of {name}")
        if isinstance(default, list | bool):
            action = "append" if isinstance(default, list) else "store_true"
            parser.add_argument(f"--{name}", action=action, default=default, help=text)
        else:
            parser.add_argument(f"--{name}", type=type(default), default=default, help=f"{text} ({default})")
    return parser


def show_table(
    headings: Sequence[str], rows: Iterable[Sequence[object]], title: str = "", width: int | None = None
) -> None:
    """Print rows under their headings."""
    table = Table(*headings, title=title)
    for row in rows:
        table.add_row(*map(str, row))
    Console(width=width).print(table)


def trial_parser(module: str, doc: str | None, **counts: int) -> argparse.ArgumentParser:
    """Argument parser of a trial: the counts, `--seed`, `--jobs`, `--only`."""
    found = parser(module, doc, **counts, seed=1, jobs=1)
    found.add_argument("--only", type=int, help="run only the trial of that number")
    return found


def run_kinds(
    run: Callable[[str, int, Sequence[int]], TrialReport], counts: Mapping[str, int], seed: int, jobs: int = 1,
    only: int | None = None,
) -> TrialReport:  # fmt: skip
    """Run so many trials of each kind, or only that of one number, by a function of kind, seed and numbers."""
    total = TrialReport()
    for kind, count in counts.items():
        total.add(run_in_processes(partial(run, kind, seed), range(count) if only is None else [only], jobs))
    return total


def run_trials(
    module: str, doc: str | None, argv: Sequence[str] | None, title: str,
    run: Callable[[int, Sequence[int]], TrialReport], **count: int,
) -> int:  # fmt: skip
    """Run the trials 0 to before the count by a function of seed and numbers; return the exit code."""
    args = trial_parser(module, doc, **count).parse_args(argv)
    numbers = range(getattr(args, next(iter(count)))) if args.only is None else [args.only]
    return run_in_processes(partial(run, args.seed), numbers, args.jobs).show(f"{title}, seed {args.seed}")
