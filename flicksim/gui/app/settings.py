"""Settings screen: appearance, sound, input, and quick-game players."""

from collections.abc import Callable, Iterable, Mapping
from math import floor
from typing import get_args

import pygame

from flicksim.gui.app.application import App
from flicksim.gui.app.overlay import Overlay
from flicksim.gui.toolkit import Canvas, Form, palette, piece_sprites, place_at_bottom, place_in_grid, translation
from flicksim.gui.toolkit.preferences import PACES, Gesture, Grade, PaletteName, PlaybackSpeed
from flicksim.gui.toolkit.widgets import Button, Choice, Field

_SCALES = (80, 90, 100, 115, 130, 150, 175, 200)
"""Scales to choose from [%]."""
_VOLUMES = (20, 40, 55, 70, 85, 100)
"""Volumes to choose from besides silence [%]."""
_HELP_HEIGHT = 21.0
"""Height of a line of a row's help [units]."""
_PALETTES: dict[str, PaletteName] = {
    "dark": "dark",
    "light": "light",
    "high contrast": "high-contrast",
    "colour-blind, green": "deutan",
    "colour-blind, red": "protan",
    "colour-blind, blue": "tritan",
}
_GESTURES: dict[str, Gesture] = {"pull, let go": "pull", "a rhythm": "hold", "a true flick": "flick"}


class SettingsScreen(Overlay):
    """Settings screen with a row per preference. Each change is shown and saved at once."""

    STATUS = "Up Down go through the rows   ·   Left Right change them   ·   Esc done"

    def __init__(self, app: App) -> None:
        super().__init__(app, 640, 627)
        self._rows: list[Choice] = []
        self._add_row("Colours", "palette", _PALETTES,
                      "Six palettes. Pieces also carry marks, which tell them apart without colours.")  # fmt: skip
        self._add_row("Suits of cards", "four_suit_colours", {"2 colours": False, "4 colours": True},
                      "Four colours tell suits apart faster.")  # fmt: skip
        volumes = {"off": 0.0} | {f"{percent} %": percent / 100.0 for percent in _VOLUMES}
        nearest = min(list(volumes)[1:], key=lambda text: abs(volumes[text] - app.preferences.volume))
        current = "off" if app.preferences.muted else nearest
        self._add_choice("Sounds", volumes, current, lambda text: self._set_volume(volumes[text]),
                         "How loud. F9 turns them off and on anywhere.")  # fmt: skip
        self._add_row("Shots are shown", "playback_speed", {name: name for name in get_args(PlaybackSpeed)},
                      "At true speed, slower, or only how they end. From the next game on.")  # fmt: skip
        self._add_row(
            "Motion", "reduced_motion", {"full": False, "reduced": True},
            "Reduced: nothing flies, swells or slows down by itself; shots are shown as they were.",
        )  # fmt: skip
        modes = {"a window": False, "whole screen": True}
        self._add_choice("Window", modes, list(modes)[app.preferences.fullscreen],
                         lambda text: app.set_fullscreen(modes[text]),
                         "The whole screen, or a window among others. F11 changes it anywhere.")  # fmt: skip
        # in the middle: the box grows about its middle, so the row stays under the pointer
        self._add_row("Size of letters", "scale", {f"{percent} %": percent / 100.0 for percent in _SCALES},
                      "Larger or smaller than what fits the window. As far as there is room.")  # fmt: skip
        self._scale_row = self._rows[-1]
        languages = {"": "as the system's"} | translation.language_names()
        self._add_row("Language", "language", {name: code for code, name in languages.items()},
                      "For texts of the window; names stay as they are. FLICKSIM_LANGUAGE overrides it.")  # fmt: skip
        self._add_row("Others play cards", "card_pace", {name: k for k, (_, name) in enumerate(PACES)},
                      "How long the moves of the others stay to be seen.")  # fmt: skip
        grades = {name: name for name in get_args(Grade)}
        self._add_row("Bots are", "bot_grade", {"beginner, then club": "adaptive"} | grades,
                      "How good they are in a quick game. "
                      "Beginner, then club: club in a game you have won once.")  # fmt: skip
        self._add_row("Your hand", "hand", {"steady": "steady"} | grades,
                      "How near to your aim you come. Steady is for study: just as aimed.")  # fmt: skip
        self._add_row("You flick by", "gesture", _GESTURES,
                      "Pulling back and letting go; or letting go at the top of a meter that swings; or a stroke "
                      "through the piece, by keys two beats. Your hand is as good in each.")  # fmt: skip
        self._back = Button("Done", app.pop, key="Esc", is_primary=True)
        self.form = Form([*self._rows, self._back])

    def _add_row(self, label: str, field: str, values: Mapping[str, object], help_text: str) -> None:
        """Add a row for a field of the preferences, with its values by their texts."""
        current = getattr(self.app.preferences, field)
        # where it is not among the values: the nearest number, or the default
        text = min(values, key=lambda name: (values[name] != current, _distance(values[name], current)))
        self._add_choice(
            label, values, text, lambda text: setattr(self.app.preferences, field, values[text]), help_text
        )

    def _add_choice(
        self, label: str, texts: Iterable[str], current: str, on_change: Callable[[str], None], help_text: str
    ) -> None:
        def apply() -> None:
            on_change(row.value)
            self.app.apply_preferences()

        names = tuple(texts)
        row = Choice(label, names, names.index(current), apply, help_text)
        self._rows.append(row)

    def _set_volume(self, volume: float) -> None:
        preferences = self.app.preferences
        preferences.muted = not volume
        preferences.volume = volume or preferences.volume
        self.app.sounds.play("click")

    def layout(self, size: tuple[int, int], scale: float) -> None:
        super().layout(size, scale)
        limit = floor(100.0 * self.app.window.scale_limit)
        self._scale_row.set_labels(
            {f"{percent} %": f"{percent} %" + (f", room for {limit} %" if percent > limit else "")
             for percent in _SCALES}
        )  # fmt: skip
        pad, head, foot = round(28 * scale), round(64 * scale), round((16 + 38 + 14 + 2 * _HELP_HEIGHT) * scale)
        step, gap = min(round(37 * scale), (self.rect.h - head - foot) // len(self._rows)), round(5 * scale)
        area = pygame.Rect(self.rect.x + pad, self.rect.y + head, self.rect.w - 2 * pad, 0)
        place_in_grid(self._rows, area, step - gap, gap)
        place_at_bottom([self._back], self.rect, (round(160 * scale), round(38 * scale)), gap, round(16 * scale))

    def draw(self, canvas: Canvas) -> None:
        """Draw title, sample pieces, rows, and the help of the focused row."""
        super().draw(canvas)
        canvas.text("Settings", (self.rect.x + canvas.px(28), self.rect.y + canvas.px(18)), 24, bold=True)
        r, y = canvas.px(15), self.rect.y + canvas.px(34)
        for k, key in enumerate(palette.SEAT_COLOURS):
            center = (self.rect.right - canvas.px(40) - (3 - k) * canvas.px(38), y)
            piece_sprites.draw_seat_coin(canvas.surface, center, r, key)
        focused = self.form.focused
        if isinstance(focused, Field):
            last = self._rows[-1].rect
            y = last.bottom + canvas.px(8)
            rect = pygame.Rect(last.x, y, last.w, self._back.rect.y - y)
            canvas.paragraph(focused.help_text, rect, 14, palette.MUTED_TEXT)


def _distance(value: object, current: object) -> float:
    """Distance of two numbers; that of other values is the same for all."""
    return abs(value - current) if isinstance(value, float) and isinstance(current, float) else 0.0
