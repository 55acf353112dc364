"""The help over any screen: keys, the game's rules and options in our own words, and the words players use."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from flicksim.referee import Game, Option, options_of
from flicksim.ui.frame.app import App
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.keys import BOARD, Keys, listed
from flicksim.ui.kit.scroll import Scroll
from flicksim.ui.kit.widgets import Button


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a page: a heading, or a word and what is said of it; `wide` is the word's column [units]."""

    word: str
    says: str
    wide: float = 0.0


class _Pages(Overlay):
    """Pages to leaf through.

    Args:
        pages: their lines by what they are called.
    """

    def __init__(self, app: App, title: str, pages: dict[str, list[_Line]]) -> None:
        super().__init__(app, 860, 680)
        self.pages, self._title = pages, title
        self.page = next(iter(pages))
        self.scroll = Scroll()
        self._tabs = [Button(name, lambda name=name: self.turn_to(name)) for name in self.pages]  # type: ignore[misc]
        self._back = Button("Back", app.pop, key="Esc", main=True)
        self._lesson: Button | None = None
        self.form = Form([*self._tabs, self._back] if len(self._tabs) > 1 else [self._back], arrows=False)
        self.form.focus = len(self.form.widgets) - 1
        self._body = pygame.Rect(0, 0, 1, 1)

    def teach(self, begin: Callable[[], None]) -> None:
        """Have a button that begins a lesson."""
        self._lesson = Button("Play the lesson", begin)
        self.form.widgets.insert(-1, self._lesson)
        self.form.focus = len(self.form.widgets) - 1

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        ways = ["Left Right leaf through the pages"] if len(self.pages) > 1 else []
        return "   ·   ".join([*ways, "Up Down scroll", "Esc back"])

    def turn_to(self, page: str) -> None:
        """Show a page from its beginning."""
        self.page, self.scroll.at = page, 0.0

    def handle(self, event: pygame.event.Event) -> None:
        """Left and right leaf through the pages; up, down and the wheel scroll."""
        step = round(60 * self.app.scale)
        by = {pygame.K_UP: -step, pygame.K_DOWN: step, pygame.K_PAGEUP: -self._body.h, pygame.K_PAGEDOWN: self._body.h,
              pygame.K_HOME: -self.scroll.most, pygame.K_END: self.scroll.most}  # fmt: skip
        names = list(self.pages)
        if self.scroll.wheel(event, step):
            pass
        elif event.type == pygame.KEYDOWN and event.key in by:
            self.scroll.by(by[event.key])
        elif event.type == pygame.KEYDOWN and event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            way = 1 if event.key == pygame.K_RIGHT else -1
            self.turn_to(names[(names.index(self.page) + way) % len(names)])
        elif event.type == pygame.KEYDOWN and (event.unicode == "?" or event.key == pygame.K_F1):
            self.app.pop()
        else:
            super().handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Tabs at the head, the button at the foot."""
        super().layout(size, scale)
        w, h, pad = round(160 * scale), round(36 * scale), round(16 * scale)
        self._back.rect = pygame.Rect(self.rect.centerx - w // 2, self.rect.bottom - h - pad, w, h)
        if self._lesson is not None:
            self._lesson.rect = self._back.rect.move(w // 2 + pad // 2, 0)
            self._back.rect = self._back.rect.move(-w // 2 - pad // 2, 0)
        tab = round(110 * scale)
        for k, button in enumerate(self._tabs):
            left = self.rect.right - pad - (len(self._tabs) - k) * (tab + round(6 * scale))
            button.rect = pygame.Rect(left, self.rect.y + pad, tab, h)
        top = self.rect.y + pad + h + round(12 * scale)
        self._body = pygame.Rect(self.rect.x + pad, top, self.rect.w - 2 * pad, self._back.rect.y - top - pad // 2)

    def draw(self, canvas: Canvas) -> None:
        """The page that is open."""
        for button in self._tabs:
            button.main = button.label == self.page
        super().draw(canvas)
        canvas.text(self._title, (self._body.x, self.rect.y + canvas.px(20)), 22, bold=True,
                    within=max(10, self._tabs[0].rect.x - self._body.x - canvas.px(10)))  # fmt: skip
        body = self.scroll.view = self._body
        y = start = self.scroll.top
        with canvas.clipped(body):
            for line in self.pages[self.page]:
                y = self._draw_line(canvas, line, y)
        self.scroll.hold(body, y - start)
        self.scroll.draw(canvas)

    def _draw_line(self, canvas: Canvas, line: _Line, y: int) -> int:
        """One line, as high as its words need. Returns where it ends [pixels]."""
        body, gap = self._body, canvas.px(5)
        room = body.w - canvas.px(16)
        if not line.says:
            size, bold = (13, True) if line.wide else (15, False)
            colour = palette.ACCENT if line.wide else palette.TEXT
            lines = canvas.wrapped(line.word, room, size, bold=bold)
            y += gap if line.wide else 0
            for k, words in enumerate(lines):
                if self.scroll.whole(y + k * canvas.high(size), canvas.high(size)):
                    canvas.text(words, (body.x, y + k * canvas.high(size)), size, colour, bold=bold)
            return y + len(lines) * canvas.high(size) + gap
        left = canvas.px(line.wide)
        lines = canvas.wrapped(line.says, room - left, 14)
        if self.scroll.whole(y, canvas.high(14)):
            _word(canvas, line.word, (body.x, y), left - canvas.px(8))
        for k, words in enumerate(lines):
            if self.scroll.whole(y + k * canvas.high(14), canvas.high(14)):
                canvas.text(words, (body.x + left, y + k * canvas.high(14)), 14, palette.FAINT)
        return y + len(lines) * canvas.high(14) + gap


def _word(canvas: Canvas, word: str, at: tuple[int, int], room: int) -> None:
    """A word, in smaller letters where it is long."""
    size = next((size for size in (14.0, 13.0, 12.0) if canvas.wide(word, size, bold=True) <= room), 11.0)
    canvas.text(word, at, size, bold=True, within=room)


class HelpScreen(_Pages):
    """Keys, rules and words.

    Args:
        keys: tables of them, one below the other.
        game: whose rules and words are shown; None for the words of all games.
    """

    def __init__(self, app: App, keys: Sequence[Keys] | None = None, game: Game | None = None) -> None:
        lines: list[_Line] = []
        for table in listed((BOARD,), table=True) if keys is None else keys:
            lines += [_Line(table.where, ""), *(_Line(row.shown, row.says, 240.0) for row in table.rows)]
        pages = {"Keys": lines}
        if game is not None:
            pages["Rules"] = _rules(game)
        pages["Words"] = _words(app.glossary.listed(game))
        teach = None if game is None else app.routes.teach(app, game)
        super().__init__(app, "Help" if game is None else game.title, pages)
        if teach is not None:
            self.teach(teach)


class WordsScreen(_Pages):
    """The meanings of the words on the screen; on a second page, all there are.

    Args:
        here: words and what is said of them.
    """

    def __init__(self, app: App, game: Game | None, here: Sequence[tuple[str, str]]) -> None:
        pages = {"Here": _words(here)} if here else {}
        super().__init__(app, "Words", pages | {"All words": _words(app.glossary.listed(game))})


def _words(found: Sequence[tuple[str, str]]) -> list[_Line]:
    return [_Line(word, says, 150.0) for word, says in found]


def _rules(game: Game) -> list[_Line]:
    """The course of the game, each rule by its ledger id, and which of the options changes it."""
    options = {option.name: option for option in options_of(game)}
    found = [_Line(game.story or game.blurb, "")]
    for row in game.rows:
        more = ""
        if row.option in options:
            usual = options[row.option].default
            named = "yes" if usual is True else "no" if usual is False else written(usual)
            more = f" (Can be changed: {plain(options[row.option])}. Usually {named}.)"
        found.append(_Line(row.id, row.text + more, 84.0))
    return found


def plain(option: Option) -> str:
    """The subject of an option, in words: the beginning of what is said of it."""
    says = option.says.partition(" (")[0]
    unit = next((f" [{unit}]" for unit in ("mm", "s", "%") if f"[{unit}]" in option.says), "")
    words = re.split("[;:]", says)[0].removesuffix(unit).strip()
    if option.allowed == "true | false":
        words = words.partition(", or ")[0]  # what no would mean
    return (words[:1].upper() + words[1:] + unit) if words else option.name.replace("_", " ")


def written(value: object) -> str:
    """A default as one would type it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ",".join(written(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
