"""Pieces over one another: which overlap in plan, which is the upper one, and how a piece lies when laid down.

Laying is by geometry alone: flat when what is under it carries its middle, else tilted with the far edge down. It is
what hands do to put a piece somewhere; what a moving piece does is physics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import asin, atan2, cos, hypot, pi, sin, sqrt

import msgspec

from flicksim.base.geometry import Point, distance
from flicksim.table.piece import Piece

_STEEP = 1.4
"""Winks that lie steeper stand: their faces carry nothing [rad]."""
_LEVEL = 1e-4
"""Tops within this of one another carry together [m]: a fifteenth of a small wink's thickness."""
_ACROSS = cos(0.75 * pi)
"""Two supports carry a middle between them when seen from it more than 135 degrees apart."""
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
    under = [
        other
        for other in pieces
        if other.id != piece.id and other.support in ("surface", "leaning") and overlap(laid, other) > 1e-6
    ]
    if not under:
        return laid
    tops = {other.id: _top(other, laid.at) for other in under}
    high = max(tops.values())
    carriers = [other for other in under if tops[other.id] >= high - _LEVEL]
    names = tuple(other.id for other in carriers)
    middle = next((other for other in carriers if distance(other.at, laid.at) < other.radius), None)
    if middle is not None and abs(middle.tilt) > _STEEP:  # nothing lies on the face of one that stands on its edge
        return _at(laid, z=high + piece.thickness / 2.0, tilt=0.0, lean=0.0, lies_on=names)
    if middle is not None:
        z = middle.height_at(laid.at) + (middle.thickness + piece.thickness) / (2.0 * cos(middle.tilt))
        return _at(laid, z=z, tilt=middle.tilt, lean=middle.lean, lies_on=names)
    ways = [_unit(laid.at, other.at) for other in carriers]
    if any(a[0] * b[0] + a[1] * b[1] < _ACROSS for a in ways for b in ways):
        return _at(laid, z=high + piece.thickness / 2.0, tilt=0.0, lean=0.0, lies_on=names)
    edge = carriers[0]
    way = ways[0]
    # the far edge comes down on the surface, or on what lies lower there
    lower = [
        other
        for other in under
        if other not in carriers
        and (
            distance(other.at, laid.at) < other.radius
            or sum(u * v for u, v in zip(way, _unit(laid.at, other.at), strict=True)) < 0.0
        )
    ]
    base = max((tops[other.id] for other in lower), default=0.0)
    on = (*names, *(other.id for other in lower if tops[other.id] >= base - _LEVEL))
    tilt = _tilt(distance(edge.at, laid.at), piece, edge.radius, high - base)
    z = base + piece.radius * sin(tilt) + piece.thickness / 2.0 * cos(tilt)
    sloping = _at(laid, z=z, tilt=tilt, lean=atan2(-way[1], -way[0]), lies_on=on)
    if overlap(sloping, edge) > 0.0:
        return _on_what_it_covers(sloping, under)
    # steep on steep: so tilted it would not reach what carries it, and is laid level on the highest point instead
    return _at(laid, z=high + piece.thickness / 2.0, tilt=0.0, lean=0.0, lies_on=names)


def _on_what_it_covers(piece: Piece, under: Sequence[Piece]) -> Piece:
    """The piece resting on those it still covers once it is tilted: a tilted disc is narrower in plan."""
    covered = tuple(other.id for other in under if other.id in piece.lies_on and overlap(piece, other) > 0.0)
    return msgspec.structs.replace(piece, lies_on=covered)


def _tilt(apart: float, piece: Piece, carrier: float, rise: float) -> float:
    """Tilt of a piece with one edge down whose face lies on the near rim of a carrier, a rise above [rad].

    Solves (d - h sin + R cos - r) tan = rise, starting from asin(rise / (d + R - r)).
    """
    tilt = asin(min(0.99, rise / max(apart + piece.radius - carrier, 1e-6)))
    half = piece.thickness / 2.0
    for _ in range(12):
        run = apart - half * sin(tilt) + piece.radius * cos(tilt) - carrier
        tilt = min(_STEEP, atan2(rise, run)) if run > 0.0 else _STEEP
    return tilt


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


def _top(other: Piece, at: Point) -> float:
    """Height of the upper face of a piece where it is nearest to a point [m]."""
    apart = distance(other.at, at)
    if apart > other.radius:
        share = other.radius / apart
        at = (other.x + (at[0] - other.x) * share, other.y + (at[1] - other.y) * share)
    top = other.height_at(at) + other.thickness / (2.0 * cos(min(other.tilt, _STEEP)))
    # a steep piece's face ends before its radius does in plan
    return min(max(top, other.thickness / 2.0), other.highest)


def _unit(a: Point, b: Point) -> Point:
    apart = hypot(b[0] - a[0], b[1] - a[1])
    return ((b[0] - a[0]) / apart, (b[1] - a[1]) / apart) if apart else (0.0, 0.0)


def _at(piece: Piece, *, z: float, tilt: float, lean: float, lies_on: tuple[str, ...]) -> Piece:
    return msgspec.structs.replace(piece, z=_kept(z), tilt=_kept(tilt), lean=_kept(lean), lies_on=lies_on)


def _kept(value: float) -> float:
    """Places are kept to the nanometre."""
    return round(value, 9)
