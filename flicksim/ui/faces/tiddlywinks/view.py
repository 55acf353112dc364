"""The mat as it is seen: it follows the action, pans by any hand, and keeps a nearer look at the pot beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp

import pygame

from flicksim.base.geometry import Point
from flicksim.table import Piece, Surface
from flicksim.ui.faces.tiddlywinks import extent, flight
from flicksim.ui.faces.tiddlywinks.painter import WinkPainter
from flicksim.ui.kit import palette
from flicksim.ui.kit.camera import Camera, fit
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.painter import Place
from flicksim.ui.table.playback import Playback
from flicksim.ui.table.view import Lens, TableView

NEAR = 0.2
"""How much of the mat the nearer look at the pot shows [m]."""
_SMALLEST = 0.16
"""The least of the mat that following the action shows [m]."""
_PAN = 60.0
"""How far one key press pans [units]."""
_PANS = {pygame.K_j: (1, 0), pygame.K_l: (-1, 0), pygame.K_i: (0, 1), pygame.K_k: (0, -1)}


class WinkView(TableView):
    """The mat, and below it room for a side view and a nearer look at the pot.

    Args:
        seats: names of the seats. surface: the mat.
    """

    def __init__(self, seats: Sequence[str], surface: Surface, near: str = "") -> None:
        super().__init__(seats, surface, near)
        self.painter: WinkPainter = WinkPainter(seats)
        self.side = pygame.Rect(0, 0, 0, 0)
        self.follow = True
        self.reserve = 0
        self._held = False
        self._scale = 1.0
        self._aim: Camera | None = None
        self._looked: object = None

    def place(self, area: pygame.Rect, margin: float) -> None:
        """The mat above; below, beside what is reserved on the left, the side view and the look at the pot."""
        self._scale = margin / 46.0
        pad = round(12 * self._scale)
        strip = max(round(285 * self._scale), min(round(area.h * 0.38), area.h - round(area.w * 0.56)))
        self.area = pygame.Rect(area.x, area.y, area.w, area.h - strip)
        self._margin = 30.0 * self._scale
        left = area.x + self.reserve + pad
        wide, high = area.right - pad - left, strip - pad - round(24 * self._scale)
        glass = min(high, round(wide * 0.4))
        top = self.area.bottom + round(20 * self._scale)
        self._glass = pygame.Rect(area.right - pad - glass, top, glass, glass) if glass >= 100 else None
        right = self._glass.x - round(14 * self._scale) if self._glass is not None else area.right - pad
        self.side = pygame.Rect(left, top, right - left, high)
        glass_rect = self._glass
        self.fit()
        self._glass = glass_rect

    def fit(self) -> None:
        """See the whole mat."""
        a = self.area
        self.camera = fit(self._surface.outline, (a.x, a.y, a.w, a.h), self._margin)
        self._base, self._aim = self.camera.zoom, None

    def zoom(self, steps: float, about: Point | None = None) -> None:
        """Nearer or farther, between the whole mat and 40 times nearer."""
        wanted = min(max(self.camera.zoom * 1.15**steps, self._base * 0.8), self._base * 40.0)
        self.camera = self.camera.zoomed(wanted / self.camera.zoom, about or self.area.center)

    # -- following the action -------------------------------------------------------------------------------------

    def show(self, points: Sequence[Point], *, at_once: bool = False) -> None:
        """Turn to these points [m], unless the player has taken the view in hand or wants to see the whole mat."""
        if self._held:
            return
        if not self.follow or not points:
            a = self.area
            self._aim = fit(self._surface.outline, (a.x, a.y, a.w, a.h), self._margin)
        else:
            self._aim = self._around(points)
        if at_once and self._aim is not None:
            self.camera, self._aim = self._aim, None

    def _around(self, points: Sequence[Point]) -> Camera:
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        mx, my = (min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0
        dx, dy = max(max(xs) - min(xs), _SMALLEST) / 2.0 + 0.02, max(max(ys) - min(ys), _SMALLEST) / 2.0 + 0.02
        a = self.area
        found = fit([(mx - dx, my - dy), (mx + dx, my + dy)], (a.x, a.y, a.w, a.h), self._margin)
        if found.zoom > self._base:
            return found
        return fit(self._surface.outline, (a.x, a.y, a.w, a.h), self._margin)

    def turn_to(self, points: Sequence[Point]) -> None:
        """Turn to what the player has asked to see, whoever has the view in hand."""
        self._aim, self._held = self._around(points), False

    def release(self) -> None:
        """Something new happens: the view follows again."""
        self._held = False

    def toggle(self) -> None:
        """Follow the action, or see the whole mat."""
        self.follow, self._held = not self.follow, False

    def advance(self, dt: float) -> None:
        """Glide to where one should look."""
        if self._aim is None or self._held:
            return
        there = self._aim
        here = self.camera = self.camera.towards(there, 1.0 - exp(-6.0 * dt))
        if abs(here.zoom / there.zoom - 1.0) < 0.002 and abs(here.centre[0] - there.centre[0]) * here.zoom < 0.5:
            self.camera, self._aim = there, None

    def handle(self, event: pygame.event.Event) -> bool:
        """The wheel, + - and 0 zoom, I J K L pan, the middle or right button drags; all of these hold the view."""
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button in (2, 3) and self.area.collidepoint(event.pos):
                self._panning = True
                return bool(event.button == 2)
            case pygame.MOUSEBUTTONUP if event.button in (2, 3):
                self._panning = False
                return False
            case pygame.MOUSEMOTION if self._panning:
                self._held = True
                self.camera = self.camera.panned(*event.rel)
                return True
            case pygame.KEYDOWN if event.key in _PANS:
                dx, dy = _PANS[event.key]
                self._held = True
                self.camera = self.camera.panned(dx * _PAN * self._scale, dy * _PAN * self._scale)
                return True
            case pygame.KEYDOWN if event.key == pygame.K_z:
                self.toggle()
                return True
        used = super().handle(event)
        if used:
            self._held = True
            self._aim = None
        return used

    # -- the look at the pot --------------------------------------------------------------------------------------

    def lens(self, lying: Mapping[str, tuple[Piece, Place]]) -> Lens | None:
        """A nearer look at the pot, where there is room for it."""
        del lying
        pot = self._surface.pot
        if self._glass is None or pot is None:
            return None
        return Lens(self._glass, Camera(pot.at, self._glass.w / NEAR, self._glass.center))

    def _caption(self, canvas: Canvas, lens: Lens) -> None:
        """Draw its name, and how much of it is shown."""
        rect = lens.rect
        canvas.text("AT THE POT", (rect.x, rect.y - canvas.px(5)), 11, palette.FAINT, bold=True, anchor="bottomleft")
        words = f"{NEAR * 1000:.0f} mm across"
        canvas.text(words, (rect.right, rect.y - canvas.px(5)), 11, palette.FAINT, anchor="bottomright",
                    within=rect.w - canvas.px(80))  # fmt: skip

    def beside(self, canvas: Canvas, playback: Playback | None) -> None:
        """The flight from the side."""
        if playback is not None and playback.motion is not self._looked:
            self._looked = playback.motion
            self.show(extent.moving(playback.motion), at_once=True)
        if playback is not None and self.side.w >= canvas.px(90):
            flight.shown(canvas, self.side, self.painter, playback.motion, playback.t)
