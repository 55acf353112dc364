"""Help overlay: keys, rules, options and glossary."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from flicksim.gui.app.application import App
from flicksim.gui.app.overlay import Overlay
from flicksim.gui.toolkit import Button, Canvas, Form, ScrollArea, palette, place_at_bottom, place_in_grid
from flicksim.gui.toolkit.key_bindings import BOARD_KEYS, KeyMap, help_bindings
from flicksim.referee import Game, Option, options_of


@dataclass(frozen=True, slots=True)
class _HelpLine:
    """Line of a page: a term and its meaning, `term_width` being the width of the term's column [units]; a paragraph or
    heading without one."""

    term: str
    text: str
    term_width: float = 0.0
    is_heading: bool = False


class _PagedOverlay(Overlay):
    """Base class of overlays with pages.

    Args:
        pages: their lines by title. start_lesson: starts a lesson; None: no button offers one.
    """

    IS_MENU = False

    def __init__(
        self, app: App, title: str, pages: dict[str, list[_HelpLine]], start_lesson: Callable[[], None] | None = None
    ) -> None:
        super().__init__(app, 860, 680)
        self.pages, self._title = pages, title
        self.page = next(iter(pages))
        self.scroll = ScrollArea()
        self._tabs = [Button(name, lambda name=name: self.show_page(name)) for name in self.pages]  # type: ignore[misc]
        self._back = Button("Back", app.pop, key="Esc")
        self._lesson_buttons = [] if start_lesson is None else [Button("Play the lesson", start_lesson)]
        tabs = self._tabs if len(self._tabs) > 1 else []
        self.form = Form([*tabs, *self._lesson_buttons, self._back], arrows=False)
        self.form.focus = len(self.form.widgets) - 1
        self._body = pygame.Rect(0, 0, 1, 1)

    def status_line(self) -> str:
        items = ["Left Right leaf through the pages"] if len(self.pages) > 1 else []
        return "   ·   ".join([*items, "Up Down scroll", "Esc back"])

    def show_help(self) -> None:
        """Close the help, as the key that opens it does."""
        self.app.pop()

    def show_page(self, page: str) -> None:
        """Show a page, scrolled to its top."""
        self.page, self.scroll.offset = page, 0.0

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event: left and right change the page; up, down and the wheel scroll."""
        step = round(60 * self.app.scale)
        offsets = {pygame.K_UP: -step, pygame.K_DOWN: step, pygame.K_PAGEUP: -self._body.h}
        offsets |= {pygame.K_PAGEDOWN: self._body.h, pygame.K_HOME: -self.scroll.max_offset}
        offsets[pygame.K_END] = self.scroll.max_offset
        names = list(self.pages)
        if self.scroll.handle_wheel(event, step):
            pass
        elif event.type == pygame.KEYDOWN and event.key in offsets:
            self.scroll.scroll_by(offsets[event.key])
        elif event.type == pygame.KEYDOWN and event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            step_direction = 1 if event.key == pygame.K_RIGHT else -1
            self.show_page(names[(names.index(self.page) + step_direction) % len(names)])
        elif event.type == pygame.KEYDOWN and event.unicode == "?":
            self.app.pop()
        else:
            super().handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the tabs at the top and the button at the bottom."""
        super().layout(size, scale)
        w, h, pad, gap = round(160 * scale), round(36 * scale), round(16 * scale), round(6 * scale)
        place_at_bottom([self._back, *self._lesson_buttons], self.rect, (w, h), pad, pad)
        tabs_width = len(self._tabs) * (round(110 * scale) + gap)
        tabs = pygame.Rect(self.rect.right - pad - tabs_width, self.rect.y + pad, tabs_width - gap, h)
        place_in_grid(self._tabs, tabs, h, gap, len(self._tabs))
        top = tabs.bottom + round(12 * scale)
        self._body = pygame.Rect(self.rect.x + pad, top, self.rect.w - 2 * pad, self._back.rect.y - top - pad // 2)

    def draw(self, canvas: Canvas) -> None:
        for button in self._tabs:
            button.is_primary = button.label == self.page
        super().draw(canvas)
        canvas.text(self._title, (self._body.x, self.rect.y + canvas.px(20)), 22, bold=True,
                    max_width=max(10, self._tabs[0].rect.x - self._body.x - canvas.px(10)))  # fmt: skip
        body = self.scroll.viewport = self._body
        y = start = self.scroll.top
        with canvas.clipped(body):
            for line in self.pages[self.page]:
                y = self._draw_line(canvas, line, y)
        self.scroll.set_content(body, y - start)
        self.scroll.draw(canvas)

    def _draw_line(self, canvas: Canvas, line: _HelpLine, y: int) -> int:
        """Draw one line, as high as its text needs. Return its lower end [pixels]."""
        x, left, gap = self._body.x, canvas.px(line.term_width) if line.text else 0, canvas.px(5)
        size, bold, colour = 14, False, palette.MUTED_TEXT
        if not line.text:
            size, bold = (17, True) if line.is_heading else (13, True) if line.term_width else (15, False)
            colour = palette.ACCENT if bold else palette.TEXT
            y += gap if bold else 0
        elif self.scroll.is_fully_visible(y, canvas.line_height(size)):
            max_width = left - canvas.px(8)
            fitting = (k for k in (14.0, 13.0, 12.0) if canvas.text_width(line.term, k, bold=True) <= max_width)
            canvas.text(line.term, (x, y), next(fitting, 11.0), bold=True, max_width=max_width)
        for text in canvas.wrap(line.text or line.term, self._body.w - canvas.px(16) - left, size, bold=bold):
            if self.scroll.is_fully_visible(y, canvas.line_height(size)):
                canvas.text(text, (x + left, y), size, colour, bold=bold)
            y += canvas.line_height(size)
        return y + gap


class HelpScreen(_PagedOverlay):
    """Help overlay: keys, rules and glossary.

    Args:
        key_maps: shown one below the other.
        game: whose rules and words are shown; None for the words of all games.
    """

    def __init__(self, app: App, key_maps: Sequence[KeyMap] | None = None, game: Game | None = None) -> None:
        lines: list[_HelpLine] = []
        for table in help_bindings((BOARD_KEYS,), has_flicks=True) if key_maps is None else key_maps:
            lines += [
                _HelpLine(table.title, "", is_heading=True),
                *(_HelpLine(row.label, row.text, 240.0) for row in table.bindings),
            ]
        pages = {"Keys": lines}
        if game is not None:
            pages["Rules"] = _rule_lines(game)
        pages["Words"] = _term_lines(app.glossary.help_lines(game))
        start_lesson = None if game is None else app.routes.start_lesson(app, game)
        super().__init__(app, "Help" if game is None else game.title, pages, start_lesson)


class WordListScreen(_PagedOverlay):
    """Overlay with the terms on the screen; all terms on a second page."""

    def __init__(self, app: App, game: Game | None, visible_terms: Sequence[tuple[str, str]]) -> None:
        pages = {"Here": _term_lines(visible_terms)} if visible_terms else {}
        super().__init__(app, "Words", pages | {"All words": _term_lines(app.glossary.help_lines(game))})


def _term_lines(terms: Sequence[tuple[str, str]]) -> list[_HelpLine]:
    return [_HelpLine(term, text, 150.0) for term, text in terms]


def _rule_lines(game: Game) -> list[_HelpLine]:
    """Lines of the rules, each with its rule id and the options that change it."""
    options = {option.name: option for option in options_of(game)}
    lines = [_HelpLine(game.description or game.summary, "")]
    for row in game.rulebook:
        more = ""
        if row.option in options:
            option = options[row.option]
            more = f" (Can be changed: {option_title(option)}. Usually {default_text(option)}.)"
        lines.append(_HelpLine(row.id, row.text + more, 84.0))
    return lines


def option_title(option: Option) -> str:
    """Title of an option: the beginning of its description."""
    summary = option.help.partition(" (")[0]
    unit = next((f" [{unit}]" for unit in ("mm", "s", "%") if f"[{unit}]" in option.help), "")
    title = re.split("[;:]", summary)[0].removesuffix(unit).strip()
    if option.allowed == "true | false":
        title = title.partition(", or ")[0]  # the meaning of "no"
    return (title[:1].upper() + title[1:] + unit) if title else option.name.replace("_", " ")


def default_text(option: Option) -> str:
    """Default of an option, in words."""
    if isinstance(option.default, bool):
        return "yes" if option.default else "no"
    return format_default(option.default).replace("_", " ")


def format_default(value: object) -> str:
    """Format a default value as it would be typed."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ",".join(format_default(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
