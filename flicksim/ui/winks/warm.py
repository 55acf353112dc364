"""The physics is compiled before its first shot, once; meanwhile the window goes on.

A compiler in this process would hold the window up, so another process does the work and leaves it on the disk.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from flicksim.base.geometry import rectangle
from flicksim.physics import settle
from flicksim.physics.flight import jit
from flicksim.table import Piece, Pot, Scene, Squidge, Surface
from flicksim.ui.later import Later

SAYS = "Warming up the physics, once. You can aim meanwhile."
_LONGEST = 300.0


class Warming:
    """The warming up, begun with the first mat that is shown."""

    def __init__(self) -> None:
        self._job: Later[None] | None = None

    def begin(self) -> None:
        """Begin, unless it has begun."""
        if self._job is None:
            self._job = Later(_work)

    @property
    def ready(self) -> bool:
        """Whether shots come at once now."""
        return self._job is not None and self._job.done

    def wait(self) -> None:
        """Until it is done; not for the window's own thread."""
        self.begin()
        assert self._job is not None
        self._job.result()


def shoot() -> None:
    """One shot that needs all of the physics: two winks, a pot, the edge."""
    pot = Pot(height=0.0381, top_radius=0.0238, base_radius=0.0238, wall=0.0015, material="pot")
    lying = [
        Piece(id=f"wink-{k}", kind="small", x=0.1 + 0.05 * k, y=0.0, radius=0.0079, thickness=0.0016, mass=0.0004,
              material="wink")
        for k in range(2)
    ]  # fmt: skip
    surface = Surface(material="felt", outline=rectangle(1.0, 1.0, -0.5, -0.5), pot=pot)
    settle(Scene(surface=surface, pieces=tuple(lying)), Squidge(piece="wink-0", speed=0.5, azimuth=0.0))


def _work() -> None:
    folder = jit.kept_in()
    if folder and not any(Path(folder).rglob("advance*.nbi")):
        # where no other process can be had, this one compiles, and the window stutters meanwhile
        with suppress(OSError, subprocess.SubprocessError):
            code = "from flicksim.ui.winks.warm import shoot; shoot()"
            subprocess.run([sys.executable, "-c", code], check=False, timeout=_LONGEST, capture_output=True)
    shoot()


WARMING = Warming()
