"""From a match to the screen that shows it."""

from __future__ import annotations

from flicksim.play import Match, open_match
from flicksim.referee import Game
from flicksim.ui.app import App
from flicksim.ui.play import PlayScreen


def missing(game: Game) -> str:
    """Why this game cannot be played in the window; empty when it can."""
    return "" if game.wing == "table" else f"{game.title} has no table in the window yet; play it in the terminal."


def begin(app: App, match: Match) -> None:
    """Play a match begun in the window, from the menu."""
    from flicksim.ui.menu import MenuScreen

    del MenuScreen
    app.show(screen(app, match, app.keep))


def screen(app: App, match: Match, keep: object = None) -> PlayScreen:
    """The screen for a match; "again" begins another of the same kind with the next seed."""
    keeper = app.keep(match) if keep is not None and app.keep is not None else None
    return PlayScreen(app, match, keeper, lambda: begin(app, anew(match)))


def anew(match: Match) -> Match:
    """The same game, options and players with the next seed."""
    raise NotImplementedError
