"""Marks and scores of the seats."""

from collections.abc import Callable, Sequence

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.toolkit import Canvas, palette, piece_sprites


def seat_mark(canvas: Canvas, seats: Sequence[str], radius: float, seat: int) -> pygame.Surface:
    """Mark of a seat in its colour, with a radius [units]."""
    return piece_sprites.piece_sprite(canvas.px(radius), palette.seat_key(seat, seats), "penny", 0.0)


def draw_seat_mark(canvas: Canvas, seats: Sequence[str], radius: float, seat: int, center: Point) -> None:
    """Draw the mark of a seat around a point [pixels]."""
    mark = seat_mark(canvas, seats, radius, seat)
    canvas.surface.blit(mark, mark.get_rect(center=center))


def draw_score_line(
    canvas: Canvas, rect: pygame.Rect, texts: Sequence[str], draw_mark: Callable[[int, tuple[int, int]], None],
    gaps: tuple[float, float],
) -> int:  # fmt: skip
    """Draw the scores of all seats side by side, in as many lines as they need. Return their lower end [pixels].

    Args:
        canvas, rect: where to draw. texts: by seat. draw_mark: draws the mark of a seat around a point [pixels].
            gaps: between the lines and below them [units].
    """
    x, y, step = rect.x, rect.y, canvas.line_height(14) + canvas.px(gaps[0])
    for seat, text in enumerate(texts):
        wide = canvas.text_width(text, 14, bold=True) + canvas.px(34)
        if x + wide > rect.right:
            x, y = rect.x, y + step
        draw_mark(seat, (x + canvas.px(8), y + step // 2))
        canvas.text(text, (x + canvas.px(20), y), 14, bold=True)
        x += wide
    return y + step + canvas.px(gaps[1])
