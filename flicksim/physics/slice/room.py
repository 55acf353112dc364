"""What a slice cannot see: pieces it left in one another across the plane are moved aside, by the shortest way free.

In space a piece that comes down half on a neighbour slides off beside it; in a slice it may end beside one it never
met. It is moved with all it rests on and all that rests on it, level, the shortest way to where nothing is in its way.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, hypot, inf, pi, sin

import msgspec

from flicksim.base.geometry import Point, distance
from flicksim.physics.slice.rest import kept
from flicksim.table.pyramid import Pyramid
from flicksim.table.pyramid_scene import DEEP
from flicksim.table.solid import depth, way_out

_WAYS = 16
"""Ways aside that are looked at."""
_CROWD = 0.2
"""Pieces farther off than this are seldom in the way [m]."""
_HAIR = 1e-6
"""Left between pieces so parted [m]."""


def make_room(
    pieces: Iterable[Pyramid], changed: Iterable[str]
) -> tuple[dict[str, Pyramid], frozenset[str], frozenset[str]]:
    """Move aside what is in something else. Only pieces that have changed, and what hangs together with them, move.

    Returns:
        The pieces by id, the ids of those moved, and of those that have lost what they rested on by it.
    """
    place = {piece.id: piece for piece in pieces}
    moved: set[str] = set()
    loose: set[str] = set()
    for name in changed:
        piece = place.get(name)
        if piece is None or not (inside := _stuck(piece, place)):
            continue
        group = _together(name, place)
        if inside & group:
            # what it leans on is in its way: it is put down beside it
            place[name] = laid(piece)
            group = frozenset({name})
            loose |= {other.id for other in place.values() if name in other.rests_on}
        place.update(_aside([place[one] for one in sorted(group)], place))
        moved |= group
    return place, frozenset(moved), frozenset(loose)


def laid(piece: Pyramid) -> Pyramid:
    """A piece put down where it is, standing or on a side, as is nearer."""
    tilt = 0.0 if piece.tilt < piece.shape.topple else piece.shape.lying
    down = msgspec.structs.replace(piece, tilt=tilt, stands_on=(), leans_on=())
    return msgspec.structs.replace(down, z=kept(down.z - down.lowest))


def _stuck(piece: Pyramid, place: dict[str, Pyramid]) -> frozenset[str]:
    """What a piece is in."""
    x, far = piece.x, max(piece.shape.height, piece.shape.base)
    near = [one for one in place.values() if abs(one.x - x) < far + max(one.shape.height, one.shape.base)]
    return frozenset(other.id for other in near if other.id != piece.id and depth(piece, other) > DEEP)


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


def _aside(group: list[Pyramid], place: dict[str, Pyramid]) -> dict[str, Pyramid]:
    """Pieces moved together by the shortest of some ways free of all others."""
    names = {piece.id for piece in group}
    others = [other for other in place.values() if other.id not in names]
    # crowds are small: what is far off is looked at only when the way there is long
    near = [other for other in others if any(distance(other.at, piece.at) < _CROWD for piece in group)]
    found = _shift(group, near)
    if hypot(*found) > _CROWD / 2.0:
        found = _shift(group, others)
    return {
        piece.id: msgspec.structs.replace(piece, x=kept(piece.x + found[0]), y=kept(piece.y + found[1]))
        for piece in group
    }


def _shift(group: list[Pyramid], others: list[Pyramid]) -> Point:
    """The shortest of some ways that part pieces from all others [m]."""
    best, shift = inf, (0.0, 0.0)
    for way in range(_WAYS):
        turn = 2.0 * pi * way / _WAYS
        ahead = (cos(turn), sin(turn))
        gone, more = 0.0, 1.0
        while more > 0.0 and gone < best:
            more = max((way_out(piece, other, ahead, gone) for piece in group for other in others), default=0.0)
            gone += more + (_HAIR if more > 0.0 else 0.0)
        if gone < best:
            best, shift = gone, (gone * ahead[0], gone * ahead[1])
    return shift
