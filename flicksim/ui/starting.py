"""From a match to the screen that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flicksim.base.seeding import Seeds
from flicksim.play import Match, Turn
from flicksim.referee import Game
from flicksim.ui import Keeper
from flicksim.ui.app import App, Screen
from flicksim.ui.felt.cloths import CLOTHS
from flicksim.ui.felt.review import CardReplay
from flicksim.ui.felt.screen import CardScreen
from flicksim.ui.play import PlayScreen
from flicksim.ui.replay import ReplayScreen
from flicksim.ui.table_painter import scene_of
from flicksim.ui.winks.screen import WinkScreen

COMPANY = 4
"""How many sit down to a quick game of cards, where so many may."""


def missing(game: Game) -> str:
    """Why this game cannot be played in the window; empty when it can."""
    if game.wing == "table" or game.name in CLOTHS:
        return ""
    return f"{game.title} has no table in the window yet; play it in the terminal."


def usual_seats(game: Game) -> int:
    """How many sit down when nobody says."""
    low, high = game.seats
    return low if game.wing == "table" else max(low, min(high, COMPANY))


def screen_for(
    app: App, match: Match, keeper: Keeper | None, again: Callable[[], None] | None, *, own: bool = False
) -> Screen:
    """The screen a match is played on: cards, a mat where a pot stands on the table, else a board."""
    if match.game.wing == "cards":
        return CardScreen(app, match, keeper, again, own=own)
    scene = scene_of(match.state)
    kind = WinkScreen if scene is not None and scene.surface.pot is not None else PlayScreen
    return kind(app, match, keeper, again, own=own)


def replay_for(app: App, game: Game, turns: Sequence[Turn]) -> Screen:
    """The screen turns are looked through on, by their game's wing."""
    kind = CardReplay if game.wing == "cards" else ReplayScreen
    return kind(app, game, turns)


def begin(app: App, match: Match) -> None:
    """Play a match begun in the window."""
    keeper = app.keep(match) if app.keep is not None else None
    app.show(screen_for(app, match, keeper, lambda: begin(app, anew(match)), own=keeper is not None))


def anew(match: Match) -> Match:
    """The same game, options and players with the next seed."""
    seeds = Seeds(seed=match.seeds.seed + 1)
    return Match(match.game, match.options, seeds, match.stage, match.hands, match.players, match.begun)
