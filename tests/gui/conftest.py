"""Fixtures of an invisible window that is driven by posted events."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pygame
import pytest

from flicksim.core.paths import HOME_VARIABLE
from flicksim.core.type_aliases import State
from flicksim.games import load
from flicksim.gui.app import App, MatchSession, Screen
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.match import game_analysis, position_analysis
from flicksim.gui.startup import create_window
from flicksim.gui.toolkit import Button, palette, translation
from flicksim.match import Forfeit, Match, Turn
from flicksim.referee import Game
from tests.matches import new_match
from tests.polling import wait_until

AnyScreen = TypeVar("AnyScreen", bound=Screen)


def penny_white_match(*seats: str, seed: int = 5, **options: Any) -> Match:
    """A game of Penny White that the first seat begins."""
    return new_match("penny-white", *seats, seed=seed, first="first", **options)


class Driver:
    """Simulated user: posts keys and mouse events, and runs frames of 1/60 s."""

    def __init__(self, app: App) -> None:
        self.app = app

    def frames(self, number: int = 1, dt: float = 1.0 / 60.0) -> None:
        """Run frames; of many only the last two are drawn."""
        for left in reversed(range(number)):
            if self.app.running:
                self._frame(dt, left < 2)

    def _frame(self, dt: float, is_drawn: bool) -> None:
        if is_drawn:
            self.app.run_frame(dt)
        else:
            self.app.update(dt)

    def until(self, condition: Callable[[], object], dt: float = 1.0 / 30.0) -> None:
        """Run frames until a condition holds; every fourth is drawn, and the last.

        What is settled beside the window may take long on a busy machine.
        """
        frames = count()
        wait_until(condition, lambda: self._frame(dt, next(frames) % 4 == 3))
        if self.app.running and next(frames) % 4:
            self.app.draw()

    def show(self, screen: AnyScreen, frames: int = 1) -> AnyScreen:
        """Make this the only screen, and run frames."""
        self.app.replace_all(screen)
        self.frames(frames)
        return screen

    def top(self, kind: type[AnyScreen]) -> AnyScreen:
        """The top screen, which is of this kind."""
        assert isinstance(self.app.top, kind)
        return self.app.top

    def key(self, key: int, mod: int = 0, text: str = "") -> None:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            self._post(kind, key, mod=mod, text=text)
        self.frames()

    def keys(self, *keys: int) -> None:
        """Press keys one after another."""
        for key in keys:
            self.key(key)

    def down(self, *keys: int) -> None:
        self._post(pygame.KEYDOWN, *keys)
        self.frames()

    def up(self, *keys: int) -> None:
        self._post(pygame.KEYUP, *keys)
        self.frames()

    def _post(self, kind: int, *keys: int, mod: int = 0, text: str = "") -> None:
        for key in keys:
            typed = text or (chr(key) if 32 <= key < 127 else "")
            pygame.event.post(pygame.event.Event(kind, key=key, mod=mod, unicode=typed, scancode=0))

    def type(self, text: str) -> None:
        for letter in text:
            self.key(ord(letter.lower()), text=letter)

    def move(self, at: tuple[float, float]) -> None:
        self._post_mouse(pygame.MOUSEMOTION, at, rel=(0, 0), buttons=(1, 0, 0))

    def press(self, at: tuple[float, float], button: int = 1) -> None:
        self._post_mouse(pygame.MOUSEBUTTONDOWN, at, button=button)

    def release(self, at: tuple[float, float], button: int = 1) -> None:
        self._post_mouse(pygame.MOUSEBUTTONUP, at, button=button)

    def _post_mouse(self, kind: int, at: tuple[float, float], **values: object) -> None:
        pygame.event.post(pygame.event.Event(kind, pos=(round(at[0]), round(at[1])), **values))
        self.frames()

    def click(self, at: tuple[float, float]) -> None:
        self.move(at)
        self.press(at)
        self.release(at)

    def wait_for_phase(self, *phases: str, dt: float = 1.0 / 20.0) -> None:
        """Run frames until the match is in one of these phases and accepts input."""
        self.until(lambda: self.top_screen.controller.phase in phases, dt)
        if self.top_screen.controller.phase == "choose" and self.top_screen.match.turns:
            self.frames(11, 0.1)  # so soon a key would be taken for a late one

    def screen_text(self) -> str:
        """All text drawn on the window, after a frame."""
        self.frames()
        return " ".join(said.source for said in self.app.tooltips.drawn_texts)

    def widget(self, label: str) -> Any:
        """The widget with that label on the top screen."""
        return next(one for one in self.app.top.form.widgets if one.label == label)  # type: ignore[attr-defined]

    def button(self, label: str) -> Button:
        """The button of that label."""
        button = self.widget(label)
        assert isinstance(button, Button)
        return button

    @property
    def top_screen(self) -> BoardScreen:
        return next(screen for screen in self.app.screens if isinstance(screen, BoardScreen))


class Editors:
    """Position editors whose analysis only records the states that it is given, the latest last."""

    def __init__(self, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
        self._drive, self._monkeypatch = drive, monkeypatch
        self.analysed: list[State] = []

    def open(self, game: str) -> Any:
        """Show the position editor of a game."""
        screen = self._drive.app.routes.position_editor(self._drive.app, load(game), None)
        self._monkeypatch.setattr(screen.analysis, "set_state", lambda state, _: self.analysed.append(state))
        return self._drive.show(screen)


class FakeWorker:
    """Worker process that only records requests; `made` lists all of a test."""

    made: ClassVar["list[FakeWorker]"] = []

    def __init__(self, _ready: object) -> None:
        self.made.append(self)
        self.results: list[object] = []
        self.is_done, self.error, self.is_starting, self.shots_done = True, "", False, 0
        self.submitted: list[object] = []

    __class_getitem__ = classmethod(lambda cls, _: cls)

    def submit(self, generator: object, *_args: object) -> None:
        self.is_done = False
        self.submitted.append(generator)

    def update(self) -> None:
        """Do nothing."""

    def cancel(self) -> None:
        self.is_done = True

    shut_down = cancel


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[FakeWorker]:
    """Fake workers of all analyses begun in a test, in place of processes."""
    for module in (game_analysis, position_analysis):
        monkeypatch.setattr(module, "WorkerProcess", FakeWorker)
    monkeypatch.setattr(FakeWorker, "made", made := [])
    return made


class FakeRecorder:
    """Recorder that lists its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def write_turn(self, turn: Turn) -> None:
        self.calls.append(f"turn {turn.number}")

    def write_undo(self, turns: int) -> None:
        self.calls.append(f"undo {turns}")

    def write_forfeit(self, forfeit: Forfeit) -> None:
        self.calls.append(f"forfeit {forfeit.seat}")

    def close(self) -> None:
        self.calls.append("close")


