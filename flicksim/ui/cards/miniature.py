"""A card game in small, for the first screen."""

from __future__ import annotations

import pygame

from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas

STEP = 0.55
"""Time until the next tile or card comes [s]."""


class CardMiniature:
    """A cloth on which something happens over and over."""

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Show it as it is at a time [s]."""
        canvas.box(rect, palette.CLOTH, 6)
        with canvas.clipped(rect):
            self.play(canvas, rect, t)

    def play(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Play an action on the cloth."""
