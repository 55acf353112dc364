"""F1 opens the help on every screen, and closes it again."""

from collections.abc import Callable

import pygame
import pytest

from flicksim.games import load
from flicksim.gui.app import App, HelpScreen, Screen, SettingsScreen
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.gui.menus.welcome import LessonsScreen

from ..conftest import Driver, match_screen, penny_white_match


def _over_a_match(app: App) -> Screen:
    app.push(match_screen(app, penny_white_match("human", "random")))
    return SettingsScreen(app)


@pytest.mark.parametrize(
    ("open_screen", "title"),
    [
        (lambda app: LessonsScreen(app, discover_game_views()), "Help"),
        (lambda app: OpenScreen(app, discover_game_views()), "Help"),
        (lambda app: app.routes.position_editor(app, load("penny-white"), None), "Penny White"),
        (_over_a_match, "Penny White"),
    ],
    ids=["lessons", "open", "position-editor", "settings-over-a-match"],
)
def test_f1_opens_the_help_of_the_screen_or_of_the_one_below(
    app: App, drive: Driver, open_screen: Callable[[App], Screen], title: str
) -> None:
    app.show_main_menu()
    app.push(screen := open_screen(app))
    drive.frames()
    drive.key(pygame.K_F1)
    assert isinstance(app.top, HelpScreen)
    assert title in drive.screen_text()
    drive.key(pygame.K_F1)
    assert app.top is screen


def test_a_question_mark_opens_the_help_over_a_dialog(app: App, drive: Driver) -> None:
    app.show_main_menu()
    app.push(LessonsScreen(app, discover_game_views()))
    drive.key(pygame.K_SLASH, text="?")
    assert isinstance(app.top, HelpScreen)


def test_headings_of_the_keys_stand_out(app: App, drive: Driver) -> None:
    app.show_main_menu()
    app.push(match_screen(app, penny_white_match("human", "random")))
    drive.key(pygame.K_SLASH, text="?")
    drive.frames()
    by_text = {said.source: said for said in app.tooltips.drawn_texts}
    heading, term = by_text["Flick"], by_text["Left  Right"]
    assert heading.bold
    assert heading.pixels > term.pixels
