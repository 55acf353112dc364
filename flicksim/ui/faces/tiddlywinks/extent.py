"""Part of the mat that is to be seen: corners of what lies there and of all that moves."""

from __future__ import annotations

from math import hypot

from flicksim.base.geometry import Point
from flicksim.table import Motion, Piece
from flicksim.ui.faces.tiddlywinks.kept import kept

_NEAR = 0.09
"""A wink that comes down and stays so near to the pot is worth a nearer look [m]."""
_AHEAD = 0.1
"""The view keeps so far ahead of a wink in flight [s]."""
_ABOUT = 0.12
"""The mat is seen so far about a wink that has come to rest [m]."""
_LEAD = 0.3
"""The view begins to turn so long before [s]."""


def corners(piece: Piece) -> list[Point]:
    """The corners of a square about a wink, with room for its halo [m]."""
    r = 1.5 * piece.radius
    return [(piece.x - r, piece.y - r), (piece.x + r, piece.y + r)]


def moving(motion: Motion) -> list[Point]:
    """The corners of all that moves [m]."""
    return kept(motion, "moving", lambda: _moving(motion))


def by_the_pot(motion: Motion, t: float) -> list[Point]:
    """The surroundings of the pot [m], while the squidged wink comes down or lies there; nothing otherwise."""
    pot, name = motion.before.surface.pot, motion.flick.piece
    if pot is None or name not in motion.tracks.ids:
        return []
    column = motion.tracks.ids.index(name)
    spots = (motion.tracks.at(min(when, motion.duration))[column, :2].tolist() for when in (t + _LEAD, motion.duration))
    if not all(hypot(x - pot.x, y - pot.y) < _NEAR for x, y in spots):  # gone is nowhere near
        return []
    return [(pot.x - _NEAR, pot.y - _NEAR), (pot.x + _NEAR, pot.y + _NEAR)]


def ahead(motion: Motion, t: float) -> Point | None:
    """The place of the squidged wink a moment later [m]; None where it has gone."""
    name = motion.flick.piece
    if name not in motion.tracks.ids:
        return None
    x, y = motion.tracks.at(min(t + _AHEAD, motion.duration))[motion.tracks.ids.index(name), :2].tolist()
    return (x, y) if x == x else None


def about_end(motion: Motion) -> list[Point]:
    """The surroundings of where the squidged wink has come to rest [m]; nothing where it has gone."""
    end = ahead(motion, motion.duration)
    return [(end[0] + dx, end[1] + dy) for dx, dy in ((-_ABOUT, -_ABOUT), (_ABOUT, _ABOUT))] if end is not None else []


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
