"""Physics is compiled before its first shot, once; meanwhile the window goes on.

A compiler in this process would hold the window up, so another process does the work and leaves it on the disk.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from flicksim.physics.flight import jit
from flicksim.ui.kit.later import Later

SAYS = "Warming up the physics, once. You can aim meanwhile."
_LONGEST = 300.0


class Warming:
    """The warming up of one kind of physics, begun with the first table that is shown.

    Args:
        shoot: makes a shot that needs all of it; a function by itself, which another process can import.
        room: the part of the physics whose `advance` is compiled last.
    """

    def __init__(self, shoot: Callable[[], None], room: str) -> None:
        self._shoot, self._room = shoot, room
        self._job: Later[None] | None = None

    def begin(self) -> None:
        """Begin, unless it has begun."""
        if self._job is None:
            self._job = Later(self._work)

    @property
    def ready(self) -> bool:
        """Tell whether shots come at once now."""
        return self._job is not None and self._job.done

    def wait(self) -> None:
        """Until it is done; not for the window's own thread."""
        self.begin()
        assert self._job is not None
        self._job.result()

    def _work(self) -> None:
        folder = jit.kept_in()
        if folder and not any(Path(folder).rglob(f"{self._room}_*/advance.advance-*.nbi")):
            # where no other process can be had, this one compiles, and the window stutters meanwhile
            with suppress(OSError, subprocess.SubprocessError):
                code = f"from {self._shoot.__module__} import shoot; shoot()"
                subprocess.run([sys.executable, "-c", code], check=False, timeout=_LONGEST, capture_output=True)
        self._shoot()
