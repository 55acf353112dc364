"""The squidges a player knows: steep enough to come down past an edge, or skimming on to a place."""

from __future__ import annotations

from math import pi, tan

import numpy as np

from flicksim.base.units import mm
from flicksim.table import Piece, speed_to

SKIM = pi / 6.0
"""Elevation of a shot that is to slide on to its place: from it a wink lands flat and runs on evenly."""
_SKIM = ((0.0, 0.0), (0.099, 0.05), (0.352, 0.2), (0.98, 0.6), (1.9, 1.2))
"""Distances to rest, and to the first landing, of such shots on felt [m]; measured in trial shots."""


def steep_enough(way: float, height: float, elevation: float) -> float:
    """The elevation, or a steeper one from which a wink comes down from above past an edge of that height."""
    while way * tan(elevation) - height < 0.3 * way and elevation < 1.4:
        elevation += 0.08
    return elevation


def skim_to(piece: Piece, way: float) -> float:
    """Speed from which a wink squidged at `SKIM` comes to rest so far away [m/s]."""
    rests, lands = zip(*_SKIM, strict=True)
    return speed_to(piece, float(np.interp(way, rests, lands)), mm(2.0), SKIM)
