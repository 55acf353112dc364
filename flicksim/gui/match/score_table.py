"""Score table at the end of a game."""

from collections.abc import Callable, Sequence

import pygame

from flicksim.gui.toolkit import Canvas, palette

TOTAL_ROW = "Points"
"""Label of the row drawn under a line in a larger font."""
Rows = Sequence[tuple[str, tuple[str, ...]]]
"""Rows: a label, and a text for each seat."""


def draw_header(
    canvas: Canvas, columns: Sequence[int], y: int, names: Sequence[str], draw_mark: Callable[[int], pygame.Surface],
    size: int = 15,
) -> int:  # fmt: skip
    """Draw the seats over their columns, each with its mark. Return their lower end [pixels]."""
    for seat, (name, x) in enumerate(zip(names, columns, strict=True)):
        sprite = draw_mark(seat)
        canvas.surface.blit(sprite, sprite.get_rect(center=(x, y + canvas.px(10))))
        canvas.text(name, (x, y + canvas.px(9 + size)), size, bold=True, anchor="midtop")
    return y + canvas.px(50)


def draw_rows(
    canvas: Canvas, label: int, columns: Sequence[int], right: int, y: int, table: Rows, steps: tuple[int, int],
    size: int = 15,
) -> int:  # fmt: skip
    """Draw the rows. Return their lower end [pixels].

    Args:
        label, right: left end of labels, right end of the line [pixels]. steps: height of a row, and of the last.
    """
    for name, values in table:
        is_total = name == TOTAL_ROW
        if is_total:
            canvas.line((label, y), (right, y), palette.BORDER, 1.0)
            y += canvas.px(size - 9)
        font_size = 18 if is_total else size
        canvas.text(name, (label, y), font_size, palette.TEXT if is_total else palette.MUTED_TEXT, bold=is_total)
        for value, x in zip(values, columns, strict=True):
            colour = palette.MUTED_TEXT if value == "–" else palette.TEXT
            canvas.text(value, (x, y), font_size, colour, bold=is_total, anchor="midtop")
        y += steps[is_total]
    return y
