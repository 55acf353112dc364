"""Turns and games as GIFs and PNGs, by the window and by the command line."""

import dataclasses
import weakref
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from time import sleep
from types import SimpleNamespace

import pygame
import pytest
from PIL import Image

from flicksim import gui
from flicksim.core.errors import InvalidFile
from flicksim.gui.app import App, SettingsScreen, TurnRenderer
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.toolkit.image_files import write_gif
from flicksim.match import Turn
from flicksim.referee import Game
from flicksim.scene import LeftSurface, Trajectory

from ..card_helpers import card_match
from ..conftest import Driver, penny_white_match, replay_screen
from ..ice_helpers import ice_match
from ..tiddlywinks_helpers import winks_match


def test_a_turn_is_an_animated_gif(tmp_path: Path) -> None:
    match = penny_white_match("bot:beginner", "bot:beginner", ends=1)
    turns = list(match.run())
    turn = next(turn for turn in turns if turn.result is not None)
    path = gui.save_gif(match.game, [turn], tmp_path / "turn.gif")
    with Image.open(path) as picture:
        many = getattr(picture, "n_frames", 1)
        assert many >= 5
        assert picture.size == (400, 720)
        first = picture.convert("RGB").tobytes()
        picture.seek(many - 1)
        assert picture.convert("RGB").tobytes() != first
    assert [file.name for file in tmp_path.iterdir()] == ["turn.gif"]  # nothing is left aside


def painted(red: int, at: int) -> pygame.Surface:
    """Image with a spot."""
    surface = pygame.Surface((64, 48))
    surface.fill((10, 40, 90))
    surface.fill((red, 30, 20), (at, 8, 6, 6))
    return surface


