"""Canvas: anti-aliased shapes and scaled text on a pygame surface."""

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import groupby, pairwise
from math import ceil
from typing import Literal, NamedTuple, Self

import numpy as np
import pygame
from pygame import gfxdraw

from flicksim.core.geometry import Point
from flicksim.core.paths import assets_dir
from flicksim.core.sanitize import escape_unprintable
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.palette import Colour
from flicksim.gui.toolkit.surface_cache import CACHE, cached_surface, surface_of
from flicksim.gui.toolkit.translation import Untranslated, translate
from flicksim.render import Bitmap, Disc, Label, Polygon, Polyline, Primitive, dashed_line

_LABEL_ANCHORS = {
    "lt": "topleft", "mt": "midtop", "rt": "topright", "lm": "midleft", "mm": "center", "rm": "midright",
    "lb": "bottomleft", "mb": "midbottom", "rb": "bottomright",
}  # fmt: skip
"""pygame's names of the anchors of labels."""
_BUNDLED_FONTS = ("Inter-Medium.otf", "Inter-Bold.otf")
"""Regular and bold face, with figures of equal width."""
_OVERSAMPLING = 0.96
"""Scale of these fonts that makes their letters as large as those of others."""
_SUITS_FONT = "DejaVuSans-suits.ttf"
"""Suits of cards, which they lack."""
_FONT_NAMES = "dejavusans,notosans,segoeui,helveticaneue,opensans,liberationsans,arial"
"""System fonts for glyphs that no bundled one has, as of other scripts."""
_LINE_HEIGHT = 1.164
"""Spacing of lines as a multiple of the height of letters."""
_MISSING_GLYPH = "\uffff"
"""A character that no font has."""


@lru_cache(maxsize=1)
def _font_files() -> tuple[str | None, str | None]:
    """Files of a plain and a bold face of the system; None for the one pygame brings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a system without a font list concerns no player
        return pygame.font.match_font(_FONT_NAMES), pygame.font.match_font(_FONT_NAMES, bold=True)


@lru_cache(maxsize=64)  # each caches its glyphs
def _font(pixels: int, bold: bool, face: Literal["letters", "suits", "system"] = "letters") -> pygame.font.Font:
    if face == "system":
        return pygame.font.Font(_font_files()[bold], pixels)
    if face == "suits":
        return pygame.font.Font(assets_dir() / "fonts" / _SUITS_FONT, pixels)
    return pygame.font.Font(assets_dir() / "fonts" / _BUNDLED_FONTS[bold], round(pixels * _OVERSAMPLING))


def _font_runs(text: str, pixels: int, bold: bool) -> list[tuple[pygame.font.Font, str]]:
    """Split a line into runs of one font: the bundled ones, and the system's for glyphs that both lack."""
    letters = _font(pixels, bold)
    if text.isascii():
        return [(letters, text)]
    suits = _font(pixels, bold, "suits")

    def font_of(glyph: str) -> pygame.font.Font:
        for font in (letters, suits):
            # by version of the library, a missing glyph has no metrics or those of a box
            if font.metrics(glyph)[0] not in (None, font.metrics(_MISSING_GLYPH)[0]):
                return font
        return _font(pixels, bold, "system")

    return [(font, "".join(glyphs)) for font, glyphs in groupby(text, font_of)]


@cached_surface
def _render_text(text: str, pixels: int, colour: Colour, bold: bool) -> pygame.Surface:
    runs = _font_runs(escape_unprintable(text, multiline=True), pixels, bold)
    if len(runs) == 1:
        return runs[0][0].render(runs[0][1], True, colour)
    # the baseline is that of the bundled font, as in the lines around it
    line_font = _font(pixels, bold)
    pictures = [font.render(run, True, colour) for font, run in runs]
    width = sum(picture.get_width() for picture in pictures)
    surface = pygame.Surface((width, line_font.get_height()), pygame.SRCALPHA)
    surface.fill((*colour, 0))
    x = 0
    for (font, _), picture in zip(runs, pictures, strict=True):
        surface.blit(picture, (x, line_font.get_ascent() - font.get_ascent()), special_flags=pygame.BLEND_RGBA_MAX)
        x += picture.get_width()
    return surface


@lru_cache(maxsize=4096)
def text_width(text: str, pixels: int, bold: bool) -> int:
    """Width of a line of text at a height [pixels]."""
    printable = escape_unprintable(text, multiline=True)
    return sum(font.size(run)[0] for font, run in _font_runs(printable, pixels, bold))


class DrawnText(NamedTuple):
    """Line of text on the surface: English source, text shown, visible rectangle, left end [pixels], font."""

    source: str
    text: str
    rect: pygame.Rect
    left: int
    pixels: int
    bold: bool


