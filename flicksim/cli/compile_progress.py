"""Progress bar of JIT compilation on stderr."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic

from rich.progress import TaskID

from flicksim.cli import formatting
from flicksim.cli.console import err
from flicksim.cli.formatting import ProgressBar
from flicksim.match import CompileProgress, report_compiling

_LINE_AFTER, _POLL_INTERVAL = 1.0, 0.5
"""Without a bar: delay of the line, and polling interval [s]."""


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
    while not reporter.has_reported and not stop_event.wait(_POLL_INTERVAL):
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
    """Reporter that prints one line for all that is compiled, once a compilation has taken a second."""

    has_reported: bool = False
    """True once that line is printed."""
    _label: str = ""
    _start: float | None = None

    def update(self, progress: CompileProgress) -> None:
        """Store the progress."""
        self._label = "" if progress.is_idle else progress.label

    def report(self, at: float) -> None:
        """Print the line if it is due.

        Args:
            at: current time [s, `time.monotonic`].
        """
        label = self._label
        self._start = None if not label else at if self._start is None else self._start
        if self._start is not None and at - self._start >= _LINE_AFTER and not self.has_reported:
            self.has_reported = True
            err.print_line(f"Compiling {label}, once; this takes a while.")

    def close(self) -> None:
        """Do nothing: lines need no cleaning up."""
