"""Spread and noise of an aimed shot, and where it would go on a free board."""

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin, sqrt

import pygame

from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, State
from flicksim.core.units import to_mm
from flicksim.gui.table_view.aim import friction_deceleration
from flicksim.gui.table_view.gestures import MIN_NOISE_SCALE, ShotSpread
from flicksim.gui.table_view.painter import scene_of
from flicksim.gui.toolkit import Canvas, palette
from flicksim.referee import Game
from flicksim.render import Camera
from flicksim.scene import Flick, LeftSurface, Piece, Scene, Trajectory

_MIN_NOTED_VIEW = 260.0
"""Least width of a view with a note on what lies beyond its edge: not in a lens or a close-up [units]."""
_ARC_SEGMENTS = 16
"""Number of segments of an arc."""
_MIN_NAMED_RADIUS, _MIN_NAMED_GAP = 20.0, 9.0
"""Apparent radius of a piece, and distance of the ring around it, from which on the ring has its name [units]."""


def draw_spread(
    canvas: Canvas, camera: Camera, start: Point, end: Point, spread: ShotSpread, colour: palette.Colour
) -> None:
    """Draw the spread of shots aimed from one point at another: the paths, brighter at their ends."""
    distance, azimuth = hypot(end[0] - start[0], end[1] - start[1]), atan2(end[1] - start[1], end[0] - start[0])
    half_angle = min(spread.azimuth, pi)
    angles = [azimuth + half_angle * (2.0 * k / _ARC_SEGMENTS - 1.0) for k in range(_ARC_SEGMENTS + 1)]

    def arc(fraction: float) -> list[Point]:
        reach = fraction * distance
        return [camera.to_screen((start[0] + reach * cos(at), start[1] + reach * sin(at))) for at in angles]

    inner, outer = (arc(fraction) for fraction in spread.distance_range)
    apex, line = camera.to_screen(start), max(1.0, canvas.px(1.2))
    canvas.translucent_polygon([apex, *inner], colour, 34)
    canvas.translucent_polygon([*inner, *reversed(outer)], colour, 96)
    canvas.polyline([*inner, *reversed(outer), inner[0], apex, inner[-1]], colour, line)


def draw_distance_beyond(canvas: Canvas, camera: Camera, start: Point, end: Point) -> None:
    """Draw how much farther an aimed shot goes than is seen, at the edge where it leaves a view; not in a small one.
    To be drawn after the pieces, start and end in [m]."""
    clip, start, end = canvas.surface.get_clip(), camera.to_screen(start), camera.to_screen(end)
    visible = clip.clipline(start, end)
    if clip.w < canvas.px(_MIN_NOTED_VIEW) or not visible or clip.collidepoint(end):
        return
    edge = visible[1]
    distance = 10 * round(to_mm(hypot(end[0] - edge[0], end[1] - edge[1]) / camera.zoom) / 10)
    if not distance:
        return
    text = f"{distance} mm farther"
    rect = pygame.Rect(0, 0, canvas.text_width(text, 12) + canvas.px(12), canvas.line_height(12))
    rect.center = edge
    rect.clamp_ip(clip.inflate(-canvas.px(12), -canvas.px(12)))
    canvas.box(rect, palette.OVERLAY_SHADE, 5)
    canvas.text(text, rect.center, 12, palette.LIGHT_TEXT, anchor="center")


def draw_noise_ring(canvas: Canvas, position: Point, radius: float, spread: ShotSpread) -> None:
    """Draw a ring around a piece that shrinks with the noise scale; a wide one around a large piece has its name."""
    ring_radius = radius + canvas.px(5) + canvas.px(34) * max(0.0, spread.noise_scale - MIN_NOISE_SCALE)
    canvas.circle(position, ring_radius, palette.LIGHT_TEXT, max(1.0, canvas.px(1.4)))
    if radius >= canvas.px(_MIN_NAMED_RADIUS) and ring_radius - radius >= canvas.px(_MIN_NAMED_GAP):
        canvas.text("hand", (position[0], position[1] - ring_radius), 11, palette.LIGHT_TEXT, anchor="midbottom")


def stop_position(free_trajectory: Trajectory) -> tuple[Point, bool]:
    """End of the flicked piece on a free board [m], and whether it falls off there."""
    name = free_trajectory.flick.piece
    for event in free_trajectory.events:
        if isinstance(event, LeftSurface) and event.piece == name:
            return event.point, True
    return free_trajectory.after.piece(name).position, False


def first_contact(start: Point, end: Point, piece: Piece, others: Sequence[Piece]) -> Point | None:
    """Position at the first collision on a straight path from start to end [m]; None without one."""
    distance = hypot(end[0] - start[0], end[1] - start[1])
    if distance < 1e-9:
        return None
    ux, uy = (end[0] - start[0]) / distance, (end[1] - start[1]) / distance
    first = distance
    for other in others:
        dx, dy = other.x - start[0], other.y - start[1]
        along, lateral, reach = dx * ux + dy * uy, dx * uy - dy * ux, piece.radius + other.radius
        if other.id != piece.id and along > 0.0 and abs(lateral) < reach:
            first = min(first, max(0.0, along - sqrt(reach * reach - lateral * lateral)))
    return (start[0] + first * ux, start[1] + first * uy) if first < distance else None


def shot_path(game: Game, state: State, shot: Action) -> tuple[Point, Point] | None:
    """Start and end of the path of a flick on a free board [m]; None if the action is no flick."""
    scene = scene_of(state)
    if not isinstance(shot, Flick) or scene is None:
        return None
    piece = scene.piece(shot.piece) if scene.has(shot.piece) else entering_piece(game, state, shot)
    if piece is None:
        return None
    start = shot.start or piece.position
    distance = shot.speed**2 / (2.0 * friction_deceleration(piece, scene.surface))
    return start, (start[0] + distance * cos(shot.azimuth), start[1] + distance * sin(shot.azimuth))


def entering_piece(game: Game, state: State, shot: Flick) -> Piece | None:
    """Piece that a flick brings in, at its starting place; None where the rules no longer allow it."""
    try:
        setup = game.rules.simulation_setup(state, shot)
    except FlicksimError:  # it has just been simulated: the state is already the next one
        return None
    if setup is None or not isinstance(setup[0], Scene) or not setup[0].has(shot.piece):
        return None
    return setup[0].piece(shot.piece)
