"""The table of pyramids as it is seen: from above, and below it from the side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import pygame

from flicksim.table import Piece, Pyramid, Surface
from flicksim.ui import palette
from flicksim.ui.camera import Camera, fit
from flicksim.ui.canvas import Canvas
from flicksim.ui.ice.painter import IcePainter
from flicksim.ui.table_painter import Place
from flicksim.ui.table_view import Lens, TableView

_CLOSE = 0.2
"""How much of the table the nearer look shows [m]."""


class IceView(TableView):
    """The table, under it room for the view from the side, beside it a nearer look where there is room.

    Args:
        seats: names of the seats. surface: the table.
    """

    def __init__(self, seats: Sequence[str], surface: Surface) -> None:
        super().__init__(seats, surface)
        self.painter: IcePainter = IcePainter(seats)
        self.side = pygame.Rect(0, 0, 0, 0)
        self.look: tuple[float, float] = (0.0, 0.0)
        self._scale = 1.0

    def place(self, area: pygame.Rect, margin: float) -> None:
        """The table above, the side view below."""
        self._scale = margin / 46.0
        strip = max(round(area.h * 0.33), area.h - area.w)
        pad = round(12 * self._scale)
        head = round(18 * self._scale)
        self.side = pygame.Rect(area.x + pad, area.bottom - strip + head, area.w - 2 * pad, strip - head - pad)
        table = pygame.Rect(area.x, area.y, area.w, area.h - strip)
        self.area, self._margin = table, 16.0 * self._scale
        self.fit()

    def fit(self) -> None:
        """See the whole table, as far to the left as leaves room for the nearer look on the right."""
        a = self.area
        self.camera = fit(self._surface.outline, (a.x, a.y, a.w, a.h), self._margin)
        self._base = self.camera.zoom
        ys = [p[1] for p in self._surface.outline]
        xs = [p[0] for p in self._surface.outline]
        wide = (max(xs) - min(xs)) * self._base
        side = min(round(a.w - wide - 3.5 * self._margin), round((max(ys) - min(ys)) * self._base * 0.55))
        self._glass = None
        if side >= 150 * self._scale:
            free = a.w - wide - side - 2.5 * self._margin
            left = a.x + free / 2.0 + self._margin * 0.75
            self.camera = Camera(self.camera.centre, self._base, (left + wide / 2.0, self.camera.middle[1]))
            top = a.y + round(self._margin + 16 * self._scale)
            self._glass = pygame.Rect(round(left + wide + self._margin), top, side, side)

    def lens(self, lying: Mapping[str, tuple[Piece, Place]]) -> Lens | None:
        """A nearer look at where `look` is, where there is room for it."""
        del lying
        if self._glass is None:
            return None
        zoom = self._glass.w / _CLOSE
        return Lens(self._glass, Camera(self.look, zoom, self._glass.center))

    @contextmanager
    def through(self, canvas: Canvas, lens: Lens) -> Iterator[None]:
        """Draw into the nearer look."""
        rect = lens.rect
        canvas.box(rect.inflate(canvas.px(4), canvas.px(4)), palette.EDGE)
        with canvas.clipped(rect):
            self._bare(canvas, rect, lens.camera, words=False)
            yield
        canvas.text("NEARER", (rect.x, rect.y - canvas.px(4)), 11, palette.FAINT, bold=True, anchor="bottomleft")
        canvas.text(f"{_CLOSE * 1000:.0f} mm", (rect.right, rect.y - canvas.px(4)), 11, palette.FAINT,
                    anchor="bottomright")  # fmt: skip

    def under(self, at: tuple[int, int], pieces: Sequence[Pyramid]) -> Pyramid | None:
        """The highest piece under a point of the screen."""
        from flicksim.base.geometry import inside

        spot = self.camera.to_table(at)
        found = [piece for piece in pieces if inside(spot, piece.footprint())]
        return max(found, key=lambda piece: piece.centre[2], default=None)
