"""From the menu over the options to the table."""

from __future__ import annotations

import pygame

from flicksim.games import load
from flicksim.ui.app import App
from flicksim.ui.felt.screen import CardScreen
from flicksim.ui.menu import MenuScreen
from flicksim.ui.new_game import NewGameScreen
from flicksim.ui.overlays import HelpScreen
from flicksim.ui.play import PlayScreen

from .conftest import Driver, Keeper


def test_a_quick_game_is_one_key_away(app: App, drive: Driver) -> None:
    app.push(MenuScreen(app))
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, PlayScreen)
    assert [player is None for player in app.top.match.players] == [True, False]


def test_options_are_chosen_by_keys_alone(app: App, drive: Driver) -> None:
    app.push(MenuScreen(app))
    drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RETURN)
    new = app.top
    assert isinstance(new, NewGameScreen)
    drive.key(pygame.K_RIGHT)  # the first seat: random
    while new.form.focused is not new.seed:
        drive.key(pygame.K_TAB)
    drive.key(pygame.K_DELETE)
    drive.type("42")
    while new.form.focused is not new.options["ends"]:
        drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RIGHT)
    while new.form.focused is not new.options["jack_mode"]:
        drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RIGHT)
    while new.form.focused is not new.options["removals_per_coin"]:
        drive.key(pygame.K_DOWN)
    drive.key(pygame.K_SPACE)
    while getattr(new.form.focused, "label", "") != "Start":
        drive.key(pygame.K_TAB)
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, PlayScreen)
    match = app.top.match
    options = match.options
    assert (match.seeds.seed, options.ends, options.jack_mode, options.removals_per_coin) == (
        42, 7, "beginner", False,
    )  # fmt: skip
    assert match.players[0] is not None


def test_as_many_sit_down_as_are_asked_for(app: App, drive: Driver) -> None:
    app.push(MenuScreen(app))
    menu = app.top
    assert isinstance(menu, MenuScreen)
    menu.choose(load("dominoes"))
    drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RETURN)
    new = app.top
    assert isinstance(new, NewGameScreen)
    assert len(new.seats) == 4
    new.options["version"].key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT, unicode=""))
    assert "DO-A4" in new.wrong  # the American game is for five and more
    drive.key(pygame.K_RIGHT)
    assert len(new.seats) == 5
    assert not new.wrong
    drive.click(new._start.rect.center)
    assert isinstance(app.top, CardScreen)
    assert [player is None for player in app.top.match.players] == [True, False, False, False, False]


def test_what_may_not_be_is_said_in_words(app: App, drive: Driver) -> None:
    new = NewGameScreen(app, load("penny-white"))
    app.push(new)
    drive.frames()
    new.form.focus = new.form.widgets.index(new.options["board_mm"])
    drive.key(pygame.K_BACKSPACE)
    drive.key(pygame.K_BACKSPACE)
    assert "board_mm" in new.wrong
    assert "650" in new.wrong
    assert not new._start.enabled
    new._usual()
    assert new.wrong == ""
    drive.click(new._start.rect.center)
    assert isinstance(app.top, PlayScreen)


def test_every_option_has_a_row_and_a_sentence(app: App) -> None:
    game = load("penny-white")
    new = NewGameScreen(app, game)
    assert list(new.options) == list(game.options.__struct_fields__)
    assert all(field.says for field in new.options.values())


def test_escape_goes_back_and_at_last_closes(app: App, drive: Driver) -> None:
    app.push(MenuScreen(app))
    app.push(NewGameScreen(app, load("penny-white")))
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MenuScreen)
    drive.key(pygame.K_QUESTION, text="?")
    assert isinstance(app.top, HelpScreen)
    drive.key(pygame.K_ESCAPE)
    drive.key(pygame.K_ESCAPE)
    assert not app.running


def test_games_begun_in_the_window_are_recorded_and_closed(app: App, drive: Driver) -> None:
    keeper = Keeper()
    app.keep = lambda _: keeper
    app.push(MenuScreen(app))
    drive.key(pygame.K_RETURN)
    app.show(MenuScreen(app))
    assert keeper.told == ["close"]
