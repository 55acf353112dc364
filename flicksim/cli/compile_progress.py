"""Progress bar of JIT compilation on stderr."""

from __future__ import annotations

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
"""The first line where no bar can be comes after so long, the next after so long again, looked for so often [s]."""


@contextmanager
def show_compiling() -> Iterator[None]:
    """In here compiling is shown as it goes on."""
    shown, left = (BarReporter() if err.is_terminal else LineReporter()), Event()
    with report_compiling(shown.update):
        if isinstance(shown, LineReporter):
            Thread(target=_poll_lines, args=(shown, left), daemon=True).start()
        try:
            yield
        finally:
            left.set()
            shown.close()


def _poll_lines(reporter: LineReporter, stop_event: Event) -> None:
    while not stop_event.wait(_POLL_INTERVAL):
        reporter.report(monotonic())


class BarReporter:
    """A line in the bar that is shown just now; where there is none, a bar of its own while the compiler works."""

    def __init__(self) -> None:
        self._own = formatting.progress_bar("part", transient=True)
        self._lines: dict[tuple[ProgressBar, str], TaskID] = {}

    def update(self, progress: CompileProgress) -> None:
        """Show how far it has come."""
        bar = next((one for one in formatting.ProgressBar.active if one is not self._own), self._own)
        if bar is self._own and not progress.is_idle:
            bar.start()
        if (bar, progress.label) not in self._lines:
            self._lines[bar, progress.label] = bar.add_task(
                f"Compiling {progress.label}", total=progress.total, unit="part"
            )
        line = self._lines[bar, progress.label]
        if progress.done < progress.total and bar.tasks[bar.task_ids.index(line)].finished:
            bar.reset(line)  # more of it than was known: its clock goes on from here
        bar.update(line, completed=progress.done, total=progress.total, visible=progress.done < progress.total)
        if progress.is_idle:
            self._own.stop()

    def close(self) -> None:
        """Show nothing more."""
        self._own.stop()


@dataclass(slots=True)
class LineReporter:
    """Lines about things that are made ready, each time by itself: a later part has a clock of its own."""

    _progress: dict[str, CompileProgress] = field(default_factory=dict)
    _start_times: dict[str, float] = field(default_factory=dict)
    _last_reports: dict[str, float] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def update(self, progress: CompileProgress) -> None:
        """Keep how far it has come."""
        with self._lock:
            self._progress[progress.label] = progress

    def report(self, at: float) -> None:
        """Say how far all has come, when it is time for that.

        Args:
            at: by the clock [s].
        """
        with self._lock:
            every = list(self._progress.values())
            self._progress = {now.label: now for now in every if not now.is_idle}
        for now in every:
            if now.is_idle:
                self._report_done(now, at)
            else:
                self._report_progress(now, at)

    def _report_progress(self, progress: CompileProgress, at: float) -> None:
        begun = self._start_times.setdefault(progress.label, at)
        if (
            at - begun < _FIRST_LINE_AFTER
            or at - self._last_reports.get(progress.label, -_LINE_INTERVAL + begun) < _LINE_INTERVAL
        ):
            return
        self._last_reports[progress.label] = at
        parts = f"{progress.done} of {progress.total} parts, " if progress.total > 1 else ""
        err.print(f"Compiling {progress.label}, once: {parts}{at - begun:.0f} s so far.", soft_wrap=True)

    def _report_done(self, progress: CompileProgress, at: float) -> None:
        begun, said = self._start_times.pop(progress.label, at), self._last_reports.pop(progress.label, None)
        if said is not None and progress.done == progress.total:
            err.print(f"Compiled {progress.label} in {at - begun:.0f} s.", soft_wrap=True)

    def close(self) -> None:
        """Say nothing more."""
