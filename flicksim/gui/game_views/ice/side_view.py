"""Side view of a launch: the held launcher, the missile on its tip, the flight and the landing.

It shows the vertical plane of the launch. Pieces near the plane are drawn behind it, fainter the farther away they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, hypot, sin

import pygame

from flicksim.core.geometry import Point, chord
from flicksim.core.units import mm
from flicksim.gui.game_views.ice import pyramid_sprites
from flicksim.gui.table_view.side_plane import (
    SidePlane,
    draw_caption,
    draw_inset_frame,
    draw_note,
    draw_scales,
    fit_plane,
)
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.scene import (
    LAUNCHER_ID,
    Launch,
    LaunchFailed,
    LaunchTrajectory,
    Pyramid,
    PyramidCollision,
    PyramidScene,
    Surface,
    axes_from_quaternion,
)

MAX_OFFSET = mm(55.0)
"""Largest distance from the plane of pieces that are drawn [m]."""
_CLOSE_UP_WIDTH = mm(120.0)
"""Width of the plane visible to each side of a landing [m]."""
_IMPACT_TIME = 0.12
"""Time for which a collision is shown [s]."""


def launcher_pieces(scene: PyramidScene, launch: Launch) -> tuple[Pyramid, Pyramid]:
    """Launcher as it is held, and the missile nested on its tip."""
    large, shape = scene.kit.large, scene.kit.shape(launch.size)
    x, y = launch.hold
    held = Pyramid(id=LAUNCHER_ID, size="large", shape=large, x=x, y=y, z=launch.lift, heading=launch.azimuth,
                   owner=launch.owner)  # fmt: skip
    missile = Pyramid(
        id=launch.piece,
        size=launch.size,
        shape=shape,
        x=x,
        y=y,
        z=launch.lift + shape.stacking_height(large),
        heading=launch.azimuth,
        owner=launch.owner,
    )
    return held, missile


def flight_points(trajectory: LaunchTrajectory, end_time: float) -> list[Point]:
    """Distance and height of the missile's centre of mass up to a time [m]; empty if it never left the launcher."""
    track = trajectory.track(trajectory.launch.piece)
    if track is None or never_left(trajectory):
        return []
    plane, corners = SidePlane(trajectory.launch.hold, trajectory.launch.azimuth), []
    for t, (x, y, z) in zip(track.times, track.positions.tolist(), strict=True):
        if t > end_time:
            break
        corners.append((plane.project((x, y))[0], z))
    if (now := track.pose_at(end_time)) is not None:
        x, y, z = now[0]
        corners.append((plane.project((x, y))[0], z))
    return corners


def never_left(trajectory: LaunchTrajectory) -> bool:
    """Return True if the missile never left the launcher."""
    return any(isinstance(event, LaunchFailed) for event in trajectory.events)


def table_interval(trajectory: LaunchTrajectory) -> tuple[float, float] | None:
    """Interval of the plane of a launch over the table [m]; None if it misses the table."""
    return chord(trajectory.before.surface.outline, trajectory.launch.hold, trajectory.launch.azimuth)


def carry_distance(trajectory: LaunchTrajectory) -> float:
    """Distance in the plane at which the missile comes down [m]; nearly zero if it stays on the launcher."""
    points = flight_points(trajectory, trajectory.first_contact_time)
    return points[-1][0] if len(points) > 1 else mm(20.0)


def whole_plane(rect: pygame.Rect, launch: Launch, points: Sequence[Point], scale: float) -> SidePlane:
    """Mapping of the plane to a rectangle in which launcher and flight are fully visible."""
    points = [*points, (-mm(60.0), launch.lift + mm(60.0)), (mm(60.0), 0.0)]
    return fit_plane(rect, launch.hold, launch.azimuth, points, scale)


def zoomed_plane(
    rect: pygame.Rect, plane: SidePlane, distance: float, fraction: float, scale: float, bottom: float = 0.0
) -> SidePlane:
    """Interpolation between the whole plane (fraction 0) and a close-up at a distance in it (1)."""
    fraction = min(max(fraction, 0.0), 1.0)
    fraction = fraction * fraction * (3.0 - 2.0 * fraction)
    zoom_near = max(plane.zoom, (rect.w - 40.0 * scale) / (2.0 * _CLOSE_UP_WIDTH))
    zoom = plane.zoom * (zoom_near / plane.zoom) ** fraction
    near_left = rect.centerx - distance * zoom
    far_left = plane.left + distance * plane.zoom - distance * zoom  # that point keeps its place on the screen
    left = far_left + (near_left - far_left) * fraction
    floor = plane.ground + (bottom * zoom) * fraction
    return SidePlane(plane.origin, plane.azimuth, zoom, left, floor)


