"""Numeric slider: label, bar and value, by mouse and arrow keys."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import pygame

from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.widgets import Widget

AimT: TypeAlias = Any
"""Type of the aim; None when there is none."""


@dataclass(frozen=True, slots=True)
class SliderSpec:
    """Specification of the number of a slider.

    Args:
        name: of the number. keys: that change it. low, high: ends of the bar. step: of one key press.
        get, set: read it from the aim, set it on the aim. format: the value as text. is_highlighted: a larger value
            is drawn in a stronger colour. command: action of `keys` in the key map; empty if they are handled
            elsewhere. sign: -1 if the first of them increases the value.
    """

    name: str
    keys: str
    low: float
    high: float
    step: float
    get: Callable[[AimT], float]
    set: Callable[[AimT, float], None]
    format: Callable[[AimT, float], str]
    is_highlighted: bool = False
    command: str = ""
    sign: int = 1


class NumericSlider(Widget):
    """Slider of one number of an aim.

    Args:
        spec: the number. target: returns the aim; None when there is none. on_change: called after a change.
    """

    def __init__(self, spec: SliderSpec, target: Callable[[], AimT], on_change: Callable[[], None]) -> None:
        super().__init__(spec.name)
        self.spec, self._target, self._on_change = spec, target, on_change
        self._is_dragging = False

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Draw name and keys, the bar, and its value as text."""
        aim = self._target()
        if aim is None:
            return
        colour = palette.ACCENT if focused else palette.TEXT if hovered else palette.MUTED_TEXT
        bar, gap = self.bar_rect(), canvas.px(6)
        keys = canvas.text(self.spec.keys, (bar.x - gap, bar.centery), 11,
                           palette.mix(palette.MUTED_TEXT, palette.PANEL, 0.35), anchor="midright")  # fmt: skip
        width = keys.x - gap - self.rect.x
        size = canvas.size_to_fit(self.label, (width, canvas.line_height(13)), 13.0, 9.0)
        canvas.text(self.label, self.rect.midleft, size, colour, anchor="midleft", max_width=width)
        canvas.box(bar, palette.INSET_BACKGROUND, 4, palette.ACCENT if focused else palette.BORDER)
        inner = bar.inflate(-4, -4)
        share = self._fraction(aim)
        zero = min(max(-self.spec.low / (self.spec.high - self.spec.low), 0.0), 1.0) if self.spec.low < 0.0 else 0.0
        x0, x1 = inner.x + inner.w * min(zero, share), inner.x + inner.w * max(zero, share)
        fill = palette.mix(palette.GOOD, palette.BAD, max(0.0, share * 1.6 - 0.6)) if self.spec.is_highlighted else None
        canvas.surface.fill(fill or palette.mix(palette.ACCENT, palette.INSET_BACKGROUND, 0.25),
                            (round(x0), inner.y, max(2, round(x1 - x0)), inner.h))  # fmt: skip
        x = bar.right + gap
        canvas.text(self.spec.format(aim, self.spec.get(aim)), (x, bar.centery), 13, bold=True, anchor="midleft",
                    max_width=self.rect.right - x)  # fmt: skip

    def bar_rect(self) -> pygame.Rect:
        left, width = round(self.rect.w * 0.39), round(self.rect.w * 0.23)
        return pygame.Rect(self.rect.x + left, self.rect.y, width, self.rect.h)

    def _fraction(self, target: AimT) -> float:
        spec = self.spec
        return min(max((spec.get(target) - spec.low) / (spec.high - spec.low), 0.0), 1.0)

    def _set(self, value: float) -> None:
        aim = self._target()
        if aim is not None:
            self.spec.set(aim, min(max(value, self.spec.low), max(self.spec.high, self.spec.get(aim))))
            self._on_change()

    def handle_key(self, event: pygame.event.Event) -> bool:
        aim = self._target()
        if aim is None or event.key not in (pygame.K_LEFT, pygame.K_RIGHT):
            return False
        factor = 0.1 if event.mod & pygame.KMOD_SHIFT else 1.0
        self._set(self.spec.get(aim) + (1 if event.key == pygame.K_RIGHT else -1) * self.spec.step * factor)
        return True

    def handle_press(self, position: tuple[int, int]) -> None:
        self._is_dragging = self.bar_rect().inflate(8, 4).collidepoint(position)
        self.handle_drag(position)

    def handle_drag(self, position: tuple[int, int]) -> None:
        """Set the value to the point dragged to, clamped to the ends."""
        bar = self.bar_rect()
        if self._is_dragging:
            share = min(max((position[0] - bar.x) / max(1, bar.w), 0.0), 1.0)
            self._set(self.spec.low + share * (self.spec.high - self.spec.low))

    def handle_wheel(self, steps: int) -> None:
        """Handle the wheel: change the value by a step."""
        aim = self._target()
        if aim is not None:
            self._set(self.spec.get(aim) + steps * self.spec.step)
