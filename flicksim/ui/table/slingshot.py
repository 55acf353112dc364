"""A mouse at the table: it drags what is to be placed first, and is pulled back like a slingshot to aim and shoot."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, remainder
from typing import Generic, Protocol, TypeVar

import pygame

from flicksim.base.geometry import Point
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.aim import drawn_back
from flicksim.ui.table.calm import Calm
from flicksim.ui.table.gestures import drawn_to, passes
from flicksim.ui.table.view import TableView

_REACH = 22.0
"""A stroke that comes so near to a piece strikes it [units]."""
Shot = TypeVar("Shot")


class Pulled(Protocol):
    """The aim as it is pulled."""

    azimuth: float
    speed: float

    def put(self, at: Point) -> None:
        """Put the piece somewhere first [m]."""


class Slingshot(Generic[Shot]):
    """A mouse that aims.

    Args:
        view: where the table is seen. look: told that the aim has changed. strength: speed of a pull, 0 to 1 [m/s].
        shot: the shot as it is aimed. pointed: told of a click that pulled nothing.
    """

    def __init__(
        self, view: TableView, look: Callable[[], None], strength: Callable[[float], float],
        shot: Callable[[], Shot | None], pointed: Callable[[tuple[int, int]], None] = lambda _: None,
    ) -> None:  # fmt: skip
        self._view, self._look, self._strength, self._shot, self._pointed = view, look, strength, shot, pointed
        self.scale = 1.0
        """Pixels per unit."""
        self.pull: tuple[tuple[int, int], tuple[int, int]] | None = None
        """From where to where it is drawn back; None while it is not."""
        self.moving = False
        self.calm: Calm | None = None
        """The hand that gives the flick; None: by pulling back."""
        self.chosen = False
        """True once somebody has set the aim: a stroke near to it is drawn to it."""
        self.here: Callable[[], Point | None] = lambda: None
        """Point at which the piece is struck [m]."""
        self._before = (0.0, 0.0)

    def take(self, aim: Pulled, at: tuple[int, int], *, places: bool) -> None:
        """The button went down: drag the piece, or begin to pull."""
        if places:
            self.moving = True
        else:
            self.pull, self._before = (at, at), (aim.azimuth, aim.speed)
            if self.calm is not None:
                self.calm.forget()
                self.calm.trace(at)

    def mouse(self, event: pygame.event.Event, aim: Pulled) -> Shot | None:
        """Go on with what has begun; the shot, when a pull is let go."""
        match event.type:
            case pygame.MOUSEMOTION if self.moving:
                aim.put(self._view.camera.to_table(event.pos))
                self._look()
            case pygame.MOUSEMOTION if self.pull is not None and self._strokes:
                return self._stroke(aim, event.pos)
            case pygame.MOUSEMOTION if self.pull is not None:
                self._draw_back(aim, event.pos)
            case pygame.MOUSEBUTTONDOWN if event.button == 3:
                self.cancel(aim)
            case pygame.MOUSEBUTTONUP if event.button == 1:
                self.moving = False
                if self.pull is not None:
                    return self._let_go(aim, event.pos)
        return None

    @property
    def _strokes(self) -> bool:
        return self.calm is not None and self.calm.gesture == "flick"

    def _stroke(self, aim: Pulled, at: tuple[int, int]) -> Shot | None:
        """Follow the pointer; the shot, when it passes the piece as fast as a flick."""
        assert self.pull is not None
        assert self.calm is not None
        before, self.pull = self.pull[1], (self.pull[0], at)
        self.calm.trace(at)
        here = self.here()
        if here is None or not passes(before, at, self._view.camera.to_screen(here), _REACH * self.scale):
            return None
        made = self.calm.made(self.scale)
        if made is None:
            return None
        way = remainder(made.azimuth - self._view.camera.turned, 2.0 * pi)
        aim.azimuth, aim.speed = way, self._strength(made.hard)
        if self.chosen:
            aim.azimuth, aim.speed = drawn_to(aim.azimuth, aim.speed, self._before)
        self.pull = None
        self._look()
        return self._shot()

    def _draw_back(self, aim: Pulled, at: tuple[int, int]) -> bool:
        """Aim the other way, the harder the farther; False where it is not far enough to be meant."""
        assert self.pull is not None
        self.pull = (self.pull[0], at)
        drawn = drawn_back(*self.pull, self.scale, self._view.camera.turned)
        if drawn is None:
            aim.azimuth, aim.speed = self._before
            return False
        aim.azimuth, hard = drawn
        aim.speed = self._strength(hard)
        self._look()
        return True

    def _let_go(self, aim: Pulled, at: tuple[int, int]) -> Shot | None:
        meant = not self._strokes and self._draw_back(aim, at)
        self.pull = None
        if meant:
            return self._shot()
        self._pointed(at)
        return None

    def cancel(self, aim: Pulled | None) -> bool:
        """Stop pulling; whether it was."""
        pulled = self.pull is not None
        if pulled and aim is not None:
            aim.azimuth, aim.speed = self._before
        self.pull = None
        return pulled


def draw(canvas: Canvas, pull: tuple[tuple[int, int], tuple[int, int]] | None) -> None:
    """The mouse drawing back, where it does."""
    if pull is not None:
        a, b = pull
        canvas.line(a, b, palette.PALE, canvas.px(2.5))
        canvas.disc(a, canvas.px(4), palette.PALE)
        canvas.disc(b, canvas.px(7), palette.GLOW)
