"""The squidge in words and on the plan: what it carries, where it lands; the squidger behind the wink."""

from __future__ import annotations

from math import cos, sin

from flicksim.base.geometry import Point
from flicksim.base.units import to_mm
from flicksim.drawing import Camera
from flicksim.table import Pot
from flicksim.ui.faces.tiddlywinks.aim import SquidgeAim
from flicksim.ui.faces.tiddlywinks.painter import WinkPainter
from flicksim.ui.faces.tiddlywinks.pose import lying
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table import shot_painter
from flicksim.ui.table.calm import Spread

_ENDS = {
    "mat": "lands after {way:.0f} mm",
    "in": "comes down inside the pot",
    "rim": "strikes the pot's rim after {way:.0f} mm",
    "wall": "strikes the pot's wall after {way:.0f} mm",
}


def words(aim: SquidgeAim, pot: Pot | None) -> str:
    """The arc foreseen in a sentence; bounces and winks in the way are not in it."""
    arc = aim.arc(pot)
    where = _ENDS[arc.ends].format(way=to_mm(arc.way))
    if pot is None or arc.apex < pot.height:
        return f"{where}; {to_mm(arc.apex):.0f} mm high, below the rim"
    if arc.carry is None:
        return f"{where}; {to_mm(arc.apex):.0f} mm high"
    return f"carries {to_mm(arc.carry):.0f} mm to rim height; {where}"


def landing(aim: SquidgeAim, pot: Pot | None) -> Point:
    """Point at which it first meets something, in plan [m]."""
    way = aim.arc(pot).way
    return (aim.at[0] + way * cos(aim.azimuth), aim.at[1] + way * sin(aim.azimuth))


def draw(
    canvas: Canvas, camera: Camera, painter: WinkPainter, aim: SquidgeAim, pot: Pot | None, *, wrong: bool,
    spread: Spread | None,
) -> None:  # fmt: skip
    """The wink in hand, its way to where it would first come down, and the squidger.

    Args:
        spread: where the hand's shots go; None: where they are aimed.
    """
    here, there = camera.to_screen(aim.at), camera.to_screen(landing(aim, pot))
    r = aim.piece.radius * camera.zoom
    colour = palette.ALARM if wrong else palette.GLOW
    if spread is None:
        canvas.dashes(here, there, colour, max(1.5, canvas.px(2)), canvas.px(5))
        canvas.ring(there, max(r, 4.0), colour, max(1.0, canvas.px(1.6)))
        canvas.disc(there, canvas.px(2), colour)
    else:
        with painter.spared(canvas, camera):
            shot_painter.fan(canvas, camera, aim.at, landing(aim, pot), spread, colour)
        shot_painter.unrest(canvas, here, max(r, 3.0), spread)
    if aim.start is not None:
        painter.pose(canvas, camera, lying(aim.piece, aim.at))
    canvas.ring(here, max(r, 3.0) + canvas.px(3), colour, canvas.px(2))
    # the squidger's rim, pressed on the wink from behind
    wide = aim.squidger / 2.0 * camera.zoom
    ux, uy = cos(aim.azimuth + camera.turned), -sin(aim.azimuth + camera.turned)
    back = (here[0] - ux * (wide + 0.4 * r), here[1] - uy * (wide + 0.4 * r))
    pale = palette.mix(palette.PALE, palette.PANEL, 0.25)
    canvas.ring(back, max(wide, 4.0), pale, max(1.0, canvas.px(1.3)))
    if wide > canvas.px(32) and canvas.surface.get_clip().inflate(-canvas.px(60), 0).collidepoint(back):
        canvas.text("squidger", back, 11, pale, anchor="center")
