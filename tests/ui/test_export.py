"""Turns and games as GIFs and PNGs, by the window and by the command line."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest
from PIL import Image

from flicksim import ui
from flicksim.base.errors import BadFile
from flicksim.ui.app import App
from flicksim.ui.export import frames
from flicksim.ui.felt.review import CardReplay
from flicksim.ui.replay import ReplayScreen
from flicksim.ui.starting import replay_for

from .conftest import Driver, match_of
from .felt import cards
from .ice import ice_match
from .winks import winks_match


def test_a_turn_is_written_as_a_gif_that_moves(tmp_path: Path) -> None:
    match = match_of("bot:beginner", "bot:beginner", options=("ends=1",))
    turns = list(match.run())
    turn = next(turn for turn in turns if turn.account is not None)
    path = ui.gif(match.game, [turn], tmp_path / "turn.gif")
    with Image.open(path) as picture:
        many = getattr(picture, "n_frames", 1)
        assert many >= 5
        assert picture.size == (400, 720)
        first = picture.convert("RGB").tobytes()
        picture.seek(many - 1)
        assert picture.convert("RGB").tobytes() != first
    assert [file.name for file in tmp_path.iterdir()] == ["turn.gif"]  # nothing is left aside


def test_a_game_of_cards_is_a_picture_a_move_with_hands_hidden() -> None:
    match = cards("dominoes", "random", "random", "random")
    turns = [match.play(match.ask()) for _ in range(4)]
    assert len(list(frames(match.game, turns))) == 4


def test_a_gif_has_a_proper_name(tmp_path: Path) -> None:
    match = match_of("bot:beginner", "bot:beginner")
    with pytest.raises(BadFile, match="gif"):
        ui.gif(match.game, [match.play(match.ask())], tmp_path / "turn.png")


def test_the_window_writes_one_beside_itself_and_says_where(home: Path, app: App, drive: Driver) -> None:
    match = match_of("bot:beginner", "bot:beginner", options=("ends=1",))
    app.show(screen := ReplayScreen(app, match.game, list(match.run())))
    drive.key(pygame.K_RIGHT)
    drive.key(pygame.K_g)
    while screen._job is not None:
        drive.frames()
        pygame.time.wait(2)
    path = home / "pictures" / "flicksim-penny-white-0001.gif"
    assert path.exists()
    assert str(path) in app.notice


def test_a_game_of_cards_can_be_written_too(home: Path, app: App, drive: Driver) -> None:
    match = cards("tinkle", "random", "random", "random")
    turns = [match.play(match.ask()) for _ in range(3)]
    app.show(screen := CardReplay(app, match.game, turns))
    drive.frames()
    screen.export(whole=True)
    while screen._job is not None:
        drive.frames()
        pygame.time.wait(2)
    assert (home / "pictures" / "flicksim-tinkle-0001.gif").exists()


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "ice", "dominoes"])
def test_a_turn_is_kept_as_a_picture_by_a_key(name: str, home: Path, app: App, drive: Driver) -> None:
    match = {"penny-white": lambda: match_of("random", "random"), "tiddlywinks": lambda: winks_match(*["random"] * 4),
             "ice": lambda: ice_match("random", "random"),
             "dominoes": lambda: cards("dominoes", "random", "random", "random")}[name]()  # fmt: skip
    turns = [match.play(match.ask()) for _ in range(2)]
    app.show(screen := replay_for(app, match.game, turns))
    drive.key(pygame.K_i)
    while screen._job is not None:
        drive.frames()
        pygame.time.wait(2)
    path = home / "pictures" / f"flicksim-{name}-0001.png"
    with Image.open(path) as picture:
        assert min(picture.size) >= 480
        assert len(picture.convert("RGB").resize((60, 60)).getcolors(3600)) > 4, "something is drawn"
    assert str(path) in app.notice
