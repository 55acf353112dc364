"""Game view: the screens and painters that the window uses for one game."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pygame

from flicksim.core.errors import InvalidOption
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, InitialState, Position, State
from flicksim.gui.app.activity_card import Lesson
from flicksim.gui.app.application import App, Screen
from flicksim.gui.app.glossary import Glossary, GlossarySection
from flicksim.gui.app.match_session import MatchSession
from flicksim.gui.toolkit import Canvas, Frame, KeyMap
from flicksim.match import Turn, Warmup
from flicksim.referee import Game


class Miniature(Protocol):
    """Small animated table."""

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Draw the table at a time [s]."""


class FrameRenderer(Protocol):
    """Renderer of turns as images, one after another."""

    def __call__(self, game: Game, turns: Iterable[Turn], *, is_detailed: bool = True) -> Iterator[Frame]:
        """Render frames of turns; `is_detailed`: at the rate used for a single turn."""


ShotPath = Callable[[Game, State, Action], tuple[Point, Point] | None]
"""Function returning start and end of an action on a free table [m]; None if it is no flick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRenderer:
    """Renderer of turns for files.

    Args:
        frames: of turns, in order. still_image: of a turn's result; None: its last frame shows it.
    """

    frames: FrameRenderer
    still_image: Callable[[Game, Turn], pygame.Surface | None] = lambda _game, _turn: None


@dataclass(frozen=True, slots=True)
class PracticeMode:
    """Practice mode of a game.

    Args:
        label, key: of its button in the main menu. text: its description in the help. start: opens it.
    """

    label: str
    key: str
    text: str
    start: Callable[[App], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """View of a game: its screens and painters.

    Args:
        screen: of a match. replay: screen of recorded turns (see `ReplayScreen`).
        turn_renderer: draws turns for files. miniature: the small table in the main menu.
        can_draw: True for content it can draw: a scene, a trajectory, a launch.
        render: draws such content in that size [pixels] or its natural one, by names of seats.
        draw_state: draws a state into part of a canvas, close up; None: states are not shown.
        terms: explanations of its terms. practice: modes to practise it.
        warmup: compiles its physics before the first shot, where that takes long.
        lesson: its introductory lesson.
        position_editor: the screen to edit its positions, where there is one.
        keys: key bindings of its tables alone.
    """

    screen: Callable[[App, MatchSession], Screen]
    replay: Callable[[App, Game, Sequence[Turn], Callable[[int], None] | None], Screen]
    turn_renderer: TurnRenderer
    miniature: Callable[[Game], Miniature]
    can_draw: Callable[[object], bool] = lambda _shown: False
    render: Callable[[InitialState, tuple[int, int] | None, Sequence[str]], pygame.Surface] | None = None
    draw_state: Callable[[Canvas, pygame.Rect, Game, State], None] | None = None
    terms: GlossarySection | None = None
    practice: PracticeMode | None = None
    warmup: Warmup | None = None
    lesson: Lesson | None = None
    keys: tuple[KeyMap, ...] = ()
    position_editor: Callable[[App, Game, Position | None], Screen] | None = None


class GameViews:
    """Registry of game views by game, with the defaults.

    Args:
        by_game: views by name of game. by_kind: default views of games without one, by kind of game.
    """

    def __init__(self, by_game: Mapping[str, GameView], by_kind: Mapping[str, GameView]) -> None:
        self._by_game, self._by_kind = dict(by_game), dict(by_kind)

    def view_of(self, game: Game, state: object = None) -> GameView:
        """View of a game: its own; else the first that can draw its state; else the default of its kind.

        Raises:
            InvalidOption: there is none.
        """
        own, drawing = self._by_game.get(game.name), self._view_for(getattr(state, "scene", None))
        view = own or drawing or self._by_kind.get(game.category)
        if view is None:
            raise InvalidOption(f"{game.title} has no table in the window yet; play it in the terminal.")
        return view

    def render(self, content: object, size: tuple[int, int] | None, seats: Sequence[str]) -> pygame.Surface:
        """Draw content at a size [pixels], or its natural one, with names of seats.

        Raises:
            InvalidOption: no view can draw the content.
        """
        view = self._view_for(content)
        if view is None or view.render is None:
            raise InvalidOption(f"no table in the window draws a {type(content).__name__}")
        return view.render(content, size, seats)

    def _view_for(self, content: object) -> GameView | None:
        views = (*self._by_game.values(), *self._by_kind.values())
        return next((view for view in views if view.can_draw(content)), None)

    def unavailable_reason(self, game: Game) -> str:
        """Reason why a game cannot be played in the window; empty when it can."""
        try:
            self.view_of(game)
        except InvalidOption as error:
            return str(error)
        return ""

    @property
    def keys(self) -> tuple[KeyMap, ...]:
        """Key bindings of all tables."""
        views = (*self._by_kind.values(), *self._by_game.values())
        return tuple(dict.fromkeys(key_map for view in views for key_map in view.keys))

    @property
    def practice_modes(self) -> tuple[PracticeMode, ...]:
        """Practice modes of all games."""
        return tuple(view.practice for view in self._by_game.values() if view.practice is not None)

    @property
    def warmups(self) -> tuple[Warmup, ...]:
        """Warmups of all simulations."""
        return tuple(view.warmup for view in self._by_game.values() if view.warmup is not None)

    @property
    def glossary(self) -> Glossary:
        """Glossary of all games."""
        return Glossary({name: view.terms for name, view in self._by_game.items() if view.terms is not None})
