"""Notice: a text over the screen on top, for a few seconds."""

from collections.abc import Sequence

import pygame

from flicksim.gui.toolkit import Canvas, palette

_NOTICE_TIME = 5.0
"""Time for which a notice is shown [s]."""


class Notice:
    """Notice of the window, of one screen: over another it is shown no longer."""

    def __init__(self) -> None:
        self.text, self._time_left = "", 0.0
        self._screen: object = None
        """Screen on top when it was first drawn."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        """Rectangle of the last one [pixels]."""

    def show(self, text: str) -> None:
        """Show a text, over the screen on top when it is drawn next."""
        self.text, self._time_left = text, _NOTICE_TIME + len(text) / 40.0
        self._screen = None

    def hide(self) -> None:
        """Show it no longer."""
        self._time_left = 0.0

    def press(self, place: tuple[int, int]) -> bool:
        """Hide it, as the mouse is pressed at a place; True if it covered that."""
        is_shown, self._time_left = self._time_left > 0.0, 0.0
        return is_shown and self.rect.collidepoint(place)

    def update(self, dt: float, screen: object) -> bool:
        """Advance time by dt [s], with that screen on top; True if it is shown."""
        self._screen = screen if self._screen is None else self._screen
        self._time_left = self._time_left - dt if self._screen is screen else 0.0
        return self._time_left > 0.0

    def draw(self, canvas: Canvas, area: pygame.Rect, kept_clear: Sequence[pygame.Rect]) -> None:
        """Draw it at the bottom of an area, or higher where it would cover one of these rectangles [pixels]."""
        gap = canvas.px(10)
        width = min(canvas.px(620), area.w - canvas.px(40))
        lines = canvas.wrap(self.text, width - canvas.px(28), 14)
        rect = pygame.Rect(0, 0, width, len(lines) * canvas.line_height(14) + canvas.px(18))
        rect.midbottom = (area.centerx, area.bottom - gap)
        self.rect = rect = _moved_up(rect, kept_clear, area.y, gap)
        canvas.box(rect, palette.RAISED_PANEL, 8, palette.ACCENT)
        for k, line in enumerate(lines):
            canvas.text(line, (rect.centerx, rect.y + canvas.px(9) + k * canvas.line_height(14)), 14, anchor="midtop")


def _moved_up(rect: pygame.Rect, kept_clear: Sequence[pygame.Rect], top: int, gap: int) -> pygame.Rect:
    """Move a rectangle up until it covers none of the others, with a gap; as it was where that passes `top`."""
    moved = rect.copy()
    while (hit := moved.collidelist(kept_clear)) >= 0:
        moved.bottom = kept_clear[hit].y - gap
    return moved if moved.y >= top else rect
