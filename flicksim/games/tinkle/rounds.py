"""The rounds to come, of which nobody knows more than how far they spread: what a round's end makes of the game."""

from __future__ import annotations

from math import hypot, pi, sqrt

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SPREAD = (65, 89, 118, 176, 137, 200, 200, 260)
"""Points by which a seat's score of each round is off the mean of the table, by standard deviation: 40 rounds each of
three, four and six seats, played out by rules of thumb."""
_LUCK, _WEIGHT = np.polynomial.hermite.hermgauss(20)
"""The seat's own luck, at places of its normal distribution, and what each of them weighs."""


def of_game(totals: npt.NDArray[np.float64 | np.int64], seat: int, round_: int) -> Floats:
    """The share in the win of the game that a seat may expect where the seats have so many points after a round. [N]

    Args:
        totals: [N, S]
    """
    whole: Floats = totals.astype(np.float64)
    ahead: Floats = whole[:, [seat]] - np.delete(whole, seat, axis=1)
    spread = hypot(*SPREAD[round_:])
    if not spread:
        return np.where((ahead >= 0.0).all(axis=1), 1.0 / (1.0 + (ahead == 0.0).sum(axis=1)), 0.0)
    # by how much its own luck must beat each of the others'
    below = _normal(ahead[:, None] / spread + (sqrt(2.0) * _LUCK)[None, :, None])
    found: Floats = below.prod(axis=2) @ _WEIGHT / sqrt(pi)
    return found


def _normal(at: Floats) -> Floats:
    """The normal distribution function, to 1e-7 (Abramowitz and Stegun, 26.2.17)."""
    t = 1.0 / (1.0 + 0.2316419 * np.abs(at))
    series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail: Floats = np.exp(-0.5 * at * at) / sqrt(2.0 * pi) * series
    return np.where(at > 0.0, 1.0 - tail, tail)
