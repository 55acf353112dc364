"""Activity card: a floating card of a challenge or lesson beside a match."""

from collections.abc import Sequence

import pygame

from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Turn
from flicksim.referee import Challenge

_WIDTH, _PADDING = 460.0, 12.0
"""Greatest width of a card, and its margin [units]."""
_SMALLER = (0.0, 1.0, 2.0)
"""Reductions of the letters that are tried where the area is too low [units]."""


class ActivityCard:
    """Base class of cards beside a match, notified of every turn shown and of Esc."""

    title, text, note = "", "", ""
    """Texts on the card: title, description, and a smaller line."""
    feedback = ""
    """Feedback on the last flick; it outlasts a new table."""
    allows_hints = True
    """True if the table may give hints while the card is shown."""
    shown_puzzle: Challenge | None = None
    """Puzzle whose solution is demonstrated at the table; None without one."""
    is_done = False
    """True while the card shows that a step is completed."""

    def __init__(self) -> None:
        self._area = pygame.Rect(0, 0, 1, 1)
        self.rect = pygame.Rect(0, 0, 0, 0)

    def on_turns(self, turns: Sequence[Turn], *, is_idle: bool) -> None:
        """Handle turns that have been shown; `is_idle`: nothing is being simulated or shown now."""

    def update(self, dt: float) -> None:
        """Advance time [s]."""

    def on_demo_shown(self) -> None:
        """Handle the start of the demonstration shot."""

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key before the table does; return True if it was used."""
        del event
        return False

    def on_escape(self) -> None:
        """Handle Esc where the table does not use it."""

    def on_window_closed(self) -> None:
        """Handle the end of the window."""

    def set_area(self, area: pygame.Rect) -> None:
        """Set the area of the window that holds the card."""
        self._area = area

    def draw(self, canvas: Canvas) -> None:
        """Draw the card, as high as its text needs."""
        pad = canvas.px(_PADDING)
        width = min(canvas.px(_WIDTH), self._area.w)
        text_width, edge = width - 2 * pad, palette.GOOD if self.is_done else palette.ACCENT
        muted = palette.MUTED_TEXT
        texts = ((self.title, 15, edge, True), (self.text, 15, palette.TEXT, False), (self.note, 13, muted, False))
        for smaller in _SMALLER:
            lines = [
                (line, size - smaller, colour, bold)
                for text, size, colour, bold in texts
                for line in (canvas.wrap(text, text_width, size - smaller, bold=bold) if text else ())
            ]
            height = sum(canvas.line_height(size) for _, size, *_ in lines) + 2 * pad
            if height + pad <= self._area.h:
                break
        self.rect = pygame.Rect(self._area.right - width, self._area.bottom - height - pad, width, height)
        canvas.translucent_rect(self.rect.move(0, canvas.px(3)), palette.OVERLAY_SHADE, 90)
        canvas.box(self.rect, palette.PANEL, 10, edge)
        x, y = self.rect.x + pad, self.rect.y + pad
        for line, size, colour, bold in lines:
            canvas.text(line, (x, y), size, colour, bold=bold)
            y += canvas.line_height(size)
