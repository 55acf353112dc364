"""A squidge from the side: the arc foreseen while it is aimed, and the flight as it went."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.table import Motion, Pot, Squidge
from flicksim.ui.faces.tiddlywinks import side_view
from flicksim.ui.faces.tiddlywinks.aim import SquidgeAim
from flicksim.ui.faces.tiddlywinks.painter import WinkPainter
from flicksim.ui.faces.tiddlywinks.pose import Pose, at_time, lying
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table import profile


def aimed(
    canvas: Canvas, rect: pygame.Rect, painter: WinkPainter, aim: SquidgeAim, pot: Pot | None, there: Sequence[Pose],
    *, wrong: bool,
) -> None:  # fmt: skip
    """The arc foreseen."""
    arc = aim.arc(pot)
    bare = profile.Plane(aim.at, aim.azimuth)
    points = [*arc.points, *side_view.pot_points(bare, pot)]
    plane = profile.placed(rect, aim.at, aim.azimuth, points, canvas.scale)
    side_view.framed(canvas, rect, plane, pot, "aimed, without bounces")
    with canvas.clipped(rect.inflate(-4, -4)):
        keys = {pose.piece.id: painter.key(pose.piece) for pose in there}
        own = lying(aim.piece, aim.at)
        others = [pose for pose in there if pose.piece.id != aim.piece.id]
        side_view.winks(canvas, plane, [*others, own], keys, aim.piece.id)
        side_view.foreseen(canvas, plane, arc, wrong=wrong)


def shown(canvas: Canvas, rect: pygame.Rect, painter: WinkPainter, motion: Motion, t: float, words: str = "") -> None:
    """The flight as it went up to a time [s]; beside the caption that time, or other words."""
    made = motion.flick
    assert isinstance(made, Squidge)
    origin, pot = motion.before.piece(made.piece).at, motion.before.surface.pot
    plane = profile.placed(rect, origin, made.azimuth, side_view.span_of(motion), canvas.scale)
    side_view.framed(canvas, rect, plane, pot, words or f"{min(t, motion.duration):.2f} s")
    keys = {piece.id: painter.key(piece) for piece in motion.before.pieces}
    with canvas.clipped(rect.inflate(-4, -4)):
        side_view.flown(canvas, plane, motion, t, keys)
        side_view.winks(canvas, plane, at_time(motion, t), keys, made.piece)
