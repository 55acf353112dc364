"""The moments of pyramids that matter: what was won, and what tottered on the brink. No drawing."""

from __future__ import annotations

from math import acos

import numpy as np

from flicksim.base.geometry import Point
from flicksim.base.units import degrees
from flicksim.table import Landing, frame_of
from flicksim.ui.faces.ice.count import Counted

_BRINK = degrees(14.0)
"""A missile tilted so little more or less than where it topples is on the brink [rad]."""
_LEAST, _LONGEST = 0.06, 0.35
"""One that stays there so long totters; longer than this is not shown slowly [s]."""
_STEP = 0.01
"""The steps in which a landing is looked through [s]."""


def won(before: Counted, after: Counted) -> list[tuple[int, int, Point]]:
    """The points every piece counts more or less than before: whose, how many, where it lies [m]."""
    was = {piece.id: points for piece, points in before}
    there = {piece.id for piece, _ in after}
    found = [(piece, points - was.get(piece.id, 0)) for piece, points in after]
    found += [(piece, -points) for piece, points in before if piece.id not in there]
    return [(piece.owner, more, piece.centre[:2]) for piece, more in found if more and piece.owner is not None]


def totters(landing: Landing) -> tuple[float, float] | None:
    """From when to when a missile that has come down was on the brink, upright or not [s]; None: it never was."""
    track, shape = landing.track(landing.launch.piece), landing.before.kit.shape(landing.launch.size)
    if track is None or landing.duration - landing.down < _LEAST:
        return None
    times = np.arange(landing.down, landing.duration, _STEP).tolist()
    begun: float | None = None
    for t in times:
        now = track.at(t)
        up = frame_of(now[1])[1][2] if now is not None else -1.0
        if abs(acos(min(1.0, max(-1.0, up))) - shape.topple) > _BRINK:
            begun = None
            continue
        begun = t if begun is None else begun
        if t - begun >= _LEAST:
            return begun, min(begun + _LONGEST, landing.duration)
    return None
