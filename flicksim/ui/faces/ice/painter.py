"""The table of pyramids from above: start lines and stash areas, pieces standing, lying, leaning and in the air."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import hypot

import msgspec
import numpy as np
import pygame

from flicksim.base.geometry import Point, behind
from flicksim.drawing import Camera
from flicksim.table import Landing, Pyramid, Surface, hull
from flicksim.ui.faces.ice import pictures
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.painter import TablePainter

_SUN = (0.55, -0.42)
"""Offset of a shadow to the side for each metre of height, along x and y."""


class IcePainter(TablePainter):
    """Draws pyramids (see `TablePainter`)."""

    imaginary = False
    """True if the start lines are only thought of."""

    # -- the surface ----------------------------------------------------------------------------------------------

    def surface(self, canvas: Canvas, camera: Camera, surface: Surface, *, near: str = "", words: bool = True) -> None:
        """The table, each seat's stash area tinted in its colour, and its start line; the scale is the side view's."""
        del words
        bare = msgspec.structs.replace(surface, lines=())
        super().surface(canvas, camera, bare, near=near, words=False)
        for seat, line in enumerate(surface.lines):
            self._area(
                canvas, [camera.to_screen(p) for p in behind(surface.outline, line.a, line.b)], self._colour(seat)
            )
        for seat, line in enumerate(surface.lines):
            a, b = camera.to_screen(line.a), camera.to_screen(line.b)
            if self.imaginary:
                canvas.dashes(a, b, palette.LINE, max(1.6, canvas.px(1.6)), canvas.px(5))
                continue
            canvas.line(a, b, palette.LINE, max(3.0, canvas.px(3.2)))
            canvas.line(a, b, self._colour(seat), max(1.6, canvas.px(1.6)))

    def _colour(self, seat: int | None) -> palette.Colour:
        return palette.seat_colour(palette.seat_key(seat, self.seats))

    def _area(self, canvas: Canvas, corners: Sequence[Point], colour: palette.Colour) -> None:
        """A see-through tint: where two overlap, both are seen."""
        if len(corners) >= 3:
            _sheet(canvas, corners, colour, 62)

    # -- pieces ---------------------------------------------------------------------------------------------------

    def pyramids(self, canvas: Canvas, camera: Camera, pieces: Iterable[Pyramid]) -> None:
        """All of them: their shadows first, then from the lowest to the highest."""
        shown = sorted(pieces, key=lambda piece: piece.centre[2])
        for piece in shown:
            self._shadow(canvas, camera, piece)
        for piece in shown:
            self.pyramid(canvas, camera, piece)
        for piece in shown:
            self._holds(canvas, camera, piece, shown)

    def pyramid(self, canvas: Canvas, camera: Camera, piece: Pyramid, *, faded: bool = False) -> None:
        """One pyramid where it is."""
        key = palette.seat_key(piece.owner, self.seats)
        picture = pictures.from_above(
            piece.shape, camera.zoom, key, piece.tilt, piece.heading + camera.turned, piece.roll
        )
        x, y = camera.to_screen(piece.at)
        if faded:
            picture = picture.copy()
            picture.set_alpha(110)
        canvas.surface.blit(picture, picture.get_rect(center=(round(x), round(y))))

    def _shadow(self, canvas: Canvas, camera: Camera, piece: Pyramid) -> None:
        """Its shadow on the table, the farther away the higher it is, and the colour that comes through it."""
        outline, alpha = _thrown(piece)
        corners, own = camera.all(outline), self._colour(piece.owner)
        _sheet(canvas, corners, palette.mix(palette.SHADE, own, 0.25), alpha)
        mx, my = sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
        _sheet(canvas, [(mx + (x - mx) * 0.62, my + (y - my) * 0.62) for x, y in corners], own, alpha // 2)

    def _holds(self, canvas: Canvas, camera: Camera, piece: Pyramid, pieces: Sequence[Pyramid]) -> None:
        """A leaning piece is tied to what holds it: a dotted line from its base to that piece, a dot where it ends."""
        if (piece.standing and not piece.stands_on) or piece.on_side:
            return
        by_name = {other.id: other for other in pieces}
        for name in piece.rests_on:
            under = by_name.get(name)
            if under is None:
                continue
            a, b = camera.to_screen(_middle(piece)), camera.to_screen(_middle(under))
            far = hypot(b[0] - a[0], b[1] - a[1])
            r = max(1.5, canvas.px(2.0))
            steps = max(1, int(far / (r * 2.6)))
            for k in range(steps + 1):
                at = (a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps)
                canvas.disc(at, r * 0.62, palette.INK)
            canvas.disc(b, r + 1.0, palette.INK)
            canvas.disc(b, r, palette.GLOW)

    def halo(self, canvas: Canvas, camera: Camera, piece: Pyramid, colour: palette.Colour, gap: float = 2.5) -> None:
        """Its outline once more, a little outside of it."""
        corners = [camera.to_screen(p) for p in piece.footprint()]
        mx, my = sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
        grown = []
        for x, y in corners:
            far = max(hypot(x - mx, y - my), 1e-6)
            k = 1.0 + canvas.px(gap) * 1.3 / far
            grown.append((mx + (x - mx) * k, my + (y - my) * k))
        canvas.path([*grown, grown[0]], colour, max(1.2, canvas.px(1.5)))

    # -- launches -------------------------------------------------------------------------------------------------

    def way(self, canvas: Canvas, camera: Camera, landing: Landing, until: float) -> None:
        """The way the missile has gone, in plan."""
        track = landing.track(landing.launch.piece)
        if track is None:
            return
        ways = track.middles[: int(np.searchsorted(track.times, until, side="right")), :2].tolist()
        if len(ways) < 2:
            return
        (ax, ay), (bx, by) = ways[0], ways[-1]
        a, b = camera.to_screen((ax, ay)), camera.to_screen((bx, by))
        colour = self._colour(landing.launch.owner)
        bright = palette.mix(colour, palette.PALE, 0.45)
        if hypot(b[0] - a[0], b[1] - a[1]) > 3.0:
            canvas.dashes(a, b, bright, canvas.px(1.4), canvas.px(4))


@lru_cache(maxsize=1024)
def _thrown(piece: Pyramid) -> tuple[Sequence[Point], int]:
    """The outline of its shadow on the table [m], and how dark it is."""
    corners = [(x + _SUN[0] * max(z, 0.0), y + _SUN[1] * max(z, 0.0)) for x, y, z in (*piece.corners(), piece.tip)]
    return hull(corners), round(118 / (1.0 + 6.0 * max(piece.lowest, 0.0)))


def _sheet(canvas: Canvas, corners: Sequence[Point], colour: palette.Colour, alpha: int) -> None:
    """A see-through polygon."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    box = pygame.Rect(int(min(xs)) - 1, int(min(ys)) - 1, int(max(xs) - min(xs)) + 4, int(max(ys) - min(ys)) + 4)
    box = box.clip(canvas.surface.get_clip())
    if box.w <= 0 or box.h <= 0:
        return
    sheet = pygame.Surface(box.size, pygame.SRCALPHA)
    pygame.draw.polygon(sheet, (*colour, alpha), [(x - box.x, y - box.y) for x, y in corners])
    canvas.surface.blit(sheet, box)


def _middle(piece: Pyramid) -> Point:
    x, y, _ = piece.centre
    return (x, y)
