"""The settings: how it looks, sounds and goes, and who plays in a quick game. Kept from one time to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pygame

from flicksim.ui.frame.app import App
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.kit import coins, language, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.preferences import PACES, Gesture, Grade, Look, Showing
from flicksim.ui.kit.widgets import Button, Choice, Field

SCALES = ("80 %", "90 %", "100 %", "115 %", "130 %", "150 %", "175 %", "200 %")
VOLUMES = ("off", "20 %", "40 %", "55 %", "70 %", "85 %", "100 %")
MOTIONS, WINDOWS = ("full", "reduced"), ("a window", "whole screen")
GESTURES = {"pull": "pull, let go", "hold": "a rhythm", "flick": "a true flick"}
_SAYS = 21.0
"""Height of a line of what a row does [units]."""
LOOKS = {
    "dark": "dark",
    "light": "light",
    "high-contrast": "high contrast",
    "deutan": "safe for weak green",
    "protan": "safe for weak red",
    "tritan": "safe for weak blue",
}


class SettingsScreen(Overlay):
    """A row for each liking. Each change is shown at once and kept."""

    def __init__(self, app: App) -> None:
        super().__init__(app, 640, 627)
        preferences = app.preferences
        volume = "off" if preferences.quiet else _nearest(VOLUMES[1:], preferences.volume)
        self._rows: list[tuple[Choice, Callable[[str], object]]] = []
        self._row("Colours", tuple(LOOKS.values()), LOOKS[preferences.palette], self._look,
                  "Six palettes. Pieces also carry marks, so none is needed to tell them apart.")  # fmt: skip
        self._row("Size of letters", SCALES, _nearest(SCALES, preferences.scale), self._scale,
                  "Larger or smaller than what fits the window. As far as there is room.")  # fmt: skip
        self._row("Sounds", VOLUMES, volume, self._volume, "How loud. F9 turns them off and on anywhere.")
        self._row("Shots are shown", get_args(Showing), preferences.motion,
                  lambda word: setattr(preferences, "motion", word),
                  "At true speed, slower, or only how they end. From the next game on.")  # fmt: skip
        self._row("Motion", MOTIONS, MOTIONS[preferences.calm], self._still,
                  "Reduced: nothing flies, swells or slows down by itself; shots are shown as they were.")  # fmt: skip
        self._row("Window", WINDOWS, WINDOWS[preferences.full], lambda word: app.fill(word == WINDOWS[1]),
                  "The whole screen, or a window among others. F11 changes it anywhere.")  # fmt: skip
        self._row("Others play cards", tuple(name for _, name in PACES), PACES[preferences.pace][1], self._pace,
                  "How long the moves of the others stay to be seen.")  # fmt: skip
        self._row("Bots are", get_args(Grade), preferences.grade, lambda word: setattr(preferences, "grade", word),
                  "How good they are in a quick game.")  # fmt: skip
        hands = ("steady", *get_args(Grade))
        self._row("Your hand", hands, preferences.hand, lambda word: setattr(preferences, "hand", word),
                  "How near to your aim you come. Steady is for study: just as aimed.")  # fmt: skip
        self._row("You flick by", tuple(GESTURES.values()), GESTURES[preferences.gesture], self._gesture,
                  "Pulling back and letting go; or letting go at the top of a meter that swings; or a stroke through "
                  "the piece, by keys two beats. Your hand is as good in each.")  # fmt: skip
        self._row("Suits of cards", ("2 colours", "4 colours"), f"{4 if preferences.four else 2} colours",
                  lambda word: setattr(preferences, "four", word[0] == "4"),
                  "Four colours tell suits apart faster.")  # fmt: skip
        self._tongues = {"": "as the system's"} | language.names()
        liked = preferences.language if preferences.language in self._tongues else ""
        self._row("Language", tuple(self._tongues.values()), self._tongues[liked], self._tongue,
                  "Of all words. FLICKSIM_LANGUAGE says another; names stay as they are.")  # fmt: skip
        self._back = Button("Done", app.pop, key="Esc", main=True)
        self.form = Form([*(row for row, _ in self._rows), self._back])

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        return "Up Down go through the rows   ·   Left Right change them   ·   Esc done"

    def _row(self, label: str, words: tuple[str, ...], now: str, put: Callable[[str], object], says: str) -> None:
        row = Choice(label, words, words.index(now), self._changed, says)
        self._rows.append((row, put))

    def _changed(self) -> None:
        for row, put in self._rows:
            if row is self.form.focused:
                put(row.value)
        self.app.renew()

    def _look(self, word: str) -> None:
        self.app.preferences.palette = next(name for name in get_args(Look) if LOOKS[name] == word)

    def _scale(self, word: str) -> None:
        self.app.preferences.scale = float(word.removesuffix(" %")) / 100.0

    def _volume(self, word: str) -> None:
        preferences = self.app.preferences
        preferences.quiet = word == "off"
        if not preferences.quiet:
            preferences.volume = float(word.removesuffix(" %")) / 100.0
        self.app.sounds.play("click")

    def _gesture(self, word: str) -> None:
        self.app.preferences.gesture = next(name for name in get_args(Gesture) if GESTURES[name] == word)

    def _tongue(self, word: str) -> None:
        self.app.preferences.language = next(code for code, name in self._tongues.items() if name == word)

    def _still(self, word: str) -> None:
        self.app.preferences.calm = word == MOTIONS[1]

    def _pace(self, word: str) -> None:
        self.app.preferences.pace = [name for _, name in PACES].index(word)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Rows, help, the button."""
        super().layout(size, scale)
        pad, head, foot = round(28 * scale), round(64 * scale), round((16 + 38 + 14 + 2 * _SAYS) * scale)
        step = min(round(37 * scale), (self.rect.h - head - foot) // len(self._rows))
        y = self.rect.y + head
        for row, _ in self._rows:
            row.rect = pygame.Rect(self.rect.x + pad, y, self.rect.w - 2 * pad, step - round(5 * scale))
            y += step
        w, h = round(160 * scale), round(38 * scale)
        self._back.rect = pygame.Rect(self.rect.centerx - w // 2, self.rect.bottom - h - round(16 * scale), w, h)

    def draw(self, canvas: Canvas) -> None:
        """Title, a sample of the pieces, rows, and what the row with the focus does."""
        super().draw(canvas)
        canvas.text("Settings", (self.rect.x + canvas.px(28), self.rect.y + canvas.px(18)), 24, bold=True)
        r, y = canvas.px(15), self.rect.y + canvas.px(34)
        for k, key in enumerate(palette.SEATS):
            piece = coins.coin(r, key, "penny", 0.0)
            at = (self.rect.right - canvas.px(40) - (3 - k) * canvas.px(38), y)
            canvas.surface.blit(piece, piece.get_rect(center=at))
        focused = self.form.focused
        if isinstance(focused, Field):
            y = self._rows[-1][0].rect.bottom + canvas.px(8)
            rect = pygame.Rect(self._rows[0][0].rect.x, y, self._rows[0][0].rect.w, self._back.rect.y - y)
            canvas.paragraph(focused.says, rect, 14, palette.FAINT)


def _nearest(words: tuple[str, ...], value: float) -> str:
    """The word whose number comes nearest to a share."""
    return min(words, key=lambda word: abs(float(word.removesuffix(" %")) / 100.0 - value))
