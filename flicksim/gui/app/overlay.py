"""Overlay: a box over the current screen, base of pages, questions and results."""

from collections.abc import Callable, Sequence
from math import dist

import pygame

from flicksim.gui.app.application import App, Screen
from flicksim.gui.toolkit import Button, Canvas, Form, palette, place_in_grid

_ANCHORS = 9
"""Number of positions in a row that a box may be moved to."""


class Overlay(Screen):
    """Box in the middle of the window; the rest is dimmed.

    Args:
        width, height: its size [units]; smaller where the window is.
    """

    STATUS = "Up Down, Tab move   ·   Enter presses   ·   Esc back"
    BUTTON_STACK: tuple[float, float, float, float] | None = None
    """Greatest width, height, step and lower margin of buttons one below the other [units]; None: placed otherwise."""
    IS_MENU = True
    """Of its buttons the one with the focus is the default one."""
    is_transparent = True

    def __init__(self, app: App, width: float, height: float) -> None:
        super().__init__(app)
        self._width, self._height = width, height
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.form = Form([])

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the box in the middle of the window, and a stack of buttons in it."""
        w, h = min(round(self._width * scale), size[0] - 16), min(round(self._height * scale), size[1] - 16)
        self.rect = pygame.Rect((size[0] - w) // 2, (size[1] - h) // 2, w, h)
        if self.BUTTON_STACK is not None:
            width, height, step, margin = (round(units * scale) for units in self.BUTTON_STACK)
            width, gap = min(width, w - round(40 * scale)), step - height
            area = pygame.Rect(self.rect.centerx - width // 2, self.rect.y, width, h - margin - gap)
            place_in_grid(self.form.widgets, area, height, gap, at_bottom=True)

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
        for widget in self.form.widgets:
            widget.rect.move_ip(self.rect.centerx - home[0], self.rect.centery - home[1])

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event: shortcuts of buttons; Esc closes unless a button uses it."""
        if self.form.press_shortcut(event):
            return
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
        elif not self.form.handle(event) and event.type == pygame.KEYDOWN and event.unicode == "?":
            self.show_help()

    def closing(self, action: Callable[[], None]) -> Callable[[], None]:
        """Make an action that closes the box first."""

        def act() -> None:
            self.app.pop()
            action()

        return act

    def update(self, dt: float) -> None:
        """Make the button with the focus the default one of a menu."""
        del dt
        if self.IS_MENU and isinstance(self.form.focused, Button):
            for button in self.form.widgets:
                if isinstance(button, Button):
                    button.is_primary = button is self.form.focused

    def draw(self, canvas: Canvas) -> None:
        """Draw the box; the window has dimmed the rest."""
        canvas.box(self.rect, palette.PANEL, 12, palette.BORDER)
        self.form.draw(canvas)
