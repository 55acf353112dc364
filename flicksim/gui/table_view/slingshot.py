"""Mouse input: drag the piece to its start, then pull back to aim and shoot; and a key in place of the button."""

from collections.abc import Callable
from math import pi, remainder
from typing import Any, Protocol

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.table_view.aim import FULL_PULL, pull_vector
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.table_view.gestures import GestureNoise, passes_within, snap_to_aim
from flicksim.gui.toolkit import Canvas, palette

MOUSE_KEY = pygame.K_m
"""Key that acts as a mouse button at every table."""


class PulledAim(Protocol):
    """Protocol of an aim set by a pull."""

    azimuth: float
    speed: float
    pulled: Any
    """State that a pull changes, restored when it is cancelled."""

    def set_start(self, point: Point) -> None:
        """Set the start of the piece [m]."""


class Slingshot:
    """Slingshot input by the mouse.

    Args:
        view: of the table. pull_speed: speed of a pull of 0 to 1 [m/s]. contact_point: where the piece is struck [m].
        gesture_noise: of the person who aims. on_change: called when the aim has changed. on_click: called on a click
            without a pull. full_pull, strike_radius: length of the strongest pull, and distance within which a stroke
            strikes a piece [units].
    """

    def __init__(
        self, view: TableView, pull_speed: Callable[[float], float], contact_point: Callable[[], Point | None],
        gesture_noise: GestureNoise, *, on_change: Callable[[], None] = lambda: None,
        on_click: Callable[[tuple[int, int]], None] = lambda _: None, full_pull: float = FULL_PULL,
        strike_radius: float = 22.0,
    ) -> None:  # fmt: skip
        self._view, self._pull_speed, self._contact_point = view, pull_speed, contact_point
        self._on_change, self._on_click = on_change, on_click
        self._full_pull, self._strike_radius = full_pull, strike_radius
        self.scale = 1.0
        """Pixels per unit."""
        self.pull: tuple[tuple[int, int], tuple[int, int]] | None = None
        """Start and end of the pull [pixels]; None without one."""
        self.is_dragging = False
        self.gesture_noise = gesture_noise
        self.is_aim_set = False
        """True once the user has set the aim, to which strokes then snap."""
        self._previous_aim: Any = None

    def mouse_down(self, aim: PulledAim, position: tuple[int, int], *, is_placing: bool) -> None:
        """Handle a button press: drag the piece, or begin to pull."""
        if is_placing:
            self.is_dragging = True
        else:
            self.pull, self._previous_aim = (position, position), aim.pulled
            self.gesture_noise.reset()
            self.gesture_noise.record_pointer(position)

    def handle_mouse(self, event: pygame.event.Event, aim: PulledAim) -> bool:
        """Handle a mouse event; return True if it gives the shot: a pull is released, or a stroke strikes the piece."""
        match event.type:
            case pygame.MOUSEMOTION if self.is_dragging:
                aim.set_start(self._view.camera.to_table(event.pos))
                self._on_change()
            case pygame.MOUSEMOTION if self.pull is not None and self._uses_strokes:
                return self._follow_stroke(aim, event.pos)
            case pygame.MOUSEMOTION if self.pull is not None:
                self._pull_back(aim, event.pos)
            case pygame.MOUSEBUTTONDOWN if event.button == 3:
                self.cancel(aim)
            case pygame.MOUSEBUTTONUP if event.button == 1:
                self.is_dragging = False
                if self.pull is not None:
                    return self._release(aim, event.pos)
        return False

    @property
    def _uses_strokes(self) -> bool:
        return self.gesture_noise.gesture == "flick"

    def _follow_stroke(self, aim: PulledAim, position: tuple[int, int]) -> bool:
        """Follow the pointer; return True when it passes the piece fast enough."""
        assert self.pull is not None
        before, self.pull = self.pull[1], (self.pull[0], position)
        self.gesture_noise.record_pointer(position)
        contact, camera = self._contact_point(), self._view.camera
        radius = self._strike_radius * self.scale
        if contact is None or not passes_within(before, position, camera.to_screen(contact), radius):
            return False
        stroke = self.gesture_noise.finish_stroke(self.scale)
        if stroke is None:
            return False
        struck = remainder(stroke.azimuth - camera.rotation, 2.0 * pi), self._pull_speed(stroke.strength)
        aim.azimuth, aim.speed = snap_to_aim(*struck, (aim.azimuth, aim.speed)) if self.is_aim_set else struck
        self.pull = None
        self._on_change()
        return True

    def _pull_back(self, aim: PulledAim, position: tuple[int, int]) -> bool:
        """Aim opposite to the pull, stronger the farther; return False if it is too short."""
        assert self.pull is not None
        self.pull = (self.pull[0], position)
        vector = pull_vector(*self.pull, self.scale, self._view.camera.rotation, self._full_pull)
        if vector is None:
            aim.pulled = self._previous_aim
            return False
        aim.azimuth, strength = vector
        aim.speed = self._pull_speed(strength)
        self._on_change()
        return True

    def _release(self, aim: PulledAim, position: tuple[int, int]) -> bool:
        is_pulled = not self._uses_strokes and self._pull_back(aim, position)
        self.pull = None
        if not is_pulled:
            self._on_click(position)
        return is_pulled

    def cancel(self, aim: PulledAim | None) -> bool:
        """Stop pulling; return True if a pull had begun."""
        was_pulling = self.pull is not None
        if was_pulling and aim is not None:
            aim.pulled = self._previous_aim
        self.pull = None
        return was_pulling

    def draw(self, canvas: Canvas) -> None:
        """Draw the pull of the mouse, if any."""
        if self.pull is not None:
            a, b = self.pull
            canvas.line(a, b, palette.LIGHT_TEXT, canvas.px(2.5))
            canvas.disc(a, canvas.px(4), palette.LIGHT_TEXT)
            canvas.disc(b, canvas.px(7), palette.HIGHLIGHT)


class MouseKey:
    """Key for touchpads that acts as the left mouse button while held down.

    Args:
        handle_mouse: receives the events of the button.
    """

    def __init__(self, handle_mouse: Callable[[pygame.event.Event], None]) -> None:
        self._handle_mouse, self._is_pressed = handle_mouse, False

    def press(self, event: pygame.event.Event, area: pygame.Rect) -> bool:
        """Handle a key press with the pointer in a rectangle; return True if it was this key."""
        if event.key != MOUSE_KEY:
            return False
        position = pygame.mouse.get_pos()
        if not self._is_pressed and area.collidepoint(position):
            self._is_pressed = True
            self._handle_mouse(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=position, button=1))
        return True

    def release(self, event: pygame.event.Event) -> None:
        """Handle a key release."""
        if self._is_pressed and event.key == MOUSE_KEY:
            self._is_pressed = False
            self._handle_mouse(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pygame.mouse.get_pos(), button=1))
