"""Scrolling of rows in a viewport."""

from __future__ import annotations

from collections.abc import Iterable

import pygame

from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas


class ScrollArea:
    """Rows seen through a viewport, at a scroll offset [pixels]."""

    def __init__(self) -> None:
        self.viewport = pygame.Rect(0, 0, 1, 1)
        self.offset, self._content_height = 0.0, 1

    @property
    def top(self) -> int:
        """Upper end of the first row [pixels]."""
        return self.viewport.y - round(self.offset)

    @property
    def max_offset(self) -> int:
        """Largest scroll offset [pixels]."""
        return max(0, self._content_height - self.viewport.h)

    def set_content(self, viewport: pygame.Rect, content_height: int) -> None:
        """Set the viewport and the total height of the rows."""
        self.viewport, self._content_height = viewport, content_height
        self.scroll_by(0.0)

    def scroll_by(self, distance: float) -> None:
        """Scroll by a distance, clamped to the ends."""
        self.offset = min(max(self.offset + distance, 0.0), float(self.max_offset))

    def handle_wheel(self, event: pygame.event.Event, step: float) -> bool:
        """Handle a wheel event; return True if it was one."""
        if event.type != pygame.MOUSEWHEEL:
            return False
        self.scroll_by(-event.y * round(step))
        return True

    def reveal(self, rect: pygame.Rect, margin_above: int, margin_below: int = 0) -> None:
        """Scroll until a row is visible with a margin [pixels]."""
        if rect.top - margin_above < self.viewport.top:
            self.scroll_by(rect.top - margin_above - self.viewport.top)
        elif rect.bottom + margin_below > self.viewport.bottom:
            self.scroll_by(rect.bottom + margin_below - self.viewport.bottom)

    def is_fully_visible(self, top: int, height: int) -> bool:
        """Return True if a line is wholly visible [pixels]: clipped ones are not drawn."""
        return self.viewport.top <= top and top + height <= self.viewport.bottom + 1

    def is_clipped(self, point: tuple[int, int], rows: Iterable[pygame.Rect]) -> bool:
        """Return True if a point lies in a clipped row, which is not drawn [pixels]."""
        return any(row.collidepoint(point) and not self.is_fully_visible(row.y, row.h) for row in rows)

    def draw(self, canvas: Canvas, inset: float = 6.0) -> None:
        """Draw the scroll bar if not all rows fit; `inset`: from the right edge to its left side [units]."""
        if self.max_offset:
            view = self.viewport
            height = max(canvas.px(24), view.h * view.h // self._content_height)
            y = view.y + round((view.h - height) * self.offset / self.max_offset)
            canvas.box(pygame.Rect(view.right - canvas.px(inset), y, canvas.px(6), height), palette.BORDER, 3)
