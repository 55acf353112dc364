"""A part of the window through which a table is seen: it fits, zooms and pans."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.base.geometry import Point
from flicksim.table import Surface
from flicksim.ui.camera import Camera, fit
from flicksim.ui.canvas import Canvas
from flicksim.ui.table_painter import TablePainter


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
        self._base = self.camera.zoom

    def zoom(self, steps: float, about: Point | None = None) -> None:
        """Nearer or farther, between the whole table and 12 times nearer."""
        wanted = self.camera.zoom * 1.15**steps
        wanted = min(max(wanted, self._base * 0.8), self._base * 12.0)
        self.camera = self.camera.zoomed(wanted / self.camera.zoom, about or self.area.center)

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

    def draw(self, canvas: Canvas) -> None:
        """The bare surface."""
        self.painter.surface(canvas, self.camera, self._surface, near=self._near)
