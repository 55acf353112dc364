"""Detection of key moments of pyramid games: score changes and missiles near toppling."""

from __future__ import annotations

from math import acos

import numpy as np

from flicksim.core.geometry import Point
from flicksim.core.units import deg2rad
from flicksim.gui.game_views.ice.piece_count import CountedPieces
from flicksim.scene import LaunchTrajectory, axes_from_quaternion

_TOPPLE_MARGIN = deg2rad(14.0)
"""Tilt from the toppling angle within which a missile is near toppling [rad]."""
_MIN_DURATION, _MAX_DURATION = 0.06, 0.35
"""Least and greatest duration of a near topple that is shown in slow motion [s]."""
_TIME_STEP = 0.01
"""Time step for scanning a trajectory [s]."""


def score_changes(before: CountedPieces, after: CountedPieces) -> list[tuple[int, int, Point]]:
    """Changes in the points of pieces: owner, difference, position [m]."""
    was = {piece.id: points for piece, points in before}
    remaining = {piece.id for piece, _ in after}
    changes = [(piece, points - was.get(piece.id, 0)) for piece, points in after]
    changes += [(piece, -points) for piece, points in before if piece.id not in remaining]
    return [
        (piece.owner, more, piece.centre_of_mass[:2]) for piece, more in changes if more and piece.owner is not None
    ]


def near_topple_interval(trajectory: LaunchTrajectory) -> tuple[float, float] | None:
    """Time interval in which a missile was near toppling [s]; None if it never was."""
    track, shape = trajectory.track(trajectory.launch.piece), trajectory.before.kit.shape(trajectory.launch.size)
    if track is None or trajectory.duration - trajectory.first_contact_time < _MIN_DURATION:
        return None
    times = np.arange(trajectory.first_contact_time, trajectory.duration, _TIME_STEP).tolist()
    start: float | None = None
    for t in times:
        now = track.pose_at(t)
        up = axes_from_quaternion(now[1])[1][2] if now is not None else -1.0
        if abs(acos(min(1.0, max(-1.0, up))) - shape.toppling_angle) > _TOPPLE_MARGIN:
            start = None
            continue
        start = t if start is None else start
        if t - start >= _MIN_DURATION:
            return start, min(start + _MAX_DURATION, trajectory.duration)
    return None
