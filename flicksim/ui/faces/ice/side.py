"""A launch from the side: the launcher in its fingers, the missile on its tip, the flight, the landing.

One sees the vertical plane of the launch. What stands near it is seen behind it, fainter the farther away it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, hypot, sin

import pygame

from flicksim.base.geometry import Point, chord
from flicksim.base.units import mm
from flicksim.table import LAUNCHER, Hit, Kept, Landing, Launch, Pyramid, PyramidScene, Surface, frame_of
from flicksim.ui.faces.ice import pictures
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.profile import Plane, caption, note, placed, scales, well

BESIDE = mm(55.0)
"""Pieces farther than this from the plane are not drawn."""
_NEAR = mm(120.0)
"""Width of the plane that is seen to each side of a landing."""
_FLASH = 0.12
"""Time that a touch is seen [s]."""


def launcher_at(scene: PyramidScene, launch: Launch) -> tuple[Pyramid, Pyramid]:
    """The launcher as it is held, and the missile nested on its tip."""
    large, shape = scene.kit.large, scene.kit.shape(launch.size)
    x, y = launch.hold
    held = Pyramid(id=LAUNCHER, size="large", shape=large, x=x, y=y, z=launch.lift, heading=launch.azimuth,
                   owner=launch.owner)  # fmt: skip
    missile = Pyramid(id=launch.piece, size=launch.size, shape=shape, x=x, y=y, z=launch.lift + shape.seat(large),
                      heading=launch.azimuth, owner=launch.owner)  # fmt: skip
    return held, missile


def flown(landing: Landing, until: float) -> list[Point]:
    """Way and height of the missile's middle of mass up to a time [m]; empty when it never left."""
    track = landing.track(landing.launch.piece)
    if track is None or kept(landing):
        return []
    plane, found = Plane(landing.launch.hold, landing.launch.azimuth), []
    for t, (x, y, z) in zip(track.times, track.middles.tolist(), strict=True):
        if t > until:
            break
        found.append((plane.split((x, y))[0], z))
    if (now := track.at(until)) is not None:
        x, y, z = now[0]
        found.append((plane.split((x, y))[0], z))
    return found


def kept(landing: Landing) -> bool:
    """True where the missile never left the launcher."""
    return any(isinstance(event, Kept) for event in landing.events)


def ground(landing: Landing) -> tuple[float, float] | None:
    """From where to where there is table under the plane of a launch [m]; None where it misses the table."""
    return chord(landing.before.surface.outline, landing.launch.hold, landing.launch.azimuth)


def carry(landing: Landing) -> float:
    """Distance along its way at which the missile comes down [m]; nearly nothing when it stays on the launcher."""
    points = flown(landing, landing.down)
    return points[-1][0] if len(points) > 1 else mm(20.0)


def whole(rect: pygame.Rect, launch: Launch, points: Sequence[Point], scale: float) -> Plane:
    """The plane laid into a rectangle so that launcher and flight are seen whole."""
    points = [*points, (-mm(60.0), launch.lift + mm(60.0)), (mm(60.0), 0.0)]
    return placed(rect, launch.hold, launch.azimuth, points, scale)


def nearer(rect: pygame.Rect, plane: Plane, way: float, share: float, scale: float, low: float = 0.0) -> Plane:
    """On the way from the whole plane (share 0) to a near look at one place of it (1)."""
    share = min(max(share, 0.0), 1.0)
    share = share * share * (3.0 - 2.0 * share)
    zoom_near = max(plane.zoom, (rect.w - 40.0 * scale) / (2.0 * _NEAR))
    zoom = plane.zoom * (zoom_near / plane.zoom) ** share
    near_left = rect.centerx - way * zoom
    far_left = plane.left + way * plane.zoom - way * zoom  # that place stays where it was
    left = far_left + (near_left - far_left) * share
    floor = plane.floor + (low * zoom) * share
    return Plane(plane.origin, plane.azimuth, zoom, left, floor)


def framed(canvas: Canvas, rect: pygame.Rect, plane: Plane, ground: tuple[float, float] | None, words: str,
           line: float | None = None) -> None:  # fmt: skip
    """The frame, the scales, the table top cut through, and where the owner's start line is crossed."""
    well(canvas, rect)
    caption(canvas, rect, words)
    with canvas.clipped(rect.inflate(-4, -4)):
        scales(canvas, rect, plane)
        if ground is not None:
            x0, x1 = (plane.to_screen(end, 0.0)[0] for end in ground)
            top = pygame.Rect(round(x0), round(plane.floor), round(x1 - x0), canvas.px(6))
            wood = palette.board("wood")
            canvas.surface.fill(wood, top)
            canvas.surface.fill(palette.mix(wood, palette.PALE, 0.35), (top.x, top.y, top.w, max(1, canvas.px(1.5))))
        if line is not None:
            x, y = plane.to_screen(line, 0.0)
            if rect.x + canvas.px(32) < x < rect.right:
                canvas.dashes((x, y), (x, y - canvas.px(46)), palette.GLOW, 1.0, canvas.px(3))
                note(canvas, "own line", (x + canvas.px(30), y - canvas.px(38)), palette.GLOW, 10.0)