def test_the_colours_of_small_pieces_are_kept(tmp_path: Path) -> None:
    surface = pygame.Surface((256, 256))
    for y in range(256):
        for x in range(256):
            surface.set_at((x, y), (90 + x // 4, 70 + y // 4, 40 + (x + y) // 16))
    surface.fill((210, 30, 30), (100, 100, 8, 8))
    with Image.open(write_gif(tmp_path / "a.gif", [(surface, 40)])) as picture:
        red, green, blue = picture.convert("RGB").getpixel((104, 104))  # type: ignore[misc]
    assert red > 180
    assert max(green, blue) < 60


def test_gif_frames_match_the_drawn_frames_and_durations(tmp_path: Path) -> None:
    """Also of frames that differ little or not at all from the last."""
    drawn = [(painted(200, 2), 40), (painted(200, 20), 100), (painted(200, 20), 60), (painted(90, 40), 900)]
    with Image.open(write_gif(tmp_path / "a.gif", iter(drawn))) as picture:
        assert (picture.size, getattr(picture, "n_frames", 0), picture.info["loop"]) == ((64, 48), 3, 0)
        for k, (shown, stays) in enumerate([(drawn[0][0], 40), (drawn[2][0], 160), (drawn[3][0], 900)]):
            picture.seek(k)
            assert picture.info["duration"] == stays
            assert picture.convert("RGB").tobytes() == pygame.image.tobytes(shown, "RGB")
    assert len((tmp_path / "a.gif").read_bytes()) < 4000


def test_at_most_two_frames_are_in_memory(tmp_path: Path) -> None:
    alive: list[weakref.ref[pygame.Surface]] = []
    most = 0

    def drawn() -> Iterator[tuple[pygame.Surface, int]]:
        nonlocal most
        for k in range(60):
            surface = painted(k, k % 50)
            alive.append(weakref.ref(surface))
            most = max(most, sum(one() is not None for one in alive))
            yield surface, 40

    write_gif(tmp_path / "a.gif", drawn())
    assert most <= 2


def test_a_gif_needs_frames_and_its_suffix(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="nothing moves that could be shown"):
        write_gif(tmp_path / "a.gif", iter(()))
    assert list(tmp_path.iterdir()) == []
    match = penny_white_match("bot:beginner", "bot:beginner")
    with pytest.raises(InvalidFile, match="gif"):
        gui.save_gif(match.game, [match.play(match.ask_player())], tmp_path / "turn.png")


@pytest.mark.parametrize("way", ["Esc", "leaving", "the end of the window"])
def test_a_cancelled_gif_leaves_no_file(way: str, home: Path, app: App, drive: Driver) -> None:
    """The frames are endless."""
    match = penny_white_match("random", "random")

    def endless(*_: object, **__: object) -> Iterator[tuple[pygame.Surface, int]]:
        for k in count():
            yield painted(k % 200, k % 50), 40

    app.replace_all(SettingsScreen(app))
    app.push(
        screen := ReplayScreen(app, match.game, [match.play(match.ask_player())], renderer=TurnRenderer(frames=endless))
    )
    drive.key(pygame.K_g, pygame.KMOD_SHIFT)
    while not list((home / "pictures").glob(".*")):
        drive.frames()
    assert screen.status_line().endswith("Esc calls it off")
    job = screen.exporter.job
    assert job is not None
    if way == "Esc":
        drive.key(pygame.K_ESCAPE)
        assert app.top is screen
        assert app.notice.text == "The picture is called off."
        assert "Esc back" in screen.status_line()
    elif way == "leaving":
        drive.click(drive.button("Close").rect.center)
        assert app.top is not screen
    else:
        app.close()
    assert job.is_done
    assert list((home / "pictures").iterdir()) == []


def test_the_window_shows_gif_progress(home: Path, app: App, drive: Driver) -> None:
    match = penny_white_match("random", "random", ends=1)
    turns = list(match.run())
    said: set[str] = set()

    def one(game: Game, turns: Iterable[Turn], *, is_detailed: bool) -> Iterator[tuple[pygame.Surface, int]]:  # noqa: ARG001
        while screen.exporter.job is None:  # this thread may be quicker than the one that began it
            sleep(0.001)
        for turn in turns:
            said.add(screen.status_line())
            yield painted(turn.number, turn.number), 40

    screen = drive.show(ReplayScreen(app, match.game, turns, renderer=TurnRenderer(frames=one)))
    screen.export_gif(is_whole_game=True)
    while screen.exporter.job is not None:
        drive.frames()
    assert f"The picture is drawn: {3 / len(turns):.0%}   ·   Esc calls it off" in said
    assert len(list((home / "pictures").glob("*.gif"))) == 1


def test_animations_end_with_the_playback() -> None:
    """A wink beside the mat is simulated on, unseen."""
    match = penny_white_match("bot:beginner", "bot:beginner", ends=1)
    turn = next(turn for turn in match.run() if isinstance(turn.result, Trajectory))
    left = LeftSurface(t=0.1, piece="white", point=(0.0, 0.0), velocity=(2.0, 0.0))
    motion = dataclasses.replace(turn.result, events=(left,), duration=9.7)
    turn = dataclasses.replace(turn, lazy_result=SimpleNamespace(result=motion))
    frames = discover_game_views().view_of(match.game).turn_renderer.frames(match.game, [turn])
    assert [time for _, time in frames] == [40, 40, 40, 40, 900], "0.16 s, with the fall"
    assert repr(motion.animate()) == "<moving picture of 4 pictures>", "0.1 s, every 0.04 s, and the end"


def test_card_game_frames_hide_hands() -> None:
    match = card_match("dominoes", "random", "random", "random")
    turns = [match.play(match.ask_player()) for _ in range(4)]
    assert len(list(discover_game_views().view_of(match.game).turn_renderer.frames(match.game, turns))) == 4


def test_the_window_exports_in_the_background_and_shows_the_path(home: Path, app: App, drive: Driver) -> None:
    match = penny_white_match("bot:beginner", "bot:beginner", ends=1)
    app.replace_all(screen := replay_screen(app, match.game, list(match.run())))
    drive.keys(pygame.K_RIGHT, pygame.K_g)
    drive.until(lambda: screen.exporter.job is None)
    path = home / "pictures" / "flicksim-penny-white-0001.gif"
    assert path.exists()
    assert str(path) in app.notice.text


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "ice", "dominoes"])
def test_a_key_exports_a_turn_as_png(name: str, home: Path, app: App, drive: Driver) -> None:
    match = {
        "penny-white": lambda: penny_white_match("random", "random"),
        "tiddlywinks": lambda: winks_match(*["random"] * 4),
        "ice": lambda: ice_match("random", "random"),
        "dominoes": lambda: card_match("dominoes", "random", "random", "random"),
    }[name]()
    turns = [match.play(match.ask_player()) for _ in range(2)]
    app.replace_all(screen := replay_screen(app, match.game, turns))
    drive.key(pygame.K_i)
    drive.until(lambda: screen.exporter.job is None)
    path = home / "pictures" / f"flicksim-{name}-0001.png"
    with Image.open(path) as picture:
        assert min(picture.size) >= 480
        assert len(picture.convert("RGB").resize((60, 60)).getcolors(3600)) > 4, "something is drawn"
    assert str(path) in app.notice.text
