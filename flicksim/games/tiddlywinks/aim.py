"""The squidges a player knows: steep enough to come down past an edge, or skimming on to a place."""

from __future__ import annotations

from math import pi, tan

import numpy as np

from flicksim.base.units import degrees, mm
from flicksim.table import Piece, speed_to

SKIM = pi / 6.0
"""Elevation of a shot that is to slide on to its place: from it a wink lands flat and runs on evenly."""
_SKIM = ((0.0, 0.0), (0.099, 0.05), (0.352, 0.2), (0.98, 0.6), (1.9, 1.2))
"""Distances to rest, and to the first landing, of such shots on felt [m]; measured in trial shots."""
LANDS = mm(2.0)
"""Height of a wink's centre as it lands on another or on the felt [m]."""
SQUOPS = (degrees(56.0), degrees(64.0), degrees(48.0))
"""Elevations of shots on to another wink, the usual one first [rad]."""
_SHORT, _SHORTER = mm(5.0), 0.09
"""A wink that is to stay on another lands short of its middle and goes on: by so much [m], and by that share of the
way."""
_FAR, _FAR_POTS, _NEAR_POTS = 0.25, (degrees(48.0), degrees(54.0)), (degrees(65.0), degrees(72.0))


def pots(way: float) -> tuple[float, float]:
    """Elevations of shots into a pot so far away [m], the usual one first [rad]."""
    return _FAR_POTS if way > _FAR else _NEAR_POTS


def short_of(way: float) -> float:
    """The distance short of its middle at which a shot is aimed that is to stay on a wink so far away [m]."""
    return _SHORT + _SHORTER * way


def lob_to(piece: Piece, way: float, height: float, elevation: float) -> tuple[float, float]:
    """Elevation and speed that bring a wink down past a height so far away, from above [rad], [m/s]."""
    steep = steep_enough(way, height, elevation)
    return steep, speed_to(piece, way, height, steep)


def steep_enough(way: float, height: float, elevation: float) -> float:
    """The elevation, or a steeper one from which a wink comes down from above past an edge of that height."""
    while way * tan(elevation) - height < 0.3 * way and elevation < 1.4:
        elevation += 0.08
    return elevation


def skim_to(piece: Piece, way: float) -> float:
    """Speed from which a wink squidged at `SKIM` comes to rest so far away [m/s]."""
    rests, lands = zip(*_SKIM, strict=True)
    return speed_to(piece, float(np.interp(way, rests, lands)), mm(2.0), SKIM)
