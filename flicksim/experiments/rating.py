"""Bradley-Terry ratings by maximum likelihood (Newton's method), with 95 % intervals from the Fisher information.

Written here because it is thirty lines of numpy: the packages that fit it bring scipy and networkx and no intervals.
"""

from __future__ import annotations

from math import log

import numpy as np
import numpy.typing as npt

from flicksim.core.serialization import Value

ELO_SCALE = 400.0 / log(10.0)
"""Points for a factor of e in the odds: 400 points are odds of ten to one."""
_Z95 = 1.959964
_PRIOR_DRAWS = 0.5
"""Prior: every pair that met is counted as having drawn once more, which keeps ratings finite."""


class Rating(Value, frozen=True, kw_only=True):
    """A player's strength: points about a mean of 0, and their 95 % interval; null as long as nothing can be said."""

    points: float
    low: float | None
    high: float | None


def ratings(scores: npt.ArrayLike) -> tuple[Rating, ...]:
    """Bradley-Terry rating of each of n players.

    Args:
        scores: what i took from j, a win 1 and a draw a half to each [n, n]. Where not all are linked by games there
            are no intervals: nothing is known between those that are not.

    The odds of i over j are exp((r_i - r_j) / ELO); the interval is that of the Fisher information. A draw counts as
    half a win to each, as in chess; that makes the interval a little too wide, never too narrow.
    """
    taken = np.array(scores, dtype=float)
    met = (taken + taken.T) > 0.0
    linked = np.linalg.matrix_power(met | np.eye(len(met), dtype=bool), len(met)).all()
    taken += _PRIOR_DRAWS * met
    played = taken + taken.T
    count = len(taken)
    strength = np.zeros(count)
    for _ in range(100):
        chance = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
        slope = (taken - played * chance).sum(axis=1)
        weight = played * chance * (1.0 - chance)
        fisher = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.lstsq(fisher, slope, rcond=None)[0]
        strength += np.clip(step - step.mean(), -1.0, 1.0)
        if float(np.abs(step).max()) < 1e-12:
            break
    if not linked:
        return tuple(Rating(points=round(ELO_SCALE * r, 6), low=None, high=None) for r in strength.tolist())
    spread = np.sqrt(np.diag(np.linalg.pinv(fisher, hermitian=True)))
    return tuple(
        Rating(
            points=round(ELO_SCALE * r, 6),
            low=round(ELO_SCALE * (r - _Z95 * s), 6),
            high=round(ELO_SCALE * (r + _Z95 * s), 6),
        )
        for r, s in zip(strength.tolist(), spread.tolist(), strict=True)
    )
