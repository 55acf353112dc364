"""The window with its first screens, by what it was asked to show: here all ways through it are laid."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flicksim.base.errors import BadOption
from flicksim.base.kinds import Position
from flicksim.play import Match, Turn
from flicksim.referee import Game
from flicksim.ui.faces import found
from flicksim.ui.frame.app import App, Routes, Screen
from flicksim.ui.frame.help import WordsScreen
from flicksim.ui.frame.sitting import Keeper, Sitting
from flicksim.ui.front.menu import MenuScreen
from flicksim.ui.front.new_game import NewGameScreen
from flicksim.ui.kit.preferences import Preferences
from flicksim.ui.match.starting import anew, begin
from flicksim.ui.match.taught import taught


def window(
    size: tuple[int, int] = (1280, 800),
    keep: Callable[[Match], Keeper] | None = None,
    preferences: Preferences | None = None,
) -> App:  # fmt: skip
    """The window without a screen (see `App`)."""
    faces = found()

    def play(app: App, sitting: Sitting) -> Screen:
        match = sitting.match
        return faces.of(match.game, match.state).screen(app, sitting)

    def replay(app: App, game: Game, turns: Sequence[Turn], back: Callable[[int], None] | None) -> Screen:
        return faces.of(game, turns[0].before if turns else None).replay(app, game, turns, back)

    def teach(app: App, game: Game) -> Callable[[], None] | None:
        lesson = None if faces.missing(game) else faces.of(game).lesson
        return None if lesson is None else lambda: taught(app, game, lesson)

    def study(app: App, game: Game, position: Position | None) -> Screen | None:
        board = None if game.setting is None or faces.missing(game) else faces.of(game).study
        return None if board is None else board(app, game, position)

    routes = Routes(home=lambda app: MenuScreen(app, faces), words=WordsScreen, play=play, replay=replay, teach=teach,
                    study=study)  # fmt: skip
    return App(routes, faces.glossary, size, keep, preferences)


def opened(
    game: Game | None,
    match: Match | None,
    recorder: Keeper | Callable[[Match], Keeper] | None,
    turns: Sequence[Turn] | None,
) -> App:  # fmt: skip
    """The window, ready to run (see `flicksim.ui.run`).

    Raises:
        BadOption: turns without their game, or a game the window has no table for.
        FlicksimError: no window can be opened.
    """
    game = match.game if match is not None else game
    if turns is not None and game is None:
        raise BadOption("turns can only be looked through together with their game")
    if game is not None and (reason := found().missing(game)):
        raise BadOption(reason)
    keep = recorder if callable(recorder) else None
    app = window(keep=keep)
    if turns is not None and game is not None:
        app.push(app.routes.replay(app, game, list(turns), None))
    elif match is not None:
        keeper = keep(match) if keep is not None else recorder if not callable(recorder) else None
        app.push(app.routes.play(app, Sitting(match, keeper, lambda: begin(app, anew(match)), own=keep is not None)))
    else:
        app.home()
        if game is not None:
            app.push(NewGameScreen(app, game))
        elif isinstance(app.top, MenuScreen):
            app.top.greet()
    return app
