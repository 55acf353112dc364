"""Window of the system: its size, scale and full screen."""

from collections.abc import Sequence

import pygame

from flicksim.core.errors import FlicksimError
from flicksim.gui.toolkit.piece_sprites import piece_sprite
from flicksim.gui.toolkit.user_folders import HEADLESS_DRIVERS

MIN_WINDOW_SIZE = (640, 480)
_MIN_UNITS = (820.0, 615.0)
"""Smallest window that every screen fits into [units]; it limits the scale."""
_SYSTEM_BARS = 72
"""Height reserved for the title bar and system bars on a small screen [pixels]."""


def clamp_window_size(size: tuple[int, int], desktops: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Clamp a window size to the first screen [pixels], less its title and the system's bars."""
    if not desktops or (size[0] <= desktops[0][0] and size[1] <= desktops[0][1]):
        return size
    width, height = desktops[0]
    return max(MIN_WINDOW_SIZE[0], min(size[0], width)), max(MIN_WINDOW_SIZE[1], min(size[1], height - _SYSTEM_BARS))


class Window:
    """Window of the system.

    Args:
        size: at first [pixels]. is_fullscreen: whether full screen opens directly, without a small window first.

    Raises:
        FlicksimError: no window can be opened here.
    """

    def __init__(self, size: tuple[int, int], *, is_fullscreen: bool) -> None:
        try:
            pygame.display.init()
            pygame.joystick.init()
            pygame.font.init()
            pygame.display.set_caption("flicksim")
            pygame.display.set_icon(piece_sprite(30.0, "blue", "penny", 0.0))
            if pygame.display.get_driver() not in HEADLESS_DRIVERS:
                size = clamp_window_size(size, pygame.display.get_desktop_sizes())
            if not is_fullscreen:
                pygame.display.set_mode(size, pygame.RESIZABLE)
        except pygame.error as error:
            raise FlicksimError(f"no window can be opened here: {error}") from None
        self._windowed_size = size
        self.is_fullscreen = False

    @property
    def surface(self) -> pygame.Surface:
        """Surface of the window."""
        return pygame.display.get_surface() or pygame.display.set_mode(self._windowed_size, pygame.RESIZABLE)

    @property
    def size(self) -> tuple[int, int]:
        """Size of the window [pixels]."""
        return self.surface.get_size()

    @property
    def usual_scale(self) -> float:
        """Pixels per unit without the player's preference: 1 in a window of 1280 x 800."""
        w, h = self.size
        return max(0.78, min(w / 1280.0, h / 800.0))

    @property
    def scale_limit(self) -> float:
        """Preference above which letters do not grow, as the window has no more room [1]."""
        w, h = self.size
        return max(1.0, min(w / _MIN_UNITS[0], h / _MIN_UNITS[1]) / self.usual_scale)

    def resize(self, width: int, height: int) -> None:
        """Follow the size that the system gives the window [pixels]."""
        size = (max(width, MIN_WINDOW_SIZE[0]), max(height, MIN_WINDOW_SIZE[1]))
        if not self.is_fullscreen and self.size != size:
            pygame.display.set_mode(size, pygame.RESIZABLE)

    def set_fullscreen(self, enabled: bool) -> str:
        """Switch full screen on or off, and return why that was not possible; empty if it was."""
        self.is_fullscreen = enabled
        try:
            if enabled:
                surface = pygame.display.get_surface()
                self._windowed_size = self._windowed_size if surface is None else surface.get_size()
                pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
            else:
                pygame.display.set_mode(self._windowed_size, pygame.RESIZABLE)
        except pygame.error as error:
            self.is_fullscreen = False
            pygame.display.set_mode(self._windowed_size, pygame.RESIZABLE)
            return f"The window cannot take the whole screen here: {error}."
        return ""
