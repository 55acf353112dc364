"""Probability to win the game of dominoes after a round, from the rounds still to come."""

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

_MAX_ENUMERATED, _SAMPLES = 6000, 4000
"""Largest number of outcomes of the remaining rounds that are enumerated, and number sampled beyond it."""


def game_win_probability(view: State, round_shares: Sequence[float], seat: int) -> float:
    """Expected share of a seat in the win of the game after a round with this result."""
    staked = deck.stake(view.options)
    won = len(round_shares) * staked if staked else 1
    paid = [won * part if staked else float(part > 0.0) for part in round_shares]
    after = [before + gained for before, gained in zip(view.scores, paid, strict=True)]
    return _win_probabilities(tuple(after), won, view.options.rounds - view.round)[seat]


@lru_cache(maxsize=4096)
def _win_probabilities(totals: tuple[float, ...], won: int, rounds: int) -> tuple[float, ...]:
    """Expected share of each seat in the win, given totals and equally likely winners of the rounds to come."""
    win_counts, probabilities = _win_count_outcomes(rounds, len(totals))
    final = np.array(totals) + won * win_counts
    is_best = final >= final.max(axis=1, keepdims=True) - 1e-9
    shares = is_best / is_best.sum(axis=1, keepdims=True)
    return tuple((probabilities @ shares).tolist())


@lru_cache(maxsize=256)
def _win_count_outcomes(rounds: int, seats: int) -> tuple[Ints, Floats]:
    """Numbers of rounds won by each seat, and the probability of each combination (multinomial). [W, seats], [W]"""
    if comb(rounds + seats - 1, seats - 1) > _MAX_ENUMERATED:
        rng = np.random.Generator(np.random.PCG64(rounds))
        return rng.multinomial(rounds, np.full(seats, 1.0 / seats), _SAMPLES), np.full(_SAMPLES, 1.0 / _SAMPLES)
    # stars and bars: the gaps between bars are the numbers of rounds won
    bars = np.array(list(combinations(range(rounds + seats - 1), seats - 1)), np.int64).reshape(-1, seats - 1)
    ends = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), rounds + seats - 1)])
    win_counts = np.diff(ends, axis=1) - 1
    probabilities = [factorial(rounds) / prod(map(factorial, row)) / seats**rounds for row in win_counts.tolist()]
    return win_counts, np.array(probabilities)
