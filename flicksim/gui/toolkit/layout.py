"""Layout of widgets in rows, columns and grids [pixels]."""

from collections.abc import Sequence

import pygame

from flicksim.gui.toolkit.widgets import Widget


def place_in_grid(
    widgets: Sequence[Widget], area: pygame.Rect, row_height: int, gap: int, columns: int = 1, *,
    at_bottom: bool = False,
) -> pygame.Rect:  # fmt: skip
    """Place widgets row by row in equal columns, from the top or at the bottom of an area. Return their rectangle."""
    rows, wide = -(-len(widgets) // columns), (area.w - (columns - 1) * gap) // columns
    height = rows * (row_height + gap) - gap
    top = area.bottom - height if at_bottom else area.y
    for k, widget in enumerate(widgets):
        x, y = area.x + k % columns * (wide + gap), top + k // columns * (row_height + gap)
        widget.rect = pygame.Rect(x, y, wide, row_height)
    return pygame.Rect(area.x, top, area.w, height)


def place_in_row(widgets: Sequence[Widget], row: pygame.Rect, gap: int, shares: Sequence[float]) -> None:
    """Place widgets from left to right, each with a share of the width of a row."""
    x = row.x
    for widget, share in zip(widgets, shares, strict=True):
        widget.rect = pygame.Rect(x, row.y, round(row.w * share), row.h)
        x = widget.rect.right + gap


def place_at_bottom(
    widgets: Sequence[Widget], area: pygame.Rect, size: tuple[int, int], gap: int, margin: int
) -> pygame.Rect:
    """Place widgets of one size side by side in the middle, over the lower margin of an area. Return their
    rectangle."""
    width, height = size
    row_width = len(widgets) * (width + gap) - gap
    row = pygame.Rect(area.centerx - row_width // 2, area.bottom - margin - height, row_width, height)
    return place_in_grid(widgets, row, height, gap, len(widgets))
