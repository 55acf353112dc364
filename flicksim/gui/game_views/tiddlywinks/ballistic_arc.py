"""Prediction of a squidged wink's flight: a ballistic arc with drag up to its first contact."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, sin

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, State
from flicksim.core.units import GRAVITY
from flicksim.gui.table_view.painter import scene_of
from flicksim.referee import Game
from flicksim.scene import Piece, Pot, Squidge, drag_deceleration_rates

_TIME_STEP = 0.002
_MAX_TIME = 4.0


@dataclass(frozen=True, slots=True)
class BallisticArc:
    """Predicted flight of a wink.

    Args:
        points: distance in plan from the start and height of the centre [m], along the flight. end_surface: first
            contact: "mat", "rim", "wall" (outside) or "in" (comes down inside the pot). apex: greatest height [m].
            carry: distance at which it comes down through the requested height; None if it never was so high.
    """

    points: tuple[Point, ...]
    end_surface: str
    apex: float
    carry: float | None

    @property
    def distance(self) -> float:
        """Distance in plan to the first contact [m]."""
        return self.points[-1][0]


def predict_arc(
    piece: Piece, start: Point, speed: float, azimuth: float, elevation: float, pot: Pot | None = None,
    height: float = 0.0, tumble: float = 0.0,
) -> BallisticArc:  # fmt: skip
    """Predict the arc of a wink squidged flat at `start` [m] with a speed [m/s], azimuth and elevation [rad].

    Args:
        piece: the wink. start: its position [m]. speed, azimuth, elevation: of the squidge. pot: that it may hit.
            height: for `carry` [m]. tumble: its backspin [rad/s].
    """
    (face, side), g = drag_deceleration_rates(piece), GRAVITY
    low = piece.thickness / 2.0
    s, z = 0.0, piece.height
    u, w = speed * cos(elevation), speed * sin(elevation)
    points, carry, apex = [(s, z)], None, z
    cx, cy = cos(azimuth), sin(azimuth)
    for k in range(round(_MAX_TIME / _TIME_STEP)):
        turned = tumble * (k + 0.5) * _TIME_STEP
        si, co = sin(turned), cos(turned)
        pull = face * abs(w * co - u * si) + side * abs(u * co + w * si)
        u2, w2 = u - pull * u * _TIME_STEP, w - (g + pull * w) * _TIME_STEP
        s2, z2 = s + (u + u2) / 2.0 * _TIME_STEP, z + (w + w2) / 2.0 * _TIME_STEP
        if w2 < 0.0 and z >= height > z2:
            carry = s + (s2 - s) * (z - height) / max(z - z2, 1e-12)
        if z2 <= low and w2 < 0.0:
            share = (z - low) / max(z - z2, 1e-12)
            points.append((s + (s2 - s) * share, low))
            return BallisticArc(tuple(points), "mat", apex, carry)
        met = _pot_contact(piece, pot, (start[0] + cx * s2, start[1] + cy * s2), z, z2)
        s, z, u, w = s2, z2, u2, w2
        points.append((s, z))
        apex = max(apex, z)
        if met:
            return BallisticArc(tuple(points), met, apex, carry)
    return BallisticArc(tuple(points), "mat", apex, carry)


def _pot_contact(piece: Piece, pot: Pot | None, position: Point, previous: float, z: float) -> str:
    """Part of the pot that a flat wink at a position would touch; empty if none."""
    if pot is None or z - piece.thickness / 2.0 > pot.height:
        return ""
    distance_to_pot = hypot(position[0] - pot.x, position[1] - pot.y)
    inner, outer = pot.inner_radius(z), pot.outer_radius(min(z, pot.height))
    if distance_to_pot <= inner - piece.radius * 0.5:
        return "in"
    if distance_to_pot < outer + piece.radius:
        return "rim" if previous - piece.thickness / 2.0 > pot.height - 0.004 else "wall"
    return ""


def speed_for(piece: Piece, distance: float, height: float, elevation: float, tumble: float = 0.0) -> float | None:
    """Speed [m/s] at which the arc comes down through a height at a distance [m]; None if 20 m/s is not enough."""

    def reached(speed: float) -> float:
        arc = predict_arc(piece, (0.0, 0.0), speed, 0.0, elevation, None, height, tumble)
        return arc.carry if arc.carry is not None else 0.0

    low, high = 0.05, 1.0
    while reached(high) < distance:
        low, high = high, high * 1.6
        if high > 20.0:
            return None
    for _ in range(22):
        middle = (low + high) / 2.0
        low, high = (middle, high) if reached(middle) < distance else (low, middle)
    return high


def shot_path(game: Game, state: State, shot: Action) -> tuple[Point, Point] | None:
    """Start and end of a squidge, up to its first contact [m]; None if the action is no squidge."""
    del game
    scene = scene_of(state)
    if not isinstance(shot, Squidge) or scene is None or not scene.has(shot.piece):
        return None
    piece, pot = scene.piece(shot.piece), scene.surface.pot
    begin = shot.start or piece.position
    height = pot.height + piece.thickness / 2.0 if pot is not None else 0.0
    arc = predict_arc(piece, begin, shot.speed, shot.azimuth, shot.elevation, pot, height, shot.tumble)
    return begin, (begin[0] + arc.distance * cos(shot.azimuth), begin[1] + arc.distance * sin(shot.azimuth))
