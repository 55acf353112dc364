"""Aiming of squidges: a steep shot that lands beyond an edge, or a flat one that slides to a place."""

from __future__ import annotations

from math import pi, tan

import numpy as np

from flicksim.core.units import deg2rad, mm
from flicksim.scene import Piece, launch_speed_to_reach

SLIDE_ELEVATION = pi / 6.0
"""Elevation of sliding shots [rad]: the wink lands flat and slides on evenly."""
_SLIDE_TABLE = ((0.0, 0.0), (0.099, 0.05), (0.352, 0.2), (0.98, 0.6), (1.9, 1.2))
"""Distances to rest and to the first landing of sliding shots on felt [m]; measured in simulations."""
LANDING_HEIGHT = mm(2.0)
"""Height of a wink's centre as it lands on another or on the felt [m]."""
SQUOP_ELEVATIONS = (deg2rad(56.0), deg2rad(64.0), deg2rad(48.0))
"""Elevations of shots on to another wink, the usual one first [rad]."""
_SHORT_OFFSET, _SHORT_FRACTION = mm(5.0), 0.09
"""A squopping wink is aimed short of the target's middle, as it slides on: constant part [m], and fraction of the
distance."""
_FAR_DISTANCE, _FAR_POT_ELEVATIONS, _NEAR_POT_ELEVATIONS = (
    0.25,
    (deg2rad(48.0), deg2rad(54.0)),
    (deg2rad(65.0), deg2rad(72.0)),
)


def pot_elevations(distance: float) -> tuple[float, float]:
    """Elevations of shots into a pot at a distance [m], the usual one first [rad]."""
    return _FAR_POT_ELEVATIONS if distance > _FAR_DISTANCE else _NEAR_POT_ELEVATIONS


def squop_aim_offset(distance: float) -> float:
    """Distance short of the target's middle to aim at, so that a squop at a distance stays on it [m]."""
    return _SHORT_OFFSET + _SHORT_FRACTION * distance


def lob_elevation_and_speed(piece: Piece, distance: float, height: float, elevation: float) -> tuple[float, float]:
    """Elevation and speed that bring a wink down past a height so far away, from above [rad], [m/s]."""
    clearing = clearing_elevation(distance, height, elevation)
    return clearing, launch_speed_to_reach(piece, distance, height, clearing)


def clearing_elevation(distance: float, height: float, elevation: float) -> float:
    """Smallest elevation, at least the given one, at which a wink descends past an edge of a height."""
    while distance * tan(elevation) - height < 0.3 * distance and elevation < 1.4:
        elevation += 0.08
    return elevation


def slide_speed(piece: Piece, distance: float) -> float:
    """Speed at which a wink squidged at `SLIDE_ELEVATION` comes to rest at a distance [m/s]."""
    rest_distances, landing_distances = zip(*_SLIDE_TABLE, strict=True)
    return launch_speed_to_reach(
        piece, float(np.interp(distance, rest_distances, landing_distances)), mm(2.0), SLIDE_ELEVATION
    )
