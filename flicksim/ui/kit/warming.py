"""Physics is compiled before its first shot, once; meanwhile the window goes on.

A compiler in this process would hold the window up, so another process does the work and leaves it on the disk, one
part of the physics after another. A shot that is made meanwhile is made with the plain functions.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock
from time import monotonic

from flicksim.base.kinds import Account, Action, Staged
from flicksim.physics.flight import jit
from flicksim.play import Stage, TableStage
from flicksim.ui.kit.background import Background
from flicksim.ui.kit.meanwhile import Meanwhile

_LONGEST = 300.0
_COMPILE = """
import gc, os, sys
from contextlib import suppress
from threading import Thread
Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()  # nobody is there to play any more
gc.disable()  # a compiler makes much and lets go of little
with suppress(AttributeError, OSError):
    os.nice(5)
from {module} import {name}
{name}()
"""
_ONE_AT_A_TIME = Lock()


class Warming:
    """The warming up of one kind of physics, begun at the front door.

    Args:
        name: of what waits for it, for people.
        shoot: makes a shot that needs all of it; a function by itself, which another process can import.
        room: the part of the physics that is compiled. last: the function of it that is compiled last.
        clock: tells the time [s].
    """

    def __init__(
        self, name: str, shoot: Callable[[], None], room: str, last: str = "advance.advance",
        clock: Callable[[], float] = monotonic,
    ) -> None:  # fmt: skip
        self._clock, self._begun = clock, 0.0
        self._name, self._shoot, self._room, self._last = name, shoot, room, last
        self._compiled: Background[None] | None = None
        self._job: Background[None] | None = None
        self._meanwhile = Meanwhile()
        self._needed, self._beside, self._looked = False, False, Event()

    def compile(self) -> None:
        """Begin to compile, beside this process, unless that has begun or is done."""
        if self._compiled is None:
            self._begun = self._clock()
            self._compiled = Background(self._compile)

    def begin(self) -> None:
        """Begin to make ready for shots in this process, unless that has begun."""
        self.compile()
        if self._job is None:
            self._job = Background(self._work)

    @property
    def ready(self) -> bool:
        """Tell whether shots come at once now."""
        return self._job is not None and self._job.done

    def wait(self) -> None:
        """Until it is done; not for the window's own thread."""
        self.begin()
        assert self._job is not None
        self._job.result()

    @property
    def says(self) -> str:
        """The work of the compiler, in words, with a number that never stands still; empty when it has none."""
        if not self._needed or self._compiled is None or self._compiled.done:
            return ""
        since = round(self._clock() - self._begun)
        return f"First start: {self._name} will be ready in a minute or two ({since} s so far). You can play already."

    def stage(self, usual: Stage) -> Stage:
        """The same stage, but that shots while the compiler is at work are made beside it."""
        self._beside = True
        return _Beside(self, usual) if isinstance(usual, TableStage) else usual

    def settle(self, before: Staged, action: Action, usual: TableStage) -> Account:
        """Settle a shot with what is there."""
        self.begin()
        self._looked.wait()
        if self._needed and not self.ready:
            with suppress(OSError):
                return self._meanwhile.settle(before, action, usual.settings)
        self.wait()
        return usual.settle(before, action)

    @property
    def code(self) -> str:
        """The code that the other process runs."""
        return _COMPILE.format(module=self._shoot.__module__, name=self._shoot.__name__)

    def _compile(self) -> None:
        try:
            folder = jit.kept_in()
            self._needed = bool(folder) and not any(Path(folder).glob(f"{self._room}_*/{self._last}-*.nbi"))
        finally:
            self._looked.set()
        if self._needed:
            # where no other process can be had, this one compiles, and the window stutters meanwhile
            with _ONE_AT_A_TIME, suppress(OSError, subprocess.SubprocessError):
                _run(self.code)

    def _work(self) -> None:
        assert self._compiled is not None
        self._looked.wait()
        if self._needed and self._beside:
            self._meanwhile.begin()
        self._compiled.result()
        self._shoot()
        self._meanwhile.end()


def _run(code: str) -> None:
    """Run code in a process of its own. It listens, and ends with this one, however that ends."""
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere)
    assert process.stdin is not None
    with process.stdin:
        try:
            process.wait(_LONGEST)
        finally:
            process.kill()
            process.wait()


class _Beside:
    """A stage that settles with what is there."""

    def __init__(self, warming: Warming, usual: TableStage) -> None:
        self._warming, self._usual, self.settings = warming, usual, usual.settings

    def settle(self, before: Staged, action: Action) -> Account:
        """A finished, frozen account."""
        return self._warming.settle(before, action, self._usual)
