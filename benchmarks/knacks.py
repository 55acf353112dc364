"""Launches worth knowing by heart in Ice Tiddly Winks: `python -m benchmarks.knacks [--size small] [--drawn N]`.

Launches are drawn at random and tried in world hands on a bare table, and again and again those that stood most often
of those that stayed. Prints rows as `games.ice.practice` has them, and how they fare in every hand, tried afresh.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import degrees, hypot

import numpy as np

from flicksim.base import units
from flicksim.base.seeding import Seeds
from flicksim.games.ice.landed import in_area
from flicksim.games.ice.options import Options
from flicksim.games.ice.seats import places, surface
from flicksim.physics import settle
from flicksim.players import GRADES
from flicksim.table.launch import HEIGHT, LIFT, SLANT, Launch
from flicksim.table.pyramid import SIZES, Size
from flicksim.table.pyramid_scene import PyramidScene

_BARE, _PLACE = PyramidScene(surface=surface(Options(), 1)), places(Options(), 1)[0]
_HARD: dict[Size, tuple[float, float]] = {"small": (1.4, 3.6), "medium": (2.0, 4.8), "large": (2.2, 5.8)}
"""Strengths drawn from [m/s]."""
_ROUNDS = ((8, 0.15), (24, 0.3), (80, 0.3))
"""Launches each by the end of a round, and the share that goes on to the next."""
_STAY = 0.6
"""So large a share must stay: what is handed back costs nothing but time."""


def drawn(size: Size, rng: np.random.Generator) -> Launch:
    """Any launch from the middle of a stash area straight into the table."""
    return Launch(
        piece=f"red-{size}-1", size=size, hold=_PLACE.hold, azimuth=_PLACE.facing, speed=rng.uniform(*_HARD[size]),
        height=rng.uniform(*HEIGHT), slant=rng.uniform(*SLANT), lift=rng.uniform(LIFT[0], 2.0 * LIFT[0]),
    )  # fmt: skip


def tried(meant: Launch, grade: str, count: int, rng: np.random.Generator) -> list[float]:
    """Distances at which the missiles that stay come to stand [m]; 0 for one that lies."""
    found = []
    for _ in range(count):
        missile = settle(_BARE, GRADES[grade].make(meant, rng)).missile
        if missile is not None and not in_area(Options(), missile, _PLACE.area):
            away = hypot(missile.x - meant.hold[0], missile.y - meant.hold[1])
            found.append(away if missile.standing else 0.0)
    return found


def sure(went: list[float], of: int = 0) -> float:
    """Share standing of those that stayed, as if two more had fallen over; 0 when too few of so many stayed."""
    return float(np.count_nonzero(went)) / (len(went) + 2.0) if len(went) >= _STAY * of else 0.0


def best(size: Size, count: int, rng: np.random.Generator) -> list[Launch]:
    """The four that stood most often in the end."""
    made: list[tuple[Launch, list[float]]] = [(drawn(size, rng), []) for _ in range(count)]
    before = 0
    for launches, share in _ROUNDS:
        made = [(meant, went + tried(meant, "world", launches - before, rng)) for meant, went in made]
        made.sort(key=lambda one: sure(one[1], launches), reverse=True)
        made, before = made[: max(6, round(share * len(made)))], launches
    made = [(meant, went + tried(meant, "world", 100, rng)) for meant, went in made]
    return [meant for meant, went in sorted(made, key=lambda one: sure(one[1]), reverse=True)[:4]]


def main(words: Sequence[str] | None = None) -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.knacks", description=__doc__)
    parser.add_argument("--size", choices=SIZES, action="append")
    parser.add_argument("--drawn", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    for size in given.size or SIZES:
        rng = Seeds(seed=given.seed).child(size).generator()
        for meant in best(size, given.drawn, rng):
            by = {grade: tried(meant, grade, 200, rng) for grade in reversed(GRADES)}
            carry = units.to_mm(float(np.mean([away for away in by["world"] if away])))
            shares = ", ".join(f"{grade} {np.count_nonzero(w) / len(w):.2f} of {len(w)}" for grade, w in by.items())
            print(
                f"{size} _knack({meant.speed:.2f}, {degrees(meant.slant):.1f}, {units.to_mm(meant.height):.1f}, "
                f"{units.to_mm(meant.lift):.1f}, {carry:.1f}),  # {shares}", flush=True,
            )  # fmt: skip


if __name__ == "__main__":
    main()
