"""Which part of the mat is to be seen: corners of what lies there and of all that moves."""

from __future__ import annotations

from flicksim.base.geometry import Point
from flicksim.table import Motion, Piece
from flicksim.ui.faces.tiddlywinks.kept import kept


def corners(piece: Piece) -> list[Point]:
    """The corners of a square about a wink, with room for its halo [m]."""
    r = 1.5 * piece.radius
    return [(piece.x - r, piece.y - r), (piece.x + r, piece.y + r)]


def moving(motion: Motion) -> list[Point]:
    """The corners of all that moves [m]."""
    return kept(motion, "moving", lambda: _moving(motion))


def _moving(motion: Motion) -> list[Point]:
    states = motion.tracks.states
    found: list[Point] = [(0.0, 0.0)] if motion.before.surface.pot is not None else []
    for n in range(states.shape[1]):
        way = states[:, n, :2]
        way = way[way[:, 0] == way[:, 0]]
        if len(way) > 1 and float(abs(way - way[0]).max()) > 1e-4:
            (x0, y0), (x1, y1) = way.min(axis=0), way.max(axis=0)
            found += [(float(x0), float(y0)), (float(x1), float(y1))]
    return found
