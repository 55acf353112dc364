"""Overlay: a box over the current screen, base of pages, questions and results."""

from collections.abc import Callable, Sequence
from math import dist

import pygame

from flicksim.gui.app.application import App, Screen
from flicksim.gui.toolkit import Button, Canvas, Form, key_bindings, palette

_ANCHORS = 9
"""Number of positions in a row that a box may be moved to."""


class Overlay(Screen):
    """Box in the middle of the window; the rest is dimmed.

    Args:
        width, height: its size [units]; smaller where the window is.
    """

    is_transparent = True
    self_report: Callable[[], None] | None = None
    """Opens a self-report at the table below; None if none is possible."""

    def __init__(self, app: App, width: float, height: float) -> None:
        super().__init__(app)
        self._width, self._height = width, height
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.form = Form([])

    @property
    def is_animating(self) -> bool:
        """Return False: nothing on an overlay moves."""
        return False

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the box in the middle of the window."""
        w, h = min(round(self._width * scale), size[0] - 16), min(round(self._height * scale), size[1] - 16)
        self.rect = pygame.Rect((size[0] - w) // 2, (size[1] - h) // 2, w, h)

    def avoid_points(self, points: Sequence[tuple[float, float]]) -> None:
        """Move the box to the place nearest the middle that covers the fewest of these points [pixels]."""
        gap = round(8 * self.app.scale)
        area = self.app.screen_area.inflate(-2 * gap, -2 * gap)
        own, home = self.rect.clamp(area), self.rect.center
        places = [own]
        for share in range(_ANCHORS):
            x = area.x + (area.w - own.w) * share // (_ANCHORS - 1)
            places += [pygame.Rect(x, y, own.w, own.h) for y in (area.y, own.y, area.bottom - own.h)]

        def cost(place: pygame.Rect) -> tuple[int, float]:
            covered_area = place.inflate(2 * gap, 2 * gap)
            return sum(covered_area.collidepoint(at) for at in points), dist(place.center, home)

        self.rect = min(places, key=cost)

    def stack_buttons(self, width: float, height: float, step: float, bottom: float) -> None:
        """Place the buttons one below the other, down to the bottom [units]."""
        scale, count = self.app.scale, len(self.form.widgets)
        w = min(round(width * scale), self.rect.w - round(40 * scale))
        for k, widget in enumerate(self.form.widgets):
            y = self.rect.bottom - round(bottom * scale) - (count - k) * round(step * scale)
            widget.rect = pygame.Rect(self.rect.centerx - w // 2, y, w, round(height * scale))

    def status_line(self) -> str:
        return "Up Down, Tab move   ·   Enter presses   ·   Esc back"

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event: shortcuts of buttons; Esc closes unless a button uses it."""
        if (button := self.form.shortcut_button(event)) is not None:
            button.action()
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
        elif (
            event.type == pygame.KEYDOWN
            and key_bindings.common_action(event) == "own up"
            and self.self_report is not None
        ):
            self._report()
        elif not self.form.handle(event) and event.type == pygame.KEYDOWN and event.unicode == "?":
            self.show_help()

    def _self_report_button(self, self_report: Callable[[], None] | None) -> list[Button]:
        """Button to open a self-report, if one is possible."""
        self.self_report = self_report
        return [] if self_report is None else [Button("Own up to something", self._report, key="F3")]

    def _report(self) -> None:
        self.app.pop()
        if self.self_report is not None:
            self.self_report()

    def draw(self, canvas: Canvas) -> None:
        """Draw the box; the window has dimmed the rest."""
        canvas.box(self.rect, palette.PANEL, 12, palette.BORDER)
        self.form.draw(canvas)
