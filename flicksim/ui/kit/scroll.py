"""The scrolling of rows that are higher than the place they are seen in."""

from __future__ import annotations

from collections.abc import Iterable

import pygame

from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas


class Scroll:
    """Rows behind a rectangle; `at` is the way that they are pushed up [pixels]."""

    def __init__(self) -> None:
        self.view = pygame.Rect(0, 0, 1, 1)
        self.at, self._whole = 0.0, 1

    @property
    def top(self) -> int:
        """Height at which the first row begins [pixels]."""
        return self.view.y - round(self.at)

    @property
    def most(self) -> int:
        """Farthest that the rows can be pushed up [pixels]."""
        return max(0, self._whole - self.view.h)

    def hold(self, view: pygame.Rect, whole: int) -> None:
        """Rows of so much height are seen here now."""
        self.view, self._whole = view, whole
        self.by(0.0)

    def by(self, way: float) -> None:
        """Go down the rows, no farther than their ends."""
        self.at = min(max(self.at + way, 0.0), float(self.most))

    def wheel(self, event: pygame.event.Event, step: float) -> bool:
        """Take a turn of the wheel; True where it was one."""
        if event.type != pygame.MOUSEWHEEL:
            return False
        self.by(-event.y * round(step))
        return True

    def reveal(self, rect: pygame.Rect, above: int, below: int = 0) -> None:
        """Go so far that a row can be seen with some room about it [pixels]."""
        if rect.top - above < self.view.top:
            self.by(rect.top - above - self.view.top)
        elif rect.bottom + below > self.view.bottom:
            self.by(rect.bottom + below - self.view.bottom)

    def whole(self, top: int, high: int) -> bool:
        """True of a line that can be seen wholly [pixels]: half ones are not shown."""
        return self.view.top <= top and top + high <= self.view.bottom + 1

    def cuts(self, at: tuple[int, int], rows: Iterable[pygame.Rect]) -> bool:
        """True of a point in a row that is not shown, because only half of it could be seen [pixels]."""
        return any(row.collidepoint(at) and not self.whole(row.y, row.h) for row in rows)

    def draw(self, canvas: Canvas, inset: float = 6.0) -> None:
        """The bar at the right, where there is more than can be seen; inset: from there to its left side [units]."""
        if self.most:
            view = self.view
            high = max(canvas.px(24), view.h * view.h // self._whole)
            y = view.y + round((view.h - high) * self.at / self.most)
            canvas.box(pygame.Rect(view.right - canvas.px(inset), y, canvas.px(6), high), palette.EDGE, 3)
