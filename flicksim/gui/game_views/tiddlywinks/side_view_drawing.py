"""Drawing of a squidge from the side: the predicted arc, and the flight during playback."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.gui.game_views.tiddlywinks import side_view
from flicksim.gui.game_views.tiddlywinks.painter import WinkPainter
from flicksim.gui.game_views.tiddlywinks.squidge_aim import SquidgeAim
from flicksim.gui.game_views.tiddlywinks.wink_pose import WinkPose, poses_at, resting_pose
from flicksim.gui.table_view import side_plane
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.scene import Pot, Squidge, Trajectory


def draw_predicted(
    canvas: Canvas,
    rect: pygame.Rect,
    painter: WinkPainter,
    aim: SquidgeAim,
    pot: Pot | None,
    scene: Sequence[WinkPose],
    *,
    is_illegal: bool,
) -> None:
    """Draw the predicted arc."""
    arc = aim.predicted_arc(pot)
    bare = side_plane.SidePlane(aim.contact_point, aim.azimuth)
    points = [*arc.points, *side_view.pot_outline(bare, pot)]
    plane = side_plane.fit_plane(rect, aim.contact_point, aim.azimuth, points, canvas.scale)
    side_view.draw_frame(canvas, rect, plane, pot, "aimed, without bounces")
    with canvas.clipped(rect.inflate(-4, -4)):
        keys = {pose.piece.id: painter.colour_key(pose.piece) for pose in scene}
        own = resting_pose(aim.piece, aim.contact_point)
        others = [pose for pose in scene if pose.piece.id != aim.piece.id]
        side_view.draw_winks(canvas, plane, [*others, own], keys, aim.piece.id)
        side_view.draw_predicted_arc(canvas, plane, arc, is_illegal=is_illegal)


def draw_flight(
    canvas: Canvas, rect: pygame.Rect, painter: WinkPainter, trajectory: Trajectory, t: float, text: str = ""
) -> None:
    """Draw the flight up to a time [s]; beside the caption that time, or other text."""
    squidge = trajectory.flick
    assert isinstance(squidge, Squidge)
    origin, pot = trajectory.before.piece(squidge.piece).position, trajectory.before.surface.pot
    plane = side_plane.fit_plane(rect, origin, squidge.azimuth, side_view.flight_points(trajectory), canvas.scale)
    side_view.draw_frame(canvas, rect, plane, pot, text or f"{min(t, trajectory.duration):.2f} s")
    keys = {piece.id: painter.colour_key(piece) for piece in trajectory.before.pieces}
    with canvas.clipped(rect.inflate(-4, -4)):
        side_view.draw_flight(canvas, plane, trajectory, t, keys)
        side_view.draw_winks(canvas, plane, poses_at(trajectory, t), keys, squidge.piece)
