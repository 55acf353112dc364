"""LRU cache of rendered surfaces and text, limited in bytes.

Surfaces differ much in size, so that a limit on their number would not limit memory.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import ParamSpec

import pygame

from flicksim.render import Pixels

CAPACITY = 64_000_000
"""Capacity of the cache [bytes]: several times the need of one frame."""
P = ParamSpec("P")


class SurfaceCache:
    """LRU cache of surfaces by key; thread-safe.

    Args:
        capacity: of all surfaces together [bytes].
    """

    def __init__(self, capacity: int) -> None:
        self.capacity, self.size = capacity, 0
        self._entries: OrderedDict[Hashable, pygame.Surface] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get_or_draw(self, key: Hashable, draw: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return the surface of a key, drawing it if missing; one above the capacity is not cached."""
        with self._lock:
            surface = self._entries.get(key)
            if surface is not None:
                self._entries.move_to_end(key)
                return surface
        surface = draw()  # may use the cache itself
        with self._lock:
            if key not in self._entries and _size_in_bytes(surface) <= self.capacity:
                self._entries[key] = surface
                self.size += _size_in_bytes(surface)
            while self.size > self.capacity:
                self.size -= _size_in_bytes(self._entries.popitem(last=False)[1])
        return surface

    def clear(self) -> None:
        """Drop all cached surfaces."""
        with self._lock:
            self._entries.clear()
            self.size = 0


def _size_in_bytes(surface: pygame.Surface) -> int:
    """Size of a surface [bytes]."""
    return surface.get_pitch() * surface.get_height()


CACHE = SurfaceCache(CAPACITY)
"""Cache of the process."""


def cached_surface(draw: Callable[P, pygame.Surface]) -> Callable[P, pygame.Surface]:
    """Decorator that caches the surface a function draws, by its arguments and the palette."""

    @wraps(draw)
    def cached(*args: P.args, **kwargs: P.kwargs) -> pygame.Surface:
        return CACHE.get_or_draw((draw, args, *kwargs.items()), lambda: draw(*args, **kwargs))

    return cached


def surface_of(pixels: Pixels) -> pygame.Surface:
    """Convert pixels to a surface, in the window's byte order where there is one: others are slow."""
    height, width, depth = pixels.shape
    surface = pygame.image.frombuffer(pixels.tobytes(), (width, height), "RGBA" if depth == 4 else "RGB")
    if not pygame.display.get_init() or pygame.display.get_surface() is None:
        return surface
    return surface.convert_alpha() if depth == 4 else surface.convert()
