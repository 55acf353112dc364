"""The table wing on the screen: surfaces with their lines and a scale, pieces with their shadows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot, isnan

import numpy as np
import numpy.typing as npt
import pygame

from flicksim.base.geometry import Point
from flicksim.drawing import Camera, matter, tops
from flicksim.table import Left, Motion, Piece, Scene, Surface, Touched
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.palette import Colour
from flicksim.ui.table.playback import FALL

Place = tuple[float, float, float]
"""Place at which a piece is shown: x, y [m], angle [rad]."""
_FLASH = 0.16
"""Time that a touch is seen [s of the motion]."""


class TablePainter:
    """Draws tables.

    Args:
        seats: names of the seats; pieces take colour and mark from their owner's.
    """

    def __init__(self, seats: Sequence[str]) -> None:
        self.seats = tuple(seats)

    def key(self, piece: Piece) -> str | None:
        """Colour and mark a piece wears."""
        return palette.seat_key(piece.owner, self.seats, piece.id)

    # -- the surface ----------------------------------------------------------------------------------------------

    def surface(self, canvas: Canvas, camera: Camera, surface: Surface, *, near: str = "", words: bool = True) -> None:
        """Board or mat with its lines; `words`: their names and a scale too, and `near` along the players' edge."""
        material = surface.material
        self._top(canvas, camera, surface, material, palette.board(material))
        burnt = material in ("polished", "wood") and palette.name != "high-contrast"
        for line in surface.lines:
            ends = camera.to_screen(line.a), camera.to_screen(line.b)
            canvas.lay(tops.burnt(*ends, palette.board(material) if burnt else palette.LINE, canvas.scale, dark=burnt))
        if words:
            self._names(canvas, camera, surface, near)
            self._scale(canvas, camera, surface)

    @staticmethod
    def _top(canvas: Canvas, camera: Camera, surface: Surface, kind: str, colour: Colour) -> None:
        """The bare top, as far as it is seen."""
        seen = canvas.surface.get_clip()
        drawn = tops.top(surface, camera, kind, colour, palette.DROP, canvas.scale, (seen.x, seen.y, seen.w, seen.h))
        canvas.lay(drawn)

    @staticmethod
    def _names(canvas: Canvas, camera: Camera, surface: Surface, near: str) -> None:
        """The names of the lines at their right ends, as the players see them."""
        right, aside = max(x for x, _ in surface.outline), camera.quarters % 2
        for line in surface.lines:
            x, y = camera.to_screen((right, max(line.a, line.b)[1]))
            far = canvas.px(9)
            at, anchor = ((x, y + far), "midtop") if aside else ((x + far, y), "midleft")
            canvas.text(line.name, at, 13, palette.TEXT, anchor=anchor)
        if near and not aside:
            corners = camera.all(surface.outline)
            low, middle = max(y for _, y in corners) + canvas.px(14), sum(x for x, _ in corners) / len(corners)
            canvas.text(near, (middle, low), 12, palette.FAINT, anchor="midtop")

    @staticmethod
    def _scale(canvas: Canvas, camera: Camera, surface: Surface) -> None:
        """Millimetres up the left side, as the players see it."""
        xs, ys = [p[0] for p in surface.outline], [p[1] for p in surface.outline]
        low, high, left = min(ys), max(ys), min(xs)
        step = next((s for s in (10, 20, 50, 100, 200, 500) if s / 1000.0 * camera.zoom >= canvas.px(30)), 1000)
        fine = step / (5 if step in (50, 500) or step == 10 else 4 if step == 20 else 10)
        if fine / 1000.0 * camera.zoom < 3.0:
            fine = step / 2
        dx, dy = camera.way(-1.0 / camera.zoom, 0.0)
        anchor = "midbottom" if camera.quarters % 2 else "midright"
        window = canvas.surface.get_rect()
        for k in range(round((high - low) * 1000.0 / fine) + 1):
            value = k * fine
            x, y = camera.to_screen((left, low + value / 1000.0))
            if not window.collidepoint(x, y):
                continue
            whole = abs(value / step - round(value / step)) < 1e-9
            far = canvas.px(5), canvas.px(13 if whole else 9), canvas.px(16)
            canvas.line((x + dx * far[0], y + dy * far[0]), (x + dx * far[1], y + dy * far[1]), palette.FAINT, 1.0)
            if whole:
                canvas.text(f"{value:g}", (x + dx * far[2], y + dy * far[2]), 11, palette.FAINT, anchor=anchor)
        x, y = camera.to_screen((left, high))
        if camera.quarters % 2:
            canvas.text("mm", (x + canvas.px(18), y - canvas.px(16)), 11, palette.FAINT, anchor="bottomleft")
        else:
            canvas.text("mm", (x - canvas.px(16), y - canvas.px(10)), 11, palette.FAINT, anchor="midbottom")

    def zone(self, canvas: Canvas, camera: Camera, zone: Sequence[Point]) -> None:
        """A region where a piece may be put."""
        corners = [camera.to_screen(p) for p in zone]
        for i in range(len(corners)):
            canvas.dashes(corners[i - 1], corners[i], palette.mix(palette.LINE, palette.BRASS, 0.5), 1.0, canvas.px(4))

    # -- pieces ---------------------------------------------------------------------------------------------------

    def piece(
        self, canvas: Canvas, camera: Camera, piece: Piece, place: Place | None = None, *, faded: bool = False,
        size: float = 1.0, moving: bool = False,
    ) -> None:  # fmt: skip
        """One piece, where it lies or elsewhere; `size` shrinks it; `moving`: in a picture that is made quickly."""
        x, y, angle = place or (piece.x, piece.y, piece.angle)
        at = camera.to_screen((x, y))
        r = max(piece.radius * camera.zoom * size, 3.0)
        if not (-2 * r < at[0] < canvas.size[0] + 2 * r and -2 * r < at[1] < canvas.size[1] + 2 * r):
            return
        if not faded:
            dark, (dx, dy) = coins.shadow(round(r * 2.0) / 2.0), matter.drop(r, 0.0)
            canvas.surface.blit(dark, dark.get_rect(center=(round(at[0] + dx), round(at[1] + dy))))
        if moving:
            picture = coins.moving(r, self.key(piece), piece.kind, angle, piece.material)
        else:
            picture = coins.coin(r, self.key(piece), piece.kind, angle, faded, piece.material)
        canvas.surface.blit(picture, picture.get_rect(center=(round(at[0]), round(at[1]))))

    def pieces(
        self, canvas: Canvas, camera: Camera, pieces: Iterable[Piece], places: Mapping[str, Place] | None = None, *,
        moving: bool = False,
    ) -> None:  # fmt: skip
        """Pieces, where they lie or where `places` has them; `moving`: as in `piece`."""
        for piece in pieces:
            self.piece(canvas, camera, piece, (places or {}).get(piece.id), moving=moving)

    def lit(self, canvas: Canvas, camera: Camera, piece: Piece, colour: Colour | None = None) -> None:
        """A halo around a piece."""
        r = max(piece.radius * camera.zoom, 3.0)
        canvas.ring(camera.to_screen(piece.at), r + canvas.px(6), colour or palette.GLOW, canvas.px(3))

    def measures(self, canvas: Canvas, camera: Camera, scene: Scene) -> None:
        """Distance of each owner's nearest piece from the white, rim to rim, that of the nearest lit: lines lie under
        words."""
        white = next((piece for piece in scene.pieces if piece.kind == "white"), None)
        if white is None:
            return
        owned = [p for p in scene.pieces if p.owner is not None]
        found = sorted((_apart(p, white), p.id) for p in owned)
        first = {scene.piece(name).owner: (apart, name) for apart, name in reversed(found)}
        words: list[tuple[str, Point, float]] = []
        a = camera.to_screen(white.at)
        for apart, name in sorted(first.values()):
            near, tint = scene.piece(name), palette.GLOW if (apart, name) == found[0] else palette.CHALK
            b = camera.to_screen(near.at)
            _measured(canvas, a, b, white.radius * camera.zoom, near.radius * camera.zoom, tint)
            words.append((f"{apart * 1000:.1f} mm", b, b[0] - a[0]))
        gap = max(piece.radius for piece in scene.pieces) * camera.zoom + canvas.px(6)
        written: list[pygame.Rect] = [pygame.Rect(0, 0, 2 * gap, 2 * gap)]
        written[0].center = (round(a[0]), round(a[1]))
        for said, (x, y), way in words:
            back = pygame.Rect(0, 0, canvas.wide(said, 13, bold=True) + canvas.px(8), canvas.high(13))
            aside = gap + back.w / 2.0
            back.center = (round(x + (aside if way >= 0.0 else -aside)), round(y))
            back.clamp_ip(canvas.surface.get_clip())
            while (under := back.collidelist(written)) >= 0:
                back.top = written[under].bottom + canvas.px(2)
            written.append(back)
            canvas.box(back, palette.SHADE, 3)
            canvas.text(said, back.center, 13, palette.GLOW, bold=True, anchor="center")

    # -- motions --------------------------------------------------------------------------------------------------

    def motion(self, canvas: Canvas, camera: Camera, motion: Motion, t: float) -> None:
        """Everything as it was at a time [s]: pieces, the ways gone so far, touches, falls over the edge."""
        self.ways(canvas, camera, motion, t)
        for name, place in places(motion, t).items():
            self.piece(canvas, camera, motion.before.piece(name), place, moving=True)
        for event in motion.events:
            since = t - event.t
            if isinstance(event, Touched) and 0.0 <= since < _FLASH:
                strong = min(1.0, event.speed / 1.0)
                at, grown = camera.to_screen(event.point), since / _FLASH
                fade = palette.mix(palette.GLOW, palette.BRASS, grown)
                canvas.ring(at, canvas.px(4 + (8 + 16 * strong) * grown), fade, max(1.0, canvas.px(3 * (1 - grown))))
            elif isinstance(event, Left) and 0.0 <= since < FALL:
                far = 0.5 * since
                over = (event.point[0] + event.velocity[0] * far, event.point[1] + event.velocity[1] * far, since * 4.0)
                self.piece(
                    canvas, camera, motion.before.piece(event.piece), over, faded=True, size=1 - 0.6 * since / FALL
                )

    def ways(self, canvas: Canvas, camera: Camera, motion: Motion, until: float | None = None) -> None:
        """The ways pieces have gone, up to a time [s]."""
        tracks = motion.tracks
        end = motion.duration if until is None else until
        shown = int(np.searchsorted(tracks.times, end, side="right"))
        for n, name in enumerate(tracks.ids):
            way: npt.NDArray[np.float64] = tracks.states[:shown, n, :2]
            here = tracks.at(end)[n, :2]
            points = [(float(x), float(y)) for x, y in way if not isnan(x)]
            if not isnan(here[0]):
                points.append((float(here[0]), float(here[1])))
            points = _thinned(points)
            if len(points) < 2:
                continue
            key = self.key(motion.before.piece(name))
            colour = palette.mix(palette.seat_colour(key), palette.PALE, 0.35) if key else palette.PALE
            canvas.path([camera.to_screen(p) for p in points], colour, max(1.0, canvas.px(1.6)))


