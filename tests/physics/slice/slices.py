"""Slices set up by hand, and one that keeps account of its energy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import pi, sin

import msgspec
import numpy as np

from flicksim.base.geometry import rectangle
from flicksim.physics.settings import Settings
from flicksim.physics.slice.member import Member
from flicksim.physics.slice.world import SliceWorld
from flicksim.table.launch import Launch
from flicksim.table.pyramid import SIZES, Pyramid, Size, shape_of
from flicksim.table.pyramid_scene import PyramidScene
from flicksim.table.surface import Surface

SETTINGS = Settings()
PAIRS = SETTINGS.pairings.of("styrene", "styrene"), SETTINGS.pairings.of("styrene", "wood")
FLOOR = PyramidScene(surface=Surface(material="wood", outline=rectangle(8.0, 8.0, -4.0, -4.0)))
TABLE = PyramidScene(surface=Surface(material="wood", outline=rectangle(0.9, 0.9)))


class Watched(SliceWorld):
    """A slice that notes the energy of what is in it, look by look: (those in it, energy [J])."""

    def __init__(self, pieces: Iterable[Pyramid] = (), ground: tuple[float, float] | None = (-4.0, 4.0)) -> None:
        super().__init__(pieces, (0.0, 0.0), 0.0, ground, SETTINGS, *PAIRS)
        self.spent: list[tuple[frozenset[str], float]] = []

    def _gather(self, awake: Sequence[Member]) -> None:
        super()._gather(awake)
        self.spent.append((frozenset(self.members.keys() - self.fallen.keys()), sum(self.energy())))

    def rises(self) -> float:
        """The most that energy rose between two looks at the same pieces [J]."""
        pairs = zip(self.spent, self.spent[1:], strict=False)
        return max((after - before for (who, before), (same, after) in pairs if who == same), default=0.0)


class Unbound(Watched):
    """The same with nothing taken out of it: what the engine alone makes of contacts."""

    def _bound(self, awake: Sequence[Member]) -> None:
        pass


def over_an_edge(size: Size, tilt: float) -> Pyramid:
    """A piece held tilted over an edge of its base on the table, its middle of mass over (0, 0)."""
    shape = shape_of(size)
    return Pyramid(
        id="m", size=size, shape=shape, x=-shape.centroid * sin(tilt), y=0.0, z=shape.base / 2.0 * sin(abs(tilt)),
        tilt=abs(tilt),
        heading=0.0 if tilt >= 0.0 else pi,
    )  # fmt: skip


def standing(name: str, size: Size, x: float, y: float, **more: object) -> Pyramid:
    return msgspec.structs.replace(Pyramid(id=name, size=size, shape=shape_of(size), x=x, y=y), **more)


def lying(name: str, size: Size, x: float, y: float, heading: float = 0.0) -> Pyramid:
    down = standing(name, size, x, y, tilt=shape_of(size).lying, heading=heading)
    return msgspec.structs.replace(down, z=round(-down.lowest, 9))


def strewn(count: int, seed: int) -> PyramidScene:
    """So many pieces about the middle of a table, a third of them standing, none in another."""
    rng = np.random.default_rng(seed)
    rows = max(1, int(np.ceil(count**0.5)))
    step = 0.6 / rows
    pieces = []
    for k in range(count):
        x, y = (0.15 + step * (at + 0.5 + 0.12 * (rng.random() - 0.5)) for at in (k % rows, k // rows))
        size, heading = SIZES[k % 3], float(rng.uniform(-pi, pi))
        make = (
            standing(f"p{k}", size, x, y, heading=heading)
            if rng.random() < 1 / 3
            else lying(f"p{k}", size, x, y, heading)
        )
        pieces.append(make)
    return msgspec.structs.replace(TABLE, pieces=tuple(pieces)).checked()


def launches(count: int, seed: int) -> list[Launch]:
    """Launches of every size from one side of a table, as hard and steep as they come."""
    rng = np.random.default_rng(seed)
    return [
        Launch(
            piece="missile", size=SIZES[k % 3], hold=(0.45, 0.075), azimuth=float(rng.uniform(0.9, 2.2)),
            speed=float(rng.uniform(1.5, 5.0)), height=float(rng.uniform(0.0, 0.008)),
            slant=float(rng.uniform(0.8, 1.48)),
        )
        for k in range(count)
    ]  # fmt: skip
