"""Sliders of a squidge."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, pi

from flicksim.core.geometry import wrap_angle
from flicksim.core.units import deg2rad, format_azimuth, mm, to_degrees, to_mm
from flicksim.gui.game_views.tiddlywinks.squidge_aim import SquidgeAim
from flicksim.gui.toolkit.numeric_slider import SliderSpec
from flicksim.scene import SQUIDGER_DIAMETER_RANGE


def _setter(name: str) -> Callable[[SquidgeAim, float], None]:
    def set_value(aim: SquidgeAim, value: float) -> None:
        setattr(aim, name, round(value, 6))

    return set_value


def _direction_text(aim: SquidgeAim) -> str:
    """Direction as text, or "at the pot" if it points there."""
    off = wrap_angle(aim.azimuth - atan2(-aim.contact_point[1], -aim.contact_point[0]))
    return "at the pot" if abs(off) < deg2rad(0.05) else f"{format_azimuth(aim.azimuth)}°"


SLIDERS = (
    SliderSpec(
        "speed",
        "↑ ↓",
        0.1,
        6.0,
        0.05,
        lambda a: a.speed,
        _setter("speed"),
        lambda _, v: f"{v:.3f} m/s",
        is_highlighted=True,
    ),
    SliderSpec(
        "direction",
        "← →",
        -pi,
        pi,
        deg2rad(1.0),
        lambda a: a.azimuth,
        _setter("azimuth"),
        lambda a, _: _direction_text(a),
    ),
    SliderSpec(
        "rise",
        "W S",
        0.0,
        pi / 2.0,
        deg2rad(1.0),
        lambda a: a.elevation,
        _setter("elevation"),
        lambda _, v: f"{to_degrees(v):.1f}°",
    ),
    SliderSpec(
        "backspin", "Q E", -200.0, 200.0, 5.0, lambda a: a.tumble, _setter("tumble"), lambda _, v: f"{v:.0f} rad/s"
    ),
    SliderSpec(
        "squidger",
        "[ ]",
        *SQUIDGER_DIAMETER_RANGE,
        mm(1.0),
        lambda a: a.squidger,
        _setter("squidger"),
        lambda _, v: f"{to_mm(v):.1f} mm",
    ),
    SliderSpec("press", "C X", 0.0, 1.0, 0.05, lambda a: a.press, _setter("press"), lambda _, v: f"{v:.0%} below"),
    SliderSpec(
        "draw on",
        "B V",
        0.0,
        mm(50.0),
        mm(1.0),
        lambda a: a.follow_through,
        _setter("follow_through"),
        lambda _, v: f"{to_mm(v):.0f} mm",
    ),
)
PILE_SLIDERS = ("press", "draw on")
"""Sliders that matter only when the wink lies on others."""
