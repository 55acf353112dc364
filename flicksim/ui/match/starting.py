"""Games begun, gone on with and looked through in the window."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.base.seeding import Seeds
from flicksim.play import Match
from flicksim.referee import Game
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Keeper, Sitting
from flicksim.ui.match.kept_games import Kept, Resumed

COMPANY = 4
"""How many sit down to a quick game of cards, where so many may."""


def usual_seats(game: Game) -> int:
    """The number that sit down when nobody says: as few as make a game on a table, but not one alone."""
    low, high = game.seats
    return min(max(low, 2), high) if game.flicked else max(low, min(high, COMPANY))


def quick_seats(game: Game, grade: str) -> tuple[str, ...]:
    """The seats of a quick game: you first; in pairs also on your partner's seat, so that it is you against one."""
    count = usual_seats(game)
    pairs = game.flicked and count == 4
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

    app.show(app.routes.play(app, Sitting(match, keeper, again, own=keeper is not None, serious=serious)))


def go_on(app: App, found: Resumed) -> None:
    """Play on with a game as it stood; a finished one is looked through."""
    if found.match.over or found.keeper is None:
        look_through(app, found)
        return

    def again() -> None:
        begin(app, anew(found.match), found.seats)

    app.show(app.routes.play(app, Sitting(found.match, found.keeper, again, own=True)))


def look_through(app: App, found: Resumed) -> None:
    """Look through the turns of a game that was read."""
    app.push(app.routes.replay(app, found.match.game, list(found.match.turns), None))


def anew(match: Match) -> Match:
    """The same game, options and players with the next seed."""
    seeds = Seeds(seed=match.seeds.seed + 1)
    return Match(match.game, match.options, seeds, match.stage, match.hands, match.players, match.begun, match.bounds)
