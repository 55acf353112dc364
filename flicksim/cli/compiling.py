"""Compiling shown on stderr, part by part: a bar on a terminal, a line now and then anywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from time import monotonic

from rich.progress import TaskID

from flicksim.cli import words
from flicksim.cli.sheet import err
from flicksim.cli.words import Bar
from flicksim.play import Compiling, while_compiling_is_told

_FIRST, _EACH, _LOOK = 1.0, 10.0, 0.5
"""The first line where no bar can be comes after so long, the next after so long again, looked for so often [s]."""


@contextmanager
def compiling_shown() -> Iterator[None]:
    """In here compiling is shown as it goes on."""
    shown, left = (Drawn() if err.is_terminal else Spoken()), Event()
    with while_compiling_is_told(shown.tell):
        if isinstance(shown, Spoken):
            Thread(target=_spoken, args=(shown, left), daemon=True).start()
        try:
            yield
        finally:
            left.set()
            shown.leave()


def _spoken(shown: Spoken, left: Event) -> None:
    while not left.wait(_LOOK):
        shown.look(monotonic())


class Drawn:
    """A line in the bar that is shown just now; where there is none, a bar of its own while the compiler works."""

    def __init__(self) -> None:
        self._own = words.progress("part", passing=True)
        self._lines: dict[tuple[Bar, str], TaskID] = {}

    def tell(self, now: Compiling) -> None:
        """Show how far it has come."""
        bar = next((one for one in words.Bar.shown if one is not self._own), self._own)
        if bar is self._own and not now.over:
            bar.start()
        if (bar, now.what) not in self._lines:
            self._lines[bar, now.what] = bar.add_task(f"Compiling {now.what}", total=now.of, unit="part")
        line = self._lines[bar, now.what]
        if now.done < now.of and bar.tasks[bar.task_ids.index(line)].finished:
            bar.reset(line)  # more of it than was known: its clock goes on from here
        bar.update(line, completed=now.done, total=now.of, visible=now.done < now.of)
        if now.over:
            self._own.stop()

    def leave(self) -> None:
        """Show nothing more."""
        self._own.stop()


@dataclass(slots=True)
class Spoken:
    """Lines about things that are made ready, each time by itself: a later part has a clock of its own."""

    _now: dict[str, Compiling] = field(default_factory=dict)
    _begun: dict[str, float] = field(default_factory=dict)
    _said: dict[str, float] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def tell(self, now: Compiling) -> None:
        """Keep how far it has come."""
        with self._lock:
            self._now[now.what] = now

    def look(self, at: float) -> None:
        """Say how far all has come, when it is time for that.

        Args:
            at: by the clock [s].
        """
        with self._lock:
            every = list(self._now.values())
            self._now = {now.what: now for now in every if not now.over}
        for now in every:
            if now.over:
                self._end(now, at)
            else:
                self._go_on(now, at)

    def _go_on(self, now: Compiling, at: float) -> None:
        begun = self._begun.setdefault(now.what, at)
        if at - begun < _FIRST or at - self._said.get(now.what, -_EACH + begun) < _EACH:
            return
        self._said[now.what] = at
        parts = f"{now.done} of {now.of} parts, " if now.of > 1 else ""
        err.print(f"Compiling {now.what}, once: {parts}{at - begun:.0f} s so far.", soft_wrap=True)

    def _end(self, now: Compiling, at: float) -> None:
        begun, said = self._begun.pop(now.what, at), self._said.pop(now.what, None)
        if said is not None and now.done == now.of:
            err.print(f"Compiled {now.what} in {at - begun:.0f} s.", soft_wrap=True)

    def leave(self) -> None:
        """Say nothing more."""
