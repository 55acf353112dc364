"""Glossary: meanings of terms in a text, listed in the help and shown as tooltips under the mouse."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

import pygame

from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas, DrawnText, text_width
from flicksim.referee import Game

_HOVER_DELAY = 0.5
"""Time that the mouse rests on a term before its tooltip is shown [s]."""


@dataclass(frozen=True, slots=True)
class GlossarySection:
    """Terms of a game with their meanings, under a title."""

    title: str
    entries: tuple[tuple[str, str], ...]


_ALL_GAMES, _FLICK_GAMES, _CARD_GAMES = (
    GlossarySection(title, tuple(entries.items()))
    for title, entries in tomllib.loads((files(__package__) / "glossary.toml").read_text(encoding="utf-8")).items()
)


@dataclass(frozen=True, slots=True)
class TermMatch:
    """Term found in a text: start, end, and meaning."""

    start: int
    end: int
    term: str
    text: str


class Glossary:
    """Meanings of terms, by game."""

    def __init__(self, sections: Mapping[str, GlossarySection]) -> None:
        self._sections = dict(sections)
        self._cache: dict[str, tuple[dict[str, tuple[str, str]], re.Pattern[str]]] = {}

    def sections_of(self, game: Game | None) -> tuple[tuple[str, str], ...]:
        """Terms of a game, then those of every game like it; without a game, the terms of all."""
        return tuple(entry for section in self._game_sections(game) for entry in section.entries)

    def _game_sections(self, game: Game | None) -> list[GlossarySection]:
        if game is None:
            return [*self._sections.values(), _ALL_GAMES, _FLICK_GAMES, _CARD_GAMES]
        own = [section for name, section in self._sections.items() if name == game.name]
        return [*own, _ALL_GAMES, _FLICK_GAMES if game.uses_physics else _CARD_GAMES]

    def help_lines(self, game: Game | None) -> list[tuple[str, str]]:
        """Terms as listed in the help; those of all games under headings, which have an empty meaning."""
        if game is not None:
            return list(self.sections_of(game))
        return [entry for section in self._game_sections(None) for entry in ((section.title, ""), *section.entries)]

    def find_terms(self, text: str, game: Game | None) -> list[TermMatch]:
        """Find the terms and rule numbers in a text, with their meanings."""
        known, pattern = self._term_pattern(game)
        matches = pattern.finditer(text)
        return [TermMatch(match.start(), match.end(), *known[match.lastgroup or match.group()]) for match in matches]

    def _term_pattern(self, game: Game | None) -> tuple[dict[str, tuple[str, str]], re.Pattern[str]]:
        """Terms and rules of a game with their meanings, and the pattern that finds them."""
        name = game.name if game is not None else ""
        if name not in self._cache:
            entries = sorted(self.sections_of(game), key=lambda entry: -len(entry[0]))  # "squopped out" before "squop"
            known = {f"w{k}": entry for k, entry in enumerate(entries)}
            parts = [f"(?P<w{k}>(?i:{_inflections(term)}))" for k, (term, _) in enumerate(entries)]
            rows = {row.id: (row.id, row.text) for row in game.rulebook} if game is not None else {}
            parts += [re.escape(number) for number in sorted(rows, key=len, reverse=True)]
            self._cache[name] = (known | rows, re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?!\w)"))
        return self._cache[name]


def _inflections(term: str) -> str:
    """Inflected forms of a term: squop, squops, squopped, squopping; squidge, squidged, squidging."""
    patterns = []
    for part in term.removeprefix("to ").split(" "):
        stem = part.removesuffix("e")
        endings = rf"(?:{stem[-1]}?(?:e[ds]?|s|ing))?"
        has_y = part.endswith("y")
        patterns.append(rf"{re.escape(part[:-1])}(?:y|ies|ied|ying)" if has_y else re.escape(stem) + endings)
    return " ".join(patterns)


class Tooltips:
    """Tooltips of the terms drawn in the last frame."""

    def __init__(self, glossary: Glossary) -> None:
        self._glossary = glossary
        self.drawn_texts: list[DrawnText] = []
        self._mouse_position = (-1, -1)
        self._hover_time = 0.0

    def handle(self, event: pygame.event.Event) -> None:
        """Restart the hover time on mouse motion; hide the tooltip on a key or button."""
        if event.type == pygame.MOUSEMOTION:
            self._mouse_position, self._hover_time = event.pos, 0.0
        elif event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL, pygame.WINDOWLEAVE):
            self._mouse_position = (-1, -1)

    def visible_terms(self, game: Game | None) -> list[tuple[str, str]]:
        """Terms and rules on the screen with a meaning, in reading order, each once."""
        matches = [match for drawn in self.drawn_texts for match in self._glossary.find_terms(drawn.source, game)]
        return list(dict.fromkeys((match.term, match.text) for match in matches))

    def term_under_mouse(self, game: Game | None) -> TermMatch | None:
        """Term under the mouse."""
        for drawn in reversed(self.drawn_texts):
            if drawn.rect.collidepoint(self._mouse_position):
                x = self._mouse_position[0] - drawn.left
                for match in self._glossary.find_terms(drawn.source, game):
                    if drawn.text != drawn.source:  # in another language the term is elsewhere
                        return match
                    parts = drawn.source[: match.start], drawn.source[: match.end]
                    left, right = (text_width(part, drawn.pixels, drawn.bold) for part in parts)
                    if left <= x <= right:
                        return match
        return None

    def draw(self, canvas: Canvas, game: Game | None, dt: float) -> None:
        """Draw the term under a resting mouse in a box beside it."""
        self._hover_time += dt
        if self._mouse_position[0] < 0 or self._hover_time < _HOVER_DELAY:
            return
        match = self.term_under_mouse(game)
        if match is None:
            return
        window_size, size = canvas.size, 14.0
        lines = canvas.wrap(match.text, min(canvas.px(330), window_size[0] - canvas.px(40)), size)
        width = max(canvas.text_width(line, size) for line in (match.term, *lines)) + canvas.px(26)
        rect = pygame.Rect(0, 0, width, canvas.line_height(size) * (len(lines) + 1) + canvas.px(16))
        rect.midbottom = (self._mouse_position[0], self._mouse_position[1] - canvas.px(10))
        if rect.top < 0:
            rect.top = self._mouse_position[1] + canvas.px(22)
        rect.clamp_ip(pygame.Rect((0, 0), window_size).inflate(-8, -8))
        canvas.box(rect, palette.RAISED_PANEL, 8, palette.ACCENT)
        x, y = rect.x + canvas.px(12), rect.y + canvas.px(7)
        canvas.text(match.term, (x, y), size, palette.ACCENT, bold=True)
        for k, line in enumerate(lines):
            canvas.text(line, (x, y + (k + 1) * canvas.line_height(size)), size)
