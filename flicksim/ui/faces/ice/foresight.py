"""The flight of a launch that is only aimed: at once where the physics is ready, else a little later and beside."""

from __future__ import annotations

from functools import lru_cache

from flicksim.physics import settle
from flicksim.play import TableStage
from flicksim.table import Kit, Landing, Launch, PyramidScene, Surface
from flicksim.ui.kit.background import Background
from flicksim.ui.kit.warming import Warming


class Foresight:
    """Tells how launches would fly on a bare table.

    Args:
        surface, kit: of the table. warming: of the physics.
    """

    def __init__(self, surface: Surface, kit: Kit, warming: Warming) -> None:
        self._scene, self._warming = PyramidScene(surface=surface, kit=kit), warming
        self._asked: Launch | None = None
        self._job: Background[Landing] | None = None
        self._last: Landing | None = None

    def at_once(self, launch: Launch) -> Landing | None:
        """The flight; none while the compiler is at work."""
        return foreseen(self._scene, launch) if self._warming.ready else None

    def of(self, launch: Launch) -> Landing | None:
        """The flight; while the compiler is at work that of a launch shortly before, and at first none."""
        if (ready := self.at_once(launch)) is not None:
            return ready
        if self._job is not None and self._job.done:
            job, self._job = self._job, None
            self._last = job.result()
        if self._job is None and launch != self._asked:
            self._asked = launch
            self._job = Background(lambda: self._beside(launch))
        return self._last

    def _beside(self, launch: Launch) -> Landing:
        landing = self._warming.settle(self._scene, launch, TableStage())
        assert isinstance(landing, Landing)
        return landing


@lru_cache(maxsize=256)
def foreseen(scene: PyramidScene, launch: Launch) -> Landing:
    """The flight of a launch with nothing on the table."""
    return settle(scene, launch)
