"""Stacking order of overlapping pieces, and placing a piece on others.

Placing is geometric: a piece lies level where the highest piece below carries its centre, else in the lowest pose
possible there (`resting_pose`). It models a piece put down by hand; moving pieces are simulated by the engine.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import atan2, hypot, pi, sqrt

import msgspec

from flicksim.core.geometry import Point, distance
from flicksim.scene.piece import Piece
from flicksim.scene.resting_pose import CONTACT_TOLERANCE, MAX_TILT, resting_pose, upper_normal

_LEVEL_TOLERANCE = 1e-4
"""Height difference of tops that carry a piece together [m]: a fifteenth of a small wink's thickness."""
_MAX_ITERATIONS = 400
"""Largest number of iterations in search of a separating plane; few need ten."""


def overlap(a: Piece, b: Piece) -> float:
    """Overlap of two pieces in plan, along the line of their centres [m]; negative is the gap."""
    centre_distance = distance(a.position, b.position)
    if not (a.tilt or b.tilt) or not centre_distance:
        return a.radius + b.radius - centre_distance
    azimuth = atan2(b.y - a.y, b.x - a.x)
    return a.plan_extent(azimuth) + b.plan_extent(azimuth + pi) - centre_distance


def are_separated(a: Piece, b: Piece, tolerance: float) -> bool:
    """True if a plane separates two pieces in space up to a tolerance [m].

    Tried are the planes of both faces, then planes between closest points, found by alternating projections of a point
    onto both pieces, each shrunk by half the tolerance.
    """
    p, q = (a.x, a.y, a.height), (b.x, b.y, b.height)
    if any(_separation_along(a, b, upper_normal(piece)) >= -tolerance for piece in (a, b)):
        return True
    for _ in range(_MAX_ITERATIONS):
        p = _closest_point(a, q, tolerance / 2.0)
        q = _closest_point(b, p, tolerance / 2.0)
        offset = (p[0] - q[0], p[1] - q[1], p[2] - q[2])
        size = hypot(*offset)
        if size == 0.0:
            return False
        if _separation_along(a, b, (offset[0] / size, offset[1] / size, offset[2] / size)) >= -tolerance:
            return True
    return False


def _separation_along(a: Piece, b: Piece, direction: tuple[float, float, float]) -> float:
    """Separation of two pieces along a unit vector [m]; negative where their projections overlap."""
    separation = abs(direction[0] * (a.x - b.x) + direction[1] * (a.y - b.y) + direction[2] * (a.height - b.height))
    for piece in (a, b):
        nx, ny, nz = upper_normal(piece)
        along = abs(direction[0] * nx + direction[1] * ny + direction[2] * nz)
        separation -= piece.radius * sqrt(max(0.0, 1.0 - along * along)) + piece.thickness / 2.0 * along
    return separation


def _closest_point(piece: Piece, target: tuple[float, float, float], shrink: float) -> tuple[float, float, float]:
    """Point of a piece, shrunk by a margin [m], that is closest to a target point [m]."""
    nx, ny, nz = upper_normal(piece)
    dx, dy, dz = target[0] - piece.x, target[1] - piece.y, target[2] - piece.height
    along = dx * nx + dy * ny + dz * nz
    dx, dy, dz = dx - along * nx, dy - along * ny, dz - along * nz
    radial, half_thickness = hypot(dx, dy, dz), max(0.0, piece.thickness / 2.0 - shrink)
    fraction = min(1.0, (piece.radius - shrink) / radial) if radial else 0.0
    along = min(half_thickness, max(-half_thickness, along))
    return (
        piece.x + fraction * dx + along * nx, piece.y + fraction * dy + along * ny,
        piece.height + fraction * dz + along * nz,
    )  # fmt: skip


def overlap_centre(a: Piece, b: Piece) -> Point:
    """Centre of the overlap of two pieces in plan [m]."""
    centre_distance = distance(a.position, b.position)
    if not centre_distance:
        return a.position
    fraction = (centre_distance + a.radius - b.radius) / (2.0 * centre_distance)
    fraction = min(1.0, max(0.0, fraction))
    return (a.x + (b.x - a.x) * fraction, a.y + (b.y - a.y) * fraction)


def supporting_ids(pieces: Iterable[Piece], name: str) -> frozenset[str]:
    """Ids of all pieces that a piece lies on, directly or through others."""
    return all_supports({piece.id: piece.lies_on for piece in pieces if piece.lies_on}, name)


def all_supports(supports: Mapping[str, Sequence[str]], name: str) -> frozenset[str]:
    """Ids of all pieces that a piece lies on, directly or through others.

    Args:
        supports: ids of those that each lies on directly.
    """
    found: set[str] = set()
    pending = [name]
    while pending:
        for lower in supports.get(pending.pop(), ()):
            if lower not in found:
                found.add(lower)
                pending.append(lower)
    return frozenset(found)


