"""Widgets: buttons, choices, text fields; by mouse and by keyboard."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

import pygame

from flicksim.core.limits import parse_int
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.translation import Untranslated

PRESS_KEYS = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)
"""Keys that press what has the focus."""
_LEAST_WITH_HINT = 13.0
"""Size of the label of a button below which its shortcut is left out [units]."""


class Widget:
    """Base class of widgets: a labelled rectangle on the screen.

    Args:
        label: its name. help_text: its effect, shown while it has the focus.
    """

    def __init__(self, label: str, help_text: str = "") -> None:
        self.label, self.help_text = label, help_text
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.enabled = True
        self.error = ""

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Draw the widget."""

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key pressed while focused; return True if it was used."""
        del event
        return False

    def handle_press(self, position: tuple[int, int]) -> None:
        """Handle a mouse press on the widget."""

    def handle_drag(self, position: tuple[int, int]) -> None:
        """Handle a mouse drag that began on the widget."""

    def handle_wheel(self, steps: int) -> None:
        """Handle the wheel over the widget; positive is away from the user."""

    def _draw_frame(self, canvas: Canvas, focused: bool, hovered: bool, rect: pygame.Rect | None = None) -> None:
        fill = palette.RAISED_PANEL if not hovered else palette.mix(palette.RAISED_PANEL, palette.TEXT, 0.12)
        edge = palette.BAD if self.error else palette.ACCENT if focused else palette.BORDER
        frame = self.rect if rect is None else rect
        canvas.box(frame, fill, 6, edge)
        if focused:
            canvas.outline(frame, edge, 2.0)


class Button(Widget):
    """Button with a callback.

    Args:
        label: on it. action: called when it is pressed. key: its shortcut, shown beside the label. is_primary: drawn as
            the default button. help_text: see `Widget`.
    """

    def __init__(
        self, label: str, action: Callable[[], None], *, key: str = "", is_primary: bool = False, help_text: str = ""
    ) -> None:
        super().__init__(label, help_text)
        self.action, self.shortcut, self.is_primary = action, key, is_primary

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        if self.is_primary and self.enabled:
            fill = palette.mix(palette.ACCENT, palette.PANEL, 0.25 if hovered else 0.0)
            canvas.box(self.rect, fill, 6, palette.TEXT if focused else fill)
            if focused:
                canvas.outline(self.rect.inflate(-canvas.px(5), -canvas.px(5)), palette.ON_ACCENT, 1.5)
        else:
            self._draw_frame(canvas, focused, hovered and self.enabled)
        self._draw_label(canvas)

    def _draw_label(self, canvas: Canvas) -> None:
        """Draw label and shortcut in letters that fit; the shortcut is left out where the label needs the space."""
        is_default = self.is_primary and self.enabled
        colour = palette.mix(palette.MUTED_TEXT, palette.PANEL, 0.5)
        if self.enabled:
            colour = palette.ON_ACCENT if self.is_primary else palette.TEXT
        available = self.rect.w - canvas.px(16)
        hint = f"  {self.shortcut}" if self.shortcut else ""

        def width(size: float) -> int:
            return canvas.text_width(self.label, size, bold=True) + canvas.text_width(hint, size - 3)

        sizes = [16.0 - 0.5 * k for k in range(11)]
        size = next((size for size in sizes if size >= _LEAST_WITH_HINT and width(size) <= available), None)
        if size is None:
            size, label_width = sizes[-1], canvas.text_width(self.label, sizes[-1], bold=True)
            if label_width <= available + canvas.px(8) or available < 6 * canvas.text_width(hint, size - 3):
                hint = ""  # the help lists the key; the label needs the space
                available += canvas.px(8)
                size = next((size for size in sizes if width(size) <= available), size)
        hint_width = canvas.text_width(hint, size - 3)
        label = canvas.ellipsize(self.label, available - hint_width, size, bold=True)
        x = self.rect.centerx - (canvas.text_width(label, size, bold=True) + canvas.text_width(hint, size - 3)) // 2
        text_rect = canvas.text(label, (x, self.rect.centery), size, colour, bold=True, anchor="midleft")
        if hint:
            tint, share = (palette.ACCENT, 0.25) if is_default else (palette.MUTED_TEXT, 0.5)
            faint = palette.mix(colour, tint, share)
            canvas.text(hint, (text_rect.right, self.rect.centery), size - 3, faint, anchor="midleft")

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key: Enter and Space press the button."""
        if event.key in PRESS_KEYS and self.enabled:
            self.action()
            return True
        return False

    def handle_press(self, position: tuple[int, int]) -> None:
        del position
        if self.enabled:
            self.action()


