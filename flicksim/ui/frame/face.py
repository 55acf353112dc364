"""The faces of games: one value for each game that has a face of its own, and which face shows what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pygame

from flicksim.base.errors import BadOption
from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, Position, Staged, State
from flicksim.play import Turn, Warming
from flicksim.referee import Game
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.glossary import Glossary, Words
from flicksim.ui.frame.lesson import Lesson
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.keys import Keys
from flicksim.ui.kit.pictures import Frame


class Miniature(Protocol):
    """A small table that lives by itself."""

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Show it as it is at a time [s]."""


class Frames(Protocol):
    """Draws turns as pictures, one after another."""

    def __call__(self, game: Game, turns: Iterable[Turn], *, fine: bool = True) -> Iterator[Frame]:
        """Pictures of turns; fine: as many as one turn needs to be seen well."""


Way = Callable[[Game, State, Action], tuple[Point, Point] | None]
"""From where to where an action goes on a free table [m]; None of what is no flick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prints:
    """The drawing of turns for files.

    Args:
        frames: one after another. still: what came of a turn; None where the last of its frames shows it.
    """

    frames: Frames
    still: Callable[[Game, Turn], pygame.Surface | None] = lambda _game, _turn: None


@dataclass(frozen=True, slots=True)
class Practice:
    """A way to practise.

    Args:
        label, key: of its button at the front door. says: what it is, for the help. begin: begins it.
    """

    label: str
    key: str
    says: str
    begin: Callable[[App], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """The way a game is shown.

    Args:
        screen: the table a match is played on. replay: the screen turns are looked through on (see `ReplayScreen`).
        prints: how turns are drawn for files. miniature: the small table at the front door.
        draws: tells whether it can draw a thing: a scene, a motion, a landing.
        picture: draws such a thing, in that size [pixels] or as suits it, by names of seats.
        look: draws a state into a part of a canvas, near to what lies there; None: states are not shown.
        words: what its words mean. practice: how to practise it, where one can.
        warming: makes its physics ready before the first shot, where that takes long.
        lesson: its first steps, to be played.
        study: the board on which its positions are set up by hand, where they can be.
        keys: those that only its tables have.
    """

    screen: Callable[[App, Sitting], Screen]
    replay: Callable[[App, Game, Sequence[Turn], Callable[[int], None] | None], Screen]
    prints: Prints
    miniature: Callable[[Game], Miniature]
    draws: Callable[[object], bool] = lambda _shown: False
    picture: Callable[[Staged, tuple[int, int] | None, Sequence[str]], pygame.Surface] | None = None
    look: Callable[[Canvas, pygame.Rect, Game, State], None] | None = None
    words: Words | None = None
    practice: Practice | None = None
    warming: Warming | None = None
    lesson: Lesson | None = None
    keys: tuple[Keys, ...] = ()
    study: Callable[[App, Game, Position | None], Screen] | None = None


class Faces:
    """All faces there are.

    Args:
        own: of games, by name. usual: of games without one that nobody else's face can draw, by wing.
    """

    def __init__(self, own: Mapping[str, Face], usual: Mapping[str, Face]) -> None:
        self._own, self._usual = dict(own), dict(usual)

    def of(self, game: Game, state: object = None) -> Face:
        """A game's own face; else the first that draws what lies in a state of it; else the usual one of its wing.

        Raises:
            BadOption: there is none.
        """
        found = self._own.get(game.name) or self._drawing(getattr(state, "scene", None)) or self._usual.get(game.wing)
        if found is None:
            raise BadOption(f"{game.title} has no table in the window yet; play it in the terminal.")
        return found

    def picture(self, shown: object, size: tuple[int, int] | None, seats: Sequence[str]) -> pygame.Surface:
        """Draw a thing in that size [pixels], or as suits it, by names of seats.

        Raises:
            BadOption: no face draws such a thing.
        """
        face = self._drawing(shown)
        if face is None or face.picture is None:
            raise BadOption(f"no table in the window draws a {type(shown).__name__}")
        return face.picture(shown, size, seats)

    def _drawing(self, shown: object) -> Face | None:
        every = (*self._own.values(), *self._usual.values())
        return next((face for face in every if face.draws(shown)), None)

    def missing(self, game: Game) -> str:
        """Reason why a game cannot be played in the window; empty when it can."""
        try:
            self.of(game)
        except BadOption as wrong:
            return str(wrong)
        return ""

    @property
    def keys(self) -> tuple[Keys, ...]:
        """The keys of all tables."""
        return tuple(dict.fromkeys(one for face in (*self._usual.values(), *self._own.values()) for one in face.keys))

    @property
    def practices(self) -> tuple[Practice, ...]:
        """All ways to practise."""
        return tuple(face.practice for face in self._own.values() if face.practice is not None)

    @property
    def warmings(self) -> tuple[Warming, ...]:
        """All physics that has to be made ready."""
        return tuple(face.warming for face in self._own.values() if face.warming is not None)

    @property
    def glossary(self) -> Glossary:
        """The glossary of all games."""
        return Glossary({name: face.words for name, face in self._own.items() if face.words is not None})
