"""Menu of the lessons, offered at the first start and available at any time."""

import pygame

from flicksim.games import load, names
from flicksim.gui.app.application import App
from flicksim.gui.app.game_view import GameViews
from flicksim.gui.app.overlay import Overlay
from flicksim.gui.toolkit import Button, Canvas, Form, palette


class LessonsScreen(Overlay):
    """Overlay with a button for each game that has a lesson; a number starts it."""

    def __init__(self, app: App, game_views: GameViews) -> None:
        games = [game for game in map(load, names()) if not game_views.unavailable_reason(game)]
        lessons = [(game, begin) for game in games if (begin := app.routes.start_lesson(app, game)) is not None]
        super().__init__(app, 520, 190 + 46 * len(lessons))
        completed = app.player.profile.lessons
        self._count = len(lessons)
        buttons = [
            Button(f"{game.title}{'   ✓' if game.name in completed else ''}", begin, key=str(k + 1), is_primary=not k)
            for k, (game, begin) in enumerate(lessons)
        ]
        self.form = Form([*buttons, Button("Not now", app.pop, key="Esc")])

    def status_line(self) -> str:
        return f"1 to {self._count}, or Enter, begin a lesson   ·   Esc not now"

    def handle(self, event: pygame.event.Event) -> None:
        """Pass letters on to the screen below: at the first start nobody has asked for lessons."""
        letter = event.type == pygame.KEYDOWN and pygame.K_a <= event.key <= pygame.K_z
        if letter and len(self.app.screens) > 1:
            self.app.pop()
            self.app.top.handle(event)
        else:
            super().handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        super().layout(size, scale)
        self.stack_buttons(320, 38, 46, 16)

    def draw(self, canvas: Canvas) -> None:
        super().draw(canvas)
        x, y = self.rect.x + canvas.px(36), self.rect.y + canvas.px(20)
        y = canvas.text("Lessons", (x, y), 24, bold=True).bottom + canvas.px(4)
        text = "A minute and a half each: you flick, and are told what counts. Esc leaves at any time."
        canvas.paragraph(text, pygame.Rect(x, y, self.rect.w - canvas.px(72), canvas.px(50)), 15, palette.MUTED_TEXT)
