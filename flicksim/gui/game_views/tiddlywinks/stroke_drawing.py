"""Drawing of a squidge in plan: carry, landing point and squidger."""

from __future__ import annotations

from math import cos, sin

from flicksim.core.geometry import Point
from flicksim.core.units import to_mm
from flicksim.gui.game_views.tiddlywinks.painter import WinkPainter
from flicksim.gui.game_views.tiddlywinks.squidge_aim import SquidgeAim
from flicksim.gui.game_views.tiddlywinks.squidge_controller import SquidgeController
from flicksim.gui.game_views.tiddlywinks.wink_pose import resting_pose
from flicksim.gui.table_view import shot_painter
from flicksim.gui.table_view.gesture_noise import ShotSpread
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.render import Camera
from flicksim.scene import Pot

_END_TEXT = {
    "mat": "lands after {way:.0f} mm",
    "in": "comes down inside the pot",
    "rim": "strikes the pot's rim after {way:.0f} mm",
    "wall": "strikes the pot's wall after {way:.0f} mm",
}


def arc_text(aim: SquidgeAim, pot: Pot | None) -> str:
    """Predicted arc in a sentence; bounces and winks in the way are ignored."""
    arc = aim.predicted_arc(pot)
    landing = _END_TEXT[arc.end_surface].format(way=to_mm(arc.distance))
    if pot is None or arc.apex < pot.height:
        return f"{landing}; {to_mm(arc.apex):.0f} mm high, below the rim"
    if arc.carry is None:
        return f"{landing}; {to_mm(arc.apex):.0f} mm high"
    return f"carries {to_mm(arc.carry):.0f} mm to rim height; {landing}"


def landing_point(aim: SquidgeAim, pot: Pot | None) -> Point:
    """First contact in plan [m]."""
    distance = aim.predicted_arc(pot).distance
    return (aim.contact_point[0] + distance * cos(aim.azimuth), aim.contact_point[1] + distance * sin(aim.azimuth))


def draw_stroke(
    canvas: Canvas, camera: Camera, painter: WinkPainter, aim_controller: SquidgeController, spread: ShotSpread | None
) -> None:
    """Draw the aimed wink, its predicted path and the squidger.

    Args:
        canvas, camera, painter: where to draw. aim_controller: with an aim. spread: of the shots; None without
            execution noise.
    """
    aim, pot = aim_controller.aim, aim_controller.pot
    assert aim is not None
    start, end = camera.to_screen(aim.contact_point), camera.to_screen(landing_point(aim, pot))
    r = aim.piece.radius * camera.zoom
    colour = palette.TABLE_BAD if aim_controller.error else palette.HIGHLIGHT
    if spread is None:
        canvas.dashed_line(start, end, colour, max(1.5, canvas.px(2)), canvas.px(5))
        canvas.circle(end, max(r, 4.0), colour, max(1.0, canvas.px(1.6)))
        canvas.disc(end, canvas.px(2), colour)
    else:
        with painter.pot_preserved(canvas, camera):
            shot_painter.draw_spread(canvas, camera, aim.contact_point, landing_point(aim, pot), spread, colour)
        shot_painter.draw_noise_ring(canvas, start, max(r, 3.0), spread)
    if aim.start is not None:
        painter.draw_pose(canvas, camera, resting_pose(aim.piece, aim.contact_point))
    canvas.circle(start, max(r, 3.0) + canvas.px(3), colour, canvas.px(2))
    # the squidger's rim, pressed on the wink from behind
    wide = aim.squidger / 2.0 * camera.zoom
    ux, uy = cos(aim.azimuth + camera.rotation), -sin(aim.azimuth + camera.rotation)
    back = (start[0] - ux * (wide + 0.4 * r), start[1] - uy * (wide + 0.4 * r))
    pale = palette.mix(palette.LIGHT_TEXT, palette.PANEL, 0.25)
    canvas.circle(back, max(wide, 4.0), pale, max(1.0, canvas.px(1.3)))
    if wide > canvas.px(32) and canvas.surface.get_clip().inflate(-canvas.px(60), 0).collidepoint(back):
        canvas.text("squidger", back, 11, pale, anchor="center")
