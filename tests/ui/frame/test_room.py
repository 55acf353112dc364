"""Room for every label: in the smallest usual window and with large letters, in the language of the longer words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pygame
import pytest

from flicksim.games import load, names
from flicksim.play import open_match
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.settings import SettingsScreen
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.front.figures import FiguresScreen
from flicksim.ui.front.greeting import GreetingScreen
from flicksim.ui.front.new_game import NewGameScreen
from flicksim.ui.kit import language
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.widgets import Button
from flicksim.ui.match.overlays import EndScreen, PauseScreen

from ..conftest import Driver


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Labels that are cut while German is shown."""
    monkeypatch.setenv(language.CHOSEN, "de")
    assert language.use("de") == ""
    found: list[str] = []
    shorten: Callable[..., str] = Canvas.shortened

    def shortened(self: Canvas, text: str, width: int, size: float = 16.0, *, bold: bool = False) -> str:
        made = shorten(self, text, width, size, bold=bold)
        if made != language.said(text):
            found.append(f"{language.said(text)} -> {made}")
        return made

    monkeypatch.setattr(Canvas, "shortened", shortened)
    yield found
    language.use("en")


@pytest.mark.parametrize(("size", "scale"), [((800, 600), 1.0), ((1280, 800), 1.5)])
def test_no_label_is_cut(
    app: App, drive: Driver, cut: list[str], size: tuple[int, int], scale: float
) -> None:  # fmt: skip
    pygame.display.set_mode(size)
    app.preferences.scale = scale

    def look(screen: Screen) -> None:
        app.push(screen)
        drive.frames(2)

    for screen in (SettingsScreen(app), FiguresScreen(app), GreetingScreen(app)):
        look(screen)
        app.pop()
    for name in names():
        game = load(name)
        look(NewGameScreen(app, game))
        match = open_match(game, game.options(), ["human"] * max(2, game.seats[0]), 3)
        app.show(app.routes.play(app, Sitting(match)))
        drive.frames(2)
        look(PauseScreen(app, match, None))
        look(EndScreen(app, match, None, lambda: None))
    assert not cut


def test_what_a_setting_does_stands_over_the_button_however_large_the_letters(app: App, drive: Driver) -> None:
    app.preferences.scale = 2.0
    app.push(screen := SettingsScreen(app))
    drive.frames(2)
    button = next(one for one in screen.form.widgets if isinstance(one, Button))
    assert screen.form.widgets[-2].rect.bottom + 2 * Canvas(app.surface, app.scale).high(14) <= button.rect.y
