"""Points that the camera of the mat keeps in view: what moves, the pot, and where a wink comes to rest."""

from math import hypot

from flicksim.core.geometry import Point
from flicksim.gui.game_views.tiddlywinks.state_cache import cached
from flicksim.scene import Piece, Trajectory

_POT_DISTANCE = 0.09
"""Distance from the pot below which a landing gets a close-up [m]."""
_LOOK_AHEAD = 0.1
"""Time by which the view runs ahead of a wink in flight [s]."""
_REST_MARGIN = 0.12
"""Margin around a wink that has come to rest [m]."""
_LEAD_TIME = 0.3
"""Time by which the view starts to move ahead of the playback [s]."""


def piece_corners(piece: Piece) -> list[Point]:
    """Corners of a square around a wink, with room for its halo [m]."""
    r = 1.5 * piece.radius
    return [(piece.x - r, piece.y - r), (piece.x + r, piece.y + r)]


def moving_corners(trajectory: Trajectory) -> list[Point]:
    """Corners of everything that moves [m]."""
    return cached(trajectory, "moving", lambda: _moving_points(trajectory))


def pot_corners(trajectory: Trajectory, t: float) -> list[Point]:
    """Corners around the pot [m] while the squidged wink comes down or lies there; else empty."""
    pot, name = trajectory.before.surface.pot, trajectory.flick.piece
    if pot is None or name not in trajectory.tracks.ids:
        return []
    column = trajectory.tracks.ids.index(name)
    spots = (
        trajectory.tracks.poses_at(min(when, trajectory.duration))[column, :2].tolist()
        for when in (t + _LEAD_TIME, trajectory.duration)
    )
    if not all(hypot(x - pot.x, y - pot.y) < _POT_DISTANCE for x, y in spots):  # a removed piece is at no position
        return []
    return [(pot.x + d, pot.y + d) for d in (-_POT_DISTANCE, _POT_DISTANCE)]


def look_ahead(trajectory: Trajectory, t: float) -> Point | None:
    """Position of the squidged wink a moment later [m]; None if it is gone."""
    name = trajectory.flick.piece
    if name not in trajectory.tracks.ids:
        return None
    poses = trajectory.tracks.poses_at(min(t + _LOOK_AHEAD, trajectory.duration))
    x, y = poses[trajectory.tracks.ids.index(name), :2].tolist()
    return (x, y) if x == x else None


def rest_corners(trajectory: Trajectory) -> list[Point]:
    """Corners around the resting place of the squidged wink [m]; empty if it is gone."""
    end = look_ahead(trajectory, trajectory.duration)
    return [(end[0] + d, end[1] + d) for d in (-_REST_MARGIN, _REST_MARGIN)] if end is not None else []


def _moving_points(trajectory: Trajectory) -> list[Point]:
    states = trajectory.tracks.states
    points: list[Point] = [(0.0, 0.0)] if trajectory.before.surface.pot is not None else []
    for n in range(states.shape[1]):
        positions = states[:, n, :2]
        positions = positions[positions[:, 0] == positions[:, 0]]
        if len(positions) > 1 and float(abs(positions - positions[0]).max()) > 1e-4:
            (x0, y0), (x1, y1) = positions.min(axis=0), positions.max(axis=0)
            points += [(float(x0), float(y0)), (float(x1), float(y1))]
    return points
