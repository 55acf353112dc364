"""Table of shot chances by distance and grade, counted from simulated shots.

It is kept beside this file, with its seed; `python -m benchmarks.shot_probabilities` counts it anew.
"""

from __future__ import annotations

from functools import lru_cache
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.ai import ExecutionNoise
from flicksim.core.serialization import Value, fingerprint, from_json, read_bytes

Floats = npt.NDArray[np.float64]

FILE = Path(__file__).with_name("chances.json")
MISSES_PER_CELL = 24
"""Misses kept of a cell, evenly over how far they lie."""
OFF_MAT = 9.0
"""In place of where a wink lies that left the mat."""


class ShotChances(Value, frozen=True, kw_only=True):
    """Table of shot chances as flat sequences.

    The cells run over noise grade, size of the wink played (large, small), for squops size of the wink to be covered,
    and distance.

    Args:
        seed, shots: seed of the simulation, shots per cell.
        hands: relative error of speed of each. pots, squops, skims: distances [m].
        pot, squop: share of successful shots.
        pot_miss, squop_miss, skim: how the others came to lie, skims all: back along the shot and aside of the aim [m];
            `MISSES_PER_CELL` of a cell.
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


def fingerprint_of(chances: ShotChances) -> str:
    """Fingerprint of the table: sixteen hex digits that depend on every number in it."""
    return fingerprint(chances)


@lru_cache(maxsize=1)
def load_shot_chances() -> ShotChances:
    """Load the table."""
    return from_json(read_bytes(FILE), ShotChances)


@lru_cache(maxsize=16)
def chance_table_for(noise: ExecutionNoise) -> ChanceTable:
    """Chances at a level of execution noise: interpolated between measured grades, constant beyond them."""
    table = load_shot_chances()
    errors = [log(speed) for speed in table.hands]
    at = float(np.interp(log(max(noise.speed, 1e-6)), errors[::-1], range(len(errors))[::-1]))
    one = min(int(at), len(errors) - 2)
    share = at - one
    near = one + round(share)
    hands = len(errors)

    def chance(numbers: tuple[float, ...], *shape: int) -> Floats:
        cells = np.array(numbers).reshape(hands, *shape)
        return np.ascontiguousarray((1.0 - share) * cells[one] + share * cells[one + 1])

    def misses(numbers: tuple[float, ...], *shape: int) -> Floats:
        return np.ascontiguousarray(np.array(numbers).reshape(hands, *shape, MISSES_PER_CELL, 2)[near])

    pots, squops, skims = (np.array(ways) for ways in (table.pots, table.squops, table.skims))
    return ChanceTable(
        pots=pots, squops=squops, skims=skims,
        pot=chance(table.pot, 2, len(pots)), pot_miss=misses(table.pot_miss, 2, len(pots)),
        squop=chance(table.squop, 2, 2, len(squops)), squop_miss=misses(table.squop_miss, 2, 2, len(squops)),
        skim=misses(table.skim, 2, len(skims)),
    )  # fmt: skip
