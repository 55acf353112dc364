"""Physics is compiled before its first shot, once; meanwhile the window goes on.

A compiler in this process would hold the window up, so another process does the work and leaves it on the disk, one
part of the physics after another. A shot that is made meanwhile is made with the plain functions.
"""

from __future__ import annotations

import atexit
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock

from flicksim.base.kinds import Account, Action, Staged
from flicksim.physics.flight import jit
from flicksim.play import Stage, TableStage
from flicksim.ui.kit.background import Background
from flicksim.ui.kit.meanwhile import Meanwhile

SAYS = "Warming up the physics, once. You can play meanwhile; bots and hints wait for it."
_LONGEST = 300.0
_COMPILE = """
import gc, os
from contextlib import suppress
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
        name: of that physics, for people.
        shoot: makes a shot that needs all of it; a function by itself, which another process can import.
        room: the part of the physics that is compiled. last: the function of it that is compiled last.
    """

    def __init__(self, name: str, shoot: Callable[[], None], room: str, last: str = "advance.advance") -> None:
        self._name, self._shoot, self._room, self._last = name, shoot, room, last
        self._compiled: Background[None] | None = None
        self._job: Background[None] | None = None
        self._meanwhile = Meanwhile()
        self._needed, self._beside, self._looked = False, False, Event()

    def compile(self) -> None:
        """Begin to compile, beside this process, unless that has begun or is done."""
        if self._compiled is None:
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
        """The progress of the compiler, in words; empty when it has nothing to do."""
        if not self._needed or self._compiled is None or self._compiled.done:
            return ""
        done, all_of_it = self._files(), jit.made_in(self._room)
        return f"{self._name} is being made ready, once: {min(99, 100 * done // max(1, all_of_it))} %."

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

    def _files(self) -> int:
        folder = jit.kept_in()
        return sum(1 for _ in Path(folder).glob(f"{self._room}_*/*.nbi")) if folder else 0

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
    """Run code in a process of its own, which ends with this one."""
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, "-c", code], stdin=nowhere, stdout=nowhere, stderr=nowhere)
    atexit.register(process.kill)
    try:
        process.wait(_LONGEST)
    finally:
        process.kill()
        process.wait()
        atexit.unregister(process.kill)


class _Beside:
    """A stage that settles with what is there."""

    def __init__(self, warming: Warming, usual: TableStage) -> None:
        self._warming, self._usual, self.settings = warming, usual, usual.settings

    def settle(self, before: Staged, action: Action) -> Account:
        """A finished, frozen account."""
        return self._warming.settle(before, action, self._usual)
