"""The flight of a launch that is only aimed: at once where the physics is ready, else a little later and beside."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from flicksim.physics import settle
from flicksim.play import Background, TableStage, Warming
from flicksim.table import Kit, Landing, Launch, PyramidScene, Surface


@dataclass(slots=True)
class _Aim:
    """The launch of a seat that was asked for last, its answer on the way, and the last that has come."""

    asked: Launch | None = None
    job: Background[Landing] | None = None
    last: Landing | None = None


class Foresight:
    """Tells how launches would fly on a bare table.

    Args:
        surface, kit: of the table. warming: of the physics.
    """

    def __init__(self, surface: Surface, kit: Kit, warming: Warming) -> None:
        self._scene, self._warming = PyramidScene(surface=surface, kit=kit), warming
        self._aims: dict[int | None, _Aim] = {}
        """By seat: several aim at one window."""

    def at_once(self, launch: Launch) -> Landing | None:
        """The flight; none while the compiler is at work."""
        return foreseen(self._scene, launch) if self._warming.ready else None

    def of(self, launch: Launch) -> Landing | None:
        """The flight; while the compiler is at work that of a launch of its seat shortly before, and at first none."""
        if (ready := self.at_once(launch)) is not None:
            return ready
        aim = self._aims.setdefault(launch.owner, _Aim())
        if aim.job is not None and aim.job.done:
            job, aim.job = aim.job, None
            aim.last = job.result()
        if aim.job is None and launch != aim.asked:
            aim.asked, aim.job = launch, Background(lambda: self._beside(launch))
        return aim.last

    def _beside(self, launch: Launch) -> Landing:
        landing = self._warming.settle(self._scene, launch, TableStage())
        assert isinstance(landing, Landing)
        return landing


@lru_cache(maxsize=256)
def foreseen(scene: PyramidScene, launch: Launch) -> Landing:
    """The flight of a launch with nothing on the table."""
    return settle(scene, launch)
