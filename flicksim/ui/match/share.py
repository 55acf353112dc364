"""A game or a position as one short text, on the clipboard and on the screen, and as a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from flicksim.base.errors import FlicksimError
from flicksim.base.files import write_aside
from flicksim.play import Match, position_now, share_match, share_position
from flicksim.ui.frame.app import App
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.kit import clipboard, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.language import AsIs
from flicksim.ui.kit.places import made, numbered, place
from flicksim.ui.kit.widgets import Button

ENDING = ".flicksim"
"""Ending of a file with such a text."""
_LINES = 5
"""Lines of the text that are shown."""
HIDDEN = "All hands are in it, and all that is still to be drawn."
"""Said where a text tells more than the one who shares it may see."""
_SAYS = (
    "Send this text to somebody: Ctrl + V at their front door opens it, or `flicksim open` in a shell. They can look "
    "through the game, or go on with it from where it stands."
)


def share(app: App, match: Match) -> None:
    """Show a game as it stands as a text, and the position it stands in where its game can write one."""
    try:
        texts = [("game", share_match(match))]
        position = position_now(match.game, match.state, match.game.title)
        if position is not None:
            texts.append(("position", share_position(match.game, position)))
    except FlicksimError as wrong:
        app.say(f"This cannot be shared: {wrong}.")
        return
    open_ = not match.game.flicked and not match.over
    app.push(ShareScreen(app, match.game.name, texts, HIDDEN if open_ else ""))


class ShareScreen(Overlay):
    """The text; the first of them is on the clipboard at once.

    Args:
        name: of the game, for the file. texts: each with a word for it. warns: of what they tell.
    """

    def __init__(self, app: App, name: str, texts: Sequence[tuple[str, str]], warns: str = "") -> None:
        super().__init__(app, 560, 280 + 44 * len(texts))
        self._name, self.text, self.says, self._warns = name, "", "", warns
        self._words = [word for word, _ in texts]
        self.form = Form([
            *(Button(f"Copy the {word}", partial(self.copy, word, text), key=word[0].upper(), main=not k)
              for k, (word, text) in enumerate(texts)),
            Button("Keep as a file", self.keep, key="F"), Button("Back", app.pop, key="Esc"),
        ])  # fmt: skip
        self.copy(*texts[0])

    def copy(self, word: str, text: str) -> None:
        """Put a text on the clipboard, and show it."""
        self.text = text
        copied = clipboard.copy(text)
        letters = f"{len(text):,} letters"
        self.says = (
            f"The {word} is on the clipboard, {letters}." if copied else f"There is no clipboard here. {letters}."
        )

    def keep(self) -> None:
        """Write the text that is shown to a file, and say where."""
        folder = place("data")
        if folder is None:
            self.says = "No file was written: this window keeps none."
            return
        try:
            path = numbered(made(folder / "shared"), self._name, ENDING)
            write_aside(path, self.text.encode() + b"\n")
        except FlicksimError as wrong:
            self.says = f"No file was written: {wrong}."
            return
        self.says = f"It is kept as {path}."

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        copies = [f"{word[0].upper()} copies the {word}" for word in self._words]
        return "   ·   ".join([*copies, "F keeps a file", "Tab, Up Down go about", "Esc back"])

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The buttons at the foot."""
        super().layout(size, scale)
        w, h, step = round(300 * scale), round(38 * scale), round(44 * scale)
        for k, widget in enumerate(self.form.widgets):
            y = self.rect.bottom - round(14 * scale) - (len(self.form.widgets) - k) * step
            widget.rect = pygame.Rect(self.rect.centerx - w // 2, y, w, h)

    def draw(self, canvas: Canvas) -> None:
        """Draw the text as far as there is room, and what has been done with it."""
        super().draw(canvas)
        room = self.rect.inflate(-canvas.px(48), -canvas.px(36))
        y = canvas.text("Share", room.topleft, 22, bold=True).bottom + canvas.px(4)
        y = canvas.paragraph(_SAYS, pygame.Rect(room.x, y, room.w, canvas.px(60)), 14, palette.FAINT) + canvas.px(6)
        if self._warns:
            y = canvas.paragraph(self._warns, pygame.Rect(room.x, y, room.w, canvas.high(14) * 2), 14, palette.ACCENT)
        foot = self.form.widgets[0].rect.y - canvas.px(8)
        y = canvas.paragraph(self.says, pygame.Rect(room.x, y, room.w, canvas.high(14) * 2), 14, palette.GOOD)
        wide = max(8, room.w * 10 // max(1, canvas.wide("0123456789", 12)))
        lines = [self.text[k : k + wide] for k in range(0, len(self.text), wide)]
        fits = min(_LINES, max(1, (foot - y) // canvas.high(12)))
        if len(lines) > fits:
            lines = [*lines[: fits - 1], lines[fits - 1][: wide - 3] + "..."]
        for line in lines:
            canvas.text(AsIs(line), (room.x, y), 12, palette.FAINT, within=room.w)
            y += canvas.high(12)