def places(motion: Motion, t: float) -> dict[str, Place]:
    """Places of everything still on the surface at a time [s]."""
    rows = motion.tracks.at(t)
    return {
        name: (float(x), float(y), float(angle))
        for name, (x, y, angle) in zip(motion.tracks.ids, rows, strict=True)
        if not isnan(x)
    }


def _thinned(points: list[Point]) -> list[Point]:
    """Without points that hardly differ from the one before [0.2 mm]."""
    kept: list[Point] = []
    for p in points:
        if not kept or hypot(p[0] - kept[-1][0], p[1] - kept[-1][1]) > 2e-4:
            kept.append(p)
    return kept


def scene_of(state: object) -> Scene | None:
    """The scene in a state of the table wing; None when it has none."""
    scene = getattr(state, "scene", None)
    return scene if isinstance(scene, Scene) else None


def _apart(piece: Piece, white: Piece) -> float:
    """Distance of two pieces, rim to rim [m]."""
    return max(0.0, hypot(piece.x - white.x, piece.y - white.y) - piece.radius - white.radius)


def _measured(canvas: Canvas, a: Point, b: Point, ra: float, rb: float, tint: palette.Colour) -> None:
    """A thin line from rim to rim with a tick at each end, over what is left of the way between middles."""
    far = hypot(b[0] - a[0], b[1] - a[1])
    if far <= 0.0:
        return
    ux, uy, tick = (b[0] - a[0]) / far, (b[1] - a[1]) / far, canvas.px(6)
    begin, end = (a[0] + ux * ra, a[1] + uy * ra), (b[0] - ux * rb, b[1] - uy * rb)
    for p, q in ((begin, end), *(((x - uy * tick, y + ux * tick), (x + uy * tick, y - ux * tick))
                                for x, y in (begin, end))):  # fmt: skip
        canvas.line(p, q, palette.SHADE, canvas.px(3))
        canvas.line(p, q, tint, max(1.0, canvas.px(1.4)))
