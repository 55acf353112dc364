"""Files opened by their paths are listed in later windows."""

from pathlib import Path

import pygame
import pytest

from flicksim.gui.app import App
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.menus import openable_items
from flicksim.gui.menus.main_menu import MainMenuScreen
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.match import format_game
from tests.matches import new_match

from ..conftest import Driver


def _game_file(path: Path) -> Path:
    path.write_text(format_game(new_match("dominoes", "human", "human", seed=4), ("human", "human")))
    return path


def _listed(app: App, drive: Driver) -> list[Path]:
    """Names of the files of another Open screen."""
    screen = drive.show(OpenScreen(app, discover_game_views()))
    return [item.file for item in screen.items if item.file is not None]


@pytest.mark.usefixtures("home")
def test_a_file_dropped_on_the_window_is_listed_until_it_is_gone(app: App, drive: Driver, tmp_path: Path) -> None:
    files = [_game_file(tmp_path / f"{name}.fgn") for name in "ab"]
    for file in (*files, files[0], tmp_path / "nowhere.fgn"):
        drive.show(MainMenuScreen(app, discover_game_views()))
        pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(file)))
        drive.frames()
    assert _listed(app, drive) == files
    files[0].unlink()
    assert _listed(app, drive) == files[1:]


def test_a_broken_list_is_begun_anew(home: Path, app: App, drive: Driver, tmp_path: Path) -> None:
    (home / "data" / "player").mkdir(parents=True)
    (home / "data" / "player" / "opened.json").write_text("[3")
    assert _listed(app, drive) == []
    openable_items.remember_file(file := _game_file(tmp_path / "game.fgn"))
    openable_items.remember_file(Path("\udce4"))  # a name that is no text
    assert _listed(app, drive) == [file]


@pytest.mark.usefixtures("home")
def test_the_oldest_files_are_forgotten(tmp_path: Path) -> None:
    files = [_game_file(tmp_path / f"{number}.fgn") for number in range(22)]
    for file in files:
        openable_items.remember_file(file)
    assert openable_items.opened_files() == files[:1:-1]