def match_screen(
    app: App,
    match: Match,
    recorder: FakeRecorder | None = None,
    restart: Callable[[], None] | None = None,
    *,
    owns_recorder: bool = False,
) -> Any:
    """The screen a match is played on."""
    return app.routes.match_screen(app, MatchSession(match, recorder, restart, owns_recorder))


def replay_screen(app: App, game: Game, turns: Sequence[Turn]) -> Any:
    """The replay screen of turns."""
    return app.routes.replay_screen(app, game, turns, None)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder for the player's files."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """German texts during a test, with or without a window."""
    monkeypatch.setenv(translation.LANGUAGE_VARIABLE, "de")
    assert translation.set_language("de") == ""
    translation.set_untranslated_names(())
    yield
    translation.set_language("en")
    translation.set_untranslated_names(())


@pytest.fixture
def untranslated(german: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Texts that were shown in German without a translation; after the test there must be none left."""
    del german
    seen: set[str] = set()
    monkeypatch.setattr(translation, "missing_messages", seen)
    yield seen
    assert not seen, sorted(seen)


@pytest.fixture
def app() -> Iterator[App]:
    window = create_window()
    pygame.key.set_repeat()  # a slow machine must not press a key twice
    yield window
    while window.screens:
        window.screens.pop().close()
    window.sounds.close()
    palette.set_palette("dark")
    translation.set_untranslated_names(())
    if pygame.display.get_init():
        pygame.event.clear()
        pygame.display.quit()


@pytest.fixture
def drive(app: App) -> Driver:
    return Driver(app)


@pytest.fixture
def editors(drive: Driver, monkeypatch: pytest.MonkeyPatch) -> Editors:
    return Editors(drive, monkeypatch)
