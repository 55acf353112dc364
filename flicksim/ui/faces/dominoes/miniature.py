"""Dominoes in small: a line of tiles grows."""

from __future__ import annotations

import pygame

from flicksim.ui.cards import tile_faces
from flicksim.ui.cards.miniature import STEP, CardMiniature
from flicksim.ui.kit.canvas import Canvas

_LINE = ((6, 6), (6, 2), (2, 2), (2, 5), (5, 1), (1, 1), (1, 4))


class Line(CardMiniature):
    """Tiles come to a line one by one."""

    def play(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """As many tiles as have come, the last on its way."""
        side = max(6, min(rect.h // 4, rect.w // 13))
        shown = t % (STEP * (len(_LINE) + 4)) / STEP
        # a double stands across the line and takes half as much of it
        wide = [side if a == b else 2 * side for a, b in _LINE]
        x = rect.centerx - (sum(wide) + 2 * len(wide)) // 2
        for k, (first, second) in enumerate(_LINE):
            if k < shown:
                picture = tile_faces.tile(first, second, side - 1, first == second)
                late = max(0.0, 1.0 - (shown - k) * 2.0)
                at = picture.get_rect(center=(x + wide[k] // 2, rect.centery + round(late * late * rect.h)))
                canvas.surface.blit(picture, at)
            x += wide[k] + 2
