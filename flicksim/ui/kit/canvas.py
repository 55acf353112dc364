"""Drawing with soft edges and scaled letters on one surface. Knows shapes and text, nothing of games."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import NamedTuple

import numpy as np
import pygame
from pygame import gfxdraw

from flicksim.base.geometry import Point
from flicksim.base.legible import legible
from flicksim.base.places import assets
from flicksim.drawing import Mark, Patch, Sheet, Stroke
from flicksim.ui.kit import palette
from flicksim.ui.kit.language import AsIs, said
from flicksim.ui.kit.palette import Colour
from flicksim.ui.kit.surface_cache import ALBUM, picture, surface_of

_LARGER = 0.96
"""Its letters are drawn so much larger than their height says: they look as large as others then."""
_SHIPPED = ("Inter-Medium.otf", "Inter-Bold.otf")
"""The plain and the bold face; their figures are of even width."""
_FACES = "dejavusans,notosans,segoeui,helveticaneue,opensans,liberationsans,arial"
"""Fonts for signs that those lack, as those of suits."""
_NO_LETTER = "\uffff"
"""No face has it."""


@lru_cache(maxsize=1)
def _faces() -> tuple[str | None, str | None]:
    """Files of a plain and a bold face of the system; None for the one pygame brings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a system without a font list is no news for the player
        return pygame.font.match_font(_FACES), pygame.font.match_font(_FACES, bold=True)


@lru_cache(maxsize=64)  # each brings the letters it has drawn
def _font(pixels: int, bold: bool, shipped: bool = True) -> pygame.font.Font:
    face = assets() / "fonts" / _SHIPPED[bold]
    return pygame.font.Font(face if shipped and face.exists() else _faces()[bold], pixels)


def _for(text: str, pixels: int, bold: bool) -> pygame.font.Font:
    """The face that has all letters of a line, of that height."""
    font = _font(round(pixels * _LARGER), bold)
    if text.isascii():
        return font
    blanks = (None, font.metrics(_NO_LETTER)[0])  # by the library's version, what a face lacks is none or a box
    return _font(pixels, bold, shipped=False) if any(one in blanks for one in font.metrics(text)) else font


@picture
def _written(text: str, pixels: int, colour: Colour, bold: bool) -> pygame.Surface:
    shown = legible(text, lines=True)
    return _for(shown, pixels, bold).render(shown, True, colour)


@lru_cache(maxsize=4096)
def wide(text: str, pixels: int, bold: bool) -> int:
    """Width of a line of letters of that height [pixels]."""
    shown = legible(text, lines=True)
    return _for(shown, pixels, bold).size(shown)[0]


class Said(NamedTuple):
    """A line of letters on the surface: what it says in English, and as it is shown, where it can be seen, where it
    begins [pixels], its letters."""

    text: str
    shown: str
    rect: pygame.Rect
    left: int
    pixels: int
    bold: bool


@picture
def _plate(size: tuple[int, int], fill: Colour, r: int) -> pygame.Surface:
    """A filled rectangle with round corners [pixels]."""
    w, h = size
    sheet = surface_of(np.zeros((h, w, 4), dtype=np.uint8))
    sheet.fill((*fill, 0))  # what shines through at the edges of the corners is of the same colour
    sheet.fill((*fill, 255), (r, 0, w - 2 * r, h))
    sheet.fill((*fill, 255), (0, r, w, h - 2 * r))
    for cx in (r, w - r - 1):
        for cy in (r, h - r - 1):
            pygame.draw.aacircle(sheet, fill, (cx, cy), r)
    return sheet


@picture
def _pane(size: tuple[int, int], r: int, fill: Colour, edge: Colour) -> pygame.Surface:
    sheet = pygame.Surface(size, pygame.SRCALPHA)
    rect, opaque = sheet.get_rect(), 255 if palette.name == "high-contrast" else 226
    pygame.draw.rect(sheet, (*fill, opaque), rect, border_radius=r)
    pygame.draw.rect(sheet, (*edge, 255 if opaque == 255 else 120), rect, 1, border_radius=r)
    return sheet


