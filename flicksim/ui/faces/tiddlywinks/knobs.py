"""The numbers of a squidge that can be turned."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, pi

from flicksim.base.geometry import half_turn
from flicksim.base.units import degrees, direction, mm, to_degrees, to_mm
from flicksim.table import SQUIDGER
from flicksim.ui.faces.tiddlywinks.aim import SquidgeAim
from flicksim.ui.kit.knob import Dial


def _set(name: str) -> Callable[[SquidgeAim, float], None]:
    def put(aim: SquidgeAim, value: float) -> None:
        setattr(aim, name, round(value, 6))

    return put


def _way(aim: SquidgeAim) -> str:
    """The direction as it is told everywhere, or that it is at the pot's middle."""
    off = half_turn(aim.azimuth - atan2(-aim.at[1], -aim.at[0]))
    return "at the pot" if abs(off) < degrees(0.05) else f"{direction(aim.azimuth)}°"


DIALS = (
    Dial("speed", "↑ ↓", 0.1, 6.0, 0.05, lambda a: a.speed, _set("speed"), lambda _, v: f"{v:.3f} m/s",
         hot=True),
    Dial("direction", "← →", -pi, pi, degrees(1.0), lambda a: a.azimuth, _set("azimuth"), lambda a, _: _way(a)),
    Dial("rise", "W S", 0.0, pi / 2.0, degrees(1.0), lambda a: a.elevation, _set("elevation"),
         lambda _, v: f"{to_degrees(v):.1f}°"),
    Dial("backspin", "Q E", -200.0, 200.0, 5.0, lambda a: a.tumble, _set("tumble"), lambda _, v: f"{v:.0f} rad/s"),
    Dial("squidger", "[ ]", *SQUIDGER, mm(1.0), lambda a: a.squidger, _set("squidger"),
         lambda _, v: f"{to_mm(v):.1f} mm"),
    Dial("press", "C X", 0.0, 1.0, 0.05, lambda a: a.press, _set("press"), lambda _, v: f"{v:.0%} below"),
    Dial("draw on", "B V", 0.0, mm(50.0), mm(1.0), lambda a: a.drag, _set("drag"), lambda _, v: f"{to_mm(v):.0f} mm"),
)  # fmt: skip
PILED = ("press", "draw on")
"""These do something only when the wink lies on others."""
