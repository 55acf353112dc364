"""Aim of a squidge, its numbers, and its predicted flight: a ballistic arc with drag up to the first contact."""

from dataclasses import dataclass
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin

from flicksim.core.geometry import Point, wrap_angle
from flicksim.core.type_aliases import Action, State
from flicksim.core.units import GRAVITY, deg2rad, format_azimuth, mm, to_degrees, to_mm
from flicksim.gui.table_view import scene_of
from flicksim.gui.table_view.aim import AimBase, attribute_slider
from flicksim.gui.toolkit import SliderSpec
from flicksim.referee import MIN_SQUIDGE_SPEED, FlickRange, Game
from flicksim.scene import MAX_SPEED, MAX_TUMBLE, SQUIDGER_DIAMETER_RANGE, Piece, Pot, Squidge, drag_deceleration_rates

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


@lru_cache(maxsize=64)
def predict_arc(
    piece: Piece, start: Point, speed: float, azimuth: float, elevation: float, tumble: float, pot: Pot | None = None,
    height: float = 0.0,
) -> BallisticArc:  # fmt: skip
    """Predict the arc of a wink squidged flat at `start` [m] with a speed [m/s], azimuth and elevation [rad].

    Args:
        piece: the wink. start: its position [m]. speed, azimuth, elevation: of the squidge. tumble: its backspin
            [rad/s]. pot: that it may hit. height: for `carry` where there is no pot [m]; else that of its rim.
    """
    height = pot.height + piece.thickness / 2.0 if pot is not None else height
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
        arc = predict_arc(piece, (0.0, 0.0), speed, 0.0, elevation, tumble, None, height)
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
    piece = scene.piece(shot.piece)
    begin = shot.start or piece.position
    arc = predict_arc(piece, begin, shot.speed, shot.azimuth, shot.elevation, shot.tumble, scene.surface.pot)
    return begin, (begin[0] + arc.distance * cos(shot.azimuth), begin[1] + arc.distance * sin(shot.azimuth))


_DEFAULT_ELEVATION = deg2rad(55.0)
"""Elevation of an aim without a target [rad]."""
_MAX_ELEVATION = deg2rad(85.0)
_END_TEXT = {
    "mat": "lands after {way:.0f} mm",
    "in": "comes down inside the pot",
    "rim": "strikes the pot's rim after {way:.0f} mm",
    "wall": "strikes the pot's wall after {way:.0f} mm",
}