def forget() -> None:
    """Drop the fonts kept; needed when pygame.font is shut down."""
    _font.cache_clear()
    wide.cache_clear()


class Canvas:
    """A surface to draw on.

    Args:
        surface: pygame's.
        scale: pixels per unit: letters and widgets are measured in units that grow with the window.
    """

    def __init__(self, surface: pygame.Surface, scale: float = 1.0) -> None:
        if not pygame.font.get_init():
            forget()
            pygame.font.init()
        self.surface, self.scale = surface, scale
        self.said: list[Said] | None = None
        """Lines of letters as they are written; None: they are not noted."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height [pixels]."""
        return self.surface.get_size()

    def px(self, units: float) -> int:
        """Units to whole pixels."""
        return round(units * self.scale)

    @contextmanager
    def clipped(self, rect: pygame.Rect) -> Iterator[None]:
        """Draw only inside."""
        before = self.surface.get_clip()
        self.surface.set_clip(rect.clip(before))
        try:
            yield
        finally:
            self.surface.set_clip(before)

    # -- shapes [pixels] ------------------------------------------------------------------------------------------

    def box(self, rect: pygame.Rect, fill: Colour, radius: float = 0.0, edge: Colour | None = None) -> None:
        """A filled rectangle with round corners [units] and, if asked, a thin edge."""
        r = min(self.px(radius), rect.w // 2, rect.h // 2)
        if edge is not None:
            self._rounded(rect, edge, r)
            wide = max(1, self.px(1.2))
            rect = rect.inflate(-2 * wide, -2 * wide)
            r = max(0, r - wide)
        self._rounded(rect, fill, r)

    def pane(self, rect: pygame.Rect) -> None:
        """A panel that floats over the table: soft corners, and a little of the table is seen through it."""
        if rect.w > 0 and rect.h > 0:
            self.surface.blit(_pane(rect.size, self.px(10), palette.PANEL, palette.EDGE), rect)

    def _rounded(self, rect: pygame.Rect, fill: Colour, r: int) -> None:
        if r <= 4:
            pygame.draw.rect(self.surface, fill, rect, border_radius=r)
            return
        self.surface.blit(_plate(rect.size, fill, r), rect)

    def outline(self, rect: pygame.Rect, colour: Colour, width: float = 2.0) -> None:
        """A rectangle's edge, `width` [units] strong."""
        pygame.draw.rect(self.surface, colour, rect, max(1, self.px(width)), border_radius=self.px(6))

    def line(self, a: Point, b: Point, colour: Colour, width: float = 1.0) -> None:
        """A straight line, `width` [pixels] strong."""
        pygame.draw.aaline(self.surface, colour, a, b, max(1, round(width)))

    def dashes(self, a: Point, b: Point, colour: Colour, width: float = 1.0, dash: float = 8.0) -> None:
        """A dashed line; `dash` [pixels] drawn and as much left out."""
        dx, dy, w = b[0] - a[0], b[1] - a[1], max(1, round(width))
        length = hypot(dx, dy)
        count = int(length / (2.0 * dash)) + 1
        for k in range(min(count, 400)):
            p, q = 2.0 * dash * k / max(length, 1e-6), min((2.0 * k + 1.0) * dash / max(length, 1e-6), 1.0)
            if p >= 1.0:
                break
            pygame.draw.aaline(self.surface, colour, (a[0] + dx * p, a[1] + dy * p), (a[0] + dx * q, a[1] + dy * q), w)

    def path(self, points: Sequence[Point], colour: Colour, width: float = 1.5) -> None:
        """A line through points."""
        for a, b in pairwise(points):
            self.line(a, b, colour, width)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """A filled polygon."""
        whole = [(round(x), round(y)) for x, y in points]
        xs, ys = {x for x, _ in whole}, {y for _, y in whole}
        if len(whole) == 4 and len(xs) == 2 and len(ys) == 2:  # an upright rectangle: far faster, and as sharp
            self.surface.fill(colour, (min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1))
            return
        gfxdraw.filled_polygon(self.surface, whole, colour)
        gfxdraw.aapolygon(self.surface, whole, colour)

    def glaze(self, points: Sequence[Point], colour: Colour, alpha: int) -> None:
        """A filled polygon one can see through (alpha 0 to 255)."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        around = pygame.Rect(min(xs), min(ys), max(xs) - min(xs) + 2, max(ys) - min(ys) + 2)
        seen = around.clip(self.surface.get_clip())
        if seen.w <= 0 or seen.h <= 0:
            return
        sheet = pygame.Surface(seen.size, pygame.SRCALPHA)
        pygame.draw.polygon(sheet, (*colour, alpha), [(x - seen.x, y - seen.y) for x, y in points])
        self.surface.blit(sheet, seen)

    def gauge(self, rect: pygame.Rect, share: float) -> None:
        """A thin bar, filled to a share of it [1]."""
        self.box(rect, palette.WELL, 2, palette.EDGE)
        full = round(rect.w * min(1.0, max(0.0, share)))
        if full:
            self.box(pygame.Rect(rect.x, rect.y, full, rect.h), palette.ACCENT, 2)

    def disc(self, at: Point, radius: float, colour: Colour) -> None:
        """A filled disc."""
        pygame.draw.aacircle(self.surface, colour, at, max(radius, 1.0))

    def ring(self, at: Point, radius: float, colour: Colour, width: float = 2.0) -> None:
        """A circle's edge, drawn inwards, `width` [pixels] strong."""
        pygame.draw.aacircle(self.surface, colour, at, max(radius, 2.0), max(1, round(width)))

    def veil(self, rect: pygame.Rect, colour: Colour, alpha: int) -> None:
        """A see-through sheet (alpha 0 to 255)."""
        sheet = pygame.Surface(rect.size, pygame.SRCALPHA)
        sheet.fill((*colour, alpha))
        self.surface.blit(sheet, rect)

    # -- marks ----------------------------------------------------------------------------------------------------

    def lay(self, marks: Iterable[Mark]) -> None:
        """Marks that pictures for files are made of too."""
        for mark in marks:
            match mark:
                case Patch():
                    self.polygon(mark.points, mark.colour)
                case Stroke():
                    self.path(mark.points, mark.colour, mark.width)
                case Sheet():
                    self._sheet(mark)

    def _sheet(self, sheet: Sheet) -> None:
        """Pixels stretched over their box, or side by side: only what is seen of them is."""
        picture = ALBUM.find(sheet.name, lambda: surface_of(sheet.pixels)) if sheet.name else surface_of(sheet.pixels)
        x, y, w, h = sheet.box
        box = pygame.Rect(round(x), round(y), round(w), round(h))
        seen = box.clip(self.surface.get_clip())
        if not seen:
            return
        wide, high = picture.get_size()
        if sheet.tiled:
            with self.clipped(seen):
                across = range(box.x + (seen.x - box.x) // wide * wide, seen.right, wide)
                down = range(box.y + (seen.y - box.y) // high * high, seen.bottom, high)
                self.surface.fblits([(picture, (a, d)) for a in across for d in down])
            return
        if (wide, high) == box.size:
            if sheet.alpha < 255:
                picture = picture.copy()
                picture.set_alpha(sheet.alpha)
            self.surface.blit(picture, box)
            return
        broad, tall = box.w / wide, box.h / high
        left, top = int((seen.x - box.x) / broad), int((seen.y - box.y) / tall)
        right, low = min(wide, int((seen.right - box.x) / broad) + 2), min(high, int((seen.bottom - box.y) / tall) + 2)
        part = picture.subsurface((left, top, right - left, low - top))
        size = (round((right - left) * broad), round((low - top) * tall))
        with self.clipped(seen):
            at = (box.x + round(left * broad), box.y + round(top * tall))
            self.surface.blit(pygame.transform.smoothscale(part, size), at)

    # -- letters --------------------------------------------------------------------------------------------------

    def text(
        self,
        text: str,
        at: Point,
        size: float = 16.0,
        colour: Colour | None = None,
        *,
        bold: bool = False,
        anchor: str = "topleft",
        within: int | None = None,
    ) -> pygame.Rect:
        """A line of letters, `size` [units] high, its `anchor` put at a point; cut to `within` [pixels] if given."""
        english, text = text, said(text)
        foreign = text != english
        if within is not None:
            text = self.shortened(AsIs(text), within, size, bold=bold)
        pixels = max(7, self.px(size))
        made = _written(text, pixels, colour or palette.TEXT, bold)
        rect = made.get_rect(**{anchor: (round(at[0]), round(at[1]))})
        self.surface.blit(made, rect)
        if self.said is not None:
            self.said.append(
                Said(english if foreign else text, text, rect.clip(self.surface.get_clip()), rect.x, pixels, bold)
            )
        return rect

    def wide(self, text: str, size: float = 16.0, *, bold: bool = False) -> int:
        """Width of a line of letters [pixels]."""
        return wide(said(text), max(7, self.px(size)), bold)

    def high(self, size: float = 16.0) -> int:
        """Distance between lines of that size [pixels]."""
        return _font(max(7, self.px(size)), False, shipped=False).get_linesize()

    def shortened(self, text: str, width: int, size: float = 16.0, *, bold: bool = False) -> str:
        """The text, its end replaced by dots where it would be wider than `width` [pixels]."""
        text = AsIs(said(text))
        if self.wide(text, size, bold=bold) <= width:
            return text
        while text and self.wide(AsIs(text + "..."), size, bold=bold) > width:
            text = text[:-1]
        return AsIs(text.rstrip() + "...")

    def fitting(self, ways: Sequence[str], width: int, size: float = 16.0) -> str:
        """The first of several ways to say a thing that is no wider than `width` [pixels]; else the last, shortened."""
        return next((text for text in ways if self.wide(text, size) <= width), self.shortened(ways[-1], width, size))

    def wrapped(self, text: str, width: int, size: float = 16.0, *, bold: bool = False) -> list[str]:
        """The text in lines no wider than `width` [pixels], broken between words, and within one that is too wide."""
        lines: list[str] = []
        for part in said(text).split("\n"):
            line = ""
            for word in self._broken(part.split(" "), width, size, bold):
                longer = f"{line} {word}" if line else word
                if line and self.wide(AsIs(longer), size, bold=bold) > width:
                    lines.append(AsIs(line))
                    line = word
                else:
                    line = longer
            lines.append(AsIs(line))
        return lines

    def _broken(self, words: Sequence[str], width: int, size: float, bold: bool) -> Iterator[str]:
        """The words, those wider than a line in pieces."""
        for word in words:
            rest = word
            while len(rest) > 1 and self.wide(AsIs(rest), size, bold=bold) > width:
                fits = (k for k in range(len(rest) - 1, 1, -1) if self.wide(AsIs(rest[:k]), size, bold=bold) <= width)
                cut = next(fits, 1)
                yield rest[:cut]
                rest = rest[cut:]
            yield rest

    def paragraph(
        self,
        text: str,
        rect: pygame.Rect,
        size: float = 16.0,
        colour: Colour | None = None,
        *,
        bold: bool = False,
    ) -> int:
        """Text wrapped into a rectangle; what does not fit is left out with dots. Returns where it ends [pixels]."""
        step, y = self.high(size), rect.y
        lines = self.wrapped(text, rect.w, size, bold=bold)
        room = max(1, rect.h // step)
        if len(lines) > room:
            lines = [*lines[: room - 1], self.shortened(AsIs(lines[room - 1] + " ..."), rect.w, size, bold=bold)]
        for line in lines:
            self.text(line, (rect.x, y), size, colour, bold=bold)
            y += step
        return y
