"""A piece in a slice: how it got there, where it is now, and whether it could stay as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, hypot, sin

import pymunk

from flicksim.base.geometry import Point
from flicksim.physics.slice.bodies import Standing
from flicksim.physics.slice.outside import Box
from flicksim.table.pyramid import Pyramid

_POINT = 5e-4
"""Contacts nearer to one another than this are one point [m]."""


@dataclass(slots=True, eq=False)
class Member:
    """A piece in the slice: as it was, its body, what may meet it of those outside, and who else of those inside."""

    piece: Pyramid
    stand: Standing
    body: pymunk.Body
    shapes: list[pymunk.Poly]
    ahead: list[Box]
    near: list[Member]
    reach: float
    track: list[tuple[float, float, float, float]] = field(default_factory=list)
    touched: bool = False
    loosened: bool = False

    @property
    def turned(self) -> float:
        """How far it has turned, tip towards +s [rad]."""
        return -float(self.body.angle)

    @property
    def moved(self) -> bool:
        """Whether it is not where it was."""
        x, z = self.body.position
        return hypot(x - self.stand.at[0], z - self.stand.at[1]) > 1e-7 or abs(self.body.angle) > 1e-6

    @property
    def speed(self) -> float:
        """What no point of it moves faster than [m/s]."""
        vx, vz = self.body.velocity
        return hypot(vx, vz) + abs(float(self.body.angular_velocity)) * self.reach

    def outline(self) -> list[Point]:
        """The whole of it where it is now [m]."""
        (x, z), angle = self.body.position, self.body.angle
        c, s = cos(angle), sin(angle)
        return [(x + px * c - pz * s, z + px * s + pz * c) for px, pz in self.stand.outline]

    def state(self) -> tuple[float, float, float]:
        """s, z of the middle of its base, and tilt."""
        return self.state_at(self.body.position, self.turned)

    def state_at(self, middle: Point, turned: float) -> tuple[float, float, float]:
        """The same with its middle of mass there, turned so far."""
        x, z = middle
        c, s = cos(turned), sin(turned)
        bx, bz = self.stand.base
        return (x + bx * c + bz * s, z + bz * c - bx * s, self.stand.tilt + turned)


@dataclass(frozen=True, slots=True)
class Touch:
    """Where a piece is held at rest: by what, where [m], and the unit normal towards the piece."""

    other: str | None
    point: Point
    normal: Point


def flat(member: Member, held: Sequence[Touch]) -> bool:
    """Whether a piece lies or stands on the table alone, on a whole face, its middle over it."""
    if not held or any(touch.other is not None for touch in held):
        return False
    x, _ = member.body.position
    sides = [touch.point[0] for touch in held]
    return min(sides) < x < max(sides) and max(sides) - min(sides) > 0.25 * member.piece.shape.base


def balanced(member: Member, held: Sequence[Touch]) -> float:
    """Which way a piece would fall that is only balanced: +1 or -1 along the plane; 0 when it is held."""
    if not held:
        return 0.0
    x, _ = member.body.position
    low, high = min(touch.point[0] for touch in held), max(touch.point[0] for touch in held)
    wide = high - low > _POINT
    if wide and (low < x < high or any(touch.other is not None for touch in held)):
        return 0.0
    return 1.0 if x >= (low + high) / 2.0 else -1.0