def standing(canvas: Canvas, plane: Plane, pieces: Iterable[Pyramid], seats: Sequence[str], lit: str = "") -> None:
    """Pieces near the plane, the farthest first; the one that is `lit` whole and last."""
    near = []
    for piece in pieces:
        x, y, _ = piece.centre
        aside = plane.split((x, y))[1]
        if abs(aside) <= BESIDE or piece.id == lit:
            near.append((piece.id == lit, -abs(aside), piece))
    for chosen, aside, piece in sorted(near, key=lambda one: one[:2]):
        reach = 0.35 * piece.shape.base
        faint = 0.0 if chosen or -aside < reach else min(1.0, (-aside - reach) / (BESIDE - reach))
        _piece(canvas, plane, piece, seats, faint)


def _piece(canvas: Canvas, plane: Plane, piece: Pyramid, seats: Sequence[str], faint: float = 0.0) -> None:
    key = palette.seat_key(piece.owner, seats)
    picture = pictures.from_side(piece.shape, plane.zoom, key, piece.tilt, piece.heading - plane.azimuth, piece.roll)
    if faint > 0.0:
        picture = picture.copy()
        picture.set_alpha(round(200 - 130 * faint))
    x, y = plane.to_screen(plane.split(piece.at)[0], piece.z)
    canvas.surface.blit(picture, picture.get_rect(center=(round(x), round(y))))


def hand(canvas: Canvas, plane: Plane, held: Pyramid, seats: Sequence[str], missile: Pyramid | None = None) -> None:
    """The launcher between thumb and fingers, low down, and the missile that sits on it."""
    skin, dark = (214, 168, 136), (120, 82, 60)
    s = plane.split(held.at)[0]
    grip = mm(9.0)
    ways = (cos(-held.tilt), sin(held.tilt))

    def at(across: float, up: float) -> Point:
        return plane.to_screen(s + across * ways[0] + up * ways[1], held.z + up * ways[0] - across * ways[1])

    half = held.shape.base / 2.0 * (1.0 - grip / held.shape.height)
    thick = max(3.0, mm(11.0) * plane.zoom)
    root = (half + mm(62.0), -mm(34.0))
    _finger(
        canvas, at(half * 0.2, grip + mm(3.0)), at(root[0], root[1] + mm(16.0)), thick, palette.mix(skin, dark, 0.35)
    )
    _piece(canvas, plane, held, seats)
    if missile is not None:
        _piece(canvas, plane, missile, seats)
    _finger(canvas, at(half * 0.55, grip - mm(4.0)), at(root[0], root[1]), thick, skin)


def _finger(canvas: Canvas, tip: Point, root: Point, thick: float, colour: palette.Colour) -> None:
    """A round-ended stroke with a nail at its tip."""
    dark = palette.mix(colour, palette.SHADE, 0.45)
    for extra, shade in ((1.0, dark), (0.0, colour)):
        r = thick / 2.0 + extra
        dx, dy = root[0] - tip[0], root[1] - tip[1]
        far = max(hypot(dx, dy), 1e-6)
        nx, ny = -dy / far * r, dx / far * r
        canvas.polygon([(tip[0] + nx, tip[1] + ny), (root[0] + nx, root[1] + ny), (root[0] - nx, root[1] - ny),
                        (tip[0] - nx, tip[1] - ny)], shade)  # fmt: skip
        canvas.disc(tip, r, shade)
    if thick > 7.0:
        dx, dy = (root[0] - tip[0]) / far, (root[1] - tip[1]) / far
        canvas.disc(
            (tip[0] - dx * thick * 0.1, tip[1] - dy * thick * 0.1), thick * 0.26, palette.mix(colour, palette.PALE, 0.5)
        )


def nail(canvas: Canvas, plane: Plane, held: Pyramid, height: float, slant: float, strength: float) -> None:
    """Draw the strike of the nail: an arrow as long as the flick is strong (0 to 1)."""
    s = plane.split(held.at)[0]
    across = -(held.shape.base / 2.0) * (1.0 - height / held.shape.height)
    hit = plane.to_screen(s + across, held.z + height)
    far = canvas.px(20) + canvas.px(52) * min(max(strength, 0.0), 1.0)
    ux, uy = cos(slant), -sin(slant)
    tail = (hit[0] - ux * far, hit[1] - uy * far)
    colour = palette.mix(palette.LUCK, palette.ALARM, max(0.0, strength * 1.6 - 0.6))
    canvas.line(tail, hit, colour, max(2.0, canvas.px(3)))
    w = canvas.px(6)
    canvas.polygon([hit, (hit[0] - ux * w * 1.6 - uy * w * 0.8, hit[1] - uy * w * 1.6 + ux * w * 0.8),
                    (hit[0] - ux * w * 1.6 + uy * w * 0.8, hit[1] - uy * w * 1.6 - ux * w * 0.8)], colour)  # fmt: skip