def draw_frame(
    canvas: Canvas,
    rect: pygame.Rect,
    plane: SidePlane,
    ground_interval: tuple[float, float] | None,
    text: str,
    start_line: float | None = None,
) -> None:
    """Draw the frame, the scales, the section of the table top, and the owner's start line."""
    draw_inset_frame(canvas, rect)
    draw_caption(canvas, rect, text)
    with canvas.clipped(rect.inflate(-4, -4)):
        draw_scales(canvas, rect, plane)
        if ground_interval is not None:
            x0, x1 = (plane.to_screen(end, 0.0)[0] for end in ground_interval)
            top = pygame.Rect(round(x0), round(plane.ground), round(x1 - x0), canvas.px(6))
            wood = palette.board_colour("wood")
            canvas.surface.fill(wood, top)
            canvas.surface.fill(
                palette.mix(wood, palette.LIGHT_TEXT, 0.35), (top.x, top.y, top.w, max(1, canvas.px(1.5)))
            )
        if start_line is not None:
            x, y = plane.to_screen(start_line, 0.0)
            if rect.x + canvas.px(32) < x < rect.right:
                canvas.dashed_line((x, y), (x, y - canvas.px(46)), palette.HIGHLIGHT, 1.0, canvas.px(3))
                draw_note(canvas, "own line", (x + canvas.px(30), y - canvas.px(38)), palette.HIGHLIGHT, 10.0)


def draw_pieces(
    canvas: Canvas, plane: SidePlane, pieces: Iterable[Pyramid], seats: Sequence[str], highlighted: str = ""
) -> None:
    """Draw pieces near the plane, the farthest first; the `highlighted` one opaque and last."""
    pieces_near = []
    for piece in pieces:
        x, y, _ = piece.centre_of_mass
        offset = plane.project((x, y))[1]
        if abs(offset) <= MAX_OFFSET or piece.id == highlighted:
            pieces_near.append((piece.id == highlighted, -abs(offset), piece))
    for chosen, offset, piece in sorted(pieces_near, key=lambda one: one[:2]):
        reach = 0.35 * piece.shape.base
        faint = 0.0 if chosen or -offset < reach else min(1.0, (-offset - reach) / (MAX_OFFSET - reach))
        _draw_piece(canvas, plane, piece, seats, faint)


def _draw_piece(canvas: Canvas, plane: SidePlane, piece: Pyramid, seats: Sequence[str], fade: float = 0.0) -> None:
    key = palette.seat_key(piece.owner, seats)
    picture = pyramid_sprites.side_sprite(
        piece.shape, plane.zoom, key, piece.tilt, piece.heading - plane.azimuth, piece.roll
    )
    if fade > 0.0:
        picture = picture.copy()
        picture.set_alpha(round(200 - 130 * fade))
    x, y = plane.to_screen(plane.project(piece.position)[0], piece.z)
    canvas.surface.blit(picture, picture.get_rect(center=(round(x), round(y))))


def draw_hand(
    canvas: Canvas, plane: SidePlane, launcher: Pyramid, seats: Sequence[str], missile: Pyramid | None = None
) -> None:
    """Draw the launcher between thumb and fingers, and the missile that sits on it."""
    skin, dark = (214, 168, 136), (120, 82, 60)
    s = plane.project(launcher.position)[0]
    grip_depth = mm(9.0)
    direction = (cos(-launcher.tilt), sin(launcher.tilt))

    def at(across: float, up: float) -> Point:
        return plane.to_screen(
            s + across * direction[0] + up * direction[1], launcher.z + up * direction[0] - across * direction[1]
        )

    half = launcher.shape.base / 2.0 * (1.0 - grip_depth / launcher.shape.height)
    thick = max(3.0, mm(11.0) * plane.zoom)
    root = (half + mm(62.0), -mm(34.0))
    _draw_finger(
        canvas,
        at(half * 0.2, grip_depth + mm(3.0)),
        at(root[0], root[1] + mm(16.0)),
        thick,
        palette.mix(skin, dark, 0.35),
    )
    _draw_piece(canvas, plane, launcher, seats)
    if missile is not None:
        _draw_piece(canvas, plane, missile, seats)
    _draw_finger(canvas, at(half * 0.55, grip_depth - mm(4.0)), at(root[0], root[1]), thick, skin)


