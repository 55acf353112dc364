"""Rounding of positions to the nanometre, vectorised."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from flicksim.scene.surface import Surface


def quantize_positions(positions: npt.NDArray[np.float64], moved: npt.NDArray[np.bool_], surface: Surface) -> None:
    """Round positions of moved pieces to the nanometre, inside the surface (see `Surface.round_inside`)."""
    exact = positions[moved]
    rounded = to_nanometres(exact)
    for i, (bx, by) in enumerate(surface.outline):
        ax, ay = surface.outline[i - 1]
        over = (bx - ax) * (rounded[:, 1] - ay) - (by - ay) * (rounded[:, 0] - ax) < 0.0
        for row in np.flatnonzero(over):
            rounded[row, :2] = surface.round_inside((float(exact[row, 0]), float(exact[row, 1])))
    positions[moved] = rounded


def to_nanometres(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Round each number to nine decimals, bit for bit as `round` does."""
    scaled = numbers * 1e9
    found: npt.NDArray[np.float64] = np.rint(scaled) / 1e9
    # near ties the product is not exact, so `round` decides
    for at in np.argwhere(np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < 1e-4):
        found[tuple(at)] = round(float(numbers[tuple(at)]), 9)
    return found
