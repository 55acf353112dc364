"""Hand of cards or tiles in rows, with a cursor, selected items and highlighted playable items."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import pygame

from flicksim.gui.toolkit import Canvas, palette

Item: TypeAlias = Any
"""Card or tile."""
ItemRenderer = Callable[[Item, int], pygame.Surface]
MAX_ROWS = 4


class HandView:
    """Hand on the screen.

    Args:
        render: draws an item at a width [pixels]. aspect: height over width. visible_fraction: least share of each
            item that is visible. max_width: of an item [units]. dims_unusable: darken items that cannot be played;
            otherwise items that can be have a coloured edge.
    """

    def __init__(
        self, render: ItemRenderer, aspect: float, visible_fraction: float, max_width: float, *, dims_unusable: bool
    ) -> None:
        self._dims_unusable = dims_unusable
        self._render, self._aspect = render, aspect
        self._visible_fraction, self._max_width = visible_fraction, max_width
        self.items: list[Item] = []
        self.highlighted: set[int] = set()
        self.selected: set[int] = set()
        self.dragged: set[int] = set()
        self.cursor = 0
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.item_rects: list[pygame.Rect] = []
        self._lift_height = 0
        self._item_width = 1
        self._scale = 1.0

    @property
    def current(self) -> Item:
        """Item under the cursor; None in an empty hand."""
        return self.items[self.cursor] if self.items else None

    def set_items(self, items: Iterable[Item], is_highlighted: Callable[[Item], bool] = lambda _: False) -> None:
        """Set the items; the cursor stays on its item, or as near as possible."""
        before = self.current
        self.items = list(items)
        self.highlighted = {k for k, item in enumerate(self.items) if is_highlighted(item)}
        self.selected, self.dragged = set(), set()
        if before in self.items and not (self.cursor < len(self.items) and self.items[self.cursor] is before):
            self.cursor = self.items.index(before)
        self.cursor = max(0, min(self.cursor, len(self.items) - 1))
        self._layout()

    def set_area(self, rect: pygame.Rect, scale: float) -> None:
        """Fit the hand into a rectangle."""
        self.rect, self._scale = rect, scale
        self._layout()

    def _layout(self) -> None:
        count, rect = len(self.items), self.rect
        self._lift_height = round(14 * self._scale)
        best = (0, 1)
        for rows in range(1, MAX_ROWS + 1):
            per_row = -(-count // rows) or 1
            share = 1.0 + (rows - 1) * (0.52 if self._visible_fraction < 1.0 else 1.05)
            w = min(self._max_width * self._scale, (rect.h - self._lift_height) / (self._aspect * share),
                    rect.w / (1.0 + (per_row - 1) * self._visible_fraction))  # fmt: skip
            if w > best[0] * 1.12:
                best = (int(w), rows)
        w, rows = max(8, best[0]), best[1]
        h, per_row = round(w * self._aspect), -(-count // rows) or 1
        down = round(h * (0.52 if self._visible_fraction < 1.0 else 1.05))
        self._item_width = w
        self.item_rects = []
        top = rect.bottom - h - (rows - 1) * down
        for k in range(count):
            row, at = divmod(k, per_row)
            in_row = min(per_row, count - row * per_row)
            step = min(w * max(self._visible_fraction, 1.0) + 4 * self._scale, (rect.w - w) / max(1, in_row - 1))
            x = rect.x + (rect.w - (step * (in_row - 1) + w)) / 2
            self.item_rects.append(pygame.Rect(round(x + at * step), top + row * down, w, h))

    def item_at(self, pos: tuple[int, int]) -> int | None:
        """Index of the item at a point of the screen."""
        for k in range(len(self.item_rects) - 1, -1, -1):
            if self._raised_rect(k).collidepoint(pos):
                return k
        return None

    def _raised_rect(self, index: int) -> pygame.Rect:
        return self.item_rects[index].move(0, -self._lift_height if index in self.selected else 0)

    def move_cursor(self, step: int) -> None:
        """Move the cursor, with wraparound."""
        if self.items:
            self.cursor = (self.cursor + step) % len(self.items)

    def toggle(self, index: int) -> None:
        """Select or deselect an item; nothing in an empty hand."""
        if index < len(self.items):
            self.selected ^= {index}

    def select(self, items: Sequence[Item]) -> None:
        """Select items, each as often as it is named."""
        self.selected = set()
        for item in items:
            k = next((k for k, one in enumerate(self.items) if one is item and k not in self.selected), None)
            if k is not None:
                self.selected.add(k)
        if self.selected:
            self.cursor = min(self.selected)

    @property
    def selected_items(self) -> tuple[Item, ...]:
        """Selected items, or else the one under the cursor."""
        if self.selected:
            return tuple(self.items[k] for k in sorted(self.selected))
        return (self.items[self.cursor],) if self.items else ()

    def draw(self, canvas: Canvas, *, is_active: bool) -> None:
        """Draw the hand; `is_active` if it is its turn."""
        for k, item in enumerate(self.items):
            if k in self.dragged:
                continue
            rect = self._raised_rect(k)
            picture = self._render(item, self._item_width)
            canvas.surface.blit(picture, rect)
            if is_active and self._dims_unusable and k not in self.highlighted:
                self._dimmed(canvas, picture, rect)
            elif is_active and k in self.highlighted and not self._dims_unusable:
                self._draw_tab(canvas, rect)
            if k in self.selected:
                canvas.outline(rect.inflate(2, 2), palette.HIGHLIGHT, 3.0)
        if is_active and self.items and self.cursor not in self.dragged:
            self._draw_cursor(canvas)

    def _draw_cursor(self, canvas: Canvas) -> None:
        """Draw a frame around the visible part of the item under the cursor, so that its neighbours stay legible."""
        rect = self._raised_rect(self.cursor)
        after = self.cursor + 1
        visible_width = rect.w
        if after < len(self.item_rects) and self.item_rects[after].y == self.item_rects[self.cursor].y:
            visible_width = min(visible_width, max(8, self.item_rects[after].x - rect.x))
        frame = pygame.Rect(rect.x, rect.y, visible_width, rect.h).inflate(canvas.px(5), canvas.px(5))
        canvas.outline(frame, palette.TABLE_TEXT, 3.0)
        x, y, s = rect.x + min(visible_width, rect.w) // 2, frame.y - canvas.px(3), canvas.px(7)
        canvas.polygon([(x - s, y - s), (x + s, y - s), (x, y)], palette.TABLE_TEXT)

    def _draw_tab(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw a coloured top edge that marks a playable card."""
        width = round(self._item_width * min(self._visible_fraction, 1.0)) - canvas.px(7)
        bar = pygame.Rect(rect.x + canvas.px(5), rect.y, width, max(3, canvas.px(4)))
        canvas.box(bar, palette.TABLE_GOOD, 2)

    @staticmethod
    def _dimmed(canvas: Canvas, picture: pygame.Surface, rect: pygame.Rect) -> None:
        """Darken an item that cannot be used now."""
        shade = picture.copy()
        shade.fill((150, 155, 165, 255), special_flags=pygame.BLEND_RGBA_MULT)
        canvas.surface.blit(shade, rect)

    def draw_dragged(self, canvas: Canvas, pos: tuple[int, int]) -> None:
        """Draw the dragged items under the mouse."""
        for j, k in enumerate(sorted(self.dragged)):
            picture = self._render(self.items[k], self._item_width)
            shift = round(j * self._item_width * min(self._visible_fraction, 1.0))
            canvas.surface.blit(picture, picture.get_rect(midtop=(pos[0] + shift, pos[1] - self._lift_height)))
