"""The first start: a name and a colour. Enter alone goes on without."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pygame

from flicksim.people import COLOURS, LONGEST, checked_name
from flicksim.ui.frame.app import App
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.widgets import Button, Choice, Entry

_SAYS = (
    "Your name stands on the cards of your games and with what you have done. Enter goes on, with a name or without."
)


class GreetingScreen(Overlay):
    """Asks for both, at the first start or again later.

    Args:
        after: what comes then.
    """

    def __init__(self, app: App, after: Callable[[], None] = lambda: None) -> None:
        super().__init__(app, 520, 300)
        had = app.player.profile
        self._first, self._after = not had.greeted, after
        self.name = Entry("Your name", had.name, says=_SAYS, most=LONGEST)
        self.colour = Choice("Your colour", COLOURS, COLOURS.index(had.colour), says="Your mark at the front door.")
        self.name.share = self.colour.share = 0.34
        self._go = Button("Go on", self.done, key="Enter", main=True)
        self.form = Form([self.name, self.colour, self._go])

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        return "Type a name   ·   Down to the colour, Left Right change it   ·   Enter goes on"

    def done(self) -> None:
        """Keep both, and go on."""
        name, colour = checked_name(self.name.value), COLOURS[self.colour.index]
        self.app.pop()
        self.app.player.change(lambda had: msgspec.structs.replace(had, name=name, colour=colour, greeted=True))
        self._after()

    def handle(self, event: pygame.event.Event) -> None:
        """Enter and Esc go on."""
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_ESCAPE):
            self.done()
        else:
            self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Two rows and a button."""
        super().layout(size, scale)
        pad, row, gap = round(30 * scale), round(38 * scale), round(10 * scale)
        y = self.rect.y + round(120 * scale)
        for field in (self.name, self.colour):
            field.rect = pygame.Rect(self.rect.x + pad, y, self.rect.w - 2 * pad - round(60 * scale), row)
            y += row + gap
        w = round(200 * scale)
        self._go.rect = pygame.Rect(self.rect.centerx - w // 2, self.rect.bottom - row - round(16 * scale), w, row)

    def draw(self, canvas: Canvas) -> None:
        """Draw a welcome, the two rows, the mark."""
        super().draw(canvas)
        x, y = self.rect.x + canvas.px(30), self.rect.y + canvas.px(20)
        y = canvas.text("Welcome" if self._first else "You", (x, y), 26, bold=True).bottom
        canvas.paragraph(_SAYS, pygame.Rect(x, y + canvas.px(4), self.rect.w - canvas.px(60), canvas.px(60)), 14,
                         palette.FAINT)  # fmt: skip
        mark = coins.coin(canvas.px(24), COLOURS[self.colour.index], "penny", 0.0)
        at = (self.rect.right - canvas.px(56), (self.name.rect.centery + self.colour.rect.centery) // 2)
        canvas.surface.blit(mark, mark.get_rect(center=at))
