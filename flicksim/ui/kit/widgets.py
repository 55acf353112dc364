"""Things to press, choose and type in; each works by mouse and by keys alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pygame

from flicksim.base.bounds import whole
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.language import AsIs

PRESS = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)
"""Keys that press what has the focus."""


class Widget:
    """Something with a place on the screen.

    Args:
        label: what it is called. says: what it does, shown while it has the focus.
    """

    def __init__(self, label: str, says: str = "") -> None:
        self.label, self.says = label, says
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.enabled = True
        self.wrong = ""

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Show it."""

    def key(self, event: pygame.event.Event) -> bool:
        """A key went down while it has the focus; whether it was used."""
        del event
        return False

    def press(self, at: tuple[int, int]) -> None:
        """The mouse was pressed on it."""

    def drag(self, at: tuple[int, int]) -> None:
        """The mouse moved while pressed on it."""

    def wheel(self, steps: int) -> None:
        """The wheel turned over it, positive away from the hand."""

    def _frame(self, canvas: Canvas, focused: bool, hovered: bool, rect: pygame.Rect | None = None) -> None:
        fill = palette.RAISED if not hovered else palette.mix(palette.RAISED, palette.TEXT, 0.12)
        edge = palette.BAD if self.wrong else palette.ACCENT if focused else palette.EDGE
        where = self.rect if rect is None else rect
        canvas.box(where, fill, 6, edge)
        if focused:
            canvas.outline(where, edge, 2.0)


