"""Form: widgets with keyboard focus and mouse hover, and their placement in rows, columns and grids [pixels]."""

from collections.abc import Sequence

import pygame

from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.widgets import Button, Widget


class Form:
    """Group of widgets of which at most one has the focus.

    Args:
        widgets: in the order Tab goes through them. focus: index of the first with focus; None for none.
        arrows: up, down, Home and End move the focus where the focused widget does not use them.
    """

    def __init__(self, widgets: Sequence[Widget] = (), focus: int | None = 0, *, arrows: bool = True) -> None:
        self.widgets = list(widgets)
        self.focus = focus
        self._arrows = arrows
        self._pressed: Widget | None = None
        self._hover: Widget | None = None

    @property
    def focused(self) -> Widget | None:
        """Widget with the focus."""
        return self.widgets[self.focus] if self.focus is not None and self.focus < len(self.widgets) else None

    def move_focus(self, step: int, *, can_leave: bool = False) -> None:
        """Move the focus to the next widget that can take it; with `can_leave`, past the ends to none."""
        count = len(self.widgets)
        at = self.focus if self.focus is not None else (-1 if step > 0 else count)
        for _ in range(count + 1):
            at += step
            if not 0 <= at < count:
                if can_leave:
                    self.focus = None
                    return
                at %= max(count, 1)
            if self.widgets and self.widgets[at].enabled:
                self.focus = at
                return

    def widget_at(self, point: tuple[int, int]) -> Widget | None:
        """Widget at a point of the screen."""
        return next((widget for widget in self.widgets if widget.rect.collidepoint(point)), None)

    def press_shortcut(self, event: pygame.event.Event) -> bool:
        """Press the button whose shortcut is this key; Enter is left to the focus. Return False if there is none."""
        if event.type != pygame.KEYDOWN:
            return False
        key_name = "Esc" if event.key == pygame.K_ESCAPE else pygame.key.name(event.key).upper()
        buttons = (widget for widget in self.widgets if isinstance(widget, Button) and widget.enabled)
        button = next((button for button in buttons if key_name and button.shortcut == key_name), None)
        if button is not None:
            button.action()
        return button is not None

    def handle(self, event: pygame.event.Event, *, can_leave: bool = False) -> bool:
        """Pass an event to the widgets; return True if one of them used it."""
        match event.type:
            case pygame.KEYDOWN:
                return self._handle_key(event, can_leave)
            case pygame.MOUSEMOTION:
                self._hover = self.widget_at(event.pos)
                if self._pressed is not None:
                    self._pressed.handle_drag(event.pos)
                    return True
            case pygame.MOUSEBUTTONDOWN if event.button == 1:
                widget = self.widget_at(event.pos)
                if widget is not None and widget.enabled:
                    self.focus = self.widgets.index(widget)
                    self._pressed = widget
                    widget.handle_press(event.pos)
                return widget is not None
            case pygame.MOUSEBUTTONUP if event.button == 1:
                pressed, self._pressed = self._pressed, None
                return pressed is not None
            case pygame.MOUSEWHEEL:
                widget = self.widget_at(pygame.mouse.get_pos())
                if widget is not None:
                    widget.handle_wheel(event.y)
                return False
        return False

    def _handle_key(self, event: pygame.event.Event, can_leave: bool) -> bool:
        if event.key == pygame.K_TAB:
            self.move_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1, can_leave=can_leave)
            return True
        widget = self.focused
        if widget is not None and widget.handle_key(event):
            return True
        if self._arrows and event.key in (pygame.K_UP, pygame.K_DOWN):
            self.move_focus(1 if event.key == pygame.K_DOWN else -1)
            return True
        if self._arrows and event.key in (pygame.K_HOME, pygame.K_END):
            self.focus = None
            self.move_focus(1 if event.key == pygame.K_HOME else -1)
            return True
        return False

    def draw(self, canvas: Canvas) -> None:
        """Draw all widgets."""
        for widget in self.widgets:
            widget.draw(canvas, focused=widget is self.focused, hovered=widget is self._hover)


def place_in_grid(
    widgets: Sequence[Widget], area: pygame.Rect, row_height: int, gap: int, columns: int = 1, *,
    at_bottom: bool = False,
) -> pygame.Rect:  # fmt: skip
    """Place widgets row by row in equal columns, from the top or at the bottom of an area. Return their rectangle."""
    rows, wide = -(-len(widgets) // columns), (area.w - (columns - 1) * gap) // columns
    height = rows * (row_height + gap) - gap
    top = area.bottom - height if at_bottom else area.y
    for k, widget in enumerate(widgets):
        x, y = area.x + k % columns * (wide + gap), top + k // columns * (row_height + gap)
        widget.rect = pygame.Rect(x, y, wide, row_height)
    return pygame.Rect(area.x, top, area.w, height)


def place_at_bottom(
    widgets: Sequence[Widget], area: pygame.Rect, size: tuple[int, int], gap: int, margin: int
) -> pygame.Rect:
    """Place widgets of one size side by side in the middle, over the lower margin of an area. Return their
    rectangle."""
    width, height = size
    row_width = len(widgets) * (width + gap) - gap
    row = pygame.Rect(area.centerx - row_width // 2, area.bottom - margin - height, row_width, height)
    return place_in_grid(widgets, row, height, gap, len(widgets))
