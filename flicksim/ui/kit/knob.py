"""Numbers to turn: a label, a bar, a value; by mouse, and by left and right while it has the focus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import pygame

from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.widgets import Widget

Aimed: TypeAlias = Any
"""Thing aimed at, as its game has it; None when nothing is."""


@dataclass(frozen=True, slots=True)
class Dial:
    """The number a knob turns.

    Args:
        name: of the number. keys: that turn it. low, high: ends of the bar. step: of one key press.
        get, put: reading and setting it on what is aimed. shown: it in words. hot: whether more of it is fiercer.
    """

    name: str
    keys: str
    low: float
    high: float
    step: float
    get: Callable[[Aimed], float]
    put: Callable[[Aimed, float], None]
    shown: Callable[[Aimed, float], str]
    hot: bool = False


class Knob(Widget):
    """One number of what is aimed.

    Args:
        dial: which. aim: gives what is aimed; None when nothing is. turned: told of a change.
    """

    def __init__(self, dial: Dial, aim: Callable[[], Aimed], turned: Callable[[], None]) -> None:
        super().__init__(dial.name)
        self.dial, self._aim, self._turned = dial, aim, turned
        self._held = False

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Name and keys, the bar, its value in words."""
        aim = self._aim()
        if aim is None:
            return
        colour = palette.ACCENT if focused else palette.TEXT if hovered else palette.FAINT
        name = canvas.text(self.label, self.rect.midleft, 13, colour, anchor="midleft")
        canvas.text(self.dial.keys, (max(name.right + canvas.px(5), self.rect.x + canvas.px(60)), self.rect.centery),
                    11, palette.mix(palette.FAINT, palette.PANEL, 0.35), anchor="midleft")  # fmt: skip
        bar = self.bar()
        canvas.box(bar, palette.WELL, 4, palette.ACCENT if focused else palette.EDGE)
        inner = bar.inflate(-4, -4)
        share = self._share(aim)
        zero = min(max(-self.dial.low / (self.dial.high - self.dial.low), 0.0), 1.0) if self.dial.low < 0.0 else 0.0
        x0, x1 = inner.x + inner.w * min(zero, share), inner.x + inner.w * max(zero, share)
        fill = palette.mix(palette.GOOD, palette.BAD, max(0.0, share * 1.6 - 0.6)) if self.dial.hot else None
        canvas.surface.fill(fill or palette.mix(palette.ACCENT, palette.WELL, 0.25),
                            (round(x0), inner.y, max(2, round(x1 - x0)), inner.h))  # fmt: skip
        x = bar.right + canvas.px(6)
        canvas.text(self.dial.shown(aim, self.dial.get(aim)), (x, bar.centery), 13, bold=True, anchor="midleft",
                    within=self.rect.right - x)  # fmt: skip

    def bar(self) -> pygame.Rect:
        left, across = round(self.rect.w * 0.37), round(self.rect.w * 0.25)
        return pygame.Rect(self.rect.x + left, self.rect.y, across, self.rect.h)

    def _share(self, aim: Aimed) -> float:
        dial = self.dial
        return min(max((dial.get(aim) - dial.low) / (dial.high - dial.low), 0.0), 1.0)

    def _put(self, value: float) -> None:
        aim = self._aim()
        if aim is not None:
            self.dial.put(aim, min(max(value, self.dial.low), max(self.dial.high, self.dial.get(aim))))
            self._turned()

    def key(self, event: pygame.event.Event) -> bool:
        """Left and right turn it."""
        aim = self._aim()
        if aim is None or event.key not in (pygame.K_LEFT, pygame.K_RIGHT):
            return False
        fine = 0.1 if event.mod & pygame.KMOD_SHIFT else 1.0
        self._put(self.dial.get(aim) + (1 if event.key == pygame.K_RIGHT else -1) * self.dial.step * fine)
        return True

    def press(self, at: tuple[int, int]) -> None:
        """To where the bar is pressed."""
        self._held = self.bar().inflate(8, 4).collidepoint(at)
        self.drag(at)

    def drag(self, at: tuple[int, int]) -> None:
        """To where the bar is drawn, past its ends no farther."""
        bar = self.bar()
        if self._held:
            share = min(max((at[0] - bar.x) / max(1, bar.w), 0.0), 1.0)
            self._put(self.dial.low + share * (self.dial.high - self.dial.low))

    def wheel(self, steps: int) -> None:
        """The wheel turns it by its step."""
        aim = self._aim()
        if aim is not None:
            self._put(self.dial.get(aim) + steps * self.dial.step)
