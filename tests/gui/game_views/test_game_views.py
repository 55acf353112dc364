"""Tests of the game views: each is one package, and no module outside it names the game."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from flicksim import games, gui
from flicksim.core.errors import InvalidOption
from flicksim.games import load, names
from flicksim.gui import game_views
from flicksim.gui.app import App, GameViews, HelpScreen
from flicksim.gui.board_view.board_game_view import BOARD_GAME_VIEW
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.match.start_match import start_match
from flicksim.gui.menus.main_menu import MainMenuScreen
from flicksim.gui.startup import create_window
from flicksim.match import WINK_BATCH_WARMUP, WINK_WARMUP
from flicksim.scene import samples
from tests.matches import new_match

from ...games.test_plugin_game import added
from ..conftest import Driver

__all__ = ["added"]

PLUGIN_GAME = Path(__file__).parent / "plugin_game"
GUI = Path(gui.__file__).parent


@pytest.fixture
def with_plugin(added: None) -> Iterator[None]:  # noqa: ARG001
    """Install the packages of the plugin game: its rules and its view."""
    game_views.__path__.append(str(PLUGIN_GAME))
    yield
    game_views.__path__.remove(str(PLUGIN_GAME))


@pytest.fixture
def plugin_app(with_plugin: None) -> Iterator[App]:  # noqa: ARG001
    """Application window with the plugin game."""
    app = create_window()
    pygame.key.set_repeat()
    yield app
    app.close()


def test_a_plugin_needs_only_its_game_view(plugin_app: App) -> None:
    drive = Driver(plugin_app)
    plugin_app.show_main_menu()
    drive.frames(2)
    assert isinstance(plugin_app.top, MainMenuScreen)
    assert [type(card.miniature).__name__ for card in plugin_app.top.cards][-1] == "BedsMiniature"
    assert drive.button("Practise shoving").shortcut == "V"
    drive.key(pygame.K_SLASH, text="?")
    assert isinstance(plugin_app.top, HelpScreen)
    assert ("bed", "A strip across the board; a penny that rests in it counts.") in plugin_app.glossary.help_lines(None)
    assert any("practise shoving" in line.text for line in plugin_app.top.pages["Keys"])
    drive.key(pygame.K_ESCAPE)
    drive.key(pygame.K_v, text="v")
    table = drive.top_screen
    assert type(table).__name__ == "ShoveScreen"
    assert table.extra_keys()[0].title == "Shove"
    drive.wait_for_phase("choose")
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("show", "hold")
    plugin_app.push(plugin_app.routes.replay_screen(plugin_app, table.match.game, list(table.match.turns), None))
    assert isinstance(plugin_app.top, ReplayScreen)
    drive.frames(2)


@pytest.mark.usefixtures("added")
def test_a_plugin_game_is_listed_and_playable(app: App, drive: Driver) -> None:
    app.show_main_menu()
    drive.frames(2)
    seats = ("human", "bot:beginner")
    start_match(app, new_match("shove", *seats, seed=3), seats)
    drive.wait_for_phase("choose")
    drive.key(pygame.K_SPACE)
    drive.frames(2)
    drive.wait_for_phase("choose")
    assert [turn.seat for turn in drive.top_screen.match.turns] == [0, 1]
    drive.key(pygame.K_u)
    assert drive.top_screen.match.turns == []


@pytest.mark.usefixtures("added")
def test_a_game_without_a_view_uses_the_default_view() -> None:
    assert discover_game_views().view_of(games.load("shove")) is BOARD_GAME_VIEW


@pytest.mark.parametrize("name", names())
def test_every_builtin_game_has_a_view_with_terms_and_replay(name: str, app: App) -> None:
    game = load(name)
    game_view = discover_game_views().view_of(game)
    assert game_view is not BOARD_GAME_VIEW
    assert game_view.terms is not None
    match = new_match(name, *["random"] * max(2, game.seats[0]))
    app.replace_all(game_view.replay(app, game, [match.play(match.ask_player())], None))
    app.run_frame(0.02)
    assert app.game is game


def test_an_undrawable_object_is_an_error() -> None:
    with pytest.raises(InvalidOption, match="draws a str"):
        discover_game_views().render("a board", None, ())
    with pytest.raises(InvalidOption, match="play it in the terminal"):
        GameViews({}, {}).view_of(load("tinkle"))
    assert discover_game_views().render(samples.sample("crowd")[0], None, ("Blue", "Red")).get_size() == (900, 1200)


def _games_named_in(path: Path) -> set[str]:
    """Games that a module imports or names in a string, except its own."""
    tree, own = ast.parse(path.read_text(encoding="utf-8")), path.relative_to(GUI).parts[1:2]
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and isinstance(node.body[0], ast.Expr)
    }
    named = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("flicksim.games."):
            named.add((node.module or "").split(".")[2])
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            named |= {name.replace("-", "_") for name in names() if re.fullmatch(name, node.value)}
    return named - ({*own} if path.is_relative_to(GUI / "game_views") else set())


def test_games_are_named_only_in_their_own_views() -> None:
    # a sound may be called as a game is
    known = {
        str(path.relative_to(GUI)): _games_named_in(path) for path in GUI.rglob("*.py") if path.name != "sounds.py"
    }
    assert {path: games for path, games in known.items() if games} == {}


def test_wink_evaluation_waits_for_the_batch_warmup() -> None:
    game_view = discover_game_views().view_of(load("tiddlywinks"))
    for screen in (game_view.position_editor, game_view.replay):
        assert set(screen.keywords["warmups"]) == {WINK_WARMUP, WINK_BATCH_WARMUP}  # type: ignore[union-attr]
