"""Pieces over one another: which overlap in plan, which is the upper one, and how a piece lies when laid down.

Laying is by geometry alone: level where the highest piece carries its middle level, else as low as it can lie there. It
is what hands do to put a piece somewhere; what a moving piece does is physics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, cos, hypot, pi, sin, sqrt

import msgspec

from flicksim.base.geometry import Point, distance
from flicksim.table.piece import Piece
from flicksim.table.resting import STEEP, TOUCHING, resting

_LEVEL = 1e-4
"""Tops within this of one another carry together [m]: a fifteenth of a small wink's thickness."""
_TRIES = 400
"""Steps after which no plane is looked for any more between two pieces; few need ten."""


def overlap(a: Piece, b: Piece) -> float:
    """By how much two pieces overlap in plan, along the line of their centres [m]; negative is the gap."""
    apart = distance(a.at, b.at)
    if not (a.tilt or b.tilt) or not apart:
        return a.radius + b.radius - apart
    way = atan2(b.y - a.y, b.x - a.x)
    return a.reach(way) + b.reach(way + pi) - apart


def parted(a: Piece, b: Piece, within: float) -> bool:
    """True where some plane parts two pieces in space, but for so much [m].

    A face's own, or one that is found by moving points of both, each a little thinner and narrower, together.
    """
    p, q = (a.x, a.y, a.height), (b.x, b.y, b.height)
    if any(_gap(a, b, _normal(one)) >= -within for one in (a, b)):
        return True
    for _ in range(_TRIES):
        p = _nearest(a, q, within / 2.0)
        q = _nearest(b, p, within / 2.0)
        way = (p[0] - q[0], p[1] - q[1], p[2] - q[2])
        size = hypot(*way)
        if size == 0.0:
            return False
        if _gap(a, b, (way[0] / size, way[1] / size, way[2] / size)) >= -within:
            return True
    return False


def _gap(a: Piece, b: Piece, way: tuple[float, float, float]) -> float:
    """Gap of two pieces along a unit vector, either way [m]; negative where they overlap along it."""
    apart = abs(way[0] * (a.x - b.x) + way[1] * (a.y - b.y) + way[2] * (a.height - b.height))
    for piece in (a, b):
        nx, ny, nz = _normal(piece)
        along = abs(way[0] * nx + way[1] * ny + way[2] * nz)
        apart -= piece.radius * sqrt(max(0.0, 1.0 - along * along)) + piece.thickness / 2.0 * along
    return apart


def _normal(piece: Piece) -> tuple[float, float, float]:
    """Unit normal of its upper side."""
    slope = sin(piece.tilt)
    return slope * cos(piece.lean), slope * sin(piece.lean), cos(piece.tilt)


def _nearest(piece: Piece, to: tuple[float, float, float], less: float) -> tuple[float, float, float]:
    """The point of a piece, so much thinner and narrower, that is nearest to a point [m]."""
    nx, ny, nz = _normal(piece)
    dx, dy, dz = to[0] - piece.x, to[1] - piece.y, to[2] - piece.height
    along = dx * nx + dy * ny + dz * nz
    dx, dy, dz = dx - along * nx, dy - along * ny, dz - along * nz
    out, half = hypot(dx, dy, dz), max(0.0, piece.thickness / 2.0 - less)
    share = min(1.0, (piece.radius - less) / out) if out else 0.0
    along = min(half, max(-half, along))
    return (
        piece.x + share * dx + along * nx, piece.y + share * dy + along * ny, piece.height + share * dz + along * nz,
    )  # fmt: skip


def lens(a: Piece, b: Piece) -> Point:
    """The middle of where two overlapping pieces overlap in plan [m]."""
    apart = distance(a.at, b.at)
    if not apart:
        return a.at
    share = (apart + a.radius - b.radius) / (2.0 * apart)
    share = min(1.0, max(0.0, share))
    return (a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)


def beneath(pieces: Iterable[Piece], name: str) -> frozenset[str]:
    """Ids of everything a piece lies on, directly or through others."""
    found: set[str] = set()
    edge = [name]
    on = {piece.id: piece.lies_on for piece in pieces}
    while edge:
        for lower in on.get(edge.pop(), ()):
            if lower not in found:
                found.add(lower)
                edge.append(lower)
    return frozenset(found)


