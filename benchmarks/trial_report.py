"""Report of a robustness trial: a table of counts, and each finding with the command that reproduces it.

A trial is a function of a count and a seed that returns a `TrialReport`, independent of the number of processes.
"""

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

_MAX_PRINTED = 25
"""Findings printed in full."""
_WALL_CLOCK_FACTOR = 60.0
"""Ratio of the wall-clock limit to the processor time limit."""
_CHUNK = 40
"""Largest number of trials handed to a process at a time."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A failure: its row in the table, a description, and the command that reproduces it."""

    row: str
    what: str
    command: str


@dataclass(slots=True)
class TrialReport:
    """Counts by row and column, and findings."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def count(self, row: str, column: str, by: int = 1) -> None:
        """Add to a count."""
        self.counts[row, column] += by

    def most(self, row: str, column: str, value: int) -> None:
        """Keep the largest value; names of such columns begin with "most"."""
        self.counts[row, column] = max(self.counts[row, column], value)

    def find(self, row: str, what: str, again: str) -> None:
        """Add a finding."""
        self.findings.append(Finding(row, what, again))

    def add(self, other: "TrialReport") -> None:
        """Add the counts and findings of another report."""
        for (row, column), value in other.counts.items():
            (self.most if column.startswith("most") else self.count)(row, column, value)
        self.findings += other.findings

    def total(self, column: str) -> int:
        """The sum of a column."""
        return sum(value for (_, name), value in self.counts.items() if name == column)

    def show(self, title: str) -> int:
        """Print the report. Returns the exit code: 1 if there are findings."""
        out = Console(markup=False, highlight=False)
        columns = list(dict.fromkeys(column for _, column in self.counts))
        table = Table("", *columns, "findings", title=title)
        found = Counter(finding.row for finding in self.findings)
        for row in dict.fromkeys([*(row for row, _ in self.counts), *found]):
            table.add_row(row, *(str(self.counts[row, column]) for column in columns), str(found[row]))
        out.print(table)
        for finding in self.findings[:_MAX_PRINTED]:
            out.print(f"{finding.row}: {finding.what}\n    {finding.command}", soft_wrap=True)
        if len(self.findings) > _MAX_PRINTED:
            out.print(f"... and {len(self.findings) - _MAX_PRINTED} more")
        return 1 if self.findings else 0


class TrialTimeout(Exception):
    """Raised when a trial exceeds its time limit."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TrialTimeout` after so much processor time, which other load on the machine does not use up [s].

    Code that waits for ever or never returns to the interpreter ends the process, with a traceback on stderr.
    """

    def raise_timeout(_number: int, _frame: FrameType | None) -> None:
        raise TrialTimeout(f"took longer than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, raise_timeout)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    faulthandler.dump_traceback_later(_WALL_CLOCK_FACTOR * seconds, exit=True, file=2)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, before)


def run_in_processes(task: Callable[[Sequence[int]], TrialReport], numbers: Sequence[int], jobs: int) -> TrialReport:
    """Run a task over numbered trials in so many processes; merge the reports in the order of the numbers."""
    if jobs <= 1:
        return task(numbers)
    size = max(1, min(_CHUNK, len(numbers) // jobs))
    chunks = [numbers[k : k + size] for k in range(0, len(numbers), size)]
    completed: dict[int, TrialReport] = {}
    total = TrialReport()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(task, chunk): k for k, chunk in enumerate(chunks)}
        for future in as_completed(futures):
            k = futures[future]
            try:
                completed[k] = future.result()
            except BrokenProcessPool:
                total.find("-", "a process died in this chunk or a concurrent one", f"trials {chunks[k]!r}")
    for k in sorted(completed):
        total.add(completed[k])
    return total


def resident_memory() -> float:
    """Resident memory of this process [MB]."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