def _draw_finger(canvas: Canvas, tip: Point, root: Point, width: float, colour: palette.Colour) -> None:
    """Draw a finger as a round-ended stroke with a nail at its tip."""
    dark = palette.mix(colour, palette.OVERLAY_SHADE, 0.45)
    for extra, shade in ((1.0, dark), (0.0, colour)):
        r = width / 2.0 + extra
        dx, dy = root[0] - tip[0], root[1] - tip[1]
        distance = max(hypot(dx, dy), 1e-6)
        nx, ny = -dy / distance * r, dx / distance * r
        canvas.polygon([(tip[0] + nx, tip[1] + ny), (root[0] + nx, root[1] + ny), (root[0] - nx, root[1] - ny),
                        (tip[0] - nx, tip[1] - ny)], shade)  # fmt: skip
        canvas.disc(tip, r, shade)
    if width > 7.0:
        dx, dy = (root[0] - tip[0]) / distance, (root[1] - tip[1]) / distance
        canvas.disc(
            (tip[0] - dx * width * 0.1, tip[1] - dy * width * 0.1),
            width * 0.26,
            palette.mix(colour, palette.LIGHT_TEXT, 0.5),
        )


def draw_nail(
    canvas: Canvas, plane: SidePlane, launcher: Pyramid, height: float, slant: float, strength: float
) -> None:
    """Draw the strike of the nail: an arrow whose length is the strength (0 to 1)."""
    s = plane.project(launcher.position)[0]
    across = -(launcher.shape.base / 2.0) * (1.0 - height / launcher.shape.height)
    hit = plane.to_screen(s + across, launcher.z + height)
    length = canvas.px(20) + canvas.px(52) * min(max(strength, 0.0), 1.0)
    ux, uy = cos(slant), -sin(slant)
    tail = (hit[0] - ux * length, hit[1] - uy * length)
    colour = palette.mix(palette.TABLE_GOOD, palette.TABLE_BAD, max(0.0, strength * 1.6 - 0.6))
    canvas.line(tail, hit, colour, max(2.0, canvas.px(3)))
    w = canvas.px(6)
    canvas.polygon([hit, (hit[0] - ux * w * 1.6 - uy * w * 0.8, hit[1] - uy * w * 1.6 + ux * w * 0.8),
                    (hit[0] - ux * w * 1.6 + uy * w * 0.8, hit[1] - uy * w * 1.6 - ux * w * 0.8)], colour)  # fmt: skip


def draw_predicted_arc(canvas: Canvas, plane: SidePlane, points: Sequence[Point], *, is_illegal: bool = False) -> None:
    """Draw a predicted flight: dashed, its apex and end marked."""
    if len(points) < 2:
        return
    colour = palette.TABLE_BAD if is_illegal else palette.HIGHLIGHT
    screen_points = [plane.to_screen(*p) for p in points]
    for k in range(0, len(screen_points) - 1, 2):
        canvas.line(screen_points[k], screen_points[k + 1], colour, max(1.5, canvas.px(2)))
    top = max(points, key=lambda p: p[1])
    x, y = plane.to_screen(*top)
    draw_note(canvas, f"{top[1] * 1000:.0f} high", (x, y - canvas.px(3)), colour)
    canvas.circle(screen_points[-1], canvas.px(4), colour, canvas.px(1.5))


