"""Texts that somebody shared: copied from a match, pasted at the front door, kept and opened as files."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from flicksim.base.codec import fingerprint
from flicksim.games import load, names
from flicksim.play import Match, open_match, read_shared, share_match, share_position
from flicksim.ui.faces import found
from flicksim.ui.faces.tiddlywinks.screen import WinkScreen
from flicksim.ui.frame.app import App
from flicksim.ui.front.menu import MenuScreen
from flicksim.ui.front.open_files import OpenScreen
from flicksim.ui.kit import clipboard
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.match.kept_games import Kept
from flicksim.ui.match.overlays import PauseScreen
from flicksim.ui.match.replay import ReplayScreen
from flicksim.ui.match.share import ShareScreen

from ..conftest import Driver


def played() -> Match:
    game = load("dominoes")
    match = open_match(game, game.options(), ["random"] * 3, 4)
    for _ in range(6):
        match.play(match.ask())
    return match


@pytest.fixture
def paper(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A clipboard of the test's own."""
    lies = [""]
    monkeypatch.setattr(pygame.scrap, "put_text", lambda text: lies.__setitem__(0, text))
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: lies[0])
    return lies


def pasted(app: App, drive: Driver) -> OpenScreen:
    app.show(MenuScreen(app, found()))
    drive.frames()
    drive.key(pygame.K_v, pygame.KMOD_CTRL)
    assert isinstance(app.top, OpenScreen)
    return app.top


def test_a_game_goes_by_the_clipboard_from_the_pause_to_the_replay(
    app: App, drive: Driver, paper: list[str], home: Path
) -> None:
    match = played()
    app.show(PauseScreen(app, match, None))
    drive.frames()
    share = next(widget for widget in app.top.form.widgets if widget.label == "Share")
    drive.click(share.rect.center)
    assert isinstance(app.top, ShareScreen)
    assert paper[0] == share_match(match)
    assert "on the clipboard" in app.top.says
    drive.key(pygame.K_f)
    (kept,) = (home / "data" / "shared").glob("*.flicksim")
    assert read_shared(kept.read_text()) == read_shared(paper[0])
    screen = pasted(app, drive)
    assert screen.found[0].title == "Shared: Tiddly-Wink dominoes, 6 turns"
    drive.key(pygame.K_RETURN)
    while app.top is screen:
        drive.frames()
        pygame.time.wait(2)
    assert isinstance(app.top, ReplayScreen)
    assert len(app.top.turns) == 6
    app.pop()
    screen.take(kept)
    assert screen.found[0].shared == read_shared(paper[0])


@pytest.mark.parametrize("name", names())
def test_a_game_of_any_kind_that_was_shared_is_gone_on_with(
    app: App, drive: Driver, paper: list[str], home: Path, name: str
) -> None:
    game = load(name)
    many = max(2, game.seats[0])
    match = open_match(game, game.options(), ["human"] * many, 4)
    if not game.flicked:
        other = open_match(game, game.options(), ["random"] * many, 4)
        for _ in range(3):
            match.play(other.play(other.ask()).made)
    paper[0] = share_match(match)
    screen = pasted(app, drive)
    for _ in range(400):
        drive.frames()
        if screen.drawn is not None:
            break
        pygame.time.wait(2)
    assert "Not over yet." in drive.words()
    assert ("All hands are in it" in drive.words()) is not game.flicked
    drive.click(screen.second.rect.center)
    while app.top is screen:
        drive.frames()
        pygame.time.wait(2)
    assert isinstance(app.top, AtTable)
    assert fingerprint(app.top.match.state) == fingerprint(match.state)
    if match.turns:
        assert len(list((home / "data" / "games").glob("game-*.jsonl"))) == 1, "it is kept from its first turn on"


def test_a_shared_position_says_whose_turn_it_is_and_what_is_left(app: App, drive: Driver, paper: list[str]) -> None:
    game = load("penny-white")
    assert game.positions is not None
    assert game.setting is not None
    paper[0] = share_position(game, game.setting.bare())
    pasted(app, drive)
    drive.frames(2)
    assert "Blue to play   ·   Blue to come: 1   ·   Red to come: 1   ·   Blue, points: 0" in drive.words()


def test_the_table_of_a_shared_or_kept_game_is_seen(app: App, drive: Driver, paper: list[str], home: Path) -> None:
    del home
    match = played()
    keeper = Kept(match, ("random",) * 3)
    for turn in match.turns:
        keeper.turn(turn)
    keeper.close()
    paper[0] = share_match(match)
    screen = pasted(app, drive)
    for number, shown in enumerate(("Shared:", "Tiddly-Wink dominoes")):
        assert screen.found[number].title.startswith(shown)
        screen.list.go(number)
        for _ in range(400):
            drive.frames()
            if screen.drawn is not None:
                break
            pygame.time.wait(5)
        assert screen.drawn is not None
        picture = screen.drawn[1]
        assert picture is not None
        colours = {tuple(picture.get_at((x, y))) for x in range(0, picture.get_width(), 9) for y in range(0, 300, 9)}
        assert len(colours) > 5
        screen.drawn = None


def test_a_position_is_pasted_and_every_seat_of_it_played(app: App, drive: Driver, paper: list[str]) -> None:
    game = load("tiddlywinks")
    assert game.positions is not None
    paper[0] = share_position(game, game.positions.shipped("pile_of_three"))
    screen = pasted(app, drive)
    many = len(screen.found)
    drive.key(pygame.K_v, pygame.KMOD_CTRL)
    assert len(screen.found) == many
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, WinkScreen)
    assert not any(app.top.match.players)


@pytest.mark.parametrize("text", ["", "good morning", "flicksim1.AAAA", "flicksim9.AAAA"])
def test_what_is_none_is_told_and_cannot_be_begun(app: App, drive: Driver, paper: list[str], text: str) -> None:
    paper[0] = text
    screen = pasted(app, drive)
    assert screen.found[0].wrong.endswith(".")
    assert not screen.first.enabled
    drive.key(pygame.K_RETURN)
    assert app.top is screen


def test_without_a_clipboard_nothing_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: str) -> str:
        raise pygame.error("no clipboard")

    monkeypatch.setattr(pygame.scrap, "put_text", none)
    monkeypatch.setattr(pygame.scrap, "get_text", none)
    assert not clipboard.copy("x")
    assert clipboard.pasted() == ""


def test_an_empty_clipboard_is_said_to_be_empty(app: App, drive: Driver, paper: list[str]) -> None:
    paper[0] = "  \n"
    screen = pasted(app, drive)
    assert screen.chosen is not None
    assert screen.chosen.wrong == "The clipboard is empty: copy a shared text first."
