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


def make_room(pieces: Iterable[Pyramid], changed: Iterable[str]) -> tuple[dict[str, Pyramid], frozenset[str], frozenset[str]]:
    """Move aside what is in something else. Only pieces that have changed, and what hangs together with them, move.

    Returns:
        The pieces by id, the ids of those moved, and of those that have lost what they rested on by it.
    """
    place = {piece.id: piece for piece in pieces}
    moved: set[str] = set()
    loose: set[str] = set()
    for name in changed:
        piece = place.get(name)
        if piece is None or not (inside := _stuck([piece], place)):
            continue
        group = _together(name, place)
        if inside & group:
            # what it leans on is in its way: it is put down beside it
            place[name] = laid(piece)
            group = frozenset({name})
            loose |= {other.id for other in place.values() if name in other.rests_on}
        for spot in _spots([place[one] for one in sorted(group)]):
            if not _stuck(spot, place, without=group):
                place.update({piece.id: piece for piece in spot})
                moved |= group
                break
    return place, frozenset(moved), frozenset(loose)


def laid(piece: Pyramid) -> Pyramid:
    """A piece put down where it is, standing or on a side, as is nearer."""
    tilt = 0.0 if piece.tilt < piece.shape.topple else piece.shape.lying
    down = msgspec.structs.replace(piece, tilt=tilt, stands_on=(), leans_on=())
    return msgspec.structs.replace(down, z=kept(down.z - down.lowest))


def _stuck(
    group: list[Pyramid], place: dict[str, Pyramid], without: frozenset[str] = frozenset()
) -> frozenset[str]:
    """What these are in."""
    return frozenset(
        other.id
        for piece in group
        for other in place.values()
        if other.id != piece.id and other.id not in without and depth(piece, other) > DEEP
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
    for ring in range(_FARTHEST):
        for way in range(_WAYS if ring else 1):
            turn = 2.0 * pi * way / _WAYS
            dx, dy = ring * _STRIDE * cos(turn), ring * _STRIDE * sin(turn)
            yield [msgspec.structs.replace(piece, x=kept(piece.x + dx), y=kept(piece.y + dy)) for piece in group]
