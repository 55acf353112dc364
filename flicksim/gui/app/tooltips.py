"""Tooltips: meaning of the terms on the screen, under the mouse or as a list."""

import pygame

from flicksim.gui.app.glossary import Glossary, TermMatch
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas, DrawnText, text_width
from flicksim.referee import Game

_HOVER_DELAY = 0.5
"""Time that the mouse rests on a term before its tooltip is shown [s]."""


class Tooltips:
    """Tooltips of the terms drawn in the last frame.

    Args:
        glossary: meanings of the terms.
    """

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
        terms = [
            (match.term, match.text)
            for drawn in self.drawn_texts
            for match in self._glossary.find_terms(drawn.source, game)
        ]
        return list(dict.fromkeys(terms))

    def term_under_mouse(self, game: Game | None) -> TermMatch | None:
        """Term under the mouse."""
        for drawn in reversed(self.drawn_texts):
            if drawn.rect.collidepoint(self._mouse_position):
                x = self._mouse_position[0] - drawn.left
                for match in self._glossary.find_terms(drawn.source, game):
                    if drawn.text != drawn.source:  # in another language the term is elsewhere
                        return match
                    before, through = drawn.source[: match.start], drawn.source[: match.end]
                    if (
                        text_width(before, drawn.pixels, drawn.bold)
                        <= x
                        <= text_width(through, drawn.pixels, drawn.bold)
                    ):
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
