"""A part of the window through which a table is seen: it fits, zooms and pans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pygame

from flicksim.base.geometry import Point
from flicksim.table import Piece, Surface
from flicksim.ui.kit import palette
from flicksim.ui.kit.camera import Camera, fit
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.painter import Place, TablePainter
from flicksim.ui.table.playback import Playback

LENS = 0.14
"""How much of the table the lens shows [m]."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A nearer look: where on the screen, and its camera."""

    rect: pygame.Rect
    camera: Camera


class TableView:
    """Where the table is seen.

    Args:
        seats: names of the seats. surface: what is fitted into the view. near: what the lower edge is called.
    """

    def __init__(self, seats: Sequence[str], surface: Surface, near: str = "") -> None:
        self.painter = TablePainter(seats)
        self.area = pygame.Rect(0, 0, 100, 100)
        self.camera = Camera((0.0, 0.0), 100.0, (50.0, 50.0))
        self._surface, self._near = surface, near
        self._base = 100.0
        self._glass: pygame.Rect | None = None
        self._kept: dict[bool, tuple[object, pygame.Surface | None]] = {}
        self._panning = False
        self._margin = 60.0

    def place(self, area: pygame.Rect, margin: float) -> None:
        """Put the view into an area of the window, the table fitted with a margin [pixels]."""
        self.area, self._margin = area, margin
        self.fit()

    def fit(self) -> None:
        """See the whole table."""
        a = self.area
        self.camera = fit(self._surface.outline, (a.x, a.y, a.w, a.h), self._margin)
        xs = [p[0] for p in self._surface.outline]
        wide = (max(xs) - min(xs)) * self.camera.zoom
        room = round(a.w - wide - 4.6 * self._margin)  # beside an upright board, its scale and its names
        self._glass = None
        if room >= 3.4 * self._margin:
            side = min(room, round(a.h * 0.5))
            free = a.w - wide - 3.6 * self._margin - side
            shift = a.x + 1.3 * self._margin + free / 2.0 + wide / 2.0
            self.camera = replace(self.camera, middle=(shift, self.camera.middle[1]))
            left = round(shift + wide / 2.0 + 2.0 * self._margin)
            self._glass = pygame.Rect(left, a.y + round(self._margin), side, side)
        self._base = self.camera.zoom

    def zoom(self, steps: float, about: Point | None = None) -> None:
        """Nearer or farther, between the whole table and 12 times nearer."""
        wanted = self.camera.zoom * 1.15**steps
        wanted = min(max(wanted, self._base * 0.8), self._base * 12.0)
        self.camera = self.camera.zoomed(wanted / self.camera.zoom, about or self.area.center)

    # -- the lens -------------------------------------------------------------------------------------------------

    def lens(self, lying: Mapping[str, tuple[Piece, Place]]) -> Lens | None:
        """A nearer look at what lies around the white, where there is room for it; None otherwise."""
        white = next((place for piece, place in lying.values() if piece.kind == "white"), None)
        if self._glass is None or white is None:
            return None
        zoom = self._glass.w / LENS
        if zoom < self.camera.zoom * 1.3:
            return None
        x, y, _ = white
        return Lens(self._glass, Camera((x, y), zoom, self._glass.center))

    @contextmanager
    def through(self, canvas: Canvas, lens: Lens) -> Iterator[None]:
        """Draw into the lens: the surface first, what follows on it, its caption last."""
        rect = lens.rect
        canvas.box(rect.inflate(canvas.px(4), canvas.px(4)), palette.EDGE)
        with canvas.clipped(rect):
            self._bare(canvas, rect, lens.camera, words=False)
            yield
        self._caption(canvas, lens)

    def _caption(self, canvas: Canvas, lens: Lens) -> None:
        """Draw what the lens shows, and how long a centimetre is in it."""
        rect = lens.rect
        canvas.text("around the white", (rect.x, rect.y - canvas.px(5)), 12, palette.FAINT, anchor="bottomleft")
        step = lens.camera.zoom * 0.01
        right, y = rect.right, rect.bottom + canvas.px(10)
        canvas.line((right - step, y), (right, y), palette.FAINT, canvas.px(2))
        canvas.text("10 mm", (right - step - canvas.px(6), y), 11, palette.FAINT, anchor="midright")

    def handle(self, event: pygame.event.Event) -> bool:
        """The wheel zooms where the mouse is, the middle button pans, + - and 0 zoom by keys."""
        match event.type:
            case pygame.MOUSEWHEEL:
                at = pygame.mouse.get_pos()
                if self.area.collidepoint(at):
                    self.zoom(event.y, at)
                    return True
            case pygame.MOUSEBUTTONDOWN if event.button == 2 and self.area.collidepoint(event.pos):
                self._panning = True
                return True
            case pygame.MOUSEBUTTONUP if event.button == 2:
                self._panning = False
            case pygame.MOUSEMOTION if self._panning:
                self.camera = self.camera.panned(*event.rel)
                return True
            case pygame.KEYDOWN:
                if event.unicode == "+" or event.key == pygame.K_KP_PLUS:
                    self.zoom(1.0)
                elif event.unicode == "-" or event.key == pygame.K_KP_MINUS:
                    self.zoom(-1.0)
                elif event.unicode == "0":
                    self.fit()
                else:
                    return False
                return True
        return False

    def beside(self, canvas: Canvas, playback: Playback | None) -> None:
        """Draw what else is shown of a motion; nothing more of one on a board."""

    def draw(self, canvas: Canvas) -> None:
        """The bare surface."""
        self._bare(canvas, self.area, self.camera, words=True)

    def _bare(self, canvas: Canvas, rect: pygame.Rect, camera: Camera, *, words: bool) -> None:
        """The surface in a part of the window; kept once it is seen a second time just as it was the last time."""
        key = (rect.topleft, rect.size, camera, canvas.scale, palette.name)
        last, kept = self._kept.get(words, (None, None))
        if last == key and kept is not None:
            canvas.surface.blit(kept, rect)
            return
        canvas.surface.fill(palette.GROUND, rect)
        self.painter.surface(canvas, camera, self._surface, near=self._near if words else "", words=words)
        if last == key:  # while the view moves a copy would be of no use
            kept = canvas.surface.subsurface(rect.clip(canvas.surface.get_rect())).copy()
        self._kept[words] = (key, kept if last == key else None)
