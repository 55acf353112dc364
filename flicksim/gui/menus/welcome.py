"""Screens of the first start, reached at any time too: name and colour, both optional, and the lessons."""

from collections.abc import Callable

import msgspec
import pygame

from flicksim.games import load, names
from flicksim.gui.app import App, GameViews, Overlay
from flicksim.gui.toolkit import (
    Button,
    Canvas,
    Choice,
    Form,
    TextField,
    palette,
    piece_sprites,
    place_at_bottom,
    place_in_grid,
)
from flicksim.profiles import COLOURS, MAX_NAME_LENGTH, clean_name

_WELCOME_TEXT = (
    "Your name is shown on your seat card and in the statistics. Your colour is that of your mark in the statistics; "
    "in a game the seat has its own. Enter goes on, with a name or without."
)
_RENAME_TEXT = (
    "Another name begins statistics of its own; what was played as {name} stays under that name: Left Right "
    "in the statistics. Your colour is that of your mark there; in a game the seat has its own."
)


class WelcomeScreen(Overlay):
    """Overlay that asks for name and colour, at the first start or later.

    Args:
        app: the application. on_done: called after it closes.
    """

    STATUS = "Type a name   ·   Down to the colour, Left Right change it   ·   Enter goes on   ·   Esc not now"

    def __init__(self, app: App, on_done: Callable[[], None] = lambda: None) -> None:
        super().__init__(app, 520, 300)
        had = app.player.profile
        self._is_first_start, self._on_done = not had.greeted, on_done
        self._text = _RENAME_TEXT.format(name=had.name) if had.name else _WELCOME_TEXT
        self.name = TextField("Your name", had.name, help_text=self._text, max_length=MAX_NAME_LENGTH)
        self.colour = Choice("Your mark", COLOURS, COLOURS.index(had.colour), help_text=self._text)
        self.name.label_fraction = self.colour.label_fraction = 0.34
        self._go = Button("Go on", self.confirm, key="Enter", is_primary=True)
        self.form = Form([self.name, self.colour, self._go])

    def confirm(self) -> None:
        """Save name and colour, and close."""
        self._close(name=clean_name(self.name.value), colour=COLOURS[self.colour.index])

    def _close(self, **changes: str) -> None:
        self.app.pop()
        self.app.player.update_profile(lambda had: msgspec.structs.replace(had, greeted=True, **changes))
        self._on_done()

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event; Enter closes, and Esc does without a change."""
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self.confirm()
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self._close()
        else:
            self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        super().layout(size, scale)
        pad, row, gap = round(30 * scale), round(38 * scale), round(10 * scale)
        area = self.rect.move(pad, round(120 * scale))
        area.w -= 2 * pad + round(60 * scale)
        place_in_grid((self.name, self.colour), area, row, gap)
        place_at_bottom([self._go], self.rect, (round(200 * scale), row), gap, round(16 * scale))

    def draw(self, canvas: Canvas) -> None:
        """Draw a greeting, the two rows and the owner's mark."""
        super().draw(canvas)
        x, y = self.rect.x + canvas.px(30), self.rect.y + canvas.px(20)
        y = canvas.text("Welcome" if self._is_first_start else "You", (x, y), 26, bold=True).bottom
        text_rect = pygame.Rect(x, y + canvas.px(4), self.rect.w - canvas.px(60), canvas.px(60))
        canvas.paragraph(self._text, text_rect, 14, palette.MUTED_TEXT)
        mark = piece_sprites.piece_sprite(canvas.px(24), COLOURS[self.colour.index], "penny", 0.0)
        at = (self.rect.right - canvas.px(56), (self.name.rect.centery + self.colour.rect.centery) // 2)
        canvas.surface.blit(mark, mark.get_rect(center=at))


class LessonsScreen(Overlay):
    """Overlay with a button for each game that has a lesson; a number starts it."""

    BUTTON_STACK = (320, 38, 46, 16)

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

    def draw(self, canvas: Canvas) -> None:
        super().draw(canvas)
        x, y = self.rect.x + canvas.px(36), self.rect.y + canvas.px(20)
        y = canvas.text("Lessons", (x, y), 24, bold=True).bottom + canvas.px(4)
        text = "A minute and a half each: you flick, and are told what counts. Esc leaves at any time."
        canvas.paragraph(text, pygame.Rect(x, y, self.rect.w - canvas.px(72), canvas.px(50)), 15, palette.MUTED_TEXT)
