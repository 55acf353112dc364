"""Slingshot input: drag the piece to its start, then pull back to aim and shoot."""

from collections.abc import Callable
from math import pi, remainder
from typing import Any, Generic, Protocol, TypeVar

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.table_view.aim import FULL_PULL, pull_vector
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.table_view.gesture_noise import GestureNoise
from flicksim.gui.table_view.gestures import passes_within, snap_to_aim
from flicksim.gui.toolkit import Canvas, palette

ShotT = TypeVar("ShotT")


class PulledAim(Protocol):
    """Protocol of an aim set by a pull."""

    azimuth: float
    speed: float
    pulled: Any
    """State that a pull changes, restored when it is cancelled."""

    def set_start(self, point: Point) -> None:
        """Set the start of the piece [m]."""


class Slingshot(Generic[ShotT]):
    """Slingshot input by the mouse.

    Args:
        view: of the table. on_change: called when the aim has changed. pull_speed: speed of a pull of 0 to 1 [m/s].
        current_shot: returns the shot aimed. on_click: called on a click without a pull. full_pull, strike_radius:
            length of the strongest pull, and distance within which a stroke strikes a piece [units].
    """

    def __init__(
        self, view: TableView, on_change: Callable[[], None], pull_speed: Callable[[float], float],
        current_shot: Callable[[], ShotT | None], on_click: Callable[[tuple[int, int]], None] = lambda _: None,
        *, full_pull: float = FULL_PULL, strike_radius: float = 22.0,
    ) -> None:  # fmt: skip
        self._view, self._on_change, self._pull_speed = view, on_change, pull_speed
        self._current_shot, self._on_click = current_shot, on_click
        self._full_pull, self._strike_radius = full_pull, strike_radius
        self.scale = 1.0
        """Pixels per unit."""
        self.pull: tuple[tuple[int, int], tuple[int, int]] | None = None
        """Start and end of the pull [pixels]; None without one."""
        self.is_dragging = False
        self.gesture_noise: GestureNoise | None = None
        """Gesture noise; None: pulls only."""
        self.is_aim_set = False
        """True once the user has set the aim, to which strokes then snap."""
        self.contact_point: Callable[[], Point | None] = lambda: None
        """Point at which the piece is struck [m]."""
        self._previous_aim: Any = None

    def mouse_down(self, aim: PulledAim, position: tuple[int, int], *, is_placing: bool) -> None:
        """Handle a button press: drag the piece, or begin to pull."""
        if is_placing:
            self.is_dragging = True
        else:
            self.pull, self._previous_aim = (position, position), aim.pulled
            if self.gesture_noise is not None:
                self.gesture_noise.reset()
                self.gesture_noise.record_pointer(position)

    def handle_mouse(self, event: pygame.event.Event, aim: PulledAim) -> ShotT | None:
        """Handle a mouse event; return the shot when a pull is released."""
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
        return None

    @property
    def _uses_strokes(self) -> bool:
        return self.gesture_noise is not None and self.gesture_noise.gesture == "flick"

    def _follow_stroke(self, aim: PulledAim, position: tuple[int, int]) -> ShotT | None:
        """Follow the pointer; return the shot when it passes the piece fast enough."""
        assert self.pull is not None
        assert self.gesture_noise is not None
        before, self.pull = self.pull[1], (self.pull[0], position)
        self.gesture_noise.record_pointer(position)
        contact = self.contact_point()
        if contact is None or not passes_within(
            before, position, self._view.camera.to_screen(contact), self._strike_radius * self.scale
        ):
            return None
        stroke = self.gesture_noise.finish_stroke(self.scale)
        if stroke is None:
            return None
        azimuth = remainder(stroke.azimuth - self._view.camera.rotation, 2.0 * pi)
        struck = azimuth, self._pull_speed(stroke.strength)
        aim.azimuth, aim.speed = snap_to_aim(*struck, (aim.azimuth, aim.speed)) if self.is_aim_set else struck
        self.pull = None
        self._on_change()
        return self._current_shot()

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

    def _release(self, aim: PulledAim, position: tuple[int, int]) -> ShotT | None:
        is_pulled = not self._uses_strokes and self._pull_back(aim, position)
        self.pull = None
        if is_pulled:
            return self._current_shot()
        self._on_click(position)
        return None

    def cancel(self, aim: PulledAim | None) -> bool:
        """Stop pulling; return True if a pull had begun."""
        was_pulling = self.pull is not None
        if was_pulling and aim is not None:
            aim.pulled = self._previous_aim
        self.pull = None
        return was_pulling


def draw_pull(canvas: Canvas, pull: tuple[tuple[int, int], tuple[int, int]] | None) -> None:
    """Draw the pull of the mouse, if any."""
    if pull is not None:
        a, b = pull
        canvas.line(a, b, palette.LIGHT_TEXT, canvas.px(2.5))
        canvas.disc(a, canvas.px(4), palette.LIGHT_TEXT)
        canvas.disc(b, canvas.px(7), palette.HIGHLIGHT)
