"""The lessons there are, offered at the first start and found again at any time."""

from __future__ import annotations

import pygame

from flicksim.games import load, names
from flicksim.ui.frame.app import App
from flicksim.ui.frame.face import Faces
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.widgets import Button


class LessonsScreen(Overlay):
    """A button for each game that has one; a number begins it."""

    def __init__(self, app: App, faces: Faces) -> None:
        games = [game for game in map(load, names()) if not faces.missing(game)]
        found = [(game, begin) for game in games if (begin := app.routes.teach(app, game)) is not None]
        super().__init__(app, 520, 190 + 46 * len(found))
        done = app.player.profile.lessons
        self._many = len(found)
        buttons = [
            Button(f"{game.title}{'   ✓' if game.name in done else ''}", begin, key=str(k + 1), main=not k)
            for k, (game, begin) in enumerate(found)
        ]
        self.form = Form([*buttons, Button("Not now", app.pop, key="Esc")])

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        return f"1 to {self._many}, or Enter, begin a lesson   ·   Esc not now"

    def handle(self, event: pygame.event.Event) -> None:
        """A letter means what it does on the screen below: at the first start nobody has asked for lessons."""
        letter = event.type == pygame.KEYDOWN and pygame.K_a <= event.key <= pygame.K_z
        if letter and len(self.app.screens) > 1:
            self.app.pop()
            self.app.top.handle(event)
        else:
            super().handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """One below the other."""
        super().layout(size, scale)
        self.stack(320, 38, 46, 16)

    def draw(self, canvas: Canvas) -> None:
        """Draw what a lesson is."""
        super().draw(canvas)
        x, y = self.rect.x + canvas.px(36), self.rect.y + canvas.px(20)
        y = canvas.text("Lessons", (x, y), 24, bold=True).bottom + canvas.px(4)
        says = "A minute and a half each: you flick, and are told what counts. Esc leaves at any time."
        canvas.paragraph(says, pygame.Rect(x, y, self.rect.w - canvas.px(72), canvas.px(50)), 15, palette.FAINT)
