"""Side view of a launch: the held launcher, the missile on its tip, the flight and the landing.

It shows the vertical plane of the launch. Pieces near the plane are drawn behind it, fainter the farther away they are.
"""

from collections.abc import Iterable, Sequence
from math import cos, hypot, sin

import pygame

from flicksim.core.geometry import Point, chord, segment_intersection
from flicksim.core.units import mm
from flicksim.gui.game_views.ice import pyramid_sprites
from flicksim.gui.table_view import SidePlane, draw_impact_ring, side_plane
from flicksim.gui.toolkit import Canvas, palette
from flicksim.scene import (
    LAUNCHER_ID,
    Launch,
    LaunchFailed,
    LaunchTrajectory,
    Pyramid,
    PyramidCollision,
    Surface,
    axes_from_quaternion,
)

MAX_OFFSET = mm(55.0)
"""Largest distance from the plane of pieces that are drawn [m]."""
_CLOSE_UP_WIDTH = mm(120.0)
"""Width of the plane visible to each side of a landing [m]."""
_REACH = 10.0
"""Distance from the launcher, to both sides, beyond every start line [m]."""
_IMPACT_TIME = 0.12
"""Time for which a collision is shown [s]."""


def flight_points(trajectory: LaunchTrajectory, end_time: float) -> list[Point]:
    """Distance and height of the missile's centre of mass up to a time [m]; empty if it never left the launcher."""
    track = trajectory.track(trajectory.launch.piece)
    if track is None or never_left(trajectory):
        return []
    plane = SidePlane(trajectory.launch.hold, trajectory.launch.azimuth)
    now = track.pose_at(end_time)
    seen = [tuple(p) for t, p in zip(track.times, track.positions.tolist(), strict=True) if t <= end_time]
    return [(plane.project((x, y))[0], z) for x, y, z in [*seen, *([now[0]] if now is not None else [])]]


def never_left(trajectory: LaunchTrajectory) -> bool:
    """Return True if the missile never left the launcher."""
    return any(isinstance(event, LaunchFailed) for event in trajectory.events)


def landing_point(trajectory: LaunchTrajectory, launch: Launch) -> Point:
    """Point at which the missile of a launch comes down, by a predicted trajectory [m]."""
    points = flight_points(trajectory, trajectory.first_contact_time)
    distance = points[-1][0] if len(points) > 1 else mm(20.0)
    return (launch.hold[0] + distance * cos(launch.azimuth), launch.hold[1] + distance * sin(launch.azimuth))


