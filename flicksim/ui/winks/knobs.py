"""Numbers of a squidge to turn: a label, a bar, a value; by mouse, and by left and right while it has the focus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import atan2, pi

import pygame

from flicksim.base.units import degrees, mm, to_degrees, to_mm
from flicksim.table import SQUIDGER
from flicksim.ui import palette
from flicksim.ui.canvas import Canvas
from flicksim.ui.widgets import Widget
from flicksim.ui.winks.aim import SquidgeAim


@dataclass(frozen=True, slots=True)
class Dial:
    """What a knob turns.

    Args:
        name: of the number. keys: that turn it. low, high: ends of the bar. step: of one key press.
        get, put: reading and setting it. shown: it in words.
    """

    name: str
    keys: str
    low: float
    high: float
    step: float
    get: Callable[[SquidgeAim], float]
    put: Callable[[SquidgeAim, float], None]
    shown: Callable[[SquidgeAim, float], str]


def _set(name: str) -> Callable[[SquidgeAim, float], None]:
    def put(aim: SquidgeAim, value: float) -> None:
        setattr(aim, name, round(value, 6))

    return put


def _way(aim: SquidgeAim) -> str:
    """The direction as people say it: at the pot's middle, or so far to its left or right."""
    off = aim.azimuth - atan2(-aim.at[1], -aim.at[0])
    off = to_degrees((off + pi) % (2.0 * pi) - pi)
    return "at the pot" if abs(off) < 0.05 else f"{abs(off):.1f}° {'left' if off > 0 else 'right'}"


DIALS = (
    Dial("speed", "↑ ↓", 0.1, 6.0, 0.05, lambda a: a.speed, _set("speed"), lambda _, v: f"{v:.3f} m/s"),
    Dial("direction", "← →", -pi, pi, degrees(1.0), lambda a: a.azimuth, _set("azimuth"), lambda a, _: _way(a)),
    Dial("rise", "W S", 0.0, pi / 2.0, degrees(1.0), lambda a: a.elevation, _set("elevation"),
         lambda _, v: f"{to_degrees(v):.1f}°"),
    Dial("backspin", "Q E", -200.0, 200.0, 5.0, lambda a: a.tumble, _set("tumble"), lambda _, v: f"{v:.0f} rad/s"),
    Dial("squidger", "[ ]", *SQUIDGER, mm(1.0), lambda a: a.squidger, _set("squidger"),
         lambda _, v: f"{to_mm(v):.1f} mm"),
    Dial("press", "C X", 0.0, 1.0, 0.05, lambda a: a.press, _set("press"), lambda _, v: f"{v:.0%} below"),
    Dial("draw on", "B V", 0.0, mm(50.0), mm(1.0), lambda a: a.drag, _set("drag"), lambda _, v: f"{to_mm(v):.0f} mm"),
)  # fmt: skip
PILED = ("press", "draw on")
"""These do something only when the wink lies on others."""


class Knob(Widget):
    """One number of the squidge in hand.

    Args:
        dial: which. aim: gives the squidge in hand. turned: told of a change.
    """

    def __init__(self, dial: Dial, aim: Callable[[], SquidgeAim | None], turned: Callable[[], None]) -> None:
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
        bar = self._bar()
        canvas.box(bar, palette.WELL, 4, palette.ACCENT if focused else palette.EDGE)
        inner = bar.inflate(-4, -4)
        share = self._share(aim)
        zero = min(max(-self.dial.low / (self.dial.high - self.dial.low), 0.0), 1.0) if self.dial.low < 0.0 else 0.0
        x0, x1 = inner.x + inner.w * min(zero, share), inner.x + inner.w * max(zero, share)
        fill = palette.mix(palette.GOOD, palette.BAD, max(0.0, share * 1.6 - 0.6)) if self.label == "speed" else None
        canvas.surface.fill(fill or palette.mix(palette.ACCENT, palette.WELL, 0.25),
                            (round(x0), inner.y, max(2, round(x1 - x0)), inner.h))  # fmt: skip
        x = bar.right + canvas.px(6)
        canvas.text(self.dial.shown(aim, self.dial.get(aim)), (x, bar.centery), 13, bold=True, anchor="midleft",
                    within=self.rect.right - x)  # fmt: skip

    def _bar(self) -> pygame.Rect:
        left, across = round(self.rect.w * 0.37), round(self.rect.w * 0.25)
        return pygame.Rect(self.rect.x + left, self.rect.y, across, self.rect.h)

    def _share(self, aim: SquidgeAim) -> float:
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
        self._held = self._bar().inflate(8, 4).collidepoint(at)
        self.drag(at)

    def drag(self, at: tuple[int, int]) -> None:
        """To where the bar is drawn, past its ends no farther."""
        bar = self._bar()
        if self._held:
            share = min(max((at[0] - bar.x) / max(1, bar.w), 0.0), 1.0)
            self._put(self.dial.low + share * (self.dial.high - self.dial.low))

    def wheel(self, steps: int) -> None:
        """The wheel turns it by its step."""
        aim = self._aim()
        if aim is not None:
            self._put(self.dial.get(aim) + steps * self.dial.step)
