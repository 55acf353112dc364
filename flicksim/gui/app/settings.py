"""Settings screen: appearance, sound, input, and quick-game players."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pygame

from flicksim.gui.app.application import App
from flicksim.gui.app.overlay import Overlay
from flicksim.gui.toolkit import palette, piece_sprites, translation
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.form import Form
from flicksim.gui.toolkit.preferences import PACES, Gesture, Grade, PaletteName, PlaybackSpeed
from flicksim.gui.toolkit.widgets import Button, Choice, Field

SCALES = ("80 %", "90 %", "100 %", "115 %", "130 %", "150 %", "175 %", "200 %")
VOLUMES = ("off", "20 %", "40 %", "55 %", "70 %", "85 %", "100 %")
MOTION_MODES, WINDOW_MODES = ("full", "reduced"), ("a window", "whole screen")
GESTURES = {"pull": "pull, let go", "hold": "a rhythm", "flick": "a true flick"}
_HELP_HEIGHT = 21.0
"""Height of a line of a row's help [units]."""
PALETTE_NAMES = {
    "dark": "dark",
    "light": "light",
    "high-contrast": "high contrast",
    "deutan": "safe for weak green",
    "protan": "safe for weak red",
    "tritan": "safe for weak blue",
}


class SettingsScreen(Overlay):
    """Settings screen with a row per preference. Each change is shown and saved at once."""

    def __init__(self, app: App) -> None:
        super().__init__(app, 640, 627)
        preferences = app.preferences
        volume = "off" if preferences.muted else nearest_label(VOLUMES[1:], preferences.volume)
        self._rows: list[tuple[Choice, Callable[[str], object]]] = []
        self._choice_row(
            "Colours",
            tuple(PALETTE_NAMES.values()),
            PALETTE_NAMES[preferences.palette],
            self._set_palette,
            "Six palettes. Pieces also carry marks, so none is needed to tell them apart.",
        )
        self._choice_row("Size of letters", SCALES, nearest_label(SCALES, preferences.scale), self._set_scale,
                  "Larger or smaller than what fits the window. As far as there is room.")  # fmt: skip
        self._choice_row("Sounds", VOLUMES, volume, self._set_volume, "How loud. F9 turns them off and on anywhere.")
        self._choice_row("Shots are shown", get_args(PlaybackSpeed), preferences.playback_speed,
                  lambda value: setattr(preferences, "playback_speed", value),
                  "At true speed, slower, or only how they end. From the next game on.")  # fmt: skip
        self._choice_row("Motion", MOTION_MODES, MOTION_MODES[preferences.reduced_motion], self._set_reduced_motion,
                  "Reduced: nothing flies, swells or slows down by itself; shots are shown as they were.")  # fmt: skip
        self._choice_row(
            "Window",
            WINDOW_MODES,
            WINDOW_MODES[preferences.fullscreen],
            lambda value: app.set_fullscreen(value == WINDOW_MODES[1]),
            "The whole screen, or a window among others. F11 changes it anywhere.",
        )
        self._choice_row(
            "Others play cards",
            tuple(name for _, name in PACES),
            PACES[preferences.card_pace][1],
            self._set_pace,
            "How long the moves of the others stay to be seen.",
        )
        self._choice_row(
            "Bots are",
            get_args(Grade),
            preferences.bot_grade,
            lambda value: setattr(preferences, "bot_grade", value),
            "How good they are in a quick game.",
        )
        hands = ("steady", *get_args(Grade))
        self._choice_row("Your hand", hands, preferences.hand, lambda value: setattr(preferences, "hand", value),
                  "How near to your aim you come. Steady is for study: just as aimed.")  # fmt: skip
        self._choice_row("You flick by", tuple(GESTURES.values()), GESTURES[preferences.gesture], self._set_gesture,
                  "Pulling back and letting go; or letting go at the top of a meter that swings; or a stroke through "
                  "the piece, by keys two beats. Your hand is as good in each.")  # fmt: skip
        suit_colours = ("2 colours", "4 colours")
        self._choice_row("Suits of cards", suit_colours, suit_colours[preferences.four_suit_colours],
                  lambda value: setattr(preferences, "four_suit_colours", value == suit_colours[1]),
                  "Four colours tell suits apart faster.")  # fmt: skip
        self._languages = {"": "as the system's"} | translation.language_names()
        language = preferences.language if preferences.language in self._languages else ""
        self._choice_row("Language", tuple(self._languages.values()), self._languages[language], self._set_language,
                  "Of all words. FLICKSIM_LANGUAGE says another; names stay as they are.")  # fmt: skip
        self._back = Button("Done", app.pop, key="Esc", is_primary=True)
        self.form = Form([*(row for row, _ in self._rows), self._back])

    def status_line(self) -> str:
        """Status line: the actions available now."""
        return "Up Down go through the rows   ·   Left Right change them   ·   Esc done"

    def _choice_row(
        self, label: str, values: tuple[str, ...], current: str, on_change: Callable[[str], object], help_text: str
    ) -> None:
        row = Choice(label, values, values.index(current), self._apply, help_text)
        self._rows.append((row, on_change))

    def _apply(self) -> None:
        for row, on_change in self._rows:
            if row is self.form.focused:
                on_change(row.value)
        self.app.apply_preferences()

    def _set_palette(self, value: str) -> None:
        self.app.preferences.palette = next(name for name in get_args(PaletteName) if PALETTE_NAMES[name] == value)

    def _set_scale(self, value: str) -> None:
        self.app.preferences.scale = float(value.removesuffix(" %")) / 100.0

    def _set_volume(self, value: str) -> None:
        preferences = self.app.preferences
        preferences.muted = value == "off"
        if not preferences.muted:
            preferences.volume = float(value.removesuffix(" %")) / 100.0
        self.app.sounds.play("click")

    def _set_gesture(self, value: str) -> None:
        self.app.preferences.gesture = next(name for name in get_args(Gesture) if GESTURES[name] == value)

    def _set_language(self, value: str) -> None:
        self.app.preferences.language = next(code for code, name in self._languages.items() if name == value)

    def _set_reduced_motion(self, value: str) -> None:
        self.app.preferences.reduced_motion = value == MOTION_MODES[1]

    def _set_pace(self, value: str) -> None:
        self.app.preferences.card_pace = [name for _, name in PACES].index(value)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place rows, help and the button."""
        super().layout(size, scale)
        pad, head, foot = round(28 * scale), round(64 * scale), round((16 + 38 + 14 + 2 * _HELP_HEIGHT) * scale)
        step = min(round(37 * scale), (self.rect.h - head - foot) // len(self._rows))
        y = self.rect.y + head
        for row, _ in self._rows:
            row.rect = pygame.Rect(self.rect.x + pad, y, self.rect.w - 2 * pad, step - round(5 * scale))
            y += step
        w, h = round(160 * scale), round(38 * scale)
        self._back.rect = pygame.Rect(self.rect.centerx - w // 2, self.rect.bottom - h - round(16 * scale), w, h)

    def draw(self, canvas: Canvas) -> None:
        """Draw title, sample pieces, rows, and the help of the focused row."""
        super().draw(canvas)
        canvas.text("Settings", (self.rect.x + canvas.px(28), self.rect.y + canvas.px(18)), 24, bold=True)
        r, y = canvas.px(15), self.rect.y + canvas.px(34)
        for k, key in enumerate(palette.SEAT_COLOURS):
            piece = piece_sprites.piece_sprite(r, key, "penny", 0.0)
            at = (self.rect.right - canvas.px(40) - (3 - k) * canvas.px(38), y)
            canvas.surface.blit(piece, piece.get_rect(center=at))
        focused = self.form.focused
        if isinstance(focused, Field):
            y = self._rows[-1][0].rect.bottom + canvas.px(8)
            rect = pygame.Rect(self._rows[0][0].rect.x, y, self._rows[0][0].rect.w, self._back.rect.y - y)
            canvas.paragraph(focused.help_text, rect, 14, palette.MUTED_TEXT)


def nearest_label(labels: tuple[str, ...], value: float) -> str:
    """Label whose number is nearest to a fraction."""
    return min(labels, key=lambda label: abs(float(label.removesuffix(" %")) / 100.0 - value))
