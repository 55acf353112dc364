"""Flight that a squidged wink would take: a ballistic arc with drag, up to the first thing it meets. No drawing, no
rules."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, sin

from flicksim.base.geometry import Point
from flicksim.base.units import GRAVITY
from flicksim.table import Piece, Pot, drag_rates

_STEP = 0.002
_LONGEST = 4.0


@dataclass(frozen=True, slots=True)
class Arc:
    """A flight foreseen.

    Args:
        points: way in plan from the start and height of the centre [m], along the flight.
        ends: what it meets first: "mat", "rim", "wall" (outside) or "in" (comes down inside the pot).
        apex: greatest height [m]. carry: way at which it comes down through the height asked for; None: never so high.
    """

    points: tuple[Point, ...]
    ends: str
    apex: float
    carry: float | None

    @property
    def way(self) -> float:
        """Way in plan to where it first meets something [m]."""
        return self.points[-1][0]


def fly(
    piece: Piece, at: Point, speed: float, azimuth: float, elevation: float, pot: Pot | None = None,
    height: float = 0.0, tumble: float = 0.0,
) -> Arc:  # fmt: skip
    """The arc of a wink squidged flat at `at` [m], with the speed [m/s], azimuth and elevation [rad].

    Args:
        pot: what it may meet besides the mat. height: for `carry` [m]. tumble: its backspin [rad/s].
    """
    (face, side), g = drag_rates(piece), GRAVITY
    low = piece.thickness / 2.0
    s, z = 0.0, piece.height
    u, w = speed * cos(elevation), speed * sin(elevation)
    points, carry, apex = [(s, z)], None, z
    cx, cy = cos(azimuth), sin(azimuth)
    for k in range(round(_LONGEST / _STEP)):
        turned = tumble * (k + 0.5) * _STEP
        si, co = sin(turned), cos(turned)
        pull = face * abs(w * co - u * si) + side * abs(u * co + w * si)
        u2, w2 = u - pull * u * _STEP, w - (g + pull * w) * _STEP
        s2, z2 = s + (u + u2) / 2.0 * _STEP, z + (w + w2) / 2.0 * _STEP
        if w2 < 0.0 and z >= height > z2:
            carry = s + (s2 - s) * (z - height) / max(z - z2, 1e-12)
        if z2 <= low and w2 < 0.0:
            share = (z - low) / max(z - z2, 1e-12)
            points.append((s + (s2 - s) * share, low))
            return Arc(tuple(points), "mat", apex, carry)
        met = _met(piece, pot, (at[0] + cx * s2, at[1] + cy * s2), z, z2)
        s, z, u, w = s2, z2, u2, w2
        points.append((s, z))
        apex = max(apex, z)
        if met:
            return Arc(tuple(points), met, apex, carry)
    return Arc(tuple(points), "mat", apex, carry)


def _met(piece: Piece, pot: Pot | None, at: Point, before: float, z: float) -> str:
    """The part of the pot that a flat wink there would touch; empty when nothing."""
    if pot is None or z - piece.thickness / 2.0 > pot.height:
        return ""
    far = hypot(at[0] - pot.x, at[1] - pot.y)
    inner, outer = pot.inner(z), pot.outer(min(z, pot.height))
    if far <= inner - piece.radius * 0.5:
        return "in"
    if far < outer + piece.radius:
        return "rim" if before - piece.thickness / 2.0 > pot.height - 0.004 else "wall"
    return ""


def speed_for(piece: Piece, way: float, height: float, elevation: float, tumble: float = 0.0) -> float | None:
    """Speed [m/s] at which the arc comes down through a height after a way [m]; None when it cannot at 20 m/s."""

    def reached(speed: float) -> float:
        arc = fly(piece, (0.0, 0.0), speed, 0.0, elevation, None, height, tumble)
        return arc.carry if arc.carry is not None else 0.0

    low, high = 0.05, 1.0
    while reached(high) < way:
        low, high = high, high * 1.6
        if high > 20.0:
            return None
    for _ in range(22):
        middle = (low + high) / 2.0
        low, high = (middle, high) if reached(middle) < way else (low, middle)
    return high
