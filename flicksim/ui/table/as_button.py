"""A key that is as good as the mouse's button, for touchpads: held down it presses, let go it lets go."""

from __future__ import annotations

from collections.abc import Callable

import pygame

KEY = pygame.K_m
"""The same at every table and on every practice mat."""


class AsButton:
    """The key as a button.

    Args:
        mouse: takes the events of the button.
    """

    def __init__(self, mouse: Callable[[pygame.event.Event], None]) -> None:
        self._mouse, self._down = mouse, False

    def press(self, event: pygame.event.Event, area: pygame.Rect) -> bool:
        """Take a key that went down, where the pointer is in that part of the window; whether it was this one."""
        if event.key != KEY:
            return False
        at = pygame.mouse.get_pos()
        if not self._down and area.collidepoint(at):
            self._down = True
            self._mouse(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))
        return True

    def release(self, event: pygame.event.Event) -> bool:
        """Take a key that came up; whether it was this one, held down."""
        held = self._down and event.key == KEY
        if held:
            self._down = False
            self._mouse(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pygame.mouse.get_pos(), button=1))
        return held
