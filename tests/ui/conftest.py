"""A window nobody sees, driven by posted events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pygame
import pytest

from flicksim.base.places import HOME
from flicksim.games import load
from flicksim.play import Match, Turn, open_match, parse_seat
from flicksim.referee import Game, parse_options
from flicksim.ui.board.screen import PlayScreen
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit import palette
from flicksim.ui.kit.widgets import Button
from flicksim.ui.opening import window as opened
from tests.waiting import until


def match_of(*seats: str, options: tuple[str, ...] = (), seed: int = 5) -> Match:
    """A game of Penny White that the first seat begins."""
    game = load("penny-white")
    return open_match(game, parse_options(game, ["first=first", *options]), [parse_seat(seat) for seat in seats], seed)


class Driver:
    """Hands and eyes of a player: keys, mouse, and frames of a sixtieth of a second."""

    def __init__(self, app: App) -> None:
        self.app = app

    def frames(self, count: int = 1, dt: float = 1.0 / 60.0) -> None:
        for _ in range(count):
            if self.app.running:
                self.app.frame(dt)

    def key(self, key: int, mod: int = 0, text: str = "") -> None:
        if not text and 32 <= key < 127:
            text = chr(key)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=text, scancode=0))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=mod, unicode=text, scancode=0))
        self.frames()

    def type(self, text: str) -> None:
        for letter in text:
            self.key(ord(letter.lower()), text=letter)

    def move(self, at: tuple[float, float]) -> None:
        pos = (round(at[0]), round(at[1]))
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(1, 0, 0)))
        self.frames()

    def press(self, at: tuple[float, float], button: int = 1) -> None:
        pos = (round(at[0]), round(at[1]))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=button))
        self.frames()

    def release(self, at: tuple[float, float], button: int = 1) -> None:
        pos = (round(at[0]), round(at[1]))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pos, button=button))
        self.frames()

    def click(self, at: tuple[float, float]) -> None:
        self.move(at)
        self.press(at)
        self.release(at)

    def until(self, *stages: str, dt: float = 1.0 / 20.0) -> None:
        """Frames until the course of the match on the table is at one of these stages, and hands are free."""
        until(lambda: self.table.course.stage in stages, lambda: self.frames(1, dt))
        if self.table.course.stage == "choose" and self.table.match.turns:
            self.frames(11, 0.1)  # so soon a key would be taken for a late one

    def words(self) -> str:
        """All that stands on the window."""
        return " ".join(said.text for said in self.app.explaining.said)

    def widget(self, label: str) -> Any:
        """The widget of that label on the screen that has the keys."""
        return next(one for one in self.app.top.form.widgets if one.label == label)  # type: ignore[attr-defined]

    def button(self, label: str) -> Button:
        """The button of that label."""
        button = self.widget(label)
        assert isinstance(button, Button)
        return button

    @property
    def table(self) -> PlayScreen:
        return next(screen for screen in self.app.screens if isinstance(screen, PlayScreen))


class Keeper:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def turn(self, turn: Turn) -> None:
        self.told.append(f"turn {turn.number}")

    def undo(self, turns: int) -> None:
        self.told.append(f"undo {turns}")

    def close(self) -> None:
        self.told.append("close")


def table(
    app: App, match: Match, keeper: Keeper | None = None, again: Callable[[], None] | None = None, *, own: bool = False
) -> Any:
    """The screen a match is played on."""
    return app.routes.play(app, Sitting(match, keeper, again, own))


def looked_through(app: App, game: Game, turns: Sequence[Turn]) -> Any:
    """The screen turns are looked through on."""
    return app.routes.replay(app, game, turns, None)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of the player's own files that is thrown away."""
    monkeypatch.setenv(HOME, str(tmp_path))
    return tmp_path


@pytest.fixture
def app() -> Iterator[App]:
    window = opened()
    pygame.key.set_repeat()  # a slow machine must not press a key twice
    yield window
    while window.screens:
        window.screens.pop().close()
    window.sounds.close()
    palette.use("dark")
    if pygame.display.get_init():
        pygame.event.clear()
        pygame.display.quit()


@pytest.fixture
def drive(app: App) -> Driver:
    return Driver(app)
