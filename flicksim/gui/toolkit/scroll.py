"""Scrolling of rows in a viewport, and rows of widgets under headings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.widgets import Widget

_WHEEL_STEP = 48.0
"""Distance scrolled by a step of the wheel [units]."""


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

    def draw(self, canvas: Canvas, inset: float = 6.0) -> None:
        """Draw the scroll bar if not all rows fit; `inset`: from the right edge to its left side [units]."""
        if self.max_offset:
            view = self.viewport
            height = max(canvas.px(24), view.h * view.h // self._content_height)
            y = view.y + round((view.h - height) * self.offset / self.max_offset)
            canvas.box(pygame.Rect(view.right - canvas.px(inset), y, canvas.px(6), height), palette.BORDER, 3)


@dataclass(frozen=True, slots=True)
class RowMetrics:
    """Measures of rows under headings [units; frame in pixels].

    Args:
        height: of a row, with the gap below. heading: height of a heading. gap: below a row. left, right: margins
            beside rows. raised, indent: distances of a heading above the first row, and from its left end.
        frame: inner edge of the viewport that is not drawn over. scroll_bar: see `ScrollArea.draw`.
    """

    height: float
    heading: float
    gap: float
    left: float = 0.0
    right: float = 10.0
    raised: float = 5.0
    indent: float = 0.0
    frame: int = 0
    scroll_bar: float = 6.0


class RowList(ScrollArea):
    """Widgets in rows, in groups under headings, scrolled in a viewport."""

    def __init__(self, metrics: RowMetrics) -> None:
        super().__init__()
        self._metrics = metrics
        self._scale = 1.0
        self.rows: list[Widget] = []
        self.headings: dict[int, str] = {}
        """Headings by the index of the row below."""

    def set_groups(self, groups: Sequence[tuple[str, Sequence[Widget]]]) -> None:
        """Set the rows by group: a heading and its rows."""
        self.rows, self.headings = [], {}
        for heading, rows in groups:
            self.headings[len(self.rows)] = heading
            self.rows += rows

    def place(self, viewport: pygame.Rect, scale: float) -> None:
        """Place the rows in a viewport."""
        self._scale, metrics = scale, self._metrics
        step, head = round(metrics.height * scale), round(metrics.heading * scale)
        self.set_content(viewport, len(self.rows) * step + len(self.headings) * head)
        y, left, gap = self.top, round(metrics.left * scale), round(metrics.gap * scale)
        width = viewport.w - round((metrics.left + metrics.right) * scale)
        for k, row in enumerate(self.rows):
            y += head if k in self.headings else 0
            row.rect = pygame.Rect(viewport.x + left, y, width, step - gap)
            y += step

    def handle_mouse(self, event: pygame.event.Event) -> bool:
        """Scroll by the wheel; return True if the event was of it, or a press on a row that is not drawn."""
        is_wheel = self.handle_wheel(event, _WHEEL_STEP * self._scale)
        if is_wheel:
            self.place(self.viewport, self._scale)
        is_press = event.type == pygame.MOUSEBUTTONDOWN and event.pos[0] < self.viewport.right
        return is_wheel or (is_press and self._is_hidden(event.pos))

    def show_row(self, row: Widget, margin_above: int, margin_below: int = 0) -> None:
        """Scroll until a row is visible with a margin [pixels]."""
        self.reveal(row.rect, margin_above, margin_below)
        self.place(self.viewport, self._scale)

    def _is_hidden(self, point: tuple[int, int]) -> bool:
        """Return True if a point lies beside the viewport, or in a clipped row, which is not drawn [pixels]."""
        return not self.viewport.collidepoint(point) or any(
            row.rect.collidepoint(point) and not self.is_fully_visible(row.rect.y, row.rect.h) for row in self.rows
        )

    def draw_rows(self, canvas: Canvas, draw_row: Callable[[Widget], None]) -> None:
        """Draw the headings and rows that are fully visible, and the scroll bar."""
        high = canvas.line_height(12)
        with canvas.clipped(self.viewport.inflate(-2 * self._metrics.frame, -2 * self._metrics.frame)):
            for k, row in enumerate(self.rows):
                if not self.is_fully_visible(row.rect.y, row.rect.h):
                    continue
                x, y = row.rect.x + canvas.px(self._metrics.indent), row.rect.y - canvas.px(self._metrics.raised)
                if k in self.headings and self.is_fully_visible(y - high, high):
                    heading = self.headings[k].upper()
                    canvas.text(heading, (x, y), 12, palette.ACCENT, bold=True, anchor="bottomleft")
                draw_row(row)
        self.draw(canvas, self._metrics.scroll_bar)