def upper_piece(pieces: Sequence[Piece], a: Piece, b: Piece) -> Piece:
    """Upper one of two overlapping pieces."""
    if a.lies_on or b.lies_on:
        if b.id in supporting_ids(pieces, a.id):
            return a
        if a.id in supporting_ids(pieces, b.id):
            return b
    centre = overlap_centre(a, b)
    return a if a.height_at(centre) >= b.height_at(centre) else b


def place_flat(piece: Piece, position: Point, z: float | None = None) -> Piece:
    """Place a piece flat on the surface, with its centre at a position [m]."""
    x, y = map(_round_nm, position)
    return msgspec.structs.replace(piece, x=x, y=y, z=z, tilt=0.0, lean=0.0, lies_on=(), support="surface")


def place_piece(pieces: Sequence[Piece], piece: Piece, position: Point) -> Piece:
    """Place a piece at a position [m], on top of the pieces that lie there."""
    placed = place_flat(piece, position)
    reach = hypot(placed.radius, placed.thickness)
    others = [one for one in pieces if one.id != piece.id and one.support in ("surface", "leaning")]
    nearby = [one for one in others
              if distance(one.position, placed.position) < reach + hypot(one.radius, one.thickness)]  # fmt: skip
    under = [other for other in nearby if overlap(placed, other) > 1e-6]
    if not under:
        return placed
    top = max(under, key=lambda other: other.highest)
    carries_flat = not top.tilt or top.tilt > MAX_TILT  # nothing lies on a piece that stands on edge
    if carries_flat and distance(top.position, placed.position) < top.radius:
        names = tuple(other.id for other in under if other.highest > top.highest - CONTACT_TOLERANCE)
        return _with_pose(placed, z=top.highest + piece.thickness / 2.0, tilt=0.0, lean=0.0, lies_on=names)
    z, tilt, lean, touched = resting_pose(placed, nearby)
    sloping = _with_pose(placed, z=z, tilt=tilt, lean=lean, lies_on=())
    # a tilted disc is narrower in plan; its side may touch pieces that it does not cover
    support_ids = tuple(other.id for other in nearby if other.id in touched and overlap(sloping, other) > 0.0)
    return msgspec.structs.replace(sloping, lies_on=support_ids)


def drop_into_pot(pieces: Sequence[Piece], piece: Piece, position: Point, pot_floor: float) -> Piece:
    """Place a piece flat in the pot at a position [m], on the pieces in it or its floor at a height [m]."""
    placed = msgspec.structs.replace(
        piece, x=_round_nm(position[0]), y=_round_nm(position[1]), tilt=0.0, lean=0.0, support="pot"
    )
    heap = [
        other for other in pieces if other.id != piece.id and other.support == "pot" and overlap(placed, other) > 0.0
    ]
    top = max((other.highest for other in heap), default=pot_floor)
    support_ids = tuple(other.id for other in heap if other.highest >= top - _LEVEL_TOLERANCE)
    return msgspec.structs.replace(placed, z=_round_nm(top + piece.thickness / 2.0), lies_on=support_ids)


def lower_unsupported(pieces: Sequence[Piece], removed: Iterable[str], pot_floor: float = 0.0) -> tuple[Piece, ...]:
    """Remove pieces, and place anew whatever lay on them, lowest first.

    Args:
        removed: ids of the pieces to remove. pot_floor: height of the floor of the pot [m].
    """
    removed_ids = frozenset(removed)
    left = [piece for piece in pieces if piece.id not in removed_ids]
    movable = [piece for piece in left if piece.support in ("surface", "pot")]
    unsupported = [piece for piece in movable if supporting_ids(pieces, piece.id) & removed_ids]
    placed = [piece for piece in left if piece not in unsupported]
    for piece in sorted(unsupported, key=lambda piece: piece.height):
        if piece.support == "pot":
            placed.append(drop_into_pot(placed, piece, piece.position, pot_floor))
        else:
            placed.append(place_piece(placed, piece, piece.position))
    by_id = {piece.id: piece for piece in placed}
    return tuple(by_id[piece.id] for piece in pieces if piece.id in by_id)


def _with_pose(piece: Piece, *, z: float, tilt: float, lean: float, lies_on: tuple[str, ...]) -> Piece:
    return msgspec.structs.replace(piece, z=_round_nm(z), tilt=_round_nm(tilt), lean=_round_nm(lean), lies_on=lies_on)


def _round_nm(value: float) -> float:
    """Round a length [m] to the nanometre, or an angle [rad] likewise."""
    return round(value, 9)
