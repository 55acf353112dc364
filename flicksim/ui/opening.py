"""The window with its first screens, by what it was asked to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flicksim.base.errors import BadOption
from flicksim.play import Match, Turn
from flicksim.referee import Game
from flicksim.ui import Keeper
from flicksim.ui.app import App
from flicksim.ui.menu import MenuScreen
from flicksim.ui.new_game import NewGameScreen
from flicksim.ui.starting import anew, begin, missing, replay_for, screen_for


def opened(
    game: Game | None,
    match: Match | None,
    recorder: Keeper | Callable[[Match], Keeper] | None,
    turns: Sequence[Turn] | None,
) -> App:
    """The window, ready to run (see `flicksim.ui.run`).

    Raises:
        BadOption: turns without their game, or a game the window has no table for.
        FlicksimError: no window can be opened.
    """
    game = match.game if match is not None else game
    if turns is not None and game is None:
        raise BadOption("turns can only be looked through together with their game")
    if game is not None and (reason := missing(game)):
        raise BadOption(reason)
    keep = recorder if callable(recorder) else None
    app = App(keep=keep)
    if turns is not None and game is not None:
        app.push(replay_for(app, game, list(turns)))
    elif match is not None:
        keeper = keep(match) if keep is not None else recorder if not callable(recorder) else None
        app.push(screen_for(app, match, keeper, lambda: begin(app, anew(match)), own=keep is not None))
    else:
        app.push(MenuScreen(app))
        if game is not None:
            app.push(NewGameScreen(app, game))
    return app
