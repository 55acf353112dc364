"""Rounding of positions to the nanometre, vectorised."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from flicksim.scene.surface import Surface

_EDGE_MARGIN = 1e-9
"""Side of an edge, as a cross product, above which a point is inside however it is computed [m^2]."""


def quantize_positions(positions: npt.NDArray[np.float64], moved: npt.NDArray[np.bool_], surface: Surface) -> None:
    """Round positions of moved pieces to the nanometre, inside the surface (see `Surface.round_inside`)."""
    exact = positions[moved]
    rounded = to_nanometres(exact)
    corners = np.array(surface.outline)
    ahead = corners - np.roll(corners, 1, axis=0)
    inward = np.stack([-ahead[:, 1], ahead[:, 0]])
    near = rounded[:, :2] @ inward < (inward.T * corners).sum(axis=1) + _EDGE_MARGIN
    for row in {at // len(corners) for at in np.flatnonzero(near).tolist()}:
        rounded[row, :2] = surface.round_inside((float(exact[row, 0]), float(exact[row, 1])))
    positions[moved] = rounded


def to_nanometres(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Round each number to nine decimals, bit for bit as `round` does."""
    scaled = numbers * 1e9
    found: npt.NDArray[np.float64] = np.rint(scaled)
    scaled -= found
    ties = np.flatnonzero(np.abs(scaled, out=scaled) > 0.5 - 1e-4)
    found /= 1e9
    # near ties the product is not exact, so `round` decides
    for at in ties.tolist():
        found.flat[at] = round(float(numbers.flat[at]), 9)
    return found
