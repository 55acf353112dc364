"""Chances of shots by distance and hand, as a player knows them from practice: a table counted from shots.

It is kept beside this file, with its seed; `python -m benchmarks.chances` counts it anew.
"""

from __future__ import annotations

from functools import lru_cache
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value, fingerprint, from_json, read_bytes
from flicksim.players import Hand

Floats = npt.NDArray[np.float64]

FILE = Path(__file__).with_name("chances.json")
KEPT = 24
"""Misses kept of a cell, evenly over how far they lie."""
AWAY = 9.0
"""In place of where a wink lies that left the mat."""


class Chances(Value, frozen=True, kw_only=True):
    """The table, its numbers one after another; the cells run over hand, size of the wink played (large, small), of
    squops that of the wink to be covered, and distance.

    Args:
        seed, shots: whence it comes, shots a cell.
        hands: relative error of speed of each. pots, squops, skims: distances [m].
        pot, squop: the share that did what was meant.
        pot_miss, squop_miss, skim: how the others came to lie, skims all: back along the shot and aside of the aim [m];
            `KEPT` of a cell.
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


class Known(NamedTuple):
    """The table of one hand, as arrays; the sizes of winks are large, small.

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


def digest(chances: Chances) -> str:
    """Sixteen hex digits that change with any of its numbers."""
    return fingerprint(chances)


@lru_cache(maxsize=1)
def counted() -> Chances:
    """The table as it is kept."""
    return from_json(read_bytes(FILE), Chances)


@lru_cache(maxsize=16)
def known(hand: Hand) -> Known:
    """The table of this hand: between two that were counted, in proportion; at the ends the last."""
    table = counted()
    errors = [log(speed) for speed in table.hands]
    at = float(np.interp(log(max(hand.speed, 1e-6)), errors[::-1], range(len(errors))[::-1]))
    one = min(int(at), len(errors) - 2)
    share = at - one
    near = one + round(share)
    hands = len(errors)

    def chance(numbers: tuple[float, ...], *shape: int) -> Floats:
        cells = np.array(numbers).reshape(hands, *shape)
        return np.ascontiguousarray((1.0 - share) * cells[one] + share * cells[one + 1])

    def misses(numbers: tuple[float, ...], *shape: int) -> Floats:
        return np.ascontiguousarray(np.array(numbers).reshape(hands, *shape, KEPT, 2)[near])

    pots, squops, skims = (np.array(ways) for ways in (table.pots, table.squops, table.skims))
    return Known(
        pots=pots, squops=squops, skims=skims,
        pot=chance(table.pot, 2, len(pots)), pot_miss=misses(table.pot_miss, 2, len(pots)),
        squop=chance(table.squop, 2, 2, len(squops)), squop_miss=misses(table.squop_miss, 2, 2, len(squops)),
        skim=misses(table.skim, 2, len(skims)),
    )  # fmt: skip
