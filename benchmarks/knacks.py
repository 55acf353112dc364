"""Launches worth knowing by heart in Ice Tiddly Winks: `python -m benchmarks.knacks [--size small] [--hand club]`.

Launches are drawn at random and tried in a hand on a bare table, those that stood most often of those that stayed again
and again, and beside the best of them others. Prints rows as `games.ice.practice` has them, and how they fare in every
hand, tried afresh.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from math import degrees

import numpy as np
import numpy.typing as npt

from flicksim.base.seeding import Seeds
from flicksim.base.units import to_mm
from flicksim.games.ice.options import Options
from flicksim.games.ice.seats import places, surface
from flicksim.physics import settle_many
from flicksim.physics.batch.launches import ON_SIDE, UPRIGHT
from flicksim.players import GRADES
from flicksim.table.launch import HEIGHT, LIFT, SLANT, Launch
from flicksim.table.pyramid import SIZES, Size
from flicksim.table.pyramid_scene import PyramidScene

Floats = npt.NDArray[np.float64]

_BARE, _PLACE = PyramidScene(surface=surface(Options(), 1)), places(Options(), 1)[0]
_HARD: dict[Size, tuple[float, float]] = {"small": (1.2, 4.0), "medium": (1.6, 5.5), "large": (1.8, 6.5)}
"""Strengths drawn from [m/s]."""
_LIFTED = 4.0 * LIFT[0]
"""Heights over the table up to that are drawn [m]."""
_BEYOND = 0.015
"""So far beyond the start line its middle must lie for a piece to be clear of it, about [m]."""
_ROUNDS = ((8, 6), (16, 5), (40, 1))
"""Launches more in a round, and the share of those left that goes on: one in so many."""
_LATER, _PARENTS, _CHILDREN, _NEAR = 4, 8, 8, 0.05
"""Rounds in which others are tried beside the best, so many beside each of so many, and how far beside at first, in
shares of the ranges drawn from."""
_AFRESH = 400


class Trial:
    """Launches of one size, tried in one hand.

    Args:
        stay: so large a share must stay; what is handed back costs nothing but time.
    """

    def __init__(self, size: Size, grade: str, stay: float, rng: np.random.Generator) -> None:
        self._size, self._grade, self._stay, self._rng = size, grade, stay, rng
        self._low = np.array([_HARD[size][0], HEIGHT[0], SLANT[0], LIFT[0]])
        self._high = np.array([_HARD[size][1], HEIGHT[1], SLANT[1], _LIFTED])
        self.ways = np.zeros((0, 4))
        self.came = np.zeros((0, 3))

    def best(self, drawn: int, count: int) -> list[Launch]:
        """The launches that stood most often in the end, of so many drawn."""
        self._draw(self._low + (self._high - self._low) * self._rng.random((drawn, 4)), _ROUNDS[0][0])
        left = drawn
        for (_, share), (launches, _) in pairwise(_ROUNDS):
            left = max(3 * _PARENTS, left // share)
            self._again(left, launches)
        for later in range(_LATER):
            near = _NEAR / (1.0 + 0.6 * later) * (self._high - self._low)
            beside = [way + near * self._rng.normal(size=(_CHILDREN, 4)) for way in self.ways[self._first(_PARENTS)]]
            self._draw(np.clip(np.concatenate(beside), self._low, self._high), 40)
            self._again(_PARENTS + 2, 80)
        return [meant(self._size, way) for way in self.ways[self._first(count)]]

    def _first(self, count: int) -> npt.NDArray[np.int64]:
        return np.argsort(-sure(self.came, self._stay), kind="stable")[:count]

    def _draw(self, ways: Floats, launches: int) -> None:
        self.ways = np.concatenate([self.ways, ways])
        self.came = np.concatenate([self.came, np.zeros((len(ways), 3))])
        self._try(np.arange(len(self.ways) - len(ways), len(self.ways)), launches)

    def _again(self, count: int, launches: int) -> None:
        self._try(self._first(count), launches)

    def _try(self, rows: npt.NDArray[np.int64], launches: int) -> None:
        for row in rows.tolist():
            stood, stayed, _ = tried(meant(self._size, self.ways[row]), self._grade, launches, self._rng)
            self.came[row] += stood, stayed, launches


def sure(came: Floats, stay: float) -> Floats:
    """Share standing of those that stayed, as if one more of three had stood; less where fewer stayed than must. [W]

    Args:
        came: how many stood, stayed and were launched. [W, 3]
    """
    stood, stayed, launched = came.T
    found: Floats = (stood + 1.0) / (stayed + 3.0) * np.minimum(1.0, stayed / (stay * launched))
    return found


def meant(size: Size, way: Floats) -> Launch:
    """A launch from the middle of a stash area straight into the table, by strength, height, slant and lift."""
    speed, height, slant, lift = (float(x) for x in way)
    return Launch(
        piece=f"red-{size}-1", size=size, hold=_PLACE.hold, azimuth=_PLACE.facing, speed=speed, height=height,
        slant=slant, lift=lift,
    )  # fmt: skip


def tried(launch: Launch, grade: str, count: int, rng: np.random.Generator) -> tuple[int, int, float]:
    """The number that stood and that stayed of so many, and how far away those that stood did, in the mean [m]."""
    settled = settle_many(_BARE, [GRADES[grade].make(launch, rng) for _ in range(count)], failed="mark")
    x, y, _ = settled.places[:, 0].T
    fate = settled.fate[:, 0]
    stays = (settled.failed == "") & np.isin(fate, (UPRIGHT, ON_SIDE)) & (y > _PLACE.line[0][1] + _BEYOND)
    stands = stays & (fate == UPRIGHT)
    away = np.hypot(x - launch.hold[0], y - launch.hold[1])[stands]
    return int(stands.sum()), int(stays.sum()), float(away.mean()) if len(away) else 0.0


def main(words: Sequence[str] | None = None) -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.knacks", description=__doc__)
    parser.add_argument("--size", choices=SIZES, action="append")
    parser.add_argument("--hand", choices=list(GRADES), default="club")
    parser.add_argument("--drawn", type=int, default=1500)
    parser.add_argument("--stay", type=float, default=0.35, help="so large a share must stay on the table")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    for size in given.size or SIZES:
        rng = Seeds(seed=given.seed).child(size).generator()
        for launch in Trial(size, given.hand, given.stay, rng).best(given.drawn, 4):
            by = {grade: tried(launch, grade, _AFRESH, rng) for grade in reversed(GRADES)}
            shares = ", ".join(
                f"{name} {stood / max(1, stayed):.2f} of {stayed}" for name, (stood, stayed, _) in by.items()
            )
            print(
                f"{size} _knack({launch.speed:.3f}, {degrees(launch.slant):.1f}, {to_mm(launch.height):.1f}, "
                f"{to_mm(launch.lift):.1f}, {to_mm(by[given.hand][2]):.1f}),  # {shares}", flush=True,
            )  # fmt: skip


if __name__ == "__main__":
    main()
