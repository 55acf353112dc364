"""Status line at the bottom of the window."""

import pygame

from flicksim.gui.toolkit import Canvas, palette

STATUS_LINE_HEIGHT = 24.0
"""Height of the status line [units]."""
_SEPARATOR = "   ·   "
"""Separator of items of the status line."""
_STYLES = ((_SEPARATOR, 13.0), ("  ·  ", 12.0), ("  ·  ", 11.0))
"""Separators and sizes of letters [units]; items are left out where none fits."""


def draw_status_line(canvas: Canvas, text: str) -> None:
    """Draw the status line: the actions available now."""
    w, h = canvas.surface.get_size()
    strip = pygame.Rect(0, h - round(STATUS_LINE_HEIGHT * canvas.scale), w, round(STATUS_LINE_HEIGHT * canvas.scale))
    canvas.box(strip, palette.INSET_BACKGROUND)
    canvas.line(strip.topleft, strip.topright, palette.BORDER, 1.0)
    pad, items = canvas.px(14), text.split(_SEPARATOR)
    width = strip.w - 2 * pad

    def fitting_line() -> tuple[str, float] | None:
        lines = ((separator.join(items), size) for separator, size in _STYLES)
        return next((line for line in lines if canvas.text_width(*line) <= width), None)

    while (line := fitting_line()) is None and len(items) > 2:
        del items[-3]  # the last two, help and menu, stay: they lead to the others
    fitted, size = line or (_SEPARATOR.join(items), 11.0)
    canvas.text(fitted, (strip.x + pad, strip.centery), size, palette.TEXT, anchor="midleft", max_width=width)
