"""Meanings of the words on the screen: beside the mouse where it rests, and in a list by a key."""

from __future__ import annotations

import pygame

from flicksim.referee import Game
from flicksim.ui.frame.glossary import Glossary, Meaning
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas, Said, wide

_RESTS = 0.5
"""Time that the mouse rests on a word before it is explained [s]."""


class Explaining:
    """Knows what was written in the last frame, and where the mouse is.

    Args:
        glossary: what words mean.
    """

    def __init__(self, glossary: Glossary) -> None:
        self._glossary = glossary
        self.said: list[Said] = []
        self._at = (-1, -1)
        self._rested = 0.0

    def notice(self, event: pygame.event.Event) -> None:
        """A moving mouse begins to rest anew; a key or a button wants nothing explained."""
        if event.type == pygame.MOUSEMOTION:
            self._at, self._rested = event.pos, 0.0
        elif event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL, pygame.WINDOWLEAVE):
            self._at = (-1, -1)

    def here(self, game: Game | None) -> list[tuple[str, str]]:
        """Every word and rule on the screen that can be explained, in the order of the screen, each once."""
        found = [(one.word, one.says) for said in self.said for one in self._glossary.meanings(said.text, game)]
        return list(dict.fromkeys(found))

    def under(self, game: Game | None) -> Meaning | None:
        """The word under the mouse."""
        for said in reversed(self.said):
            if said.rect.collidepoint(self._at):
                x = self._at[0] - said.left
                for one in self._glossary.meanings(said.text, game):
                    if said.shown != said.text:  # in another language the words stand elsewhere
                        return one
                    before, through = said.text[: one.start], said.text[: one.end]
                    if wide(before, said.pixels, said.bold) <= x <= wide(through, said.pixels, said.bold):
                        return one
        return None

    def draw(self, canvas: Canvas, game: Game | None, dt: float) -> None:
        """The word under a resting mouse, in a box beside it."""
        self._rested += dt
        if self._at[0] < 0 or self._rested < _RESTS:
            return
        found = self.under(game)
        if found is None:
            return
        room, size = canvas.size, 14.0
        lines = canvas.wrapped(found.says, min(canvas.px(330), room[0] - canvas.px(40)), size)
        across = max(canvas.wide(line, size) for line in (found.word, *lines)) + canvas.px(26)
        rect = pygame.Rect(0, 0, across, canvas.high(size) * (len(lines) + 1) + canvas.px(16))
        rect.midbottom = (self._at[0], self._at[1] - canvas.px(10))
        if rect.top < 0:
            rect.top = self._at[1] + canvas.px(22)
        rect.clamp_ip(pygame.Rect((0, 0), room).inflate(-8, -8))
        canvas.box(rect, palette.RAISED, 8, palette.ACCENT)
        x, y = rect.x + canvas.px(12), rect.y + canvas.px(7)
        canvas.text(found.word, (x, y), size, palette.ACCENT, bold=True)
        for k, line in enumerate(lines):
            canvas.text(line, (x, y + (k + 1) * canvas.high(size)), size)