def draw_launch(
    canvas: Canvas,
    rect: pygame.Rect,
    trajectory: LaunchTrajectory,
    t: float,
    seats: Sequence[str],
    *,
    start_line: float | None = None,
    close_up_progress: bool = False,
    close_up: bool = True,
    text: str = "",
) -> None:
    """Draw a launch at a time after the flick [s].

    Args:
        canvas, rect: where to draw. trajectory: of the launch. t: time [s]. seats: names of the seats. start_line:
            distance at which the owner's start line is crossed [m]. close_up_progress: of the zoom on the landing,
            0 to 1. close_up: also draw a close-up of the launch itself. text: caption.
    """
    launch = trajectory.launch
    points = flight_points(trajectory, trajectory.duration)
    plane = whole_plane(rect, launch, points, canvas.scale)
    track = trajectory.track(LAUNCHER_ID)
    if never_left(trajectory):
        plane = zoomed_plane(rect, plane, 0.0, 0.7, canvas.scale)
    else:
        here = flight_points(trajectory, t)
        if close_up_progress and t < 0.3:
            plane = zoomed_plane(rect, plane, 0.0, 1.0 - (t - 0.03) / 0.15, canvas.scale, launch.lift - mm(8.0))
        if close_up and t > trajectory.first_contact_time - 0.1 and here:
            plane = zoomed_plane(
                rect, plane, here[-1][0], (t - trajectory.first_contact_time + 0.1) / 0.3, canvas.scale
            )
    draw_frame(canvas, rect, plane, table_interval(trajectory), text, start_line)
    with canvas.clipped(rect.inflate(-4, -4)):
        pieces = trajectory.pieces_at(t)
        held, nested = launcher_pieces(trajectory.before, launch)
        canvas.polyline([plane.to_screen(*p) for p in flight_points(trajectory, t)],
                    palette.mix(palette.seat_colour(palette.seat_key(launch.owner, seats)), palette.LIGHT_TEXT, 0.45),
                    max(1.0, canvas.px(1.5)))  # fmt: skip
        draw_pieces(canvas, plane, (p for p in pieces if p.id != launch.piece), seats)
        now = track.pose_at(t) if track is not None else None
        if now is not None:
            held = held.with_pose(now[0], *axes_from_quaternion(now[1]))
            draw_hand(canvas, plane, held, seats)
            draw_pieces(canvas, plane, (p for p in pieces if p.id == launch.piece), seats, launch.piece)
        else:
            draw_hand(canvas, plane, held, seats, nested)
        _draw_impacts(canvas, plane, trajectory, t)


def draw_empty(canvas: Canvas, rect: pygame.Rect, launch: Launch, text: str) -> None:
    """Draw the empty plane."""
    draw_frame(canvas, rect, whole_plane(rect, launch, [(0.6, 0.3)], canvas.scale), (-0.05, 0.85), text)


def _draw_impacts(canvas: Canvas, plane: SidePlane, trajectory: LaunchTrajectory, t: float) -> None:
    """Draw rings at recent collisions."""
    for event in trajectory.events:
        if isinstance(event, PyramidCollision) and 0.0 <= t - event.t < _IMPACT_TIME:
            grown = (t - event.t) / _IMPACT_TIME
            at = plane.to_screen(plane.project(event.point)[0], event.height)
            strong = min(1.0, event.speed / 1.5)
            canvas.circle(
                at,
                canvas.px(3 + (5 + 10 * strong) * grown),
                palette.mix(palette.HIGHLIGHT, palette.BRASS, grown),
                max(1.0, canvas.px(2.5 * (1.0 - grown))),
            )


def start_line_distance(surface: Surface, launch: Launch) -> float | None:
    """Distance from the launcher to the owner's start line [m]; None if it is not crossed, or not known."""
    owner = launch.owner or 0
    if owner >= len(surface.lines):
        return None
    return line_crossing(launch.hold, launch.azimuth, surface.lines[owner].a, surface.lines[owner].b)


def launch_text(seats: Sequence[str], launch: Launch, t: float) -> str:
    """Caption of a launch, and its time [s]."""
    return f"{seats[launch.owner or 0]}: {launch.size}, {launch.speed:.2f} m/s   ·   {max(t, 0.0):.2f} s"


def line_crossing(origin: Point, azimuth: float, a: Point, b: Point) -> float | None:
    """Distance along a plane at which it crosses the line from a to b [m]; None if it does not."""
    ux, uy = cos(azimuth), sin(azimuth)
    dx, dy = b[0] - a[0], b[1] - a[1]
    det = uy * dx - ux * dy
    if abs(det) < 1e-12:
        return None
    ex, ey = a[0] - origin[0], a[1] - origin[1]
    distance = (ey * dx - ex * dy) / det
    share = (ux * ey - uy * ex) / det
    return distance if -1e-9 <= share <= 1.0 + 1e-9 else None


__all__ = [
    "draw_frame",
    "draw_hand",
    "draw_launch",
    "draw_nail",
    "draw_pieces",
    "draw_predicted_arc",
    "flight_points",
    "launcher_pieces",
    "line_crossing",
    "whole_plane",
    "zoomed_plane",
]
