"""Widgets together: who has the focus, who is under the mouse."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.widgets import Button, Widget


class Form:
    """Some widgets of which at most one has the focus.

    Args:
        widgets: in the order Tab goes through them. focus: which one has it first; None for none of them.
        arrows: whether up and down go on to the next widget when the focused one does not use them.
    """

    def __init__(self, widgets: Sequence[Widget] = (), focus: int | None = 0, *, arrows: bool = True) -> None:
        self.widgets = list(widgets)
        self.focus = focus
        self._arrows = arrows
        self._held: Widget | None = None
        self._hover: Widget | None = None
        self.view: pygame.Rect | None = None
        """Rectangle in which widgets can be seen; those outside take no mouse. None: everywhere."""

    @property
    def focused(self) -> Widget | None:
        """The widget with the focus."""
        return self.widgets[self.focus] if self.focus is not None and self.focus < len(self.widgets) else None

    def step(self, by: int, *, out: bool = False) -> None:
        """Give the focus to the next widget that can take it; with `out`, past the ends nobody has it."""
        count = len(self.widgets)
        at = self.focus if self.focus is not None else (-1 if by > 0 else count)
        for _ in range(count + 1):
            at += by
            if not 0 <= at < count:
                if out:
                    self.focus = None
                    return
                at %= max(count, 1)
            if self.widgets and self.widgets[at].enabled:
                self.focus = at
                return

    def under(self, at: tuple[int, int]) -> Widget | None:
        """The widget at a point of the screen."""
        if self.view is not None and not self.view.collidepoint(at):
            return None
        return next((widget for widget in self.widgets if widget.rect.collidepoint(at)), None)

    def keyed(self, event: pygame.event.Event) -> Button | None:
        """The button that a key is the short-cut of; Enter is left to the focus."""
        if event.type != pygame.KEYDOWN:
            return None
        named = "Esc" if event.key == pygame.K_ESCAPE else chr(event.key).upper() if 32 < event.key < 127 else ""
        buttons = (widget for widget in self.widgets if isinstance(widget, Button) and widget.enabled)
        return next((button for button in buttons if named and button.shortcut == named), None)

    def handle(self, event: pygame.event.Event, *, out: bool = False) -> bool:
        """Take an event; true where it was for one of them."""
        match event.type:
            case pygame.KEYDOWN:
                return self._key(event, out)
            case pygame.MOUSEMOTION:
                self._hover = self.under(event.pos)
                if self._held is not None:
                    self._held.drag(event.pos)
                    return True
            case pygame.MOUSEBUTTONDOWN if event.button == 1:
                widget = self.under(event.pos)
                if widget is not None and widget.enabled:
                    self.focus = self.widgets.index(widget)
                    self._held = widget
                    widget.press(event.pos)
                return widget is not None
            case pygame.MOUSEBUTTONUP if event.button == 1:
                held, self._held = self._held, None
                return held is not None
            case pygame.MOUSEWHEEL:
                widget = self.under(pygame.mouse.get_pos())
                if widget is not None:
                    widget.wheel(event.y)
                return False
        return False

    def _key(self, event: pygame.event.Event, out: bool) -> bool:
        if event.key == pygame.K_TAB:
            self.step(-1 if event.mod & pygame.KMOD_SHIFT else 1, out=out)
            return True
        widget = self.focused
        if widget is not None and widget.key(event):
            return True
        if self._arrows and event.key in (pygame.K_UP, pygame.K_DOWN):
            self.step(1 if event.key == pygame.K_DOWN else -1)
            return True
        return False

    def draw(self, canvas: Canvas) -> None:
        """Show them all."""
        for widget in self.widgets:
            if self.view is None or widget.rect.colliderect(self.view):
                widget.draw(canvas, focused=widget is self.focused, hovered=widget is self._hover)
