"""The mat as it is seen: it follows the action, pans by any hand, and keeps a nearer look at the pot beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import dist, exp

import pygame

from flicksim.base.geometry import Point
from flicksim.drawing import Camera
from flicksim.table import Piece, Surface
from flicksim.ui.faces.tiddlywinks import extent, flight
from flicksim.ui.faces.tiddlywinks.keys import KEYS
from flicksim.ui.faces.tiddlywinks.painter import WinkPainter
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.painter import Place
from flicksim.ui.table.playback import Playback
from flicksim.ui.table.view import Lens, TableView

NEAR = 0.2
"""Width of the mat that the nearer look at the pot shows [m]."""
_SMALLEST = 0.22
"""The least of the mat that following the action shows [m]."""
_ROOM = 0.02
"""Room left about what is shown [m]."""
_SMALL = 30.0
"""A wink that is followed is seen no smaller than this across [units]."""
_LEAST, _SHOWN = 28.0, 44.0
"""A wink that is aimed and seen smaller than that across is shown so large in a glass beside it [units]."""
_GLASS = 118.0
"""Width of that glass [units]."""
_KEPT = 7.0
"""The pace at which the view catches up with a wink [1/s]."""
_PAN = 60.0
"""Way that one key press pans [units]."""
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
        self._scale = 1.0
        self._looked: object = None

    def bare(self, area: pygame.Rect, margin: float) -> None:
        """The mat alone."""
        self._scale, self._margin = margin / 46.0, margin * 22.0 / 46.0
        self.area = self.clear = area
        self.side, self._glass, self.covers = pygame.Rect(0, 0, 0, 0), None, []
        self.fit()

    def place(self, area: pygame.Rect, margin: float, clear: pygame.Rect | None = None) -> None:
        """The mat; over its foot, beside what is reserved on the left, the side view and the look at the pot."""
        self._scale = margin / 46.0
        pad, room = round(12 * self._scale), clear or area
        strip = max(round(250 * self._scale), min(round(room.h * 0.34), room.h - round(room.w * 0.56)))
        self.area = self.clear = pygame.Rect(room.x, room.y, room.w, room.h - strip)
        self._margin = 22.0 * self._scale
        left, head = room.x + self.reserve + pad, round(22 * self._scale)
        wide, high = room.right - pad - left, strip - pad - head
        glass = min(high, round(wide * 0.4))
        top = self.clear.bottom + head
        self._glass = pygame.Rect(room.right - pad - glass, top, glass, glass) if glass >= 100 else None
        right = self._glass.x - pad if self._glass is not None else room.right - pad
        self.side = pygame.Rect(left, top, right - left, high)
        self.covers = [rect for rect in (self.side, self._glass) if rect is not None]
        self.fit()

    def zoom(self, steps: float, about: Point | None = None) -> None:
        """Nearer or farther, between the whole mat and 40 times nearer."""
        wanted = min(max(self.camera.zoom * 1.15**steps, self._base * 0.8), self._base * 40.0)
        self.camera = self.camera.zoomed(wanted / self.camera.zoom, about or self.clear.center)

    # -- following the action -------------------------------------------------------------------------------------

    def show(self, points: Sequence[Point], *, at_once: bool = False) -> None:
        """Turn to these points [m], unless the player has taken the view in hand or wants to see the whole mat."""
        if self._held:
            return
        there = self._around(points) if self.follow and points else self.whole
        if at_once:
            self.camera, self._glide = there, None
        else:
            self.glide(there)

    def _around(self, points: Sequence[Point]) -> Camera:
        room = ((-_ROOM, -_ROOM), (_ROOM, _ROOM))
        return self.around([(x + dx, y + dy) for x, y in points for dx, dy in room], _SMALLEST)

    def track(self, at: Point, radius: float, way: Sequence[Point], dt: float) -> bool:
        """Keep to a wink in flight, so near that it is never small; False where all of its way is seen as near.

        Args:
            at: where it is in a moment [m]. radius: its [m]. way: the corners of its way [m]. dt: time gone by [s].
        """
        near = _SMALL * self._scale / (2.0 * radius)
        if self._held or not self.follow or self._around(way).zoom >= near:
            return False
        there = replace(self.whole, centre=at, zoom=near)
        self.camera, self._glide = self.camera.towards(there, 1.0 - exp(-_KEPT * dt)), None
        return True

    def turn_to(self, points: Sequence[Point]) -> None:
        """Turn to what the player has asked to see, whoever has the view in hand."""
        self._held = False
        self.glide(self._around(points))

    def toggle(self) -> None:
        """Follow the action, or see the whole mat."""
        self.follow, self._held = not self.follow, False

    def advance(self, dt: float) -> None:
        """Glide to where one should look."""
        if not self._held:
            super().advance(dt)

    def handle(self, event: pygame.event.Event) -> bool:
        """The wheel, + - and 0 zoom, I J K L pan, the middle or right button drags; all of these hold the view."""
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button in (2, 3) and self.holds(event.pos):
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
            case pygame.KEYDOWN if KEYS.pressed(event)[0] == "follow":
                self.toggle()
                return True
        used = super().handle(event)
        if used:
            self._held = True
            self._glide = None
        return used

    def shelf(self, canvas: Canvas) -> None:
        """Draw the shelf under the side view and the look at the pot, with their captions."""
        pad, head = canvas.px(6), canvas.px(20)
        for rect in (self.side, self._glass):
            if rect is not None:
                canvas.pane(pygame.Rect(rect.x - pad, rect.y - head, rect.w + 2 * pad, rect.h + head + pad))

    # -- the look at the pot --------------------------------------------------------------------------------------

    def lens(self, lying: Mapping[str, tuple[Piece, Place]]) -> Lens | None:
        """A nearer look at the pot, where there is room for it."""
        del lying
        pot = self._surface.pot
        if self._glass is None or pot is None:
            return None
        return Lens(self._glass, Camera(pot.at, self._glass.w / NEAR, self._glass.center))

    def hand_lens(self, at: Point, radius: float, end: Point) -> Lens | None:
        """A nearer look at the wink that is aimed, where it is seen too small; beside the way it is aimed.

        Args:
            at: where it lies, radius: its [m]. end: where it is aimed [m].
        """
        if 2.0 * radius * self.camera.zoom >= _LEAST * self._scale:
            return None
        side, (x, y) = round(_GLASS * self._scale), self.camera.to_screen(at)
        far, spots = 0.5 * side + 26.0 * self._scale, []
        u, v = self.camera.to_screen(end)
        line = [(x + (u - x) * k / 8.0, y + (v - y) * k / 8.0) for k in range(9)]
        for dx, dy in ((far, 0.0), (-far, 0.0), (0.0, far), (0.0, -far), (far, far), (-far, -far), (far, -far),
                       (-far, far)):  # fmt: skip
            rect = pygame.Rect(0, 0, side, side)
            rect.center = (round(x + dx), round(y + dy))
            rect.clamp_ip(self.clear.inflate(-round(8 * self._scale), -round(8 * self._scale)))
            spots.append((min(0.6 * side, min(dist(rect.center, p) for p in line)), rect))
        rect = max(spots, key=lambda spot: (spot[0], spot[1].y))[1]
        zoom = _SHOWN * self._scale / (2.0 * radius)
        return Lens(rect, replace(self.camera, centre=at, zoom=zoom, middle=rect.center), "hand")

    def _caption(self, canvas: Canvas, lens: Lens) -> None:
        """Draw its name, and how much of it is shown."""
        if lens.name == "hand":
            return
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
        if playback is not None:
            canvas.pane(self.side.inflate(canvas.px(12), canvas.px(12)).union(self.side.move(0, -canvas.px(20))))
        if playback is not None and self.side.w >= canvas.px(90):
            flight.shown(canvas, self.side, self.painter, playback.motion, playback.t)
