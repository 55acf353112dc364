"""Progress bar of JIT compilation on stderr."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from time import monotonic

from rich.progress import TaskID

from flicksim.cli import formatting
from flicksim.cli.console import err
from flicksim.cli.formatting import ProgressBar
from flicksim.match import CompileProgress, report_compiling

_FIRST_LINE_AFTER, _LINE_INTERVAL, _POLL_INTERVAL = 1.0, 10.0, 0.5
"""Without a bar: delay of the first line, interval of further lines, and polling interval [s]."""


@contextmanager
def show_compiling() -> Iterator[None]:
    """Show the progress of JIT compilation on stderr."""
    reporter, finished = (BarReporter() if err.is_terminal else LineReporter()), Event()
    with report_compiling(reporter.update):
        if isinstance(reporter, LineReporter):
            Thread(target=_poll_lines, args=(reporter, finished), daemon=True).start()
        try:
            yield
        finally:
            finished.set()
            reporter.close()


def _poll_lines(reporter: "LineReporter", stop_event: Event) -> None:
    while not stop_event.wait(_POLL_INTERVAL):
        reporter.report(monotonic())


class BarReporter:
    """Reporter that adds a line to the active progress bar, or shows one of its own while the compiler runs."""

    def __init__(self) -> None:
        self._own = formatting.progress_bar("part", transient=True)
        self._lines: dict[tuple[ProgressBar, str], TaskID] = {}

    def update(self, progress: CompileProgress) -> None:
        """Show the progress."""
        bar = next((active for active in formatting.ProgressBar.active if active is not self._own), self._own)
        if bar is self._own and not progress.is_idle:
            bar.start()
        if (bar, progress.label) not in self._lines:
            self._lines[bar, progress.label] = bar.add_task(
                f"Compiling {progress.label}", total=progress.total, unit="part"
            )
        line = self._lines[bar, progress.label]
        if progress.done < progress.total and bar.tasks[bar.task_ids.index(line)].finished:
            bar.reset(line)  # more functions than were known: restart its clock
        bar.update(line, completed=progress.done, total=progress.total, visible=progress.done < progress.total)
        if progress.is_idle:
            self._own.stop()

    def close(self) -> None:
        """Stop the bar."""
        self._own.stop()


@dataclass(slots=True)
class LineReporter:
    """Reporter that prints lines, with a clock for each compilation."""

    _progress: dict[str, CompileProgress] = field(default_factory=dict)
    _start_times: dict[str, float] = field(default_factory=dict)
    _last_reports: dict[str, float] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def update(self, progress: CompileProgress) -> None:
        """Store the progress."""
        with self._lock:
            self._progress[progress.label] = progress

    def report(self, at: float) -> None:
        """Print the lines that are due.

        Args:
            at: current time [s, `time.monotonic`].
        """
        with self._lock:
            reports = list(self._progress.values())
            self._progress = {progress.label: progress for progress in reports if not progress.is_idle}
        for progress in reports:
            if progress.is_idle:
                self._report_done(progress, at)
            else:
                self._report_progress(progress, at)

    def _report_progress(self, progress: CompileProgress, at: float) -> None:
        start = self._start_times.setdefault(progress.label, at)
        previous = self._last_reports.get(progress.label, start - _LINE_INTERVAL)
        if at - start < _FIRST_LINE_AFTER or at - previous < _LINE_INTERVAL:
            return
        self._last_reports[progress.label] = at
        parts = f"{progress.done} of {progress.total} parts, " if progress.total > 1 else ""
        err.print(f"Compiling {progress.label}, once: {parts}{at - start:.0f} s so far.", soft_wrap=True)

    def _report_done(self, progress: CompileProgress, at: float) -> None:
        start, reported = self._start_times.pop(progress.label, at), self._last_reports.pop(progress.label, None)
        if reported is not None and progress.done == progress.total:
            err.print(f"Compiled {progress.label} in {at - start:.0f} s.", soft_wrap=True)

    def close(self) -> None:
        """Do nothing: lines need no cleaning up."""
