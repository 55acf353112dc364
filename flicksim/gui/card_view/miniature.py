"""Base class of miniatures of card games for the main menu."""

import pygame

from flicksim.gui.toolkit import Canvas, palette

STEP_TIME = 0.55
"""Time until the next tile or card comes [s]."""


class CardMiniature:
    """Miniature of a card table on which an action is repeated."""

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Draw the miniature at a time [s]."""
        canvas.box(rect, palette.TABLECLOTH, 6)
        with canvas.clipped(rect):
            self.draw_step(canvas, rect, t)

    def draw_step(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Draw the action at a time [s]."""
