"""Places kept to the nanometre, many at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from flicksim.table.surface import Surface


def keep(places: npt.NDArray[np.float64], moved: npt.NDArray[np.bool_], surface: Surface) -> None:
    """Keep the places of what has moved to the nanometre, and on the surface (see `Surface.kept`)."""
    exact = places[moved]
    rounded = to_nanometres(exact)
    for i, (bx, by) in enumerate(surface.outline):
        ax, ay = surface.outline[i - 1]
        over = (bx - ax) * (rounded[:, 1] - ay) - (by - ay) * (rounded[:, 0] - ax) < 0.0
        for row in np.flatnonzero(over):
            rounded[row, :2] = surface.kept((float(exact[row, 0]), float(exact[row, 1])))
    places[moved] = rounded


def to_nanometres(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Each number rounded to nine places, to the very float that `round` gives."""
    scaled = numbers * 1e9
    found: npt.NDArray[np.float64] = np.rint(scaled) / 1e9
    # what lies half way, as far as a product can tell, only decimal digits decide
    for at in np.argwhere(np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < 1e-4):
        found[tuple(at)] = round(float(numbers[tuple(at)]), 9)
    return found
