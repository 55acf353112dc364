"""Score table at the end of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas

TOTAL_ROW = "Points"
"""The row that is drawn under a line and in larger letters."""
Rows = Sequence[tuple[str, tuple[str, ...]]]
"""A label, and a word for each seat."""


def draw_header(
    canvas: Canvas, columns: Sequence[int], y: int, names: Sequence[str], draw_mark: Callable[[int], pygame.Surface],
    size: int = 15,
) -> int:  # fmt: skip
    """Draw the seats over their columns, each with its mark; return where they end [pixels]."""
    for seat, (name, x) in enumerate(zip(names, columns, strict=True)):
        drawn = draw_mark(seat)
        canvas.surface.blit(drawn, drawn.get_rect(center=(x, y + canvas.px(10))))
        canvas.text(name, (x, y + canvas.px(9 + size)), size, bold=True, anchor="midtop")
    return y + canvas.px(50)


def draw_rows(
    canvas: Canvas, label: int, columns: Sequence[int], right: int, y: int, table: Rows, steps: tuple[int, int],
    size: int = 15,
) -> int:  # fmt: skip
    """Draw the rows; return where they end [pixels].

    Args:
        label: where labels begin, right: where the line ends [pixels]. steps: down from each row, and from the last.
    """
    for name, values in table:
        last = name == TOTAL_ROW
        if last:
            canvas.line((label, y), (right, y), palette.BORDER, 1.0)
            y += canvas.px(size - 9)
        high = 18 if last else size
        canvas.text(name, (label, y), high, palette.TEXT if last else palette.MUTED_TEXT, bold=last)
        for value, x in zip(values, columns, strict=True):
            canvas.text(
                value, (x, y), high, palette.MUTED_TEXT if value == "–" else palette.TEXT, bold=last, anchor="midtop"
            )
        y += steps[last]
    return y
