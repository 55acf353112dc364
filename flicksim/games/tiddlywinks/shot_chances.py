"""Table of shot chances by distance and grade, from simulated shots.

It is in `chances.json`, with its seed; `python -m benchmarks.shot_probabilities` computes it.
"""

from functools import lru_cache
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from flicksim.ai import ExecutionNoise
from flicksim.core.arrays import Floats
from flicksim.core.serialization import Value, from_json, read_bytes

FILE = Path(__file__).with_name("chances.json")
MISSES_PER_CELL = 24
"""Number of sampled misses of a cell, evenly spaced in the order of their distance."""
OFF_MAT = 9.0
"""Coordinate that marks a wink that left the mat."""
DISTANCE_STEP = 0.005
"""Step of the lookup tables by distance [m]."""
DISTANCES = (np.arange(240) + 0.5) * DISTANCE_STEP
"""Middles of their cells [m]."""


class ShotChances(Value, frozen=True, kw_only=True):
    """Table of shot chances as flat sequences.

    The cells run over noise grade, size of the wink played (large, small), for squops size of the wink to be covered,
    and distance.

    Args:
        seed, shots: seed of the simulation, shots per cell.
        hands: relative standard deviation of the speed of each noise grade. pots, squops, skims: distances [m].
        pot, squop: fraction of successful shots.
        pot_miss, squop_miss, skim: sampled end points of misses, for skims of all shots: back along the shot and across
            it, from the target [m]; `MISSES_PER_CELL` for each cell.
    """

    seed: int
    shots: int
    hands: tuple[float, ...]
    pots: tuple[float, ...]
    squops: tuple[float, ...]
    skims: tuple[float, ...]
    pot: tuple[float, ...]
    pot_miss: tuple[float, ...]
    squop: tuple[float, ...]
    squop_miss: tuple[float, ...]
    skim: tuple[float, ...]


class ChanceLookup(NamedTuple):
    """Shot chances at a level of execution noise, by sizes of winks (large, small) and distance in steps of
    `DISTANCE_STEP`.

    Args:
        pot, squop: probability of success. [2, D], [2, 2, D]
        pot_miss, squop_miss, skim: sampled end points (see `ShotChances`). [2, D, K, 2], [2, 2, D, K, 2], [2, D, K, 2]
    """

    pot: Floats
    squop: Floats
    pot_miss: Floats
    squop_miss: Floats
    skim: Floats


@lru_cache(maxsize=1)
def load_shot_chances() -> ShotChances:
    """Load the table."""
    return from_json(read_bytes(FILE), ShotChances)


@lru_cache(maxsize=16)
def chance_lookup(noise: ExecutionNoise) -> ChanceLookup:
    """Chances at a level of execution noise: interpolated between measured grades, constant beyond them."""
    table = load_shot_chances()
    errors = [log(speed) for speed in table.hands]
    position = float(np.interp(log(max(noise.speed, 1e-6)), errors[::-1], range(len(errors))[::-1]))
    lower = min(int(position), len(errors) - 2)
    fraction = position - lower
    nearest_hand = lower + round(fraction)

    def chances(values: tuple[float, ...], tabled: tuple[float, ...], *sizes: int) -> Floats:
        cells = np.array(values).reshape(len(errors), -1, len(tabled))
        rows = (1.0 - fraction) * cells[lower] + fraction * cells[lower + 1]
        return np.array([np.interp(DISTANCES, tabled, row) for row in rows]).reshape(*sizes, -1)

    def samples(values: tuple[float, ...], tabled: tuple[float, ...], *sizes: int) -> Floats:
        cells = np.array(values).reshape(len(errors), *sizes, len(tabled), MISSES_PER_CELL, 2)[nearest_hand]
        nearest = np.abs(np.log(DISTANCES)[:, None] - np.log(tabled)[None]).argmin(axis=1)
        return np.ascontiguousarray(cells[..., nearest, :, :])

    squop = chances(table.squop, table.squops, 2, 2)
    squop[..., table.squops[-1] < DISTANCES] = 0.0
    return ChanceLookup(
        pot=chances(table.pot, table.pots, 2),
        squop=squop,
        pot_miss=samples(table.pot_miss, table.pots, 2),
        squop_miss=samples(table.squop_miss, table.squops, 2, 2),
        skim=samples(table.skim, table.skims, 2),
    )
