"""From a match to the screen that shows it."""

from __future__ import annotations

from flicksim.base.seeding import Seeds
from flicksim.play import Match
from flicksim.referee import Game
from flicksim.ui.app import App
from flicksim.ui.play import PlayScreen


def missing(game: Game) -> str:
    """Why this game cannot be played in the window; empty when it can."""
    return "" if game.wing == "table" else f"{game.title} has no table in the window yet; play it in the terminal."


def begin(app: App, match: Match) -> None:
    """Play a match begun in the window."""
    keeper = app.keep(match) if app.keep is not None else None
    app.show(PlayScreen(app, match, keeper, lambda: begin(app, anew(match)), own=keeper is not None))


def anew(match: Match) -> Match:
    """The same game, options and players with the next seed."""
    seeds = Seeds(seed=match.seeds.seed + 1)
    return Match(match.game, match.options, seeds, match.stage, match.hands, match.players)