def whole_plane(rect: pygame.Rect, launch: Launch, points: Sequence[Point], scale: float) -> SidePlane:
    """Mapping of the plane to a rectangle in which launcher and flight are fully visible."""
    points = [*points, (-mm(60.0), launch.lift + mm(60.0)), (mm(60.0), 0.0)]
    return side_plane.fit_plane(rect, launch.hold, launch.azimuth, points, scale)


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
    canvas: Canvas, rect: pygame.Rect, plane: SidePlane, table: Surface | None, text: str, owner: int = 0,
    end: Point | None = None,
) -> None:  # fmt: skip
    """Draw the frame, the scales, the section of the table top, and the owner's start line where it is crossed.

    Args:
        canvas, rect, plane: where to draw. table: with the start lines; None for any table, without a launch. text:
            caption. owner: seat that launches. end: of its flight, which the name of the line leaves free [m].
    """
    canvas.box(rect, side_plane.ground_colour(), 6, palette.BORDER)
    side_plane.draw_caption(canvas, rect, text)
    top = chord(table.outline, plane.origin, plane.azimuth) if table is not None else (-0.05, 0.85)
    line = table.lines[owner] if table is not None and owner < len(table.lines) else None
    (x, y), dx, dy = plane.origin, _REACH * cos(plane.azimuth), _REACH * sin(plane.azimuth)
    crossing = segment_intersection((x - dx, y - dy), (x + dx, y + dy), line.a, line.b) if line is not None else None
    with canvas.clipped(rect.inflate(-4, -4)):
        side_plane.draw_scales(canvas, rect, plane)
        if top is not None:
            x0, x1 = (plane.to_screen(end, 0.0)[0] for end in top)
            section = pygame.Rect(round(x0), round(plane.ground), round(x1 - x0), canvas.px(6))
            wood = palette.board_colour("wood")
            canvas.surface.fill(wood, section)
            section.h = max(1, canvas.px(1.5))
            canvas.surface.fill(palette.mix(wood, palette.LIGHT_TEXT, 0.35), section)
        if crossing is not None:
            x, y = plane.to_screen((2.0 * crossing - 1.0) * _REACH, 0.0)
            if rect.x + canvas.px(32) < x < rect.right:
                canvas.dashed_line((x, y), (x, y - canvas.px(46)), palette.HIGHLIGHT, 1.0, canvas.px(3))
                is_end_beside = end is not None and 0.0 <= plane.to_screen(*end)[0] - x < canvas.px(70)
                offset = canvas.px(-30 if is_end_beside else 30)
                at = (x + offset, y - canvas.px(10))  # at the foot, below all flights but the shortest
                side_plane.draw_note(canvas, "own line", at, palette.HIGHLIGHT, 10.0)


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
    picture = pyramid_sprites.pyramid_sprite(
        piece.shape, plane.zoom, key, piece.tilt, piece.heading - plane.azimuth, piece.roll, is_side_view=True
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
    behind = at(half * 0.2, grip_depth + mm(3.0)), at(root[0], root[1] + mm(16.0))
    _draw_finger(canvas, *behind, thick, palette.mix(skin, dark, 0.35))
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
        nail = (tip[0] - dx * width * 0.1, tip[1] - dy * width * 0.1)
        canvas.disc(nail, width * 0.26, palette.mix(colour, palette.LIGHT_TEXT, 0.5))


def draw_nail(
    canvas: Canvas, plane: SidePlane, launcher: Pyramid, height: float, slant: float, strength: float
) -> None:
    """Draw the strike of the nail: an arrow with its name, whose length is the strength (0 to 1)."""
    s = plane.project(launcher.position)[0]
    across = -(launcher.shape.base / 2.0) * (1.0 - height / launcher.shape.height)
    hit = plane.to_screen(s + across, launcher.z + height)
    length = canvas.px(20) + canvas.px(52) * min(max(strength, 0.0), 1.0)
    ux, uy = cos(slant), -sin(slant)
    tail = (hit[0] - ux * length, hit[1] - uy * length)
    colour = palette.mix(palette.TABLE_GOOD, palette.TABLE_BAD, max(0.0, strength * 1.6 - 0.6))
    canvas.line(tail, hit, colour, max(2.0, canvas.px(3)))
    canvas.text("nail", (tail[0], tail[1] + canvas.px(2)), 11, colour, anchor="midtop")
    w = canvas.px(6)
    canvas.polygon([hit, (hit[0] - ux * w * 1.6 - uy * w * 0.8, hit[1] - uy * w * 1.6 + ux * w * 0.8),
                    (hit[0] - ux * w * 1.6 + uy * w * 0.8, hit[1] - uy * w * 1.6 - ux * w * 0.8)], colour)  # fmt: skip


def draw_launch(
    canvas: Canvas, rect: pygame.Rect, trajectory: LaunchTrajectory, t: float, seats: Sequence[str], surface: Surface,
    *, starts_close: bool = False, ends_close: bool = True,
) -> None:  # fmt: skip
    """Draw a launch at a time after the flick [s].

    Args:
        canvas, rect: where to draw. trajectory: of the launch. t: time [s]. seats: names of the seats. surface: with
            the start lines. starts_close, ends_close: True if the view zooms in on the launcher, and on the landing.
    """
    launch, owner, shown_time = trajectory.launch, trajectory.launch.owner or 0, max(t, 0.0)
    caption = f"{seats[owner]}: {launch.size}, {launch.speed:.2f} m/s   ·   {shown_time:.2f} s"
    t = min(t, trajectory.duration)
    plane = whole_plane(rect, launch, flight_points(trajectory, trajectory.duration), canvas.scale)
    track, landing = trajectory.track(LAUNCHER_ID), trajectory.first_contact_time
    flown = flight_points(trajectory, t)
    if never_left(trajectory):
        plane = zoomed_plane(rect, plane, 0.0, 0.7, canvas.scale)
    else:
        if starts_close and t < 0.3:
            plane = zoomed_plane(rect, plane, 0.0, 1.0 - (t - 0.03) / 0.15, canvas.scale, launch.lift - mm(8.0))
        if ends_close and t > landing - 0.1 and flown:
            plane = zoomed_plane(rect, plane, flown[-1][0], (t - landing + 0.1) / 0.3, canvas.scale)
    draw_frame(canvas, rect, plane, surface, caption, owner)
    with canvas.clipped(rect.inflate(-4, -4)):
        pieces = trajectory.pieces_at(t)
        held, nested = trajectory.before.launcher_and_missile(launch)
        tint = palette.mix(palette.seat_colour(palette.seat_key(launch.owner, seats)), palette.LIGHT_TEXT, 0.45)
        canvas.polyline([plane.to_screen(*p) for p in flown], tint, max(1.0, canvas.px(1.5)))
        draw_pieces(canvas, plane, (p for p in pieces if p.id != launch.piece), seats)
        now, plot = track.pose_at(t) if track is not None else None, side_plane.plot_rect(canvas, rect, plane)
        if now is not None:
            with canvas.clipped(plot):
                draw_hand(canvas, plane, held.with_pose(now[0], *axes_from_quaternion(now[1])), seats)
            draw_pieces(canvas, plane, (p for p in pieces if p.id == launch.piece), seats, launch.piece)
        else:
            with canvas.clipped(plot):
                draw_hand(canvas, plane, held, seats, nested)
        _draw_impacts(canvas, plane, trajectory, t)


def _draw_impacts(canvas: Canvas, plane: SidePlane, trajectory: LaunchTrajectory, t: float) -> None:
    """Draw rings at recent collisions."""
    for event in trajectory.events:
        if isinstance(event, PyramidCollision) and 0.0 <= t - event.t < _IMPACT_TIME:
            grown = (t - event.t) / _IMPACT_TIME
            at = plane.to_screen(plane.project(event.point)[0], event.height)
            draw_impact_ring(canvas, at, event.speed / 1.5, grown, (3, 5, 10), 2.5)
