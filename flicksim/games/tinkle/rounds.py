"""The rounds to come, of which nobody knows more than how far they spread: what a round's end makes of the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SPREAD = (65, 89, 118, 176, 137, 200, 200, 260)
"""Points by which a seat's score of each round is off the mean of the table, by standard deviation: 40 rounds each of
three, four and six seats, played out by rules of thumb."""
_DRAWN = 500
"""Ways in which the rounds to come are drawn."""


def of_game(totals: Sequence[float], round_: int) -> tuple[float, ...]:
    """The share in the win of the game that each seat may expect who has so many points after a round."""
    spread = hypot(*SPREAD[round_:])
    came = np.array(totals, np.float64) + spread * (_luck(len(totals)) if spread else np.zeros((1, len(totals))))
    best = came >= came.max(axis=1, keepdims=True)
    return tuple((best / best.sum(axis=1, keepdims=True)).mean(axis=0).tolist())


@lru_cache(maxsize=8)
def _luck(seats: int) -> Floats:
    """Standard normal luck, the same for every position; who sits where makes no difference. [W, seats]"""
    drawn = np.random.Generator(np.random.PCG64(seats)).standard_normal((_DRAWN, seats))
    return np.concatenate([np.roll(drawn, turn, axis=1) for turn in range(seats)])