class Field(Widget):
    """Base class of fields: a label on the left, a value on the right."""

    label_fraction = 0.45
    """Fraction of the width for the label."""

    def value_rect(self) -> pygame.Rect:
        """Rectangle of the value."""
        left = round(self.rect.w * self.label_fraction)
        return pygame.Rect(self.rect.x + left, self.rect.y, self.rect.w - left, self.rect.h)

    def _draw_label(self, canvas: Canvas, focused: bool) -> None:
        colour = palette.BAD if self.error else palette.TEXT if focused else palette.MUTED_TEXT
        available = round(self.rect.w * self.label_fraction) - canvas.px(8)
        size = next((size for size in (15.0, 14.0, 13.0) if canvas.text_width(self.label, size) <= available), None)
        if size is not None:
            canvas.text(self.label, self.rect.midleft, size, colour, anchor="midleft")
            return
        lines, step = canvas.wrap(self.label, available, 12)[:2], canvas.px(14)
        for k, line in enumerate(lines):
            y = self.rect.centery + round((k - (len(lines) - 1) / 2.0) * step)
            canvas.text(line, (self.rect.x, y), 12, colour, anchor="midleft", max_width=available)


class Choice(Field):
    """Choice among several values, by left and right.

    Args:
        values: to choose from. index: of the selected one. on_change: called after a new choice.
        labels: texts of values, where they differ.
    """

    def __init__(
        self, label: str, values: Sequence[str], index: int = 0, on_change: Callable[[], None] | None = None,
        help_text: str = "", labels: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(label, help_text)
        self.values, self.index, self._on_change, self._labels = tuple(values), index, on_change, labels or {}

    @property
    def value(self) -> str:
        """Selected value."""
        return self.values[self.index]

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Draw the value between two arrowheads."""
        self._draw_label(canvas, focused)
        rect = self.value_rect()
        self._draw_frame(canvas, focused, hovered, rect)
        text = self._labels.get(self.value, self.value.replace("_", " "))
        width = rect.w - canvas.px(52)
        size = canvas.size_to_fit(text, (width, canvas.line_height(16)), 16.0, 9.0)
        canvas.text(text, rect.center, size, anchor="center", max_width=width)
        s, y = canvas.px(5), rect.centery
        colour = palette.ACCENT if focused or hovered else palette.MUTED_TEXT
        for x, direction in ((rect.x + canvas.px(10), 1), (rect.right - canvas.px(10), -1)):
            canvas.polygon([(x, y), (x + direction * s * 1.4, y - s), (x + direction * s * 1.4, y + s)], colour)

    def set_labels(self, labels: Mapping[str, str]) -> None:
        """Replace the texts of some values."""
        self._labels = {**self._labels, **labels}

    def cycle(self, steps: int) -> None:
        """Advance by a number of values, cyclically."""
        self.index = (self.index + steps) % len(self.values)
        if self._on_change:
            self._on_change()

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key: left and right, or Enter for the next."""
        if event.key == pygame.K_LEFT:
            self.cycle(-1)
        elif event.key == pygame.K_RIGHT or event.key in PRESS_KEYS:
            self.cycle(1)
        else:
            return False
        return True

    def handle_press(self, position: tuple[int, int]) -> None:
        """Handle a press: the left third selects the previous word, the rest the next."""
        rect = self.value_rect()
        if rect.collidepoint(position):
            self.cycle(-1 if position[0] < rect.x + rect.w // 3 else 1)


class Checkbox(Choice):
    """Checkbox with the values "true" and "false"."""

    def __init__(
        self, label: str, is_checked: bool, on_change: Callable[[], None] | None = None, help_text: str = ""
    ) -> None:
        super().__init__(label, ("false", "true"), int(is_checked), on_change, help_text)

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Draw a box with a tick, and its value."""
        self._draw_label(canvas, focused)
        area = self.value_rect()
        side = min(area.h, canvas.px(24))
        rect = pygame.Rect(area.x, area.centery - side // 2, side, side)
        self._draw_frame(canvas, focused, hovered, rect)
        if self.index:
            x, y, s = rect.centerx, rect.centery, side / 2
            tick = [(x - s * 0.5, y), (x - s * 0.1, y + s * 0.4), (x + s * 0.55, y - s * 0.45)]
            canvas.polyline(tick, palette.ACCENT, max(2.0, canvas.px(2.5)))
        word = "yes" if self.index else "no"
        canvas.text(word, (rect.right + canvas.px(10), rect.centery), 16, anchor="midleft")


class TextField(Field):
    """Text field; left and right step a whole number.

    Args:
        text: its content. range_: lowest and highest whole number to step through, if it is a number.
        max_length: number of characters. placeholder: shown faintly while it is empty.
    """

    def __init__(
        self, label: str, text: str, on_change: Callable[[], None] | None = None, help_text: str = "",
        range_: tuple[int, int] | None = None, max_length: int = 40, placeholder: str = "",
    ) -> None:  # fmt: skip
        super().__init__(label, help_text)
        self.text, self._on_change, self._range, self._max_length = text, on_change, range_, max_length
        self.placeholder = placeholder
        self.is_selected = False
        """True while all of the text is selected: what is typed replaces it."""

    @property
    def value(self) -> str:
        """Text without surrounding blanks."""
        return self.text.strip()

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Draw the value, with a caret while focused and - + for a whole number."""
        self._draw_label(canvas, focused)
        rect = self.value_rect()
        self._draw_frame(canvas, focused, hovered, rect)
        available = rect.w - canvas.px(64 if self._range else 20)
        if focused and len(self.text) >= self._max_length and not self._range:
            note = f"{self._max_length} characters at most"
            right = (rect.right - canvas.px(10), rect.centery)
            drawn = canvas.text(note, right, 11, palette.ACCENT, anchor="midright", max_width=available // 2)
            available -= drawn.w + canvas.px(8)
        text = Untranslated(self.text)
        while canvas.text_width(text, 16) > available:  # the end of the text stays visible
            text = Untranslated(text[1:])
        if not text:
            start, max_width = (rect.x + canvas.px(16), rect.centery), available - canvas.px(6)
            canvas.text(self.placeholder, start, 14, palette.MUTED_TEXT, anchor="midleft", max_width=max_width)
        start = (rect.x + canvas.px(10), rect.centery)
        self.is_selected &= focused
        if self.is_selected:
            selection = pygame.Rect(0, 0, canvas.text_width(text, 16), canvas.line_height(16))
            selection.midleft = start
            canvas.box(selection, palette.mix(palette.RAISED_PANEL, palette.ACCENT, 0.4), 2)
        text_rect = canvas.text(text, start, 16, anchor="midleft")
        if focused:
            x = text_rect.right + 2
            canvas.line((x, text_rect.y + 2), (x, text_rect.bottom - 2), palette.ACCENT, 2.0)
        if self._range:
            for word, x in (("−", rect.right - canvas.px(40)), ("+", rect.right - canvas.px(16))):
                canvas.text(word, (x, rect.centery), 18, palette.ACCENT, bold=True, anchor="center")

    def increment(self, step: int) -> None:
        """Step the number up or down within its range."""
        if self._range is None:
            return
        low, high = self._range
        current = parse_int(self.value)
        number = low if current is None else current
        self._set(str(min(max(number + step, low), high)))

    def _set(self, text: str) -> None:
        self.text, self.is_selected = text, False
        if self._on_change:
            self._on_change()

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key: typing, Backspace, Delete for all, Ctrl + A to select all, and stepping."""
        kept = "" if self.is_selected else self.text
        if event.key == pygame.K_a and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self.is_selected = bool(self.text)
        elif event.key == pygame.K_BACKSPACE:
            self._set(kept[:-1])
        elif event.key == pygame.K_DELETE:
            self._set("")
        elif event.key in (pygame.K_LEFT, pygame.K_RIGHT) and self._range:
            self.increment(1 if event.key == pygame.K_RIGHT else -1)
        elif event.unicode and event.unicode.isprintable():
            if len(kept) < self._max_length:
                self._set(kept + event.unicode)
        else:
            self.is_selected &= event.key not in (pygame.K_LEFT, pygame.K_RIGHT)
            return False
        return True

    def handle_press(self, position: tuple[int, int]) -> None:
        """Handle a press: it ends a selection; - and + on the right step the number."""
        self.is_selected = False
        from_right = self.value_rect().right - position[0]
        if self._range and 0 <= from_right < self.rect.h * 2:
            self.increment(1 if from_right < self.rect.h else -1)


class Slider(Widget):
    """Slider for a number between 0 and 1.

    Args:
        on_change: called with the new position. step: of an arrow key.
    """

    def __init__(self, label: str, on_change: Callable[[float], None], step: float = 0.02) -> None:
        super().__init__(label)
        self.position, self._on_change, self.step = 0.0, on_change, step

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Draw a bar filled up to the value, with a knob."""
        y, r = self.rect.centery, canvas.px(8)
        bar = pygame.Rect(self.rect.x, y - canvas.px(3), self.rect.w, canvas.px(6))
        canvas.box(bar, palette.BORDER, 3)
        canvas.box(pygame.Rect(bar.x, bar.y, max(2, round(bar.w * self.position)), bar.h), palette.ACCENT, 3)
        knob = palette.ACCENT if focused or hovered else palette.TEXT
        canvas.disc((self.rect.x + self.rect.w * self.position, y), r, knob)

    def _set_position(self, position: float) -> None:
        self.position = min(max(position, 0.0), 1.0)
        self._on_change(self.position)

    def handle_key(self, event: pygame.event.Event) -> bool:
        if event.key not in (pygame.K_LEFT, pygame.K_RIGHT):
            return False
        self._set_position(self.position + (self.step if event.key == pygame.K_RIGHT else -self.step))
        return True

    def handle_press(self, position: tuple[int, int]) -> None:
        self._set_position((position[0] - self.rect.x) / max(1, self.rect.w))

    handle_drag = handle_press


_WRAPPED_LINES = 13.0
"""Font size of a line broken in two."""


class ListBox(Widget):
    """Scrollable list of lines of which one is selected.

    Args:
        lines: its rows. on_select: called when the selection moves. on_activate: called on Enter or a click.
        row_height: [units]. wrap_lines: break long lines in two.
    """

    def __init__(
        self, label: str, lines: Sequence[str], on_select: Callable[[int], None] | None = None,
        on_activate: Callable[[int], None] | None = None, *, row_height: float = 28.0, wrap_lines: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(label)
        self.lines, self.index, self.first_visible = list(lines), 0, 0
        self._on_select, self._on_activate, self._row_height = on_select, on_activate, row_height
        self._wrap_lines = wrap_lines
        self._heights: list[int] = []
        """Heights of the rows [pixels]."""
        self._scroll_to_selected = False
        self._layout: tuple[int, int, tuple[str, ...]] | None = None
        """Size and lines for which rows were laid out."""

    @property
    def visible_rows(self) -> int:
        """Number of visible lines."""
        return self._count_fitting(self._heights[self.first_visible :])

    def _count_fitting(self, heights: Iterable[int]) -> int:
        """Number of rows of these heights that fit, one after another."""
        return max(1, sum(end <= self.rect.h for end in accumulate(heights)))

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Draw the lines that fit, the selected one highlighted, and a scroll bar if there are more."""
        self._layout_rows(canvas)
        canvas.box(self.rect, palette.INSET_BACKGROUND, 6,
                   palette.ACCENT if focused else palette.MUTED_TEXT if hovered else palette.BORDER)  # fmt: skip
        if self._scroll_to_selected:  # the number of visible lines is known only now
            self.first_visible, self._scroll_to_selected = max(0, self.index - self.visible_rows // 2), False
            self._reveal()
        self.handle_wheel(0)
        available = self.rect.w - 4 - canvas.px(26)
        visible = self.lines[self.first_visible : self.first_visible + self.visible_rows]
        fitting = (size for size in (15.0, 14.0) if all(canvas.text_width(line, size) <= available for line in visible))
        size = next(fitting, _WRAPPED_LINES)
        wraps = self._wrap_lines and size == _WRAPPED_LINES
        row = pygame.Rect(self.rect.x + 2, self.rect.y, self.rect.w - 4, 0)
        with canvas.clipped(self.rect.inflate(-2, -2)):
            for number, line in enumerate(visible, self.first_visible):
                row.y, row.h = row.bottom, self._heights[number]
                if number == self.index:
                    canvas.box(row.inflate(-canvas.px(4), -canvas.px(2)), palette.RAISED_PANEL, 4)
                colour, x = palette.TEXT if number == self.index else palette.MUTED_TEXT, row.x + canvas.px(10)
                wrapped = canvas.wrap(line, available, size) if wraps else []
                if len(wrapped) > 1:
                    y, rest = row.centery - canvas.line_height(size), Untranslated(" ".join(wrapped[1:]))
                    canvas.text(wrapped[0], (x, y), size, colour, max_width=available)
                    canvas.text(rest, (x, row.centery), size, colour, max_width=available)
                else:
                    canvas.text(line, (x, row.centery), size, colour, anchor="midleft", max_width=available)
        if len(self.lines) > len(visible):
            height = max(canvas.px(16), self.rect.h * len(visible) // len(self.lines))
            y = self.rect.y + (self.rect.h - height) * self.first_visible // max(1, len(self.lines) - len(visible))
            canvas.box(pygame.Rect(self.rect.right - canvas.px(8), y, canvas.px(5), height), palette.BORDER, 2)

    def _layout_rows(self, canvas: Canvas) -> None:
        """Lay out the rows for the present size, keeping the selected one in view."""
        layout_key = (self.rect.w, self.rect.h, tuple(self.lines))
        if layout_key == self._layout:
            return
        self._layout, one = layout_key, canvas.px(self._row_height)
        available = self.rect.w - 4 - canvas.px(26)
        two = max(one, round(2.6 * canvas.line_height(_WRAPPED_LINES))) if self._wrap_lines else one
        self._heights = [two if canvas.text_width(line, _WRAPPED_LINES) > available else one for line in self.lines]
        self._reveal()

    def _reveal(self) -> None:
        """Scroll as little as brings the selected line into view."""
        fitting = self._count_fitting(self._heights[self.index :: -1])
        self.first_visible = min(max(self.first_visible, self.index - fitting + 1), self.index)

    def set_lines(self, lines: Sequence[str], index: int) -> None:
        """Replace the lines and the selection without calling back."""
        self.lines, self.index = list(lines), min(max(index, 0), max(len(lines) - 1, 0))
        self._scroll_to_selected = True

    def select(self, index: int) -> None:
        """Select a line and scroll to it."""
        if not self.lines:
            return
        self.index = min(max(index, 0), len(self.lines) - 1)
        self._reveal()
        if self._on_select:
            self._on_select(self.index)

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key: up, down, pages, ends; Enter activates."""
        moves = {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_HOME: -len(self.lines), pygame.K_END: len(self.lines)}
        moves |= {pygame.K_PAGEUP: -self.visible_rows, pygame.K_PAGEDOWN: self.visible_rows}
        if event.key in moves:
            self.select(self.index + moves[event.key])
        elif event.key in PRESS_KEYS and self._on_activate and self.lines:
            self._on_activate(self.index)
        else:
            return False
        return True

    def handle_press(self, position: tuple[int, int]) -> None:
        """Handle a press: select the line under the mouse, and activate it."""
        ends = accumulate(self._heights[self.first_visible :], initial=self.rect.y)
        number = self.first_visible - 1 + sum(end <= position[1] for end in ends)
        if 0 <= number < len(self.lines):
            self.select(number)
            if self._on_activate:
                self._on_activate(number)

    def handle_wheel(self, steps: int) -> None:
        last = len(self.lines) - self._count_fitting(reversed(self._heights))
        self.first_visible = max(0, min(self.first_visible - steps, last))
