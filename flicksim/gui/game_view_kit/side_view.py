"""Parts of the side views of flights."""

from collections.abc import Sequence

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.table_view.side_plane import SidePlane, draw_note
from flicksim.gui.toolkit import Canvas, palette


def inner_rect(canvas: Canvas, area: pygame.Rect, margin: float, caption_height: float) -> pygame.Rect:
    """Rectangle of a side view in an area, under its caption and within a margin [units]."""
    pad, head = canvas.px(margin), canvas.px(caption_height)
    return pygame.Rect(area.x + pad, area.y + head, area.w - 2 * pad, area.h - head - pad)


def draw_predicted_arc(
    canvas: Canvas, plane: SidePlane, points: Sequence[Point], *, is_illegal: bool = False, stride: int = 1
) -> None:
    """Draw a predicted flight: dashed, its apex and end marked.

    Args:
        canvas, plane: where to draw. points: distances and heights [m]. is_illegal: True if the rules refuse the shot.
            stride: number of points to a dash or gap.
    """
    if len(points) < 2:
        return
    colour = palette.TABLE_BAD if is_illegal else palette.HIGHLIGHT
    dashes = [plane.to_screen(*p) for p in (points if stride == 1 else [*points[::stride], points[-1]])]
    for k in range(0, len(dashes) - 1, 2):
        canvas.line(dashes[k], dashes[k + 1], colour, max(1.5, canvas.px(2)))
    top = max(points, key=lambda p: p[1])
    x, y = plane.to_screen(*top)
    draw_note(canvas, f"{top[1] * 1000:.0f} high", (x, y - canvas.px(3)), colour)
    canvas.circle(dashes[-1], canvas.px(4), colour, canvas.px(1.5))
