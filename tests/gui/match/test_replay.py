"""Replay of turns, image export, and imports of the package."""

import dataclasses
import sys
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
from flicksim.core.errors import InvalidFile, InvalidOption
from flicksim.games import load
from flicksim.gui.app import App, HelpScreen, SettingsScreen, TurnRenderer
from flicksim.gui.board_view.board_replay import BoardReplay
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.match.position_analysis import BACK_HELP
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.image_files import write_gif
from flicksim.match import Turn
from flicksim.referee import Game
from flicksim.scene import Flick, LeftSurface, Trajectory
from flicksim.scene.samples import sample
from tests.python_process import run_code

from ..card_helpers import card_match
from ..conftest import Driver, penny_white_match, replay_screen
from ..ice_helpers import ice_match
from ..tiddlywinks_helpers import winks_match


def _looked(app: App, drive: Driver) -> ReplayScreen:
    match = penny_white_match("bot:beginner", "bot:beginner", ends=1)
    return drive.show(replay_screen(app, match.game, list(match.run())))


def test_turns_are_browsed_played_and_scrubbed(app: App, drive: Driver) -> None:
    screen = _looked(app, drive)
    drive.keys(pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_LEFT)
    assert screen.turn is screen.turns[1]
    playback = screen.playback
    assert playback.is_finished  # a turn is first seen at its end
    assert not screen.is_animating
    drive.key(pygame.K_SPACE)
    drive.frames(3)
    assert 0.0 < playback.time < playback.duration
    assert screen.is_animating
    drive.key(pygame.K_s)
    assert playback.speed == 0.25
    drive.key(pygame.K_SPACE)
    assert playback.is_paused
    assert not screen.is_animating
    bar = screen.toolbar.slider.rect
    drive.click((bar.x + bar.w * 0.5, bar.centery))
    assert playback.time == pytest.approx(playback.duration / 2, rel=0.02)
    drive.key(pygame.K_RIGHT)  # the bar has the focus now
    assert playback.progress > 0.5
    drive.key(pygame.K_ESCAPE)
    assert not app.running


def test_the_replay_has_its_own_help_and_its_list_goes_to_its_ends(app: App, drive: Driver) -> None:
    screen = _looked(app, drive)
    assert "? help" in screen.status_line()
    drive.key(pygame.K_SLASH, text="?")
    shown = [line.term for line in drive.top(HelpScreen).pages["Keys"]]
    assert "Space or P" in shown
    assert "U" not in shown, "nothing is taken back here"
    drive.key(pygame.K_ESCAPE)
    assert app.top is screen
    drive.key(pygame.K_END)
    assert screen.turn is screen.turns[-1]
    drive.key(pygame.K_HOME)
    drive.click((screen.list.rect.x + 40, screen.list.rect.y + 2 * 26 + 5))
    assert screen.turn is screen.turns[2]
    drive.click(screen.toolbar.widgets[0].rect.center)  # a button has the focus now
    drive.key(pygame.K_END)
    assert screen.turn is screen.turns[-1]


def test_evaluation_keys_are_shown_for_flicks_only(app: App, drive: Driver) -> None:
    assert "F7 worth   ·   F8 map   ·   ? help" in _looked(app, drive).status_line()
    match = card_match("dominoes", "random", "random")
    made = list(match.run())
    app.replace_all(screen := replay_screen(app, match.game, made))
    assert screen.may_analyse
    assert "F7" not in screen.status_line()
    assert "A analyses" in screen.status_line()


