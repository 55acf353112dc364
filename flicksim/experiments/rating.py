"""Bradley-Terry ratings by maximum likelihood (Newton's method), with 95 % intervals from the Fisher information.

Written here because it is thirty lines of numpy: the packages that fit it bring scipy and networkx and no intervals.
"""

from math import log

import numpy as np
import numpy.typing as npt

from flicksim.core.serialization import Value

ELO_SCALE = 400.0 / log(10.0)
"""Points for a factor of e in the odds: 400 points are odds of ten to one."""
_Z95 = 1.959964
_PRIOR_DRAWS = 0.5
"""Prior: one more draw of every pair that met, which keeps ratings finite."""


class Rating(Value, frozen=True, kw_only=True):
    """Strength of a player: points about a mean of 0, and their 95 % interval; null if it is unbounded."""

    points: float
    low: float | None
    high: float | None


def ratings(scores: npt.ArrayLike) -> tuple[Rating, ...]:
    """Bradley-Terry rating of each of n players.

    Args:
        scores: points of i against j, a win 1 and a draw a half to each [n, n]. If the graph of games is not connected,
            there are no intervals.

    The odds of i over j are exp((r_i - r_j) / ELO); the interval is that of the Fisher information. A draw counts as
    half a win to each, as in chess; that makes the interval a little too wide, never too narrow.
    """
    wins = np.array(scores, dtype=float)
    are_linked = (wins + wins.T) > 0.0
    is_connected = np.linalg.matrix_power(are_linked | np.eye(len(are_linked), dtype=bool), len(are_linked)).all()
    wins += _PRIOR_DRAWS * are_linked
    games = wins + wins.T
    count = len(wins)
    strength = np.zeros(count)
    for _ in range(100):
        expected = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
        gradient = (wins - games * expected).sum(axis=1)
        weight = games * expected * (1.0 - expected)
        fisher = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.lstsq(fisher, gradient, rcond=None)[0]
        strength += np.clip(step, -1.0, 1.0)
        if float(np.abs(step).max()) < 1e-12:
            break
    strength -= strength.mean()
    if not is_connected:
        return tuple(Rating(points=round(ELO_SCALE * r, 6), low=None, high=None) for r in strength.tolist())
    standard_errors = np.sqrt(np.diag(np.linalg.pinv(fisher, hermitian=True)))
    return tuple(
        Rating(
            points=round(ELO_SCALE * r, 6),
            low=round(ELO_SCALE * (r - _Z95 * s), 6),
            high=round(ELO_SCALE * (r + _Z95 * s), 6),
        )
        for r, s in zip(strength.tolist(), standard_errors.tolist(), strict=True)
    )
