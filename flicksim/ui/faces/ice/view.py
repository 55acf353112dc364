"""The table of pyramids as it is seen: from above, and below it from the side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, hypot

import msgspec
import pygame

from flicksim.base.geometry import Point, inside
from flicksim.drawing import Camera, fit
from flicksim.games.ice import seats as round_table
from flicksim.table import Line, Piece, Pyramid, Surface
from flicksim.ui.faces.ice.keys import ALONE
from flicksim.ui.faces.ice.painter import IcePainter
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.painter import Place
from flicksim.ui.table.view import Lens, TableView

_CLOSE = 0.15
"""Width of the table that the nearer look shows [m]."""
_BEYOND = 0.02
"""Width beyond the table that the nearer look may show [m]."""
_FOLLOWED = 0.4
"""Width that is shown when the table itself follows what happens [m]."""


def _held(at: float, ends: Sequence[float], shown: float) -> float:
    """Middle of a look that shows no more than a little of what is beyond the table [m]."""
    low, high = min(ends) + shown / 2.0 - _BEYOND, max(ends) - shown / 2.0 + _BEYOND
    return min(max(at, low), high) if low <= high else (low + high) / 2.0


def lined(surface: Surface, seats: Sequence[round_table.Place], names: Sequence[str]) -> Surface:
    """A table with every seat's start line, be it marked on it or not."""
    lines = tuple(Line(name=names[k], a=seat.line[0], b=seat.line[1]) for k, seat in enumerate(seats))
    return msgspec.structs.replace(surface, lines=lines)


class IceView(TableView):
    """The table, under it room for the view from the side, beside it a nearer look where there is room.

    Args:
        seats: names of the seats. surface: the table, with every start line. imaginary: see `IcePainter`.
    """

    def __init__(self, seats: Sequence[str], surface: Surface, *, imaginary: bool = False) -> None:
        super().__init__(seats, surface)
        self.painter: IcePainter = IcePainter(seats)
        self.painter.imaginary = imaginary
        self.table = surface
        self.side = pygame.Rect(0, 0, 0, 0)
        self.look: Point = (0.0, 0.0)
        self.follow = False
        self._scale = 1.0
        self._placed: tuple[pygame.Rect, float, bool] | None = None
        self.alone = False
        """True where the table is seen without the view from the side."""
        self._aim: Camera | None = None

    def place(self, area: pygame.Rect, margin: float, clear: pygame.Rect | None = None) -> None:
        """The table above, the side view below; where that has not changed, the view stays as it is."""
        del clear
        if (area, margin, self.alone) == self._placed:
            return
        self._placed = (area.copy(), margin, self.alone)
        self._scale = margin / 46.0
        strip = 0 if self.alone else max(round(area.h * 0.33), area.h - area.w)
        pad = round(12 * self._scale)
        head = round(18 * self._scale)
        self.side = pygame.Rect(area.x + pad, area.bottom - strip + head, area.w - 2 * pad, strip - head - pad)
        table = pygame.Rect(area.x, area.y, area.w, area.h - strip)
        self.area, self.clear, self._margin = table, table, 14.0 * self._scale
        self.fit()

    def fit(self) -> None:
        """See the whole table, as far to the left as leaves room for the nearer look on the right."""
        a, gap = self.area, self._margin
        self.camera = self._all = fit(self._surface.outline, (a.x, a.y, a.w, a.h), gap)
        self._base, self._aim, self._glass = self.camera.zoom, None, None
        xs = [p[0] for p in self._surface.outline]
        wide = (max(xs) - min(xs)) * self._base
        side = min(round(a.w - wide - 3.0 * gap), round(a.h * 0.6))
        if side >= 120 * self._scale:
            free = a.w - wide - side - 3.0 * gap
            left = a.x + gap + free / 2.0
            self.camera = self._all = Camera(self.camera.centre, self._base, (left + wide / 2.0, a.centery))
            top = a.y + round(gap + 8 * self._scale)
            self._glass = pygame.Rect(round(left + wide + gap), top, side, round(a.bottom - gap - top))

    # -- following ------------------------------------------------------------------------------------------------

    def toggle(self) -> None:
        """Follow what happens near to, or see the whole table."""
        self.follow = not self.follow
        if not self.follow:
            self._aim = self._all

    def advance(self, dt: float) -> None:
        """Glide to where one should look."""
        if self.follow:
            zoom = max(min(self.area.w, self.area.h) / _FOLLOWED, self._base)
            self._aim = Camera(self._over(self.look, self.area, zoom), zoom, self._all.middle)
        there, here = self._aim, self.camera
        if there is None:
            return
        self.camera = here.towards(there, 1.0 - exp(-7.0 * dt))
        far = hypot(there.centre[0] - here.centre[0], there.centre[1] - here.centre[1])
        if abs(self.camera.zoom / there.zoom - 1.0) < 0.002 and far * self.camera.zoom < 0.5:
            self.camera, self._aim = there, None

    def handle(self, event: pygame.event.Event) -> bool:
        """As every table (see `TableView`); Z follows what happens. Whoever zooms or drags has the view in hand."""
        if event.type == pygame.KEYDOWN and ALONE.pressed(event)[0] == "follow":
            self.toggle()
            return True
        used = super().handle(event)
        if used:
            self.follow, self._aim = False, None
        return used

    # -- the nearer look ------------------------------------------------------------------------------------------

    def lens(self, lying: Mapping[str, tuple[Piece, Place]]) -> Lens | None:
        """A nearer look at where `look` is, where there is room for it; the whole table while that follows."""
        del lying
        if self._glass is None:
            return None
        if self.follow:
            rect = self._glass.copy()
            rect.h = min(rect.w, rect.h)
            return Lens(rect, fit(self._surface.outline, (rect.x, rect.y, rect.w, rect.h), 6.0 * self._scale))
        zoom = self._glass.w / _CLOSE
        return Lens(self._glass, Camera(self._over(self.look, self._glass, zoom), zoom, self._glass.center))

    def _over(self, at: Point, rect: pygame.Rect, zoom: float) -> Point:
        """Middle of a look that shows as little as may be of what is beyond the table [m]."""
        xs, ys = zip(*self._surface.outline, strict=True)
        return (_held(at[0], xs, rect.w / zoom), _held(at[1], ys, rect.h / zoom))

    def on_table(self, at: tuple[int, int]) -> bool:
        """True where a point of the window is on the table as it is seen whole, not in the nearer look."""
        return self.area.collidepoint(at) and not (self._glass is not None and self._glass.collidepoint(at))

    def _caption(self, canvas: Canvas, lens: Lens) -> None:
        """Draw its name, and how much of it is shown."""
        rect = lens.rect
        y, shown = rect.y - canvas.px(4), f"{rect.w / lens.camera.zoom * 1000:.0f} mm"
        title = "WHOLE" if self.follow else "NEARER"
        canvas.text(title, (rect.x, y), 11, palette.FAINT, bold=True, anchor="bottomleft")
        canvas.text(shown, (rect.right, y), 11, palette.FAINT, anchor="bottomright")

    def under(self, at: tuple[int, int], pieces: Sequence[Pyramid]) -> Pyramid | None:
        """The highest piece under a point of the screen."""
        spot = self.camera.to_table(at)
        found = [piece for piece in pieces if inside(spot, piece.footprint())]
        return max(found, key=lambda piece: piece.centre[2], default=None)
