"""Mouse-button key for touchpads: acts as the left button while held down."""

from collections.abc import Callable

import pygame

MOUSE_KEY = pygame.K_m
"""Key that acts as a mouse button at every table."""


class MouseKey:
    """Key that acts as a mouse button.

    Args:
        handle_mouse: receives the events of the button.
    """

    def __init__(self, handle_mouse: Callable[[pygame.event.Event], None]) -> None:
        self._handle_mouse, self._is_pressed = handle_mouse, False

    def press(self, event: pygame.event.Event, area: pygame.Rect) -> bool:
        """Handle a key press with the pointer in a rectangle; return True if it was this key."""
        if event.key != MOUSE_KEY:
            return False
        position = pygame.mouse.get_pos()
        if not self._is_pressed and area.collidepoint(position):
            self._is_pressed = True
            self._handle_mouse(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=position, button=1))
        return True

    def release(self, event: pygame.event.Event) -> bool:
        """Handle a key release; return True if it was this key, held down."""
        is_held = self._is_pressed and event.key == MOUSE_KEY
        if is_held:
            self._is_pressed = False
            self._handle_mouse(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pygame.mouse.get_pos(), button=1))
        return is_held
