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


class ChanceTable(NamedTuple):
    """Chances of one noise grade, as arrays; the sizes of winks are large, small.

    Args:
        pots, squops, skims: distances [m]. [D]
        pot: chance. [2, D] pot_miss: [2, D, K, 2] squop: [2, 2, D] squop_miss: [2, 2, D, K, 2] skim: [2, D, K, 2]
    """

    pots: Floats
    squops: Floats
    skims: Floats
    pot: Floats
    pot_miss: Floats
    squop: Floats
    squop_miss: Floats
    skim: Floats


@lru_cache(maxsize=1)
def load_shot_chances() -> ShotChances:
    """Load the table."""
    return from_json(read_bytes(FILE), ShotChances)


@lru_cache(maxsize=16)
def chance_table_for(noise: ExecutionNoise) -> ChanceTable:
    """Chances at a level of execution noise: interpolated between measured grades, constant beyond them."""
    table = load_shot_chances()
    errors = [log(speed) for speed in table.hands]
    position = float(np.interp(log(max(noise.speed, 1e-6)), errors[::-1], range(len(errors))[::-1]))
    lower = min(int(position), len(errors) - 2)
    fraction = position - lower
    nearest = lower + round(fraction)
    hands = len(errors)

    def interpolated(values: tuple[float, ...], *shape: int) -> Floats:
        cells = np.array(values).reshape(hands, *shape)
        return np.ascontiguousarray((1.0 - fraction) * cells[lower] + fraction * cells[lower + 1])

    def samples(values: tuple[float, ...], *shape: int) -> Floats:
        return np.ascontiguousarray(np.array(values).reshape(hands, *shape, MISSES_PER_CELL, 2)[nearest])

    pots, squops, skims = (np.array(distances) for distances in (table.pots, table.squops, table.skims))
    return ChanceTable(
        pots=pots, squops=squops, skims=skims,
        pot=interpolated(table.pot, 2, len(pots)), pot_miss=samples(table.pot_miss, 2, len(pots)),
        squop=interpolated(table.squop, 2, 2, len(squops)), squop_miss=samples(table.squop_miss, 2, 2, len(squops)),
        skim=samples(table.skim, 2, len(skims)),
    )  # fmt: skip
