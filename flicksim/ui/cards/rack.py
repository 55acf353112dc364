"""A hand on the screen: cards or tiles in rows, one under the cursor, some chosen, those that can be used lit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import pygame

from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas

Item: TypeAlias = Any
"""A card or a tile."""
Picture = Callable[[Item, int], pygame.Surface]
ROWS = 4


class Rack:
    """A hand.

    Args:
        picture: draws one at a width [pixels]. aspect: height over width. shown: least share of each that is seen.
        most: widest [units]. dims: what cannot be used is darkened; else what can be has a coloured edge.
    """

    def __init__(self, picture: Picture, aspect: float, shown: float, most: float, *, dims: bool) -> None:
        self._dims = dims
        self._picture, self._aspect, self._shown, self._most = picture, aspect, shown, most
        self.items: list[Item] = []
        self.lit: set[int] = set()
        self.chosen: set[int] = set()
        self.dragged: set[int] = set()
        self.cursor = 0
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.spots: list[pygame.Rect] = []
        self._lift = 0
        self._wide = 1
        self._scale = 1.0

    @property
    def current(self) -> Item:
        """The item under the cursor; None in an empty hand."""
        return self.items[self.cursor] if self.items else None

    @property
    def wide(self) -> int:
        """Width of one now [pixels]."""
        return self._wide

    def show(self, items: Iterable[Item], lit: Callable[[Item], bool] = lambda _: False) -> None:
        """Hold these; the cursor stays on what it was on, or as near as can be."""
        before = self.current
        self.items = list(items)
        self.lit = {k for k, item in enumerate(self.items) if lit(item)}
        self.chosen, self.dragged = set(), set()
        if before in self.items and not (self.cursor < len(self.items) and self.items[self.cursor] is before):
            self.cursor = self.items.index(before)
        self.cursor = max(0, min(self.cursor, len(self.items) - 1))
        self._lay()

    def place(self, rect: pygame.Rect, scale: float) -> None:
        """Lay the rack into a rectangle."""
        self.rect, self._scale = rect, scale
        self._lay()

    def _lay(self) -> None:
        count, rect = len(self.items), self.rect
        self._lift = round(14 * self._scale)
        best = (0, 1)
        for rows in range(1, ROWS + 1):
            each = -(-count // rows) or 1
            share = 1.0 + (rows - 1) * (0.52 if self._shown < 1.0 else 1.05)
            w = min(self._most * self._scale, (rect.h - self._lift) / (self._aspect * share),
                    rect.w / (1.0 + (each - 1) * self._shown))  # fmt: skip
            if w > best[0] * 1.12:
                best = (int(w), rows)
        w, rows = max(8, best[0]), best[1]
        h, each = round(w * self._aspect), -(-count // rows) or 1
        down = round(h * (0.52 if self._shown < 1.0 else 1.05))
        self._wide = w
        self.spots = []
        top = rect.bottom - h - (rows - 1) * down
        for k in range(count):
            row, at = divmod(k, each)
            many = min(each, count - row * each)
            step = min(w * max(self._shown, 1.0) + 4 * self._scale, (rect.w - w) / max(1, many - 1))
            x = rect.x + (rect.w - (step * (many - 1) + w)) / 2
            self.spots.append(pygame.Rect(round(x + at * step), top + row * down, w, h))

    def at(self, pos: tuple[int, int]) -> int | None:
        """Number of the item at a point of the screen."""
        for k in range(len(self.spots) - 1, -1, -1):
            if self._raised(k).collidepoint(pos):
                return k
        return None

    def _raised(self, k: int) -> pygame.Rect:
        return self.spots[k].move(0, -self._lift if k in self.chosen else 0)

    def go(self, by: int) -> None:
        """Move the cursor, round and round."""
        if self.items:
            self.cursor = (self.cursor + by) % len(self.items)

    def toggle(self, k: int) -> None:
        """Choose one, or no longer; nothing in an empty hand."""
        if k < len(self.items):
            self.chosen ^= {k}

    def choose(self, wanted: Sequence[Item]) -> None:
        """Choose these, each as often as it is named."""
        self.chosen = set()
        for item in wanted:
            k = next((k for k, one in enumerate(self.items) if one is item and k not in self.chosen), None)
            if k is not None:
                self.chosen.add(k)
        if self.chosen:
            self.cursor = min(self.chosen)

    @property
    def picked(self) -> tuple[Item, ...]:
        """The chosen items, or else the one under the cursor."""
        if self.chosen:
            return tuple(self.items[k] for k in sorted(self.chosen))
        return (self.items[self.cursor],) if self.items else ()

    def draw(self, canvas: Canvas, *, active: bool) -> None:
        """Show it; active: it is this hand's turn."""
        for k, item in enumerate(self.items):
            if k in self.dragged:
                continue
            rect = self._raised(k)
            picture = self._picture(item, self._wide)
            canvas.surface.blit(picture, rect)
            if active and self._dims and k not in self.lit:
                self._dim(canvas, picture, rect)
            elif active and k in self.lit and not self._dims:
                self._tab(canvas, rect)
            if k in self.chosen:
                canvas.outline(rect.inflate(2, 2), palette.GLOW, 3.0)
        if active and self.items and self.cursor not in self.dragged:
            self._draw_cursor(canvas)

    def _draw_cursor(self, canvas: Canvas) -> None:
        """A frame round what is seen of the card under the cursor: its neighbours stay legible."""
        rect = self._raised(self.cursor)
        after = self.cursor + 1
        seen = rect.w
        if after < len(self.spots) and self.spots[after].y == self.spots[self.cursor].y:
            seen = min(seen, max(8, self.spots[after].x - rect.x))
        frame = pygame.Rect(rect.x, rect.y, seen, rect.h).inflate(canvas.px(5), canvas.px(5))
        canvas.outline(frame, palette.CHALK, 3.0)
        x, y, s = rect.x + min(seen, rect.w) // 2, frame.y - canvas.px(3), canvas.px(7)
        canvas.polygon([(x - s, y - s), (x + s, y - s), (x, y)], palette.CHALK)

    def _tab(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """A coloured edge on top: this card can be put down."""
        bar = pygame.Rect(rect.x + canvas.px(5), rect.y, round(self._wide * min(self._shown, 1.0)) - canvas.px(7),
                          max(3, canvas.px(4)))  # fmt: skip
        canvas.box(bar, palette.LUCK, 2)

    @staticmethod
    def _dim(canvas: Canvas, picture: pygame.Surface, rect: pygame.Rect) -> None:
        """Take light from what cannot be used now."""
        shade = picture.copy()
        shade.fill((150, 155, 165, 255), special_flags=pygame.BLEND_RGBA_MULT)
        canvas.surface.blit(shade, rect)

    def carry(self, canvas: Canvas, pos: tuple[int, int]) -> None:
        """Show what is dragged, under the mouse."""
        for j, k in enumerate(sorted(self.dragged)):
            picture = self._picture(self.items[k], self._wide)
            shift = round(j * self._wide * min(self._shown, 1.0))
            canvas.surface.blit(picture, picture.get_rect(midtop=(pos[0] + shift, pos[1] - self._lift)))
