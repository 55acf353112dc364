"""Sliders of a squidge."""

from __future__ import annotations

from math import atan2, pi

from flicksim.core.geometry import wrap_angle
from flicksim.core.units import deg2rad, format_azimuth, mm, to_degrees, to_mm
from flicksim.gui.game_view_kit.sliders import attribute_slider
from flicksim.gui.game_views.tiddlywinks.squidge_aim import SquidgeAim
from flicksim.gui.toolkit.numeric_slider import SliderSpec
from flicksim.scene import SQUIDGER_DIAMETER_RANGE


def _direction_text(aim: SquidgeAim) -> str:
    """Direction as text, or "at the pot" if it points there."""
    off = wrap_angle(aim.azimuth - atan2(-aim.contact_point[1], -aim.contact_point[0]))
    return "at the pot" if abs(off) < deg2rad(0.05) else f"{format_azimuth(aim.azimuth)}°"


_MAX_RISE, _MAX_DRAW = pi / 2.0, mm(50.0)
SLIDERS = (
    attribute_slider("speed", "↑ ↓", (0.1, 6.0), 0.05, "speed", lambda v: f"{v:.3f} m/s", is_highlighted=True),
    SliderSpec("direction", "← →", -pi, pi, deg2rad(1.0), lambda aim: aim.azimuth,
               lambda aim, value: setattr(aim, "azimuth", round(value, 6)), lambda aim, _: _direction_text(aim)),
    attribute_slider("rise", "W S", (0.0, _MAX_RISE), deg2rad(1.0), "elevation", lambda v: f"{to_degrees(v):.1f}°"),
    attribute_slider("backspin", "Q E", (-200.0, 200.0), 5.0, "tumble", lambda v: f"{v:.0f} rad/s"),
    attribute_slider("squidger", "[ ]", SQUIDGER_DIAMETER_RANGE, mm(1.0), "squidger", lambda v: f"{to_mm(v):.1f} mm"),
    attribute_slider("press", "C X", (0.0, 1.0), 0.05, "press", lambda v: f"{v:.0%} below"),
    attribute_slider("draw on", "B V", (0.0, _MAX_DRAW), mm(1.0), "follow_through", lambda v: f"{to_mm(v):.0f} mm"),
)  # fmt: skip
PILE_SLIDERS = ("press", "draw on")
"""Sliders that matter only when the wink lies on others."""
