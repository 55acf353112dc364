"""The table at the end of a game: a row for each thing that was counted, a column for each seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas

LAST = "Points"
"""The row that is drawn under a line and in larger letters."""
Rows = Sequence[tuple[str, tuple[str, ...]]]
"""A label, and a word for each seat."""


def heads(
    canvas: Canvas, columns: Sequence[int], y: int, names: Sequence[str], mark: Callable[[int], pygame.Surface],
    size: int = 15,
) -> int:  # fmt: skip
    """Draw the seats over their columns, each with its mark; return where they end [pixels]."""
    for seat, (name, x) in enumerate(zip(names, columns, strict=True)):
        drawn = mark(seat)
        canvas.surface.blit(drawn, drawn.get_rect(center=(x, y + canvas.px(10))))
        canvas.text(name, (x, y + canvas.px(9 + size)), size, bold=True, anchor="midtop")
    return y + canvas.px(50)


def rows(
    canvas: Canvas, label: int, columns: Sequence[int], right: int, y: int, table: Rows, steps: tuple[int, int],
    size: int = 15,
) -> int:  # fmt: skip
    """Draw the rows; return where they end [pixels].

    Args:
        label: where labels begin, right: where the line ends [pixels]. steps: down from each row, and from the last.
    """
    for name, values in table:
        last = name == LAST
        if last:
            canvas.line((label, y), (right, y), palette.EDGE, 1.0)
            y += canvas.px(size - 9)
        high = 18 if last else size
        canvas.text(name, (label, y), high, palette.TEXT if last else palette.FAINT, bold=last)
        for value, x in zip(values, columns, strict=True):
            canvas.text(
                value, (x, y), high, palette.FAINT if value == "–" else palette.TEXT, bold=last, anchor="midtop"
            )
        y += steps[last]
    return y
