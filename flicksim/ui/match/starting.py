"""Games begun, gone on with and looked through in the window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flicksim.base.seeding import Seeds
from flicksim.play import Match
from flicksim.referee import Game
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Keeper, Sitting
from flicksim.ui.match import results
from flicksim.ui.match.kept_games import Kept, Resumed

YOU = "you"
"""Stands for somebody alone at the window who has said no name."""
ALSO = "also "
"""Stands before the name of somebody alone at the seats that are not their first."""
FIRST = "beginner"
"""Opponent of a first game."""
COMPANY = 4
"""Number of people at a quick game of cards, where so many may sit down."""


def usual_seats(game: Game) -> int:
    """The number that sit down when nobody says: as few as make a game on a table, but not one alone."""
    low, high = game.seats
    return min(max(low, 2), high) if game.flicked else max(low, min(high, COMPANY))


def quick_seats(game: Game, grade: str) -> tuple[str, ...]:
    """The seats of a quick game: you first; in pairs also on your partner's seat, so that it is you against one."""
    count = usual_seats(game)
    pairs = game.flicked and count == 4
    return tuple("human" if seat == 0 or (pairs and seat == 2) else f"bot:{grade}" for seat in range(count))


def for_beginners(seats: Sequence[str]) -> bool:
    """True where one of the bots that sit down, as words, is for the first time: bots wait for people then."""
    return f"bot:{FIRST}" in seats


def begin(
    app: App, match: Match, seats: Sequence[str] = (), *, serious: bool = False,
    named: Mapping[int, str] | None = None, patient: bool = False,
) -> None:  # fmt: skip
    """Play a match begun in the window; where nobody else keeps a record, the window does.

    Args:
        seats: who sits down, as words; without them no record can be kept. serious: undo asks the other seat.
        named: those who sit there, by seat; without, the one at home sits at the first seat of people.
        patient: whether bots wait for people where all play at once.
    """
    match.people = people(match, app.player.name) if named is None else dict(named)
    keeper: Keeper | None = None
    if app.keep is not None:
        app.player.begun(match.game.name)
        keeper = app.keep(match)
    elif seats:
        keeper = kept = Kept(match, seats)
        kept.left = lambda: results.left(app.player, match)

    def again() -> None:
        begin(app, anew(match), seats, serious=serious, named=named, patient=patient)

    app.show(
        app.routes.play(app, Sitting(match, keeper, again, own=keeper is not None, serious=serious, patient=patient))
    )


def people(match: Match, home: str, others: Sequence[str] = (), own: int = 0) -> dict[int, str]:
    """Names by seat: the one at home first, or at their own seat; partners who are both at this window are one person,
    unless others have said their names."""
    here, first = results.here(match), results.at_home(match)
    if own in here and own not in first:
        first = [seat for seat in here if seat % 2 == own % 2] if len(first) > 1 else [own]
    if len(first) > 1 and len(others) < 2:  # two colours, or two people at four
        friend = others[0] if others else ""
        named = {seat: home if seat in first else friend for seat in here}
    else:
        order = [*first[:1], *(seat for seat in here if seat not in first[:1])]
        named = dict(zip(order, [home, *others], strict=False))
    return {seat: name for seat, name in named.items() if name}


def alone(match: Match, home: str) -> dict[int, str]:
    """Names by seat with a lesson or a challenge: the seat to play is one's own; others one plays are told apart."""
    here, own = results.here(match), home or YOU
    if len(here) < len(match.players):
        return people(match, home)
    return {seat: own if seat == (match.to_play or 0) else f"{ALSO}{own}" for seat in here}


def go_on(app: App, found: Resumed) -> None:
    """Play on with a game as it stood; a finished one is looked through."""
    if found.match.over or found.keeper is None:
        look_through(app, found)
        return

    match, found_keeper, patient = found.match, found.keeper, for_beginners(found.seats)
    match.people = dict(found.people) or people(match, app.player.name)
    found_keeper.left = lambda: results.left(app.player, match)

    def again() -> None:
        begin(app, anew(match), found.seats, named=match.people, patient=patient)

    app.show(app.routes.play(app, Sitting(found.match, found.keeper, again, own=True, patient=patient)))


def look_through(app: App, found: Resumed) -> None:
    """Look through the turns of a game that was read."""
    app.push(app.routes.replay(app, found.match.game, list(found.match.turns), None))


def anew(match: Match) -> Match:
    """The same game, options and players with the next seed."""
    seeds = Seeds(seed=match.seeds.seed + 1)
    return Match(
        match.game, match.options, seeds, match.stage, match.own_hands, match.players, match.begun, match.bounds
    )
