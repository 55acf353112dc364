"""A box over whatever is shown: the base of all pages, questions and results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist

import pygame

from flicksim.ui.frame.app import App, Screen
from flicksim.ui.kit import keys, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.widgets import Button

_PLACES = 9
"""Places beside one another that a box may be moved to."""
_LINE = 24.0
"""Height of the line at the foot [units]."""


class Overlay(Screen):
    """A box in the middle of the window, the rest dimmed.

    Args:
        wide, high: its size [units]; smaller where the window is.
    """

    clear = True
    own: Callable[[], None] | None = None
    """Lets somebody at the table below own up, where there is anything to own up to."""

    def __init__(self, app: App, wide: float, high: float) -> None:
        super().__init__(app)
        self._wide, self._high = wide, high
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.form = Form([])

    @property
    def moves(self) -> bool:
        """Nothing on it does."""
        return False

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """In the middle."""
        w, h = min(round(self._wide * scale), size[0] - 16), min(round(self._high * scale), size[1] - 16)
        self.rect = pygame.Rect((size[0] - w) // 2, (size[1] - h) // 2, w, h)

    def stand_clear(self, pieces: Sequence[tuple[float, float]]) -> None:
        """Move the box to where it covers fewest of these points [pixels], the nearest of such places to the middle."""
        w, h = self.app.size
        gap, line = round(8 * self.app.scale), round(_LINE * self.app.scale)
        room = pygame.Rect(gap, gap, w - 2 * gap, h - line - 2 * gap)
        own, home = self.rect.clamp(room), self.rect.center
        places = [own]
        for share in range(_PLACES):
            x = room.x + (room.w - own.w) * share // (_PLACES - 1)
            places += [pygame.Rect(x, y, own.w, own.h) for y in (room.y, own.y, room.bottom - own.h)]

        def covers(place: pygame.Rect) -> tuple[int, float]:
            near = place.inflate(2 * gap, 2 * gap)
            return sum(near.collidepoint(at) for at in pieces), dist(place.center, home)

        self.rect = min(places, key=covers)

    def stack(self, wide: float, high: float, step: float, foot: float) -> None:
        """Put the buttons one below the other, down to the foot [units]."""
        scale, count = self.app.scale, len(self.form.widgets)
        w = min(round(wide * scale), self.rect.w - round(40 * scale))
        for k, widget in enumerate(self.form.widgets):
            y = self.rect.bottom - round(foot * scale) - (count - k) * round(step * scale)
            widget.rect = pygame.Rect(self.rect.centerx - w // 2, y, w, round(high * scale))

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        return "Up Down, Tab go about   ·   Enter presses   ·   Esc back"

    def handle(self, event: pygame.event.Event) -> None:
        """Buttons go by their keys; Esc goes back where none has it."""
        if (button := self.form.keyed(event)) is not None:
            button.action()
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
        elif event.type == pygame.KEYDOWN and keys.meant(event) == "own up" and self.own is not None:
            self._owned()
        else:
            self.form.handle(event)

    def _owning(self, own: Callable[[], None] | None) -> list[Button]:
        """The button to own up by, where there is anything to own up to."""
        self.own = own
        return [] if own is None else [Button("Own up to something", self._owned, key="F3")]

    def _owned(self) -> None:
        self.app.pop()
        if self.own is not None:
            self.own()

    def draw(self, canvas: Canvas) -> None:
        """The box; the window has dimmed what is below."""
        canvas.box(self.rect, palette.PANEL, 12, palette.EDGE)
        self.form.draw(canvas)
