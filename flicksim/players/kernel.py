"""Kernel regression over flicks that were made: each tells something of those beside it, for no hand is exact."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def near(asked: Floats, made: Floats, width: Floats) -> Floats:
    """The weight of each flick made for each flick asked about: 1 for the same, less the farther off. [A, M]

    Args:
        asked: numbers of flicks. [A, D] made: likewise. [M, D] width: how far each number tells. [D]
    """
    off = (asked[:, None, :] - made[None, :, :]) / width
    weights: Floats = np.exp(-0.5 * (off * off).sum(axis=2))
    return weights


def regressed(asked: Floats, made: Floats, told: Floats, width: Floats, usual: float) -> tuple[Floats, Floats]:
    """The worth of flicks, as those made near them tell it, and how many flicks that is told by. [A], [A]

    Args:
        told: what came of each flick made. [M] usual: what is expected where nothing was tried; it counts as one flick.
    """
    weights = near(asked, made, width)
    count = weights.sum(axis=1)
    return (weights @ told + usual) / (count + 1.0), count
