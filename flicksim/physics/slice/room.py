"""What a slice cannot see: pieces it left in one another across the plane are moved aside, by the shortest way free.

In space a piece that comes down half on a neighbour slides off beside it; in a slice it may end beside one it never
met. It is moved with all that rests on it, a hair at a time, to the nearest place where nothing is in its way.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin

import msgspec

from flicksim.physics.slice.rest import kept
from flicksim.table.pyramid import Pyramid
from flicksim.table.pyramid_scene import DEEP
from flicksim.table.solid import depth

_STRIDE = 5e-4
"""Between the circles on which a free place is looked for [m]."""
_WAYS = 16
"""Places looked at on each."""
_FARTHEST = 400
"""Circles looked at before it gives up."""


def make_room(pieces: list[Pyramid], changed: Iterable[str]) -> tuple[list[Pyramid], frozenset[str]]:
    """Move aside what is in something else. Only pieces that have changed, and what hangs together with them, move.

    Returns:
        The pieces, and the ids of those moved.
    """
    place = {piece.id: piece for piece in pieces}
    moved: set[str] = set()
    for name in changed:
        if name not in place or not _stuck([place[name]], place):
            continue
        group = _together(name, place)
        for spot in _spots([place[one] for one in sorted(group)]):
            if not _stuck(spot, place, without=group):
                place.update({piece.id: piece for piece in spot})
                moved |= group
                break
    return [place[piece.id] for piece in pieces], frozenset(moved)


def _stuck(group: list[Pyramid], place: dict[str, Pyramid], without: frozenset[str] = frozenset()) -> bool:
    return any(
        depth(piece, other) > DEEP
        for piece in group
        for other in place.values()
        if other.id != piece.id and other.id not in without
    )


def _together(name: str, place: dict[str, Pyramid]) -> frozenset[str]:
    """A piece and all it is connected with by resting on one another."""
    found = {name}
    grown = True
    while grown:
        more = {
            other.id
            for other in place.values()
            if other.id not in found
            and (found & set(other.rests_on) or any(other.id in place[one].rests_on for one in found))
        }
        grown = bool(more)
        found |= more
    return frozenset(found)


def _spots(group: list[Pyramid]) -> Iterable[list[Pyramid]]:
    for ring in range(1, _FARTHEST):
        for way in range(_WAYS):
            turn = 2.0 * pi * way / _WAYS
            dx, dy = ring * _STRIDE * cos(turn), ring * _STRIDE * sin(turn)
            yield [msgspec.structs.replace(piece, x=kept(piece.x + dx), y=kept(piece.y + dy)) for piece in group]
