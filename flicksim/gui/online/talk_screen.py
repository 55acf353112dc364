"""Screen of the phrases of an online match, with those who are at the table."""

from collections.abc import Callable

import pygame

from flicksim import net
from flicksim.gui.app import App, Overlay
from flicksim.gui.online.participants import Participant
from flicksim.gui.toolkit import Button, Canvas, Form, ListBox, palette
from flicksim.net import protocol


class TalkScreen(Overlay):
    """List of phrases; Enter or a click says one to everybody at the table."""

    STATUS = "Up Down choose a phrase   ·   Enter, or a click, says it to everybody   ·   Esc back"

    def __init__(self, app: App, client: net.Client, participants: Callable[[], list[Participant]]) -> None:
        super().__init__(app, 640, 450)
        self._client, self._participants = client, participants
        self._phrases = ListBox("Say", list(protocol.PHRASES.values()), on_activate=self._say)
        self._close_button = Button("Back", app.pop, key="Esc")
        self.form = Form([self._phrases, self._close_button])

    def _say(self, index: int) -> None:
        self.app.pop()
        self._client.send(protocol.Say(phrase=list(protocol.PHRASES)[index]))

    def layout(self, size: tuple[int, int], scale: float) -> None:
        super().layout(size, scale)
        pad, top = round(24 * scale), round(84 * scale)
        left = (self.rect.w - 3 * pad) // 2
        self._phrases.rect = pygame.Rect(self.rect.x + pad, self.rect.y + top, left, round(28 * scale) * 11 + 4)
        self._phrases.rect.h = min(self._phrases.rect.h, self.rect.bottom - pad - self._phrases.rect.y)
        height = round(38 * scale)
        corner = (self.rect.right - pad - left, self.rect.bottom - pad - height)
        self._close_button.rect = pygame.Rect(corner, (left, height))

    def draw(self, canvas: Canvas) -> None:
        """Draw the phrases on the left, and who is there on the right."""
        super().draw(canvas)
        y, x = self.rect.y + canvas.px(20), self._close_button.rect.x
        canvas.text("Say to everybody", (self._phrases.rect.x, y), 20, bold=True)
        canvas.text("At the table", (x, y), 20, bold=True)
        y, step, width = self._phrases.rect.y, canvas.px(38), self._close_button.rect.w
        people = self._participants()
        count = max(1, (self._close_button.rect.y - y - canvas.px(8)) // step)
        for person in people[:count]:
            line = canvas.text(person.name, (x, y), 15, bold=True, max_width=width)
            canvas.text(person.state, (x, line.bottom - canvas.px(2)), 13, person.colour, max_width=width)
            y += step
        if len(people) > count:
            canvas.text(f"and {len(people) - count} more", (x, y), 13, palette.MUTED_TEXT)
