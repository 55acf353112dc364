"""From a match to the screen that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flicksim.base.seeding import Seeds
from flicksim.play import Match, Turn
from flicksim.referee import Game
from flicksim.table import PyramidScene
from flicksim.ui import Keeper
from flicksim.ui.app import App, Screen
from flicksim.ui.at_table import AtTable
from flicksim.ui.felt.cloths import CLOTHS
from flicksim.ui.felt.review import CardReplay
from flicksim.ui.felt.screen import CardScreen
from flicksim.ui.ice.review import IceReplay
from flicksim.ui.ice.screen import IceScreen
from flicksim.ui.kept_games import Kept, Resumed
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
    """How many sit down when nobody says: as few as make a game on a table, but not one alone."""
    low, high = game.seats
    return min(max(low, 2), high) if game.wing == "table" else max(low, min(high, COMPANY))


def screen_for(
    app: App, match: Match, keeper: Keeper | None, again: Callable[[], None] | None, *, own: bool = False
) -> AtTable:
    """The screen a match is played on: cards, pyramids, a mat where a pot stands on it, else a board."""
    if match.game.wing == "cards":
        return CardScreen(app, match, keeper, again, own=own)
    scene = scene_of(match.state)
    kind: type[AtTable] = PlayScreen
    if isinstance(getattr(match.state, "scene", None), PyramidScene):
        kind = IceScreen
    elif scene is not None and scene.surface.pot is not None:
        kind = WinkScreen
    return kind(app, match, keeper, again, own=own)


def replay_for(app: App, game: Game, turns: Sequence[Turn], back: Callable[[int], None] | None = None) -> Screen:
    """The screen turns are looked through on, by their game's wing (see `ReplayScreen`)."""
    kind = CardReplay if game.wing == "cards" else ReplayScreen
    if turns and isinstance(getattr(turns[0].before, "scene", None), PyramidScene):
        kind = IceReplay
    return kind(app, game, turns, back)


def quick_seats(game: Game, grade: str) -> tuple[str, ...]:
    """Who sits down to a quick game: you first; in pairs also on your partner's seat, so that it is you against one."""
    count = usual_seats(game)
    pairs = game.wing == "table" and count == 4
    return tuple("human" if seat == 0 or (pairs and seat == 2) else f"bot:{grade}" for seat in range(count))


def begin(app: App, match: Match, seats: Sequence[str] = (), *, serious: bool = False) -> None:
    """Play a match begun in the window; where nobody else keeps a record, the window does.

    Args:
        seats: who sits down, as words; without them no record can be kept. serious: undo asks the other seat.
    """
    keeper: Keeper | None = None
    if app.keep is not None:
        keeper = app.keep(match)
    elif seats:
        keeper = Kept(match, seats)

    def again() -> None:
        begin(app, anew(match), seats, serious=serious)

    screen = screen_for(app, match, keeper, again, own=keeper is not None)
    screen.course.serious = serious
    app.show(screen)


def go_on(app: App, found: Resumed) -> None:
    """Play on with a game as it stood; a finished one is looked through."""
    if found.match.over or found.keeper is None:
        look_through(app, found)
        return

    def again() -> None:
        begin(app, anew(found.match), found.seats)

    app.show(screen_for(app, found.match, found.keeper, again, own=True))


def look_through(app: App, found: Resumed) -> None:
    """Look through the turns of a game that was read."""
    app.push(replay_for(app, found.match.game, list(found.match.turns)))


def anew(match: Match) -> Match:
    """The same game, options and players with the next seed."""
    seeds = Seeds(seed=match.seeds.seed + 1)
    return Match(match.game, match.options, seeds, match.stage, match.hands, match.players, match.begun, match.bounds)