class SquidgeAim(AimBase):
    """Aim of a squidge.

    Args:
        flick_range: legal squidges of the wink. piece: the wink as it lies. start: its starting place, if it may be
            chosen. squidger: diameter [m]. pot: of the mat.
    """

    def __init__(
        self, flick_range: FlickRange, piece: Piece, start: Point | None, squidger: float, pot: Pot | None = None
    ) -> None:
        super().__init__(flick_range, start, piece)
        self._pot = pot
        self.speed, self.elevation, self.tumble = 2.0, _DEFAULT_ELEVATION, 0.0
        self.squidger, self.press, self.follow_through = squidger, 0.0, 0.0

    @property
    def is_on_pile(self) -> bool:
        """True if the wink lies on others, so that press and follow-through matter."""
        return bool(self.piece.lies_on)

    @property
    def shot(self) -> Squidge:
        return Squidge(
            piece=self.piece.id, speed=round(self.speed, 6), azimuth=self.azimuth,
            elevation=self.elevation, tumble=self.tumble, squidger=self.squidger, press=self.press,
            drag=self.follow_through, start=self.rounded_start,
        )  # fmt: skip

    def copy_shot(self, shot: Squidge) -> None:
        if shot.start is not None:
            self.start = shot.start
        self.azimuth, self.speed, self.elevation = shot.azimuth, shot.speed, shot.elevation
        self.tumble, self.squidger, self.press, self.follow_through = shot.tumble, shot.squidger, shot.press, shot.drag

    @property
    def arc(self) -> BallisticArc:
        """Predicted arc."""
        return predict_arc(
            self.piece, self.contact_point, self.speed, self.azimuth, self.elevation, self.tumble, self._pot
        )

    @property
    def landing_point(self) -> Point:
        """Predicted first contact in plan [m]."""
        (x, y), distance = self.contact_point, self.arc.distance
        return (x + distance * cos(self.azimuth), y + distance * sin(self.azimuth))

    @property
    def arc_text(self) -> str:
        """Predicted arc in a sentence; bounces and winks in the way are ignored."""
        arc = self.arc
        landing = _END_TEXT[arc.end_surface].format(way=to_mm(arc.distance))
        if self._pot is None or arc.apex < self._pot.height:
            return f"{landing}; {to_mm(arc.apex):.0f} mm high, below the rim"
        if arc.carry is None:
            return f"{landing}; {to_mm(arc.apex):.0f} mm high"
        return f"carries {to_mm(arc.carry):.0f} mm to rim height; {landing}"

    # -- changing it ----------------------------------------------------------------------------------------------

    def aim_at(self, target: Point, height: float) -> bool:
        """Aim to come down at a point and height [m], steeper if needed. Return False if it is out of reach."""
        dx, dy = target[0] - self.contact_point[0], target[1] - self.contact_point[1]
        distance = hypot(dx, dy)
        if distance < 1e-4:
            return False
        azimuth, rising = atan2(dy, dx), self.elevation
        height = max(height, self.piece.thickness / 2.0) + (1e-4 if not height else 0.0)
        while rising <= _MAX_ELEVATION:
            speed = speed_for(self.piece, distance, height, rising, self.tumble)
            if speed is not None and speed <= MAX_SPEED:
                self.azimuth, self.elevation, self.speed = azimuth, rising, max(speed, MIN_SQUIDGE_SPEED)
                return True
            rising += deg2rad(5.0)
        return False


def _direction_text(aim: SquidgeAim) -> str:
    """Direction as text, or "at the pot" if it points there."""
    off = wrap_angle(aim.azimuth - atan2(-aim.contact_point[1], -aim.contact_point[0]))
    return "at the pot" if abs(off) < deg2rad(0.05) else f"{format_azimuth(aim.azimuth)}°"


SLIDERS = (
    attribute_slider("speed", "↑ ↓", (MIN_SQUIDGE_SPEED, 6.0), 0.05, "speed", lambda v: f"{v:.3f} m/s",
                     command="push", sign=-1, limits=(MIN_SQUIDGE_SPEED, MAX_SPEED), is_highlighted=True),
    SliderSpec("direction", "← →", -pi, pi, deg2rad(1.0), lambda aim: aim.azimuth,
               lambda aim, value: setattr(aim, "azimuth", round(value, 6)), lambda aim, _: _direction_text(aim)),
    attribute_slider("rise", "W S", (0.0, pi / 2.0), deg2rad(1.0), "elevation", lambda v: f"{to_degrees(v):.1f}°",
                     command="rise", sign=-1),
    attribute_slider("backspin", "Q E", (-200.0, 200.0), 5.0, "tumble", lambda v: f"{v:.0f} rad/s", command="roll",
                     sign=-1, limits=(-MAX_TUMBLE, MAX_TUMBLE)),
    attribute_slider("squidger", "[ ]", SQUIDGER_DIAMETER_RANGE, mm(1.0), "squidger", lambda v: f"{to_mm(v):.1f} mm",
                     command="change"),
)  # fmt: skip
"""Numbers of a squidge."""
PILE_SLIDERS = (
    attribute_slider("press", "C X", (0.0, 1.0), 0.05, "press", lambda v: f"{v:.0%} below", command="lean", sign=-1),
    attribute_slider("draw on", "B V", (0.0, mm(50.0)), mm(1.0), "follow_through", lambda v: f"{to_mm(v):.0f} mm",
                     command="draw", sign=-1),
)  # fmt: skip
"""Numbers that matter only when the wink lies on others."""
