"""Share codes in the window: copied from a match, pasted in the menu, saved and opened as files."""

from pathlib import Path

import pygame
import pytest

from flicksim.core.serialization import fingerprint
from flicksim.games import load, names
from flicksim.gui.app import App
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.game_views.tiddlywinks.tiddlywinks_screen import TiddlywinksScreen
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.match.overlays import PauseScreen
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.match.saved_games import GameSaver
from flicksim.gui.match.share import ShareScreen
from flicksim.gui.menus.main_menu import MainMenuScreen
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.gui.toolkit import clipboard
from flicksim.match import Match, decode_share_code, encode_match, encode_position
from tests.matches import new_match

from ..conftest import Driver


def played_match() -> Match:
    match = new_match("dominoes", *["random"] * 3, seed=4)
    for _ in range(6):
        match.play(match.ask_player())
    return match


@pytest.fixture
def fake_clipboard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """In-memory clipboard."""
    contents = [""]
    monkeypatch.setattr(pygame.scrap, "put_text", lambda text: contents.__setitem__(0, text))
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: contents[0])
    return contents


def open_screen(app: App, drive: Driver) -> OpenScreen:
    drive.show(MainMenuScreen(app, discover_game_views()))
    drive.key(pygame.K_v, pygame.KMOD_CTRL)
    return drive.top(OpenScreen)


def test_a_game_is_shared_by_the_clipboard_and_replayed(drive: Driver, fake_clipboard: list[str], home: Path) -> None:
    match = played_match()
    drive.show(PauseScreen(drive.app, match, None))
    share = next(widget for widget in drive.app.top.form.widgets if widget.label == "Share")
    drive.click(share.rect.center)
    assert isinstance(drive.app.top, ShareScreen)
    assert "They can look through the game" in drive.screen_text()
    assert fake_clipboard[0] == encode_match(match)
    assert "on the clipboard" in drive.app.top.message
    drive.key(pygame.K_f)
    (file,) = (home / "data" / "shared").glob("*.flicksim")
    assert decode_share_code(file.read_text()) == decode_share_code(fake_clipboard[0])
    screen = open_screen(drive.app, drive)
    assert screen.items[0].title == "Shared: Tiddly-Wink dominoes, 6 turns"
    drive.key(pygame.K_RETURN)
    drive.until(lambda: drive.app.top is not screen)
    assert len(drive.top(ReplayScreen).turns) == 6
    drive.app.pop()
    (home / "mailed.txt").write_bytes(file.read_bytes())
    for name in (file, home / "mailed.txt"):
        screen.add_file(name)
        assert screen.items[0].shared_game == decode_share_code(fake_clipboard[0])


@pytest.mark.parametrize("name", names())
def test_a_shared_game_of_every_kind_can_be_continued(
    app: App, drive: Driver, fake_clipboard: list[str], home: Path, name: str
) -> None:
    game = load(name)
    seat_count = max(2, game.seats[0])
    match = new_match(name, *["human"] * seat_count, seed=4)
    if not game.uses_physics:
        other = new_match(name, *["random"] * seat_count, seed=4)
        for _ in range(3):
            match.play(other.play(other.ask_player()).made)
    fake_clipboard[0] = encode_match(match)
    screen = open_screen(app, drive)
    drive.until(lambda: screen.drawn_item is not None)
    assert "Not over yet." in drive.screen_text()
    assert ("All hands are in it" in drive.screen_text()) is not game.uses_physics
    drive.click(screen.secondary_button.rect.center)
    drive.until(lambda: app.top is not screen)
    assert fingerprint(drive.top(MatchScreen).match.state) == fingerprint(match.state)
    if match.turns:
        assert len(list((home / "data" / "games").glob("game-*.jsonl"))) == 1, "it is kept from its first turn on"


def test_a_shared_position_shows_the_seat_to_act_and_the_remaining_pieces(
    app: App, drive: Driver, fake_clipboard: list[str]
) -> None:
    game = load("penny-white")
    assert game.positions is not None
    fake_clipboard[0] = encode_position(game, game.position_editor.empty_position())
    open_screen(app, drive)
    assert "Blue to play   ·   Blue to come: 1   ·   Red to come: 1   ·   Blue, points: 0" in drive.screen_text()
    drive.show(ShareScreen(app, "ice", [("position", "flicksim1.a")]))
    assert "They can play on from there." in drive.screen_text()


def test_a_shared_or_saved_game_has_a_preview(app: App, drive: Driver, fake_clipboard: list[str], home: Path) -> None:
    del home
    match = played_match()
    recorder = GameSaver(match, ("random",) * 3)
    for turn in match.turns:
        recorder.write_turn(turn)
    recorder.close()
    fake_clipboard[0] = encode_match(match)
    screen = open_screen(app, drive)
    for number, text in enumerate(("Shared:", "Tiddly-Wink dominoes")):
        assert screen.items[number].title.startswith(text)
        screen.list.select(number)
        drive.until(lambda: screen.drawn_item is not None)
        picture = screen.drawn_item[1]
        colours = {tuple(picture.get_at((x, y))) for x in range(0, picture.get_width(), 9) for y in range(0, 300, 9)}
        assert len(colours) > 5
        screen.drawn_item = None


def test_a_position_is_pasted_and_every_seat_of_it_played(app: App, drive: Driver, fake_clipboard: list[str]) -> None:
    game = load("tiddlywinks")
    fake_clipboard[0] = encode_position(game, game.positions.load_builtin("pile_of_three"))
    screen = open_screen(app, drive)
    item_count = len(screen.items)
    drive.key(pygame.K_v, pygame.KMOD_CTRL)
    assert len(screen.items) == item_count
    drive.key(pygame.K_RETURN)
    assert not any(drive.top(TiddlywinksScreen).match.players)


@pytest.mark.parametrize("text", ["", "good morning", "flicksim1.AAAA", "flicksim9.AAAA"])
def test_an_invalid_share_code_is_reported_and_cannot_be_started(
    app: App, drive: Driver, fake_clipboard: list[str], text: str
) -> None:
    fake_clipboard[0] = text
    screen = open_screen(app, drive)
    assert screen.items[0].error.endswith(".")
    assert not screen.primary_button.enabled
    drive.key(pygame.K_RETURN)
    assert app.top is screen


def test_an_empty_or_missing_clipboard_is_handled(
    app: App, drive: Driver, fake_clipboard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_clipboard[0] = "  \n"
    screen = open_screen(app, drive)
    assert screen.selected.error == "The clipboard is empty: copy a shared text first."

    def none(*_: str) -> str:
        raise pygame.error("no clipboard")

    monkeypatch.setattr(pygame.scrap, "put_text", none)
    monkeypatch.setattr(pygame.scrap, "get_text", none)
    assert not clipboard.copy("x")
    assert clipboard.paste() == ""
