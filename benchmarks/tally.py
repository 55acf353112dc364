"""Tally of a trial: a table of counts, and each finding with the command that shows it again.

A trial here is a function of a count and a seed that returns a `Tally`. Nothing it does depends on how many processes
share the work.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.table import Table

_SHOWN = 25
"""So many findings are printed in full."""
_PATIENCE = 60.0
"""Time that a thing may take by the clock on the wall, over what it may compute."""
_SHARE = 40
"""Tries handed to a process at a time, at most."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that must not be: where, what, and the command that shows it again."""

    row: str
    what: str
    again: str


@dataclass(slots=True)
class Tally:
    """Counts by row and column, and findings."""

    cells: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def count(self, row: str, column: str, by: int = 1) -> None:
        """Something was tried or happened."""
        self.cells[row, column] += by

    def most(self, row: str, column: str, value: int) -> None:
        """Keep the greatest value; such columns begin with "most"."""
        self.cells[row, column] = max(self.cells[row, column], value)

    def find(self, row: str, what: str, again: str) -> None:
        """Something was found."""
        self.findings.append(Finding(row, what, again))

    def add(self, other: Tally) -> None:
        """Take another's counts and findings in."""
        for (row, column), value in other.cells.items():
            (self.most if column.startswith("most") else self.count)(row, column, value)
        self.findings += other.findings

    def total(self, column: str) -> int:
        """The sum of a column."""
        return sum(value for (_, name), value in self.cells.items() if name == column)

    def show(self, title: str) -> int:
        """Print it. Returns the exit code: 1 when anything was found."""
        out = Console(markup=False, highlight=False)
        columns = list(dict.fromkeys(column for _, column in self.cells))
        table = Table("", *columns, "findings", title=title)
        found = Counter(finding.row for finding in self.findings)
        for row in dict.fromkeys([*(row for row, _ in self.cells), *found]):
            table.add_row(row, *(str(self.cells[row, column]) for column in columns), str(found[row]))
        out.print(table)
        for finding in self.findings[:_SHOWN]:
            out.print(f"{finding.row}: {finding.what}\n    {finding.again}", soft_wrap=True)
        if len(self.findings) > _SHOWN:
            out.print(f"... and {len(self.findings) - _SHOWN} more")
        return 1 if self.findings else 0


class Hung(Exception):
    """Something took longer than it may."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `Hung` when it computes longer; a machine that is busy with other things takes none of that time.

    What waits for ever, or is compiled and does not listen, ends the process, its trace on stderr.
    """

    def late(_number: int, _frame: FrameType | None) -> None:
        raise Hung(f"took longer than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    faulthandler.dump_traceback_later(_PATIENCE * seconds, exit=True, file=2)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, before)


def shared(task: Callable[[Sequence[int]], Tally], numbers: Sequence[int], jobs: int) -> Tally:
    """A task over numbered tries, by so many processes; what they found in the order of the numbers."""
    if jobs <= 1:
        return task(numbers)
    size = max(1, min(_SHARE, len(numbers) // jobs))
    shares = [numbers[k : k + size] for k in range(0, len(numbers), size)]
    done: dict[int, Tally] = {}
    whole = Tally()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(task, share): k for k, share in enumerate(shares)}
        for future in as_completed(waiting):
            k = waiting[future]
            try:
                done[k] = future.result()
            except BrokenProcessPool:
                whole.find("-", "a process died in this share, or in one beside it", f"tries {shares[k]!r}")
    for k in sorted(done):
        whole.add(done[k])
    return whole


def resident() -> float:
    """Memory of this process [MB]."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def parser(module: str, doc: str | None, **defaults: int) -> argparse.ArgumentParser:
    """Options of every trial: how much (by the names given), `--seed`, `--jobs`, `--only`."""
    made = argparse.ArgumentParser(prog=f"python -m benchmarks.{module}", description=doc)
    for name, most in defaults.items():
        made.add_argument(f"--{name}", type=int, default=most, help=f"how many ({most})")
    made.add_argument("--seed", type=int, default=1, help="all chance comes from it (1)")
    made.add_argument("--jobs", type=int, default=1, help="processes side by side (1)")
    made.add_argument("--only", type=int, help="only the try of that number")
    return made