@cached_surface
def _rounded_rect(size: tuple[int, int], fill: Colour, radius: int) -> pygame.Surface:
    """Draw a filled rectangle with round corners [pixels]."""
    w, h = size
    surface = surface_of(np.zeros((h, w, 4), dtype=np.uint8))
    surface.fill((*fill, 0))  # antialiased corners blend from the same colour
    surface.fill((*fill, 255), (radius, 0, w - 2 * radius, h))
    surface.fill((*fill, 255), (0, radius, w, h - 2 * radius))
    for cx in (radius, w - radius - 1):
        for cy in (radius, h - radius - 1):
            pygame.draw.aacircle(surface, fill, (cx, cy), radius)
    return surface


@cached_surface
def _panel(size: tuple[int, int], radius: int, fill: Colour, edge: Colour) -> pygame.Surface:
    surface = pygame.Surface(size, pygame.SRCALPHA)
    rect, opaque = surface.get_rect(), 255 if palette.palette_name == "high-contrast" else 226
    pygame.draw.rect(surface, (*fill, opaque), rect, border_radius=radius)
    pygame.draw.rect(surface, (*edge, 255 if opaque == 255 else 120), rect, 1, border_radius=radius)
    return surface


class Canvas:
    """Surface with scaled drawing operations.

    Args:
        surface: pygame's.
        scale: pixels per unit: letters and widgets are measured in units that grow with the window.
    """

    def __init__(self, surface: pygame.Surface, scale: float = 1.0) -> None:
        if not pygame.font.get_init():  # fonts made before it was shut down are of no use
            _font.cache_clear()
            text_width.cache_clear()
            pygame.font.init()
        self.surface, self.scale = surface, scale
        self.drawn_texts: list[DrawnText] = []

    @classmethod
    def measuring(cls, scale: float) -> Self:
        """Canvas of one pixel, to measure text where nothing is drawn."""
        return cls(pygame.Surface((1, 1)), scale)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height [pixels]."""
        return self.surface.get_size()

    def px(self, units: float) -> int:
        """Convert units to whole pixels."""
        return round(units * self.scale)

    @contextmanager
    def clipped(self, rect: pygame.Rect) -> Iterator[None]:
        """Clip drawing to a rectangle."""
        before = self.surface.get_clip()
        self.surface.set_clip(rect.clip(before))
        try:
            yield
        finally:
            self.surface.set_clip(before)

    # -- shapes [pixels] ------------------------------------------------------------------------------------------

    def box(self, rect: pygame.Rect, fill: Colour, radius: float = 0.0, edge: Colour | None = None) -> None:
        """Draw a filled rectangle with round corners [units] and an optional thin edge."""
        r = min(self.px(radius), rect.w // 2, rect.h // 2)
        if edge is not None:
            self._rounded(rect, edge, r)
            edge_width = max(1, self.px(1.2))
            rect = rect.inflate(-2 * edge_width, -2 * edge_width)
            r = max(0, r - edge_width)
        self._rounded(rect, fill, r)

    def panel(self, rect: pygame.Rect) -> None:
        """Draw a slightly transparent panel with round corners over the table."""
        if rect.w > 0 and rect.h > 0:
            self.surface.blit(_panel(rect.size, self.px(10), palette.PANEL, palette.BORDER), rect)

    def _rounded(self, rect: pygame.Rect, fill: Colour, radius: int) -> None:
        if radius <= 4:
            pygame.draw.rect(self.surface, fill, rect, border_radius=radius)
            return
        self.surface.blit(_rounded_rect(rect.size, fill, radius), rect)

    def outline(self, rect: pygame.Rect, colour: Colour, width: float = 2.0) -> None:
        """Draw the edge of a rectangle, `width` [units] wide."""
        pygame.draw.rect(self.surface, colour, rect, max(1, self.px(width)), border_radius=self.px(6))

    def line(self, a: Point, b: Point, colour: Colour, width: float = 1.0) -> None:
        """Draw a straight line, `width` [pixels] wide."""
        pygame.draw.aaline(self.surface, colour, a, b, max(1, round(width)))

    def dashed_line(self, a: Point, b: Point, colour: Colour, width: float = 1.0, dash: float = 8.0) -> None:
        """Draw a dashed line; `dash` [pixels] drawn and as much left out."""
        self.draw_marks(dashed_line(a, b, colour, width, dash))

    def polyline(self, points: Sequence[Point], colour: Colour, width: float = 1.5) -> None:
        """Draw a line through points."""
        for a, b in pairwise(points):
            self.line(a, b, colour, width)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """Draw a filled polygon."""
        corners = [(round(x), round(y)) for x, y in points]
        xs, ys = {x for x, _ in corners}, {y for _, y in corners}
        if len(corners) == 4 and len(xs) == 2 and len(ys) == 2:  # an axis-aligned rectangle: much faster, and as sharp
            self.surface.fill(colour, (min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1))
            return
        gfxdraw.filled_polygon(self.surface, corners, colour)
        gfxdraw.aapolygon(self.surface, corners, colour)

    def translucent_polygon(self, points: Sequence[Point], colour: Colour, alpha: int) -> None:
        """Draw a translucent filled polygon (alpha 0 to 255)."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        bounds = pygame.Rect(min(xs), min(ys), max(xs) - min(xs) + 2, max(ys) - min(ys) + 2)
        visible = bounds.clip(self.surface.get_clip())
        if visible.w <= 0 or visible.h <= 0:
            return
        overlay = pygame.Surface(visible.size, pygame.SRCALPHA)
        pygame.draw.polygon(overlay, (*colour, alpha), [(x - visible.x, y - visible.y) for x, y in points])
        self.surface.blit(overlay, visible)

    def progress_bar(self, rect: pygame.Rect, fraction: float) -> None:
        """Draw a thin bar, filled to a fraction [1]."""
        self.box(rect, palette.INSET_BACKGROUND, 2, palette.BORDER)
        filled_width = round(rect.w * min(1.0, max(0.0, fraction)))
        if filled_width:
            self.box(pygame.Rect(rect.x, rect.y, filled_width, rect.h), palette.ACCENT, 2)

    def disc(self, center: Point, radius: float, colour: Colour) -> None:
        """Draw a filled disc."""
        pygame.draw.aacircle(self.surface, colour, center, max(radius, 1.0))

    def circle(self, center: Point, radius: float, colour: Colour, width: float = 2.0) -> None:
        """Draw the edge of a circle inwards, `width` [pixels] wide."""
        pygame.draw.aacircle(self.surface, colour, center, max(radius, 2.0), max(1, round(width)))

    def translucent_rect(self, rect: pygame.Rect, colour: Colour, alpha: int) -> None:
        """Draw a translucent rectangle (alpha 0 to 255)."""
        overlay = pygame.Surface(rect.size, pygame.SRCALPHA)
        overlay.fill((*colour, alpha))
        self.surface.blit(overlay, rect)

    # -- marks ----------------------------------------------------------------------------------------------------

    def draw_marks(self, marks: Iterable[Primitive]) -> None:
        """Draw the primitives shared with images for files."""
        for mark in marks:
            match mark:
                case Polygon(alpha=255):
                    self.polygon(mark.points, mark.colour)
                case Polygon():
                    self.translucent_polygon(mark.points, mark.colour, mark.alpha)
                case Disc():
                    self.disc(mark.centre, mark.radius, mark.colour)
                case Label():
                    anchor = _LABEL_ANCHORS[mark.anchor]
                    self.text(mark.text, mark.position, mark.size / self.scale, mark.colour, anchor=anchor)
                case Polyline():
                    self.polyline(mark.points, mark.colour, mark.width)
                case Bitmap():
                    self._draw_image(mark)

    def _draw_image(self, image: Bitmap) -> None:
        """Draw pixels stretched over their box, or tiled; only the visible part."""
        draw = partial(surface_of, image.pixels)
        picture = CACHE.get_or_draw(image.name, draw) if image.name else draw()
        x, y, w, h = image.box
        box = pygame.Rect(round(x), round(y), round(w), round(h))
        visible = box.clip(self.surface.get_clip())
        if not visible:
            return
        width, height = picture.get_size()
        if image.tiled:
            with self.clipped(visible):
                across = range(box.x + (visible.x - box.x) // width * width, visible.right, width)
                down = range(box.y + (visible.y - box.y) // height * height, visible.bottom, height)
                self.surface.fblits([(picture, (a, d)) for a in across for d in down])
            return
        if (width, height) == box.size:
            if image.alpha < 255:
                picture = picture.copy()
                picture.set_alpha(image.alpha)
            self.surface.blit(picture, box)
            return
        x_scale, y_scale = box.w / width, box.h / height
        left, top = int((visible.x - box.x) / x_scale), int((visible.y - box.y) / y_scale)
        right = min(width, int((visible.right - box.x) / x_scale) + 2)
        bottom = min(height, int((visible.bottom - box.y) / y_scale) + 2)
        part = picture.subsurface((left, top, right - left, bottom - top))
        size = (round((right - left) * x_scale), round((bottom - top) * y_scale))
        with self.clipped(visible):
            at = (box.x + round(left * x_scale), box.y + round(top * y_scale))
            self.surface.blit(pygame.transform.smoothscale(part, size), at)

    # -- text -----------------------------------------------------------------------------------------------------

    def text(
        self,
        text: str,
        position: Point,
        size: float = 16.0,
        colour: Colour | None = None,
        *,
        bold: bool = False,
        anchor: str = "topleft",
        max_width: int | None = None,
    ) -> pygame.Rect:
        """Draw a line of text, `size` [units] high, its `anchor` at a point; cut to `max_width` [pixels] if given."""
        source, text = text, translate(text)
        is_translated = text != source
        if max_width is not None:
            text = self.ellipsize(Untranslated(text), max_width, size, bold=bold)
        pixels = max(7, self.px(size))
        rendered = _render_text(text, pixels, colour or palette.TEXT, bold)
        rect = rendered.get_rect(**{anchor: (round(position[0]), round(position[1]))})
        self.surface.blit(rendered, rect)
        visible, shown_source = rect.clip(self.surface.get_clip()), source if is_translated else text
        self.drawn_texts.append(DrawnText(shown_source, text, visible, rect.x, pixels, bold))
        return rect

    def text_width(self, text: str, size: float = 16.0, *, bold: bool = False) -> int:
        """Width of a line of text [pixels]."""
        return text_width(translate(text), max(7, self.px(size)), bold)

    def line_height(self, size: float = 16.0) -> int:
        """Line spacing at a size [pixels]."""
        return ceil(_LINE_HEIGHT * max(7, self.px(size)))  # whatever fonts the system has

    def ellipsize(self, text: str, width: int, size: float = 16.0, *, bold: bool = False) -> str:
        """Shorten a text with dots to `width` [pixels]."""
        text = Untranslated(translate(text))
        if self.text_width(text, size, bold=bold) <= width:
            return text
        while text and self.text_width(Untranslated(text + "..."), size, bold=bold) > width:
            text = text[:-1].rstrip(" .")
        return Untranslated(text + "...")

    def first_fitting(self, variants: Sequence[str], width: int, size: float = 16.0) -> str:
        """First of several texts that is no wider than `width` [pixels]; else the last, shortened."""
        fitting = (text for text in variants if self.text_width(text, size) <= width)
        return next(fitting, self.ellipsize(variants[-1], width, size))

    def size_to_fit(
        self, text: str, size: tuple[int, int], largest: float, least: float, *, bold: bool = False
    ) -> float:
        """Largest size [units] at which a wrapped text fits into a width and a height [pixels] with its words whole;
        `least` if none does."""
        words = translate(text).split()

        def is_fitting(units: float) -> bool:
            width = max((self.text_width(Untranslated(word), units, bold=bold) for word in words), default=0)
            lines = self.wrap(text, size[0], units, bold=bold)
            return width <= size[0] and len(lines) * self.line_height(units) <= size[1]

        units = largest
        while units > least and not is_fitting(units):
            units -= 0.5
        return max(units, least)

    def wrap(self, text: str, width: int, size: float = 16.0, *, bold: bool = False) -> list[str]:
        """Wrap a text to `width` [pixels], between words, not before a time of day; within a word that is too wide."""
        lines: list[str] = []
        for part in translate(text).split("\n"):
            line = ""
            for word in self._break_long_words(re.split(r" (?!%|\d\d:\d\d)", part), width, size, bold):
                longer = f"{line} {word}" if line else word
                if line and self.text_width(Untranslated(longer), size, bold=bold) > width:
                    lines.append(Untranslated(line))
                    line = word
                else:
                    line = longer
            lines.append(Untranslated(line))
        return lines

    def _break_long_words(self, words: Sequence[str], width: int, size: float, bold: bool) -> Iterator[str]:
        """Break words wider than a line into pieces."""
        for word in words:
            remainder = word
            while len(remainder) > 1 and self.text_width(Untranslated(remainder), size, bold=bold) > width:
                cut = len(remainder) - 1
                while cut > 1 and self.text_width(Untranslated(remainder[:cut]), size, bold=bold) > width:
                    cut -= 1
                yield remainder[:cut]
                remainder = remainder[cut:]
            yield remainder

    def paragraph(
        self,
        text: str,
        rect: pygame.Rect,
        size: float = 16.0,
        colour: Colour | None = None,
        *,
        bold: bool = False,
    ) -> int:
        """Draw text wrapped into a rectangle, cut with dots if it does not fit. Return its lower end [pixels]."""
        step, y = self.line_height(size), rect.y
        lines = self.wrap(text, rect.w, size, bold=bold)
        max_lines = max(1, rect.h // step)
        if len(lines) > max_lines:
            cut = Untranslated(lines[max_lines - 1].rstrip(" .") + " ...")
            last = self.ellipsize(cut, rect.w, size, bold=bold)
            lines = [*lines[: max_lines - 1], last]
        for line in lines:
            self.text(line, (rect.x, y), size, colour, bold=bold)
            y += step
        return y