class Button(Widget):
    """Does something when pressed.

    Args:
        key: its short-cut, shown beside the label. main: whether it is the one to press.
    """

    def __init__(
        self, label: str, action: Callable[[], None], *, key: str = "", main: bool = False, says: str = ""
    ) -> None:
        super().__init__(label, says)
        self.action, self.shortcut, self.main = action, key, main

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Show it."""
        if self.main and self.enabled:
            fill = palette.mix(palette.ACCENT, palette.PANEL, 0.25 if hovered else 0.0)
            canvas.box(self.rect, fill, 6, palette.TEXT if focused else fill)
            if focused:
                canvas.outline(self.rect.inflate(-canvas.px(5), -canvas.px(5)), palette.ON_ACCENT, 1.5)
        else:
            self._frame(canvas, focused, hovered and self.enabled)
        colour = palette.mix(palette.FAINT, palette.PANEL, 0.5)
        if self.enabled:
            colour = palette.ON_ACCENT if self.main else palette.TEXT
        room = self.rect.w - canvas.px(16)
        hint = f"  {self.shortcut}" if self.shortcut else ""
        size = 16.0
        while size > 11.0 and canvas.wide(self.label, size, bold=True) + canvas.wide(hint, size - 3) > room:
            size -= 0.5
        beside, wide = canvas.wide(hint, size - 3), canvas.wide(self.label, size, bold=True)
        if wide + beside > room and (wide <= room + canvas.px(8) or room < 6 * beside):
            hint, beside = "", 0  # the help has the key; the label needs all there is
            room += canvas.px(8)
        label = canvas.shortened(self.label, room - beside, size, bold=True)
        x = self.rect.centerx - (canvas.wide(label, size, bold=True) + canvas.wide(hint, size - 3)) // 2
        shown = canvas.text(label, (x, self.rect.centery), size, colour, bold=True, anchor="midleft")
        if hint:
            main = self.main and self.enabled
            faint = palette.mix(colour, palette.ACCENT if main else palette.FAINT, 0.25 if main else 0.5)
            canvas.text(hint, (shown.right, self.rect.centery), size - 3, faint, anchor="midleft")

    def key(self, event: pygame.event.Event) -> bool:
        """Enter and Space press it."""
        if event.key in PRESS and self.enabled:
            self.action()
            return True
        return False

    def press(self, at: tuple[int, int]) -> None:
        """Do it."""
        del at
        if self.enabled:
            self.action()


class Field(Widget):
    """A label on the left, a value on the right."""

    share = 0.45
    """Share of the width that the label has."""

    def value_rect(self) -> pygame.Rect:
        """Rectangle of the value."""
        left = round(self.rect.w * self.share)
        return pygame.Rect(self.rect.x + left, self.rect.y, self.rect.w - left, self.rect.h)

    def _label(self, canvas: Canvas, focused: bool) -> None:
        colour = palette.BAD if self.wrong else palette.TEXT if focused else palette.FAINT
        room = round(self.rect.w * self.share) - canvas.px(8)
        size = next((size for size in (15.0, 14.0, 13.0) if canvas.wide(self.label, size) <= room), None)
        if size is not None:
            canvas.text(self.label, self.rect.midleft, size, colour, anchor="midleft")
            return
        lines, step = canvas.wrapped(self.label, room, 12)[:2], canvas.px(14)
        for k, line in enumerate(lines):
            y = self.rect.centery + round((k - (len(lines) - 1) / 2.0) * step)
            canvas.text(line, (self.rect.x, y), 12, colour, anchor="midleft", within=room)


class Choice(Field):
    """One of several words, by left and right.

    Args:
        values: the words. index: which is chosen. changed: told of a new choice. shown: how words are shown otherwise.
    """

    def __init__(
        self, label: str, values: Sequence[str], index: int = 0, changed: Callable[[], None] | None = None,
        says: str = "", shown: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(label, says)
        self.values, self.index, self._changed, self._shown = tuple(values), index, changed, shown or {}

    @property
    def value(self) -> str:
        """The word chosen."""
        return self.values[self.index]

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Show it between two arrowheads."""
        self._label(canvas, focused)
        rect = self.value_rect()
        self._frame(canvas, focused, hovered, rect)
        shown = self._shown.get(self.value, self.value.replace("_", " "))
        canvas.text(shown, rect.center, 16, anchor="center", within=rect.w - canvas.px(52))
        s, y = canvas.px(5), rect.centery
        colour = palette.ACCENT if focused or hovered else palette.FAINT
        for x, way in ((rect.x + canvas.px(10), 1), (rect.right - canvas.px(10), -1)):
            canvas.polygon([(x, y), (x + way * s * 1.4, y - s), (x + way * s * 1.4, y + s)], colour)

    def turn(self, steps: int) -> None:
        """Go on by so many words, round and round."""
        self.index = (self.index + steps) % len(self.values)
        if self._changed:
            self._changed()

    def key(self, event: pygame.event.Event) -> bool:
        """Left and right, or Enter for the next."""
        if event.key == pygame.K_LEFT:
            self.turn(-1)
        elif event.key == pygame.K_RIGHT or event.key in PRESS:
            self.turn(1)
        else:
            return False
        return True

    def press(self, at: tuple[int, int]) -> None:
        """Left third goes back, the rest on."""
        rect = self.value_rect()
        if rect.collidepoint(at):
            self.turn(-1 if at[0] < rect.x + rect.w // 3 else 1)


class Checkbox(Choice):
    """Yes or no, written as the words an option takes."""

    def __init__(self, label: str, on: bool, changed: Callable[[], None] | None = None, says: str = "") -> None:
        super().__init__(label, ("false", "true"), int(on), changed, says)

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """A box with a tick, and the word."""
        self._label(canvas, focused)
        area = self.value_rect()
        side = min(area.h, canvas.px(24))
        rect = pygame.Rect(area.x, area.centery - side // 2, side, side)
        self._frame(canvas, focused, hovered, rect)
        if self.index:
            x, y, s = rect.centerx, rect.centery, side / 2
            canvas.path([(x - s * 0.5, y), (x - s * 0.1, y + s * 0.4), (x + s * 0.55, y - s * 0.45)], palette.ACCENT,
                        max(2.0, canvas.px(2.5)))  # fmt: skip
        word = "yes" if self.index else "no"
        canvas.text(word, (rect.right + canvas.px(10), rect.centery), 16, anchor="midleft")


class Entry(Field):
    """A line to type in; left and right step a whole number.

    Args:
        text: what stands there. span: lowest and highest whole number it steps through, if it is one.
        most: so many letters find room. empty: what it means that nothing stands there, shown faintly then.
    """

    def __init__(
        self, label: str, text: str, changed: Callable[[], None] | None = None, says: str = "",
        span: tuple[int, int] | None = None, most: int = 40, empty: str = "",
    ) -> None:  # fmt: skip
        super().__init__(label, says)
        self.text, self._changed, self._span, self._most, self.empty = text, changed, span, most, empty

    @property
    def value(self) -> str:
        """The value that stands there."""
        return self.text.strip()

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Show it, with a caret while it has the focus and - + when it can be stepped."""
        self._label(canvas, focused)
        rect = self.value_rect()
        self._frame(canvas, focused, hovered, rect)
        room = rect.w - canvas.px(64 if self._span else 20)
        text = AsIs(self.text)
        while canvas.wide(text, 16) > room:  # what is typed last is seen
            text = AsIs(text[1:])
        if not text:
            canvas.text(self.empty, (rect.x + canvas.px(16), rect.centery), 14, palette.FAINT, anchor="midleft",
                        within=room - canvas.px(6))  # fmt: skip
        shown = canvas.text(text, (rect.x + canvas.px(10), rect.centery), 16, anchor="midleft")
        if focused:
            canvas.line((shown.right + 2, shown.y + 2), (shown.right + 2, shown.bottom - 2), palette.ACCENT, 2.0)
        if self._span:
            for word, x in (("−", rect.right - canvas.px(40)), ("+", rect.right - canvas.px(16))):
                canvas.text(word, (x, rect.centery), 18, palette.ACCENT, bold=True, anchor="center")

    def step(self, by: int) -> None:
        """Count up or down within the span."""
        if self._span is None:
            return
        low, high = self._span
        found = whole(self.value)
        number = low if found is None else found
        self._set(str(min(max(number + by, low), high)))

    def _set(self, text: str) -> None:
        self.text = text
        if self._changed:
            self._changed()

    def key(self, event: pygame.event.Event) -> bool:
        """Typing, Backspace, Delete for all, and stepping."""
        if event.key == pygame.K_BACKSPACE:
            self._set(self.text[:-1])
        elif event.key == pygame.K_DELETE:
            self._set("")
        elif event.key in (pygame.K_LEFT, pygame.K_RIGHT) and self._span:
            self.step(1 if event.key == pygame.K_RIGHT else -1)
        elif event.unicode and event.unicode.isprintable() and len(self.text) < self._most:
            self._set(self.text + event.unicode)
        else:
            return False
        return True

    def press(self, at: tuple[int, int]) -> None:
        """The two signs on the right step."""
        from_right = self.value_rect().right - at[0]
        if self._span and 0 <= from_right < self.rect.h * 2:
            self.step(1 if from_right < self.rect.h else -1)


class Slider(Widget):
    """A place between 0 and 1 on a bar.

    Args:
        moved: told of a new place. step: how far an arrow key goes.
    """

    def __init__(self, label: str, moved: Callable[[float], None], step: float = 0.02) -> None:
        super().__init__(label)
        self.at, self._moved, self.step = 0.0, moved, step

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """A bar filled up to its place, with a knob."""
        y, r = self.rect.centery, canvas.px(8)
        bar = pygame.Rect(self.rect.x, y - canvas.px(3), self.rect.w, canvas.px(6))
        canvas.box(bar, palette.EDGE, 3)
        canvas.box(pygame.Rect(bar.x, bar.y, max(2, round(bar.w * self.at)), bar.h), palette.ACCENT, 3)
        knob = palette.ACCENT if focused or hovered else palette.TEXT
        canvas.disc((self.rect.x + self.rect.w * self.at, y), r, knob)

    def _go(self, at: float) -> None:
        self.at = min(max(at, 0.0), 1.0)
        self._moved(self.at)

    def key(self, event: pygame.event.Event) -> bool:
        """Left and right."""
        if event.key not in (pygame.K_LEFT, pygame.K_RIGHT):
            return False
        self._go(self.at + (self.step if event.key == pygame.K_RIGHT else -self.step))
        return True

    def press(self, at: tuple[int, int]) -> None:
        """Go there."""
        self._go((at[0] - self.rect.x) / max(1, self.rect.w))

    drag = press


_BROKEN = 13.0
"""Size of letters of a line that is broken in two."""


class ListBox(Widget):
    """Lines of which one is chosen; scrolls.

    Args:
        lines: what stands there. chosen: told when the choice moves. picked: told of Enter or a click.
        whole: long lines are broken in two, so that they can be read whole.
    """

    def __init__(
        self, label: str, lines: Sequence[str], chosen: Callable[[int], None] | None = None,
        picked: Callable[[int], None] | None = None, *, row: float = 28.0, whole: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(label)
        self.lines, self.index, self.top = list(lines), 0, 0
        self._chosen, self._picked, self._row, self._whole = chosen, picked, row, whole
        self._step = 28
        self._sought = False
        self._laid: tuple[int, int, int] | None = None
        """Size for which rows were laid out, and how many lines there were."""
        self._tall = False

    @property
    def room(self) -> int:
        """The number of lines that can be seen."""
        return max(1, self.rect.h // self._step)

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """The lines that fit, the chosen one lit, a bar when there are more."""
        self._fit(canvas)
        canvas.box(self.rect, palette.WELL, 6,
                   palette.ACCENT if focused else palette.FAINT if hovered else palette.EDGE)  # fmt: skip
        if self._sought:  # only now is it known how many lines there is room for
            self.top, self._sought = self.index - self.room // 2, False
        self.top = min(max(self.top, 0), max(0, len(self.lines) - self.room))
        room, seen = self.rect.w - 4 - canvas.px(26), self.lines[self.top : self.top + self.room]
        longest = max((canvas.wide(line) for line in seen), default=0)  # at 16
        size = next((size for size in (15.0, 14.0, 13.0) if longest * size / 16.0 <= room), 13.0)
        with canvas.clipped(self.rect.inflate(-2, -2)):
            for k in range(self.room):
                number = self.top + k
                if number >= len(self.lines):
                    break
                row = pygame.Rect(self.rect.x + 2, self.rect.y + k * self._step, self.rect.w - 4, self._step)
                if number == self.index:
                    canvas.box(row.inflate(-canvas.px(4), -canvas.px(2)), palette.RAISED, 4)
                colour, x = palette.TEXT if number == self.index else palette.FAINT, row.x + canvas.px(10)
                broken = canvas.wrapped(self.lines[number], room, _BROKEN) if self._tall else []
                if len(broken) > 1:
                    high = canvas.high(_BROKEN)
                    canvas.text(broken[0], (x, row.centery - high), _BROKEN, colour, within=room)
                    canvas.text(" ".join(broken[1:]), (x, row.centery), _BROKEN, colour, within=room)
                else:
                    canvas.text(self.lines[number], (x, row.centery), size, colour, anchor="midleft", within=room)
        if len(self.lines) > self.room:
            high = max(canvas.px(16), self.rect.h * self.room // len(self.lines))
            y = self.rect.y + (self.rect.h - high) * self.top // max(1, len(self.lines) - self.room)
            canvas.box(pygame.Rect(self.rect.right - canvas.px(8), y, canvas.px(5), high), palette.EDGE, 2)

    def _fit(self, canvas: Canvas) -> None:
        """Lay the rows out for the room there is now, and keep the chosen one in sight."""
        laid = (self.rect.w, self.rect.h, len(self.lines))
        if laid == self._laid:
            return
        self._laid = laid
        room = self.rect.w - 4 - canvas.px(26)
        self._tall = self._whole and any(canvas.wide(line, _BROKEN) > room for line in self.lines)
        self._step = max(canvas.px(self._row), round(2.3 * canvas.high(_BROKEN)) if self._tall else 0)
        self.top = min(max(self.top, self.index - self.room + 1), self.index)

    def show(self, lines: Sequence[str], index: int) -> None:
        """Other lines, one of them chosen; nobody is told."""
        self.lines, self.index = list(lines), min(max(index, 0), max(len(lines) - 1, 0))
        self._sought = True

    def go(self, index: int) -> None:
        """Choose a line and bring it into sight."""
        if not self.lines:
            return
        self.index = min(max(index, 0), len(self.lines) - 1)
        self.top = min(max(self.top, self.index - self.room + 1), self.index)
        if self._chosen:
            self._chosen(self.index)

    def key(self, event: pygame.event.Event) -> bool:
        """Up, down, pages, ends; Enter picks."""
        moves = {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_PAGEUP: -self.room, pygame.K_PAGEDOWN: self.room,
                 pygame.K_HOME: -len(self.lines), pygame.K_END: len(self.lines)}  # fmt: skip
        if event.key in moves:
            self.go(self.index + moves[event.key])
        elif event.key in PRESS and self._picked and self.lines:
            self._picked(self.index)
        else:
            return False
        return True

    def press(self, at: tuple[int, int]) -> None:
        """Choose the line under the mouse, and pick it."""
        number = self.top + (at[1] - self.rect.y) // self._step
        if 0 <= number < len(self.lines):
            self.go(number)
            if self._picked:
                self._picked(number)

    def wheel(self, steps: int) -> None:
        """Scroll."""
        self.top = min(max(self.top - steps, 0), max(0, len(self.lines) - self.room))
