"""The rounds to come, of which each is anybody's: what a round that ends so makes of the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, factorial, prod

import numpy as np
import numpy.typing as npt

from flicksim.games.dominoes import deck
from flicksim.games.dominoes.state import State

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_WAYS, _DRAWN = 6000, 4000
"""So many ways to share out the rounds to come are all counted; of more, so many are drawn."""


def of_game(view: State, share: Sequence[float], seat: int) -> float:
    """The share in the win of the game that a seat may expect once this round is shared out so."""
    staked = deck.stake(view.options)
    won = len(share) * staked if staked else 1
    paid = [won * part if staked else float(part > 0.0) for part in share]
    after = [had + more for had, more in zip(view.scores, paid, strict=True)]
    return _chances(tuple(after), won, view.options.rounds - view.round)[seat]


@lru_cache(maxsize=4096)
def _chances(totals: tuple[float, ...], won: int, rounds: int) -> tuple[float, ...]:
    """The share in the win of each seat with these totals, so many rounds to come, each won by anybody alike."""
    often, weight = _ways(rounds, len(totals))
    came = np.array(totals) + won * often
    best = came >= came.max(axis=1, keepdims=True) - 1e-9
    shared = best / best.sum(axis=1, keepdims=True)
    return tuple((weight @ shared).tolist())


@lru_cache(maxsize=256)
def _ways(rounds: int, seats: int) -> tuple[Ints, Floats]:
    """Ways in which each seat may win of so many rounds, and how likely each is. [W, seats], [W]"""
    if comb(rounds + seats - 1, seats - 1) > _WAYS:
        rng = np.random.Generator(np.random.PCG64(rounds))
        return rng.multinomial(rounds, np.full(seats, 1.0 / seats), _DRAWN), np.full(_DRAWN, 1.0 / _DRAWN)
    # bars between stars: where they stand says who won how many
    bars = np.array(list(combinations(range(rounds + seats - 1), seats - 1)), np.int64).reshape(-1, seats - 1)
    ends = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), rounds + seats - 1)])
    often = np.diff(ends, axis=1) - 1
    likely = [factorial(rounds) / prod(map(factorial, row)) / seats**rounds for row in often.tolist()]
    return often, np.array(likely)