def upper(pieces: Sequence[Piece], a: Piece, b: Piece) -> Piece:
    """Higher one of two overlapping pieces where they overlap."""
    if a.lies_on or b.lies_on:
        if b.id in beneath(pieces, a.id):
            return a
        if a.id in beneath(pieces, b.id):
            return b
    at = lens(a, b)
    return a if a.height_at(at) >= b.height_at(at) else b


def flat(piece: Piece, at: Point, z: float | None = None) -> Piece:
    """A piece lying flat and free on the surface, its middle there."""
    return msgspec.structs.replace(
        piece, x=_kept(at[0]), y=_kept(at[1]), z=z, tilt=0.0, lean=0.0, lies_on=(), support="surface"
    )


def lay(pieces: Sequence[Piece], piece: Piece, at: Point) -> Piece:
    """A piece as it lies when put down there, on top of whatever lies there already."""
    laid = flat(piece, at)
    near = [
        other
        for other in pieces
        if other.id != piece.id
        and other.support in ("surface", "leaning")
        and distance(other.at, laid.at) < hypot(laid.radius, laid.thickness) + hypot(other.radius, other.thickness)
    ]
    under = [other for other in near if overlap(laid, other) > 1e-6]
    if not under:
        return laid
    top = max(under, key=lambda other: other.highest)
    if distance(top.at, laid.at) < top.radius and (not top.tilt or top.tilt > STEEP):  # none lies on what stands
        names = tuple(other.id for other in under if other.highest > top.highest - TOUCHING)
        return _at(laid, z=top.highest + piece.thickness / 2.0, tilt=0.0, lean=0.0, lies_on=names)
    z, tilt, lean, touched = resting(laid, near)
    sloping = _at(laid, z=z, tilt=tilt, lean=lean, lies_on=())
    # a tilted disc is narrower in plan, and may touch with its wall what it does not cover
    on = tuple(other.id for other in near if other.id in touched and overlap(sloping, other) > 0.0)
    return msgspec.structs.replace(sloping, lies_on=on)


def drop(pieces: Sequence[Piece], piece: Piece, at: Point, floor: float) -> Piece:
    """A piece as it lies, flat, when dropped there into a pot with its floor at that height [m], on the heap in it."""
    fallen = msgspec.structs.replace(piece, x=_kept(at[0]), y=_kept(at[1]), tilt=0.0, lean=0.0, support="pot")
    heap = [
        other for other in pieces if other.id != piece.id and other.support == "pot" and overlap(fallen, other) > 0.0
    ]
    top = max((other.highest for other in heap), default=floor)
    on = tuple(other.id for other in heap if other.highest >= top - _LEVEL)
    return msgspec.structs.replace(fallen, z=_kept(top + piece.thickness / 2.0), lies_on=on)


def come_down(pieces: Sequence[Piece], lifted: Iterable[str], floor: float = 0.0) -> tuple[Piece, ...]:
    """The scene once these pieces are gone: all that lay on them is laid down where it is, lowest first.

    Args:
        floor: of the pot, for what lies in it [m].
    """
    gone = frozenset(lifted)
    loose = [
        piece
        for piece in pieces
        if piece.id not in gone and piece.support in ("surface", "pot") and beneath(pieces, piece.id) & gone
    ]
    laid = [piece for piece in pieces if piece.id not in gone and piece not in loose]
    for piece in sorted(loose, key=lambda piece: piece.height):
        laid.append(drop(laid, piece, piece.at, floor) if piece.support == "pot" else lay(laid, piece, piece.at))
    place = {piece.id: piece for piece in laid}
    return tuple(place[piece.id] for piece in pieces if piece.id in place)


def _at(piece: Piece, *, z: float, tilt: float, lean: float, lies_on: tuple[str, ...]) -> Piece:
    return msgspec.structs.replace(piece, z=_kept(z), tilt=_kept(tilt), lean=_kept(lean), lies_on=lies_on)


def _kept(value: float) -> float:
    """Places are kept to the nanometre."""
    return round(value, 9)
