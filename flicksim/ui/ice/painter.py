"""The table of pyramids from above: start lines and stash areas, pieces standing, lying, leaning and in the air."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot

import pygame

from flicksim.base.geometry import Point
from flicksim.table import Landing, Pyramid, PyramidScene, Surface
from flicksim.ui import palette
from flicksim.ui.camera import Camera
from flicksim.ui.canvas import Canvas
from flicksim.ui.ice import pictures
from flicksim.ui.table_painter import TablePainter

_SUN = (0.55, -0.42)
"""How far a shadow falls to the side for each metre of height, along x and y."""


class IcePainter(TablePainter):
    """Draws pyramids (see `TablePainter`)."""

    # -- the surface ----------------------------------------------------------------------------------------------

    def areas(self, canvas: Canvas, camera: Camera, areas: Sequence[Sequence[Point]]) -> None:
        """Stash areas by seat, tinted in their owners' colours; where two overlap, both tints are seen."""
        for seat, area in enumerate(areas):
            corners = [camera.to_screen(p) for p in area]
            if len(corners) < 3:
                continue
            colour = palette.seat_colour(palette.seat_key(seat, self.seats))
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            box = pygame.Rect(int(min(xs)), int(min(ys)), int(max(xs) - min(xs)) + 2, int(max(ys) - min(ys)) + 2)
            box = box.clip(canvas.surface.get_rect())
            if box.w <= 0 or box.h <= 0:
                continue
            sheet = pygame.Surface(box.size, pygame.SRCALPHA)
            pygame.draw.polygon(sheet, (*colour, 62), [(x - box.x, y - box.y) for x, y in corners])
            canvas.surface.blit(sheet, box)

    def lines(self, canvas: Canvas, camera: Camera, surface: Surface) -> None:
        """Start lines in their owners' colours, pale inside so that they are seen on every wood."""
        for seat, line in enumerate(surface.lines):
            a, b = camera.to_screen(line.a), camera.to_screen(line.b)
            colour = palette.seat_colour(palette.seat_key(seat, self.seats))
            canvas.line(a, b, palette.LINE, max(3.0, canvas.px(3.2)))
            canvas.line(a, b, colour, max(1.6, canvas.px(1.6)))

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
        picture = pictures.from_above(piece.shape, camera.zoom, key, piece.tilt, piece.heading)
        x, y = camera.to_screen(piece.at)
        if faded:
            picture = picture.copy()
            picture.set_alpha(110)
        canvas.surface.blit(picture, picture.get_rect(center=(round(x), round(y))))

    def _shadow(self, canvas: Canvas, camera: Camera, piece: Pyramid) -> None:
        """What it throws on the table: its outline, the farther away the higher it is."""
        corners = [
            camera.to_screen((x + _SUN[0] * max(z, 0.0), y + _SUN[1] * max(z, 0.0)))
            for x, y, z in (*piece.corners(), piece.tip)
        ]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        box = pygame.Rect(int(min(xs)) - 1, int(min(ys)) - 1, int(max(xs) - min(xs)) + 4, int(max(ys) - min(ys)) + 4)
        if not box.colliderect(canvas.surface.get_rect()) or max(box.size) > 4000:
            return
        sheet = pygame.Surface(box.size, pygame.SRCALPHA)
        strong = round(105 / (1.0 + 6.0 * max(piece.lowest, 0.0)))
        from flicksim.table.pyramid import hull

        pygame.draw.polygon(sheet, (0, 0, 0, strong), [(x - box.x, y - box.y) for x, y in hull(corners)])
        canvas.surface.blit(sheet, box)

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
        if not landing.slices:
            return
        part = landing.slices[0]
        name = landing.launch.piece
        if name not in part.ids:
            return
        column = part.ids.index(name)
        points = [
            camera.to_screen(part.on_table(float(state[column, 0]), part.lateral[column]))
            for t, state in zip(part.times, part.states, strict=True)
            if t <= until and state[column, 0] == state[column, 0]
        ]
        if len(points) < 2:
            return
        colour = palette.seat_colour(palette.seat_key(landing.launch.owner, self.seats))
        bright = palette.mix(colour, palette.PALE, 0.45)
        a, b = points[0], points[-1]
        if hypot(b[0] - a[0], b[1] - a[1]) > 3.0:
            canvas.dashes(a, b, bright, canvas.px(1.4), canvas.px(4))

    def launcher(self, canvas: Canvas, camera: Camera, scene: PyramidScene, hold: Point, azimuth: float,
                 owner: int | None, missile: Mapping[str, float] | None = None) -> None:  # fmt: skip
        """The launcher as it is held; `missile` is not drawn here."""
        del missile
        held = Pyramid(id="held", size="large", shape=scene.kit.large, x=hold[0], y=hold[1], z=0.08,
                       heading=azimuth, owner=owner)  # fmt: skip
        self._shadow(canvas, camera, held)
        self.pyramid(canvas, camera, held)


def _middle(piece: Pyramid) -> Point:
    x, y, _ = piece.centre
    return (x, y)