def arc(canvas: Canvas, plane: Plane, points: Sequence[Point], *, wrong: bool = False) -> None:
    """A flight foreseen: dashed, its top and its end marked."""
    if len(points) < 2:
        return
    colour = palette.ALARM if wrong else palette.GLOW
    shown = [plane.to_screen(*p) for p in points]
    for k in range(0, len(shown) - 1, 2):
        canvas.line(shown[k], shown[k + 1], colour, max(1.5, canvas.px(2)))
    top = max(points, key=lambda p: p[1])
    x, y = plane.to_screen(*top)
    note(canvas, f"{top[1] * 1000:.0f} high", (x, y - canvas.px(3)), colour)
    canvas.ring(shown[-1], canvas.px(4), colour, canvas.px(1.5))


def show(canvas: Canvas, rect: pygame.Rect, landing: Landing, t: float, seats: Sequence[str], *,
         line: float | None = None, close: bool = False, near: bool = True, says: str = "") -> None:  # fmt: skip
    """A launch as it is at a time after the flick [s].

    Args:
        line: way at which the owner's start line is crossed [m]. close: look nearer at the launch itself too.
        near: look nearer at the landing.
    """
    launch = landing.launch
    points = flown(landing, landing.duration)
    plane = whole(rect, launch, points, canvas.scale)
    track = landing.track(LAUNCHER)
    if kept(landing):
        plane = nearer(rect, plane, 0.0, 0.7, canvas.scale)
    else:
        here = flown(landing, t)
        if close and t < 0.3:
            plane = nearer(rect, plane, 0.0, 1.0 - (t - 0.03) / 0.15, canvas.scale, launch.lift - mm(8.0))
        if near and t > landing.down - 0.1 and here:
            plane = nearer(rect, plane, here[-1][0], (t - landing.down + 0.1) / 0.3, canvas.scale)
    framed(canvas, rect, plane, ground(landing), says, line)
    with canvas.clipped(rect.inflate(-4, -4)):
        pieces = landing.pieces_at(t)
        held, nested = launcher_at(landing.before, launch)
        canvas.path([plane.to_screen(*p) for p in flown(landing, t)],
                    palette.mix(palette.seat_colour(palette.seat_key(launch.owner, seats)), palette.PALE, 0.45),
                    max(1.0, canvas.px(1.5)))  # fmt: skip
        standing(canvas, plane, (p for p in pieces if p.id != launch.piece), seats)
        now = track.at(t) if track is not None else None
        if now is not None:
            held = held.posed(now[0], *frame_of(now[1]))
            hand(canvas, plane, held, seats)
            standing(canvas, plane, (p for p in pieces if p.id == launch.piece), seats, launch.piece)
        else:
            hand(canvas, plane, held, seats, nested)
        _touches(canvas, plane, landing, t)


def idle(canvas: Canvas, rect: pygame.Rect, launch: Launch, words: str) -> None:
    """The empty plane."""
    framed(canvas, rect, whole(rect, launch, [(0.6, 0.3)], canvas.scale), (-0.05, 0.85), words)


def _touches(canvas: Canvas, plane: Plane, landing: Landing, t: float) -> None:
    """Rings where pieces have just met."""
    for event in landing.events:
        if isinstance(event, Hit) and 0.0 <= t - event.t < _FLASH:
            grown = (t - event.t) / _FLASH
            at = plane.to_screen(plane.split(event.point)[0], event.height)
            strong = min(1.0, event.speed / 1.5)
            canvas.ring(at, canvas.px(3 + (5 + 10 * strong) * grown), palette.mix(palette.GLOW, palette.BRASS, grown),
                        max(1.0, canvas.px(2.5 * (1.0 - grown))))  # fmt: skip


def own_line(surface: Surface, launch: Launch) -> float | None:
    """Distance from the launcher at which the owner's start line is crossed [m]; None when it is not, or not known."""
    owner = launch.owner or 0
    if owner >= len(surface.lines):
        return None
    return crossing(launch.hold, launch.azimuth, surface.lines[owner].a, surface.lines[owner].b)


def words(seats: Sequence[str], launch: Launch, t: float) -> str:
    """A launch in words, and its time [s]."""
    return f"{seats[launch.owner or 0]}: {launch.size}, {launch.speed:.2f} m/s   ·   {max(t, 0.0):.2f} s"


def crossing(part_origin: Point, azimuth: float, a: Point, b: Point) -> float | None:
    """Distance along a plane at which it crosses the straight line from a to b [m]; None when it does not."""
    ux, uy = cos(azimuth), sin(azimuth)
    dx, dy = b[0] - a[0], b[1] - a[1]
    det = uy * dx - ux * dy
    if abs(det) < 1e-12:
        return None
    ex, ey = a[0] - part_origin[0], a[1] - part_origin[1]
    way = (ey * dx - ex * dy) / det
    share = (ux * ey - uy * ex) / det
    return way if -1e-9 <= share <= 1.0 + 1e-9 else None


__all__ = ["arc", "crossing", "flown", "framed", "hand", "launcher_at", "nail", "nearer", "show", "standing", "whole"]
