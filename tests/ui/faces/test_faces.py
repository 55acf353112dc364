"""A game's face is one folder, and nothing outside it knows the game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from flicksim import games, ui
from flicksim.base.errors import BadOption
from flicksim.games import load, names
from flicksim.play import SQUIDGES, WINKS, open_match, parse_seat
from flicksim.table import samples
from flicksim.ui import faces
from flicksim.ui.board.face import BOARD
from flicksim.ui.faces import found
from flicksim.ui.frame.app import App
from flicksim.ui.frame.face import Faces
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.front.menu import MenuScreen
from flicksim.ui.match.replay import ReplayScreen
from flicksim.ui.opening import window

from ...games.test_sixth_game import added
from ..conftest import Driver

__all__ = ["added"]

SIXTH = Path(__file__).parent / "sixth"
UI = Path(ui.__file__).parent


@pytest.fixture
def faced(added: None) -> Iterator[None]:  # noqa: ARG001
    """As if the sixth game's folders lay among the others: its rules and its face."""
    faces.__path__.append(str(SIXTH))
    yield
    faces.__path__.remove(str(SIXTH))


@pytest.fixture
def its(faced: None) -> Iterator[App]:  # noqa: ARG001
    """A window opened with it."""
    app = window()
    pygame.key.set_repeat()
    yield app
    app.close()


def test_a_face_of_its_own_is_all_a_new_game_brings(its: App) -> None:
    drive = Driver(its)
    its.home()
    drive.frames(2)
    assert isinstance(its.top, MenuScreen)
    assert [type(card.small).__name__ for card in its.top.cards][-1] == "Beds"
    assert drive.button("Practise shoving").shortcut == "V"
    drive.key(pygame.K_SLASH, text="?")
    assert isinstance(its.top, HelpScreen)
    assert ("bed", "A strip across the board; a penny that rests in it counts.") in its.glossary.listed(None)
    assert any("practise shoving" in line.says for line in its.top.pages["Keys"])
    drive.key(pygame.K_ESCAPE)
    drive.key(pygame.K_v, text="v")
    table = drive.table
    assert type(table).__name__ == "ShoveScreen"
    assert table.own_keys()[0].where == "Shove"
    drive.until("choose")
    drive.key(pygame.K_SPACE)
    drive.until("show", "hold")
    its.push(its.routes.replay(its, table.match.game, list(table.match.turns), None))
    assert isinstance(its.top, ReplayScreen)
    drive.frames(2)


@pytest.mark.usefixtures("added")
def test_without_one_it_is_shown_as_its_kind_of_table_is() -> None:
    assert found().of(games.load("shove")) is BOARD


@pytest.mark.parametrize("name", names())
def test_every_shipped_game_has_a_face_with_words_and_turns_to_look_through(name: str, app: App) -> None:
    game = load(name)
    face = found().of(game)
    assert face is not BOARD
    assert face.words is not None
    match = open_match(game, game.options(), [parse_seat("random")] * max(2, game.seats[0]), 1)
    app.show(face.replay(app, game, [match.play(match.ask())], None))
    app.frame(0.02)
    assert app.game is game


def test_what_no_face_draws_is_said_so() -> None:
    with pytest.raises(BadOption, match="draws a str"):
        found().picture("a board", None, ())
    with pytest.raises(BadOption, match="play it in the terminal"):
        Faces({}, {}).of(load("tinkle"))
    assert found().picture(samples.sample("crowd")[0], None, ("Blue", "Red")).get_size() == (900, 1200)


def _known(path: Path) -> set[str]:
    """The games that a module imports or names in its words, but for its own."""
    tree, own = ast.parse(path.read_text(encoding="utf-8")), path.relative_to(UI).parts[1:2]
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and isinstance(node.body[0], ast.Expr)
    }
    seen = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("flicksim.games."):
            seen.add((node.module or "").split(".")[2])
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            seen |= {name.replace("-", "_") for name in names() if re.fullmatch(name, node.value)}
    return seen - ({*own} if path.is_relative_to(UI / "faces") else set())


def test_no_game_is_known_outside_its_face() -> None:
    # a sound may be called as a game is
    known = {str(path.relative_to(UI)): _known(path) for path in UI.rglob("*.py") if path.name != "sounds.py"}
    assert {path: games for path, games in known.items() if games} == {}


def test_whoever_weighs_winks_waits_for_many_squidges_too() -> None:
    face = found().of(load("tiddlywinks"))
    for shows in (face.study, face.replay):
        assert set(shows.keywords["warmings"]) == {WINKS, SQUIDGES}  # type: ignore[union-attr]
