"""From a slice back to the table: where each piece is now, how it stands or leans, and on what."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin

import msgspec

from flicksim.physics.slice.world import Member, SliceWorld, Touch
from flicksim.table.pyramid import Pyramid

_TURNED = 1e-5
"""Less than this is no turning [rad]."""
_RIM = 1.5e-3
"""A contact so near the base is one of its rim [m]."""
_SUPPORT = -0.1
"""What pushes a piece down more than this share of its force does not hold it [-]."""


def outcome(world: SliceWorld, member: Member) -> tuple[Pyramid, bool]:
    """A piece as the slice leaves it, and whether it is loose: not told to the end by this slice."""
    piece, stand = member.piece, member.stand
    turned = member.turned
    s, z = member.body.position
    if not stand.square:
        return _across(world, member, (*world.on_table(s, stand.lateral), z), turned)
    tilt = (stand.tilt + turned + pi) % (2.0 * pi) - pi
    touches = world.touches(member)
    heading = piece.heading
    alone = _on_a_face(s, piece, touches)
    if alone:
        tilt = _level(tilt, piece)
    stands, leans = ((), ()) if alone else _held_by(member, touches)
    # a hollow that has taken in a tip has slid down on it until it sat over its middle
    over = next((name for name in stands if world.nested(piece.id, name)), piece.id)
    x, y = world.on_table(s, world.members[over].stand.lateral)
    if not (piece.standing and abs(tilt) < _TURNED):
        heading = world.azimuth if tilt >= 0.0 else world.azimuth + pi
    # what was seen over a corner is broader there than it is: what it leans on is found out in its own plane
    loose = not alone and (not (stands or leans) or (stand.widen > 1.001 and abs(turned) > _TURNED))
    return _at(piece, (x, y, z), abs(tilt), heading, alone, stands, leans), loose


def _across(
    world: SliceWorld, member: Member, middle: tuple[float, float, float], turned: float
) -> tuple[Pyramid, bool]:
    """A piece whose axis is not in the plane: pushed along as it is, or rolled over and to be told elsewhere."""
    piece, stand = member.piece, member.stand
    ax, ay, az = piece.axis
    if abs(turned) < 1e-3:
        up = piece.shape.centroid
        x, y, z = middle[0] - up * ax, middle[1] - up * ay, middle[2] - up * az
        pushed = msgspec.structs.replace(piece, x=kept(x), y=kept(y), z=piece.z if not stand.held else kept(z))
        return pushed, stand.held
    c, q = cos(world.azimuth), sin(world.azimuth)
    along, left = ax * c + ay * q, ay * c - ax * q
    along, az = along * cos(turned) + az * sin(turned), az * cos(turned) - along * sin(turned)
    flat = hypot(along, left)
    tilt, heading = atan2(flat, az), world.azimuth + atan2(left, along)
    rolled = _at(piece, middle, tilt, heading, False, (), ())
    return msgspec.structs.replace(rolled, z=kept(rolled.z - min(0.0, rolled.lowest))), True


def _on_a_face(s: float, piece: Pyramid, touches: Sequence[Touch]) -> bool:
    """Whether the table alone would hold it."""
    sides = [touch.point[0] for touch in touches if touch.other is None]
    return bool(sides) and min(sides) < s < max(sides) and max(sides) - min(sides) > 0.25 * piece.shape.base


def _level(tilt: float, piece: Pyramid) -> float:
    lying = piece.shape.lying
    return min((0.0, lying, -lying), key=lambda stable: abs(tilt - stable))


def _held_by(member: Member, touches: Sequence[Touch]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a piece stands on with its base or hollow, and what it leans on with its sides."""
    bs, bz, tilt = member.state()
    c, s = cos(tilt), sin(tilt)
    shape = member.piece.shape
    stands: list[str] = []
    leans: list[str] = []
    below = [touch for touch in touches if touch.normal[1] >= _SUPPORT]
    if all(touch.other is None for touch in below):
        below = list(touches)  # it is what presses on it that keeps it so
    for touch in below:
        if touch.other is None:
            continue
        ds, dz = touch.point[0] - bs, touch.point[1] - bz
        up, aside = ds * s + dz * c, abs(ds * c - dz * s)
        inside = aside < shape.base / 2.0 * (1.0 - up / shape.height) - shape.wall / 2.0
        found = stands if up < _RIM or inside else leans
        if touch.other not in found:
            found.append(touch.other)
    return tuple(sorted(stands)), tuple(sorted(name for name in leans if name not in stands))


def _at(
    piece: Pyramid, middle: tuple[float, float, float], tilt: float, heading: float, on_table: bool,
    stands: tuple[str, ...], leans: tuple[str, ...],
) -> Pyramid:  # fmt: skip
    """A piece with its middle of mass there [m]; one on the table is put exactly on it."""
    up = piece.shape.centroid
    flat = up * sin(tilt)
    heading = (heading + pi) % (2.0 * pi) - pi
    placed = msgspec.structs.replace(
        piece, x=kept(middle[0] - flat * cos(heading)), y=kept(middle[1] - flat * sin(heading)),
        z=kept(middle[2] - up * cos(tilt)), tilt=tilt if on_table else kept(tilt), heading=kept(heading),
        stands_on=stands, leans_on=leans,
    )  # fmt: skip
    low = placed.lowest
    if on_table or abs(low) < 1e-4:
        placed = msgspec.structs.replace(placed, z=kept(placed.z - low))
    return placed


def kept(value: float) -> float:
    """Places are kept to the nanometre."""
    return round(value, 9)
