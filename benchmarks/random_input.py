"""Random user input for the window: keys, clicks on and beside widgets, drags, the wheel, resizing, dropped files."""

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pygame

from flicksim.gui.app import App

_KEYS_USED = (
    pygame.K_SPACE, pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_TAB, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP,
    pygame.K_DOWN, pygame.K_HOME, pygame.K_END, pygame.K_PAGEUP, pygame.K_PAGEDOWN, pygame.K_BACKSPACE, pygame.K_DELETE,
    *range(pygame.K_a, pygame.K_z + 1), *range(pygame.K_0, pygame.K_9 + 1), pygame.K_PERIOD, pygame.K_COMMA,
    pygame.K_PLUS, pygame.K_MINUS, pygame.K_EQUALS, pygame.K_F1, pygame.K_F2, pygame.K_F9, pygame.K_F11,
    pygame.K_F12,
)  # fmt: skip
_CONTINUE_KEYS = (pygame.K_SPACE, pygame.K_RETURN)
_MODS = (0, 0, 0, 0, pygame.KMOD_SHIFT, pygame.KMOD_CTRL, pygame.KMOD_SHIFT | pygame.KMOD_CTRL, pygame.KMOD_ALT)
_TYPED = ("?", "+", "-", "0", "é", "\u00df", "\U0001f3b2", "\x00", "\x1b", "/", "1e9", "")
_HISTORY_LENGTH = 14

Pixel = tuple[int, int]


class RandomInput:
    """A user who does random things.

    Args:
        app: the window. rng: the random generator. files: paths that may be dropped on the window.
    """

    def __init__(self, app: App, rng: np.random.Generator, files: Sequence[Path]) -> None:
        self._app, self._rng, self._files = app, rng, files
        self._dragging = 0
        self.recent_events: deque[str] = deque(maxlen=_HISTORY_LENGTH)
        """The last events posted, for the report of a failure."""

    def act(self) -> None:
        """Post the events of one random action."""
        rng, kind = self._rng, self._rng.random()
        if self._dragging:
            self._continue_drag()
        elif kind < 0.30:
            self.key(int(rng.choice(_KEYS_USED)), int(rng.choice(_MODS)))
        elif kind < 0.42:
            self.key(int(rng.choice(_CONTINUE_KEYS)))
        elif kind < (0.48 if self._app.top.is_transparent else 0.43):  # close an overlay over the board
            self.key(pygame.K_ESCAPE)
        elif kind < 0.50:
            text = str(rng.choice(_TYPED))
            self._post(pygame.KEYDOWN, key=0, mod=0, unicode=text, scancode=0)
        elif kind < 0.66:
            self._click(self._random_point(), int(rng.choice([1, 1, 1, 1, 1, 1, 2, 3])))
        elif kind < 0.84:
            self._begin_drag()
        elif kind < 0.90:
            at = self._random_point()
            self._post(pygame.MOUSEMOTION, pos=at, rel=(int(rng.integers(-50, 50)), 3), buttons=(0, 0, 0))
        elif kind < 0.96:
            self._post(pygame.MOUSEWHEEL, x=0, y=int(rng.integers(-4, 5)), flipped=False)
        elif kind < 0.985:
            size = (int(rng.integers(200, 2000)), int(rng.integers(150, 1300)))
            self._post(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size)
        elif kind < 0.99:
            self._post(pygame.WINDOWFOCUSLOST)
        elif self._files:
            self._post(pygame.DROPFILE, file=str(self._files[int(rng.integers(len(self._files)))]))

    def key(self, key: int, mod: int = 0) -> None:
        """Press and release a key; sometimes hold it down."""
        text = chr(key) if 32 <= key < 127 and not mod & pygame.KMOD_CTRL else ""
        text = text.upper() if mod & pygame.KMOD_SHIFT else text
        for _ in range(1 if self._rng.random() < 0.95 else 5):
            self._post(pygame.KEYDOWN, key=key, mod=mod, unicode=text, scancode=0)
        self._post(pygame.KEYUP, key=key, mod=mod, unicode=text, scancode=0)

    def quit(self) -> None:
        """Close the window, whatever it is doing."""
        self._post(pygame.QUIT)

    def _click(self, at: Pixel, button: int) -> None:
        self._move_pointer(at)
        self._post(pygame.MOUSEBUTTONDOWN, pos=at, button=button)
        self._post(pygame.MOUSEBUTTONUP, pos=at, button=button)

    def _begin_drag(self) -> None:
        """Start a drag over some frames; the button is usually released at the end."""
        at = self._random_point()
        self._move_pointer(at)
        self._post(pygame.MOUSEBUTTONDOWN, pos=at, button=int(self._rng.choice([1, 1, 1, 1, 2])))
        self._dragging = int(self._rng.integers(2, 8))
        self._from = at

    def _continue_drag(self) -> None:
        self._dragging -= 1
        step = self._rng.normal(0.0, 60.0, 2)
        at = (int(self._from[0] + step[0]), int(self._from[1] + step[1]))
        self._from = at
        self._post(pygame.MOUSEMOTION, pos=at, rel=(int(step[0]), int(step[1])), buttons=(1, 0, 0))
        if not self._dragging and self._rng.random() < 0.95:
            self._post(pygame.MOUSEBUTTONUP, pos=at, button=1)
            self._post(pygame.MOUSEBUTTONUP, pos=at, button=2)

    def _random_point(self) -> Pixel:
        """A point on a visible widget or anywhere, including just outside the window."""
        rng, (w, h) = self._rng, self._app.size
        widgets = self._widgets()
        if widgets and rng.random() < 0.6:
            rect = widgets[int(rng.integers(len(widgets)))].rect
            return (int(rect.x + rng.random() * rect.w), int(rect.y + rng.random() * rect.h))
        return (int(rng.integers(-5, w + 5)), int(rng.integers(-5, h + 5)))

    def _widgets(self) -> list[Any]:
        form = getattr(self._app.top, "form", None) if self._app.screens else None
        return [widget for widget in getattr(form, "widgets", ()) if widget.rect.w]

    def _move_pointer(self, at: Pixel) -> None:
        pygame.mouse.set_pos(at)
        self._post(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))

    def _post(self, kind: int, **attributes: Any) -> None:
        self.recent_events.append(f"{pygame.event.event_name(kind)} {attributes}")
        pygame.event.post(pygame.event.Event(kind, **attributes))
