"""Keys held down: which of their repetitions count."""

import pygame

_NON_REPEATING_KEYS = (
    pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_ESCAPE, pygame.K_F2, pygame.K_F7, pygame.K_F8,
    pygame.K_F9, pygame.K_F11, pygame.K_F12, pygame.K_u, pygame.K_p, pygame.K_s, pygame.K_f, pygame.K_h, pygame.K_r,
    pygame.K_n, pygame.K_v,
)  # fmt: skip
"""Keys that do not repeat while held down."""


class PressedKeys:
    """Keys held down, with the screen on top when they were pressed."""

    def __init__(self) -> None:
        self._screens: dict[int, object] = {}

    def accepts(self, event: pygame.event.Event, screen: object) -> bool:
        """Follow an event; False for the repetition of a key that counts no more than once.

        A key held down presses a button once, and does nothing on the screen that it opened.

        Args:
            screen: on top now.
        """
        match event.type:
            case pygame.WINDOWFOCUSLOST:
                self._screens.clear()
            case pygame.KEYUP:
                self._screens.pop(event.key, None)
            case pygame.KEYDOWN:
                is_repeated = event.key in self._screens
                if is_repeated and (event.key in _NON_REPEATING_KEYS or self._screens[event.key] is not screen):
                    return False
                self._screens[event.key] = screen
        return True