def test_escape_ends_a_shown_candidate_then_the_screen(drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, called_off = _looked(drive.app, drive), list[bool]()
    making, shown = [True], [screen.turns[1].result]
    monkeypatch.setattr(type(screen.analysis.position), "is_simulating", property(lambda _: making[0]))
    monkeypatch.setattr(screen.analysis.position, "take_trajectory", lambda: shown.pop() if shown else None)
    monkeypatch.setattr(screen.analysis.position, "cancel_simulation", lambda: called_off.append(making[0]))
    drive.frames()
    assert BACK_HELP in screen.status_line(), "one is shown, another worked out"
    assert "calls it off" not in screen.status_line()
    drive.key(pygame.K_ESCAPE)
    assert called_off == [True]
    assert BACK_HELP not in screen.status_line()
    assert "Esc calls it off" in screen.status_line()
    drive.key(pygame.K_ESCAPE)
    making[0] = False
    assert (drive.app.top, called_off) == (screen, [True, True])
    drive.key(pygame.K_ESCAPE)
    assert not drive.app.running


def test_a_replay_may_be_empty(app: App, drive: Driver) -> None:
    app.push(replay_screen(app, load("penny-white"), []))
    drive.keys(pygame.K_RIGHT, pygame.K_SPACE)
    assert app.running


def test_run_shows_turns_with_a_screenshot_the_menu_a_game_or_a_match(tmp_path: Path) -> None:
    match = penny_white_match("random", "random")
    turns = [match.play(match.ask_player()) for _ in range(3)]
    shot = tmp_path / "window.png"
    assert gui.run(match=match, turns=turns, frames=3, screenshot=shot) == 0
    assert pygame.image.load(shot).get_size() == (1280, 800)
    assert gui.run(frames=2) == 0
    assert gui.run(load("penny-white"), frames=2) == 0
    assert gui.run(match=penny_white_match("human", "random"), frames=2) == 0
    with pytest.raises(InvalidOption, match="together with their game"):
        gui.run(turns=[], frames=1)


def test_images_need_no_display_and_an_unwritable_one_is_reported(tmp_path: Path) -> None:
    scene, flick = sample("draw")
    match = penny_white_match("random", "random")
    motion = match.simulator.simulate(scene, flick)
    for shown, name in ((scene, "scene.png"), (motion, "motion.png")):
        path = gui.save_image(shown, tmp_path / name, (600, 800))
        picture = pygame.image.load(path)
        assert picture.get_size() == (600, 800)
        assert len({tuple(picture.get_at((x, y))) for x in range(0, 600, 7) for y in range(0, 800, 7)}) > 10
    assert (tmp_path / "scene.png").read_bytes() != (tmp_path / "motion.png").read_bytes()
    mat = load("tiddlywinks").positions.load_builtin("pile_of_three").display_value()
    for shown, size in ((scene, (900, 1200)), (mat, (1200, 900))):
        assert pygame.image.load(gui.save_image(shown, tmp_path / "whole.png")).get_size() == size
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InvalidFile, match="cannot write"):
        gui.save_image(sample("draw")[0], tmp_path / "file" / "scene.png")


def test_four_seats_have_colours_where_only_two_are_named() -> None:
    assert [palette.seat_key(seat, ("Blue", "Red")) for seat in (0, 1, 2, 3)] == ["blue", "red", "green", "yellow"]
    assert palette.seat_key(3, ("Blue", "Red"), "yellow-4") == "yellow"


def test_a_missing_display_is_reported() -> None:
    assert gui.display_unavailable_reason({"DISPLAY": ":0"}) is None
    assert "dummy" in (gui.display_unavailable_reason({"SDL_VIDEODRIVER": "dummy", "DISPLAY": ":0"}) or "")
    if sys.platform.startswith("linux"):
        assert "no display" in (gui.display_unavailable_reason({}) or "")
    assert isinstance(gui.can_open_window(), str)  # under test there is none


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are named by the environment on Linux")
def test_a_display_that_cannot_be_reached_is_reported() -> None:
    """SDL selects a driver that shows nothing, and the window would wait for ever."""
    code = "from flicksim import gui; print(gui.display_unavailable_reason())"
    told = run_code(code, SDL_VIDEODRIVER=None, WAYLAND_DISPLAY=None, DISPLAY=":4711")
    assert told.stdout == "the display ':4711' cannot be reached\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are named by the environment on Linux")
def test_a_display_that_can_be_reached_stays_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has a single client may start anew once that leaves, and the window would find none."""
    monkeypatch.delenv("SDL_VIDEODRIVER")
    monkeypatch.setenv("DISPLAY", ":0")
    calls = list[str]()
    for name, answer in (("get_init", False), ("init", None), ("get_driver", "x11"), ("quit", None)):
        monkeypatch.setattr(pygame.display, name, lambda name=name, answer=answer: (calls.append(name), answer)[1])
    assert gui.display_unavailable_reason() is None
    assert calls == ["get_init", "init", "get_driver"]


@pytest.mark.parametrize(("size", "has_close_up"), [((1280, 800), True), ((800, 600), False)])
def test_a_board_that_lies_leaves_room_for_a_close_up(drive: Driver, size: tuple[int, int], has_close_up: bool) -> None:
    pygame.display.set_mode(size)
    screen = _looked(drive.app, drive)
    assert isinstance(screen, BoardReplay)
    assert ("AT THE WHITE" in drive.screen_text()) == has_close_up
    match = penny_white_match("human", "human")
    match.play(Flick(piece="white", speed=0.5, azimuth=1.5707963, start=(0.15, 0.03985)))  # it is taken away again
    drive.show(replay_screen(drive.app, match.game, match.turns), 2)
    assert ("AT THE WHITE" in drive.screen_text()) == has_close_up
    rect = screen.close_up_rect
    if rect is not None:
        assert not rect.colliderect(screen.view.area)
        assert rect.collidelist([widget.rect for widget in screen.form.widgets]) < 0


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
