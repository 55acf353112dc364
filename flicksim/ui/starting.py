"""From a match to the screen that shows it."""

from __future__ import annotations

from flicksim.base.seeding import Seeds
from flicksim.play import Match
from flicksim.referee import Game
from flicksim.ui import Keeper
from flicksim.ui.app import App, Screen
from flicksim.ui.play import PlayScreen
from flicksim.ui.table_painter import scene_of
from flicksim.ui.winks.screen import WinkScreen


def missing(game: Game) -> str:
    """Why this game cannot be played in the window; empty when it can."""
    return "" if game.wing == "table" else f"{game.title} has no table in the window yet; play it in the terminal."


def begin(app: App, match: Match) -> None:
    """Play a match begun in the window."""
    keeper = app.keep(match) if app.keep is not None else None
    app.show(table_of(app, match, keeper, own=keeper is not None))


def table_of(app: App, match: Match, keeper: Keeper | None, *, own: bool) -> Screen:
    """The screen a match is played on: with a pot on the table a mat, else a board."""
    scene = scene_of(match.state)
    kind = WinkScreen if scene is not None and scene.surface.pot is not None else PlayScreen
    return kind(app, match, keeper, lambda: begin(app, anew(match)), own=own)


def anew(match: Match) -> Match:
    """The same game, options and players with the next seed."""
    seeds = Seeds(seed=match.seeds.seed + 1)
    return Match(match.game, match.options, seeds, match.stage, match.hands, match.players)
