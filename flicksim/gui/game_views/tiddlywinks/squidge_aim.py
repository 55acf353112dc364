"""Aim of a squidge, and its numbers: values only, changed by keys, sliders and drags."""

from __future__ import annotations

from math import atan2, hypot, pi

from flicksim.core.geometry import Point, wrap_angle
from flicksim.core.units import deg2rad, format_azimuth, mm, to_degrees, to_mm
from flicksim.gui.game_view_kit.sliders import attribute_slider
from flicksim.gui.game_views.tiddlywinks import ballistic_arc
from flicksim.gui.game_views.tiddlywinks.ballistic_arc import BallisticArc
from flicksim.gui.table_view.aim import AimBase
from flicksim.gui.toolkit.numeric_slider import SliderSpec
from flicksim.referee import FlickRange
from flicksim.scene import MAX_SPEED, MAX_TUMBLE, SQUIDGER_DIAMETER_RANGE, Piece, Pot, Squidge

MIN_SPEED = 0.1
"""Lowest speed of an aimed squidge [m/s]."""
_MAX_ELEVATION = deg2rad(85.0)


class SquidgeAim(AimBase):
    """Aim of a squidge.

    Args:
        flick_range: legal squidges of the wink. piece: the wink as it lies. start: its starting place, if it may be
            chosen. squidger: diameter [m].
    """

    def __init__(self, flick_range: FlickRange, piece: Piece, start: Point | None, squidger: float) -> None:
        super().__init__(flick_range, start)
        self.piece = piece
        self.speed, self.elevation, self.tumble = 2.0, deg2rad(55.0), 0.0
        self.squidger, self.press, self.follow_through = squidger, 0.0, 0.0
        self._arc_cache: tuple[object, BallisticArc] | None = None

    @property
    def contact_point(self) -> Point:
        """Point at which the wink is squidged [m]."""
        return self.start or self.piece.position

    @property
    def is_on_pile(self) -> bool:
        """True if the wink lies on others, so that press and follow-through matter."""
        return bool(self.piece.lies_on)

    @property
    def to_squidge(self) -> Squidge:
        """Squidge as it is aimed now."""
        start = None if self.start is None else (round(self.start[0], 9), round(self.start[1], 9))
        return Squidge(
            piece=self.piece.id, speed=round(self.speed, 6), azimuth=self.azimuth,
            elevation=self.elevation, tumble=self.tumble, squidger=self.squidger, press=self.press,
            drag=self.follow_through, start=start,
        )  # fmt: skip

    def predicted_arc(self, pot: Pot | None) -> BallisticArc:
        """Predicted arc; cached until something changes."""
        key = (self.contact_point, self.speed, self.azimuth, self.elevation, self.tumble)
        if self._arc_cache is None or self._arc_cache[0] != key:
            height = pot.height + self.piece.thickness / 2.0 if pot is not None else 0.0
            how = (self.speed, self.azimuth, self.elevation)
            self._arc_cache = (
                key,
                ballistic_arc.predict_arc(self.piece, self.contact_point, *how, pot, height, self.tumble),
            )
        return self._arc_cache[1]

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
            speed = ballistic_arc.speed_for(self.piece, distance, height, rising, self.tumble)
            if speed is not None and speed <= MAX_SPEED:
                self.azimuth, self.elevation, self.speed = azimuth, rising, max(speed, MIN_SPEED)
                return True
            rising += deg2rad(5.0)
        return False


def _direction_text(aim: SquidgeAim) -> str:
    """Direction as text, or "at the pot" if it points there."""
    off = wrap_angle(aim.azimuth - atan2(-aim.contact_point[1], -aim.contact_point[0]))
    return "at the pot" if abs(off) < deg2rad(0.05) else f"{format_azimuth(aim.azimuth)}°"


SLIDERS = (
    attribute_slider("speed", "↑ ↓", (MIN_SPEED, 6.0), 0.05, "speed", lambda v: f"{v:.3f} m/s", command="push", sign=-1,
                     limits=(MIN_SPEED, MAX_SPEED), is_highlighted=True),
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
