"""Saved game being loaded, and how far it is."""

from collections.abc import Callable

import pygame

from flicksim.ai import stop_if_cancelled
from flicksim.gui.match.saved_games import OnTurn, ResumedGame
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import BackgroundTask


class GameLoading(BackgroundTask[ResumedGame]):
    """Game being replayed on a background thread, up to where it was left.

    Args:
        replay: replays it; given a function to be called after each turn with the number of turns replayed, and of all.
    """

    def __init__(self, replay: Callable[[OnTurn], ResumedGame]) -> None:
        self._turns = (0, 0)
        super().__init__(lambda: replay(self._on_turn))

    def _on_turn(self, replayed: int, count: int) -> None:
        stop_if_cancelled()
        self._turns = replayed, count

    def draw(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw how far it is: a line of text, with a bar under it."""
        replayed, count = self._turns
        text = f"Turn {replayed} of {count} is played again ..." if count else "The game is played again ..."
        y = canvas.paragraph(text, rect, 14, palette.ACCENT)
        canvas.progress_bar(pygame.Rect(rect.x, y, rect.w, canvas.px(4)), replayed / max(1, count))
