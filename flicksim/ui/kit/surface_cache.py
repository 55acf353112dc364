"""Pictures that were drawn once, and written words: kept while they are used and there is room, measured in bytes.

A large window or a near look makes large pictures; counting them would let a few hundred fill the memory.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import ParamSpec

import pygame

from flicksim.drawing import Pixels

ROOM = 64_000_000
"""Memory of all kept pictures together [bytes]: several times what one frame shows."""
P = ParamSpec("P")


class SurfaceCache:
    """Pictures by what they show; those not seen for the longest time make room. Every thread may look.

    Args:
        room: for all of them together [bytes].
    """

    def __init__(self, room: int) -> None:
        self.room, self.taken = room, 0
        self._kept: OrderedDict[Hashable, pygame.Surface] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, what: Hashable, draw: Callable[[], pygame.Surface]) -> pygame.Surface:
        """The picture of that, drawn if it is not there; one larger than all the room is not kept."""
        with self._lock:
            picture = self._kept.get(what)
            if picture is not None:
                self._kept.move_to_end(what)
                return picture
        picture = draw()  # a drawing may look for others
        with self._lock:
            if what not in self._kept and _bytes(picture) <= self.room:
                self._kept[what] = picture
                self.taken += _bytes(picture)
            while self.taken > self.room:
                self.taken -= _bytes(self._kept.popitem(last=False)[1])
        return picture

    def clear(self) -> None:
        """Forget them all."""
        with self._lock:
            self._kept.clear()
            self.taken = 0


def _bytes(picture: pygame.Surface) -> int:
    """Size of a picture [bytes]."""
    return picture.get_pitch() * picture.get_height()


ALBUM = SurfaceCache(ROOM)
"""The one of this program."""


def picture(draw: Callable[P, pygame.Surface]) -> Callable[P, pygame.Surface]:
    """Keep what a function draws; its arguments say all that it shows, but for the palette."""

    @wraps(draw)
    def found(*args: P.args, **kwargs: P.kwargs) -> pygame.Surface:
        return ALBUM.find((draw, args, *kwargs.items()), lambda: draw(*args, **kwargs))

    return found


def surface_of(pixels: Pixels) -> pygame.Surface:
    """Pixels as a picture of pygame's, in the order of bytes of the window where there is one: others are slow."""
    high, wide, deep = pixels.shape
    made = pygame.image.frombuffer(pixels.tobytes(), (wide, high), "RGBA" if deep == 4 else "RGB")
    if not pygame.display.get_init() or pygame.display.get_surface() is None:
        return made
    return made.convert_alpha() if deep == 4 else made.convert()
