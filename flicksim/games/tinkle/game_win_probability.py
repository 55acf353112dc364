"""Probability to win the game of Tinkle after a round, from the variance of the remaining rounds."""

from math import hypot, pi, sqrt

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SCORE_STD = (57, 78, 104, 155, 121, 176, 176, 229)
"""Standard deviation of a seat's score by round, as of a normal distribution: standard deviations from the mean of the
table in 40 rounds each of three, four and six seats played by the heuristic, times 0.88. Scores have heavy tails: with
that factor (0.80 to 0.94) the results of 800 games of three seats are most likely, given the scores after each round;
of 80 games of four seats with 0.96, of 60 games of six with 0.76."""
_NODES, _WEIGHTS = np.polynomial.hermite.hermgauss(20)
"""Nodes and weights of Gauss-Hermite quadrature over the seat's own normal deviate."""


def game_win_probability(totals: npt.NDArray[np.float64 | np.int64], seat: int, round_: int) -> Floats:
    """Expected share of a seat in the win of the game from the points of all seats after a round. [N]

    Args:
        totals: [N, S]
    """
    points: Floats = totals.astype(np.float64)
    ahead: Floats = points[:, [seat]] - np.delete(points, seat, axis=1)
    spread = hypot(*SCORE_STD[round_:])
    if not spread:
        return np.where((ahead >= 0.0).all(axis=1), 1.0 / (1.0 + (ahead == 0.0).sum(axis=1)), 0.0)
    # each other seat's deviate must stay below this for the seat to win
    below = _normal_cdf(ahead[:, None] / spread + (sqrt(2.0) * _NODES)[None, :, None])
    probability: Floats = below.prod(axis=2) @ _WEIGHTS / sqrt(pi)
    return probability


def _normal_cdf(x: Floats) -> Floats:
    """Cumulative distribution function of the normal distribution, to 1e-7 (Abramowitz and Stegun, 26.2.17)."""
    t = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail: Floats = np.exp(-0.5 * x * x) / sqrt(2.0 * pi) * series
    return np.where(x > 0.0, 1.0 - tail, tail)
