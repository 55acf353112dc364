"""Starting, resuming and replaying games in the window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flicksim.core.random_streams import RandomStreams
from flicksim.gui.app.application import App
from flicksim.gui.app.match_session import MatchRecorder, MatchSession
from flicksim.gui.match import record_results
from flicksim.gui.match.saved_games import GameSaver, ResumedGame
from flicksim.match import Match
from flicksim.referee import Game

YOU = "you"
"""Stands for somebody alone at the window who has said no name."""
ALSO_YOU = "also "
"""Stands before the name of somebody alone at the seats that are not their first."""
FIRST_OPPONENT = "beginner"
"""Opponent of a first game."""
CARD_PLAYERS = 4
"""Number of people at a quick game of cards, where so many may sit down."""


def usual_seats(game: Game) -> int:
    """Default number of seats: the fewest for the game, but at least two."""
    low, high = game.seats
    return min(max(low, 2), high) if game.uses_physics else max(low, min(high, CARD_PLAYERS))


def quick_seats(game: Game, grade: str) -> tuple[str, ...]:
    """Seats of a quick game: you first; in pairs also on your partner's seat, so that it is you against one."""
    count = usual_seats(game)
    pairs = game.uses_physics and count == 4
    return tuple("human" if seat == 0 or (pairs and seat == 2) else f"bot:{grade}" for seat in range(count))


def has_beginner_bot(seats: Sequence[str]) -> bool:
    """True if any seat is a beginner bot: bots wait for people then."""
    return f"bot:{FIRST_OPPONENT}" in seats


def start_match(
    app: App, match: Match, seats: Sequence[str] = (), *, requires_undo_consent: bool = False,
    seat_names: Mapping[int, str] | None = None, bots_wait: bool = False,
) -> None:  # fmt: skip
    """Start a match in the window; where no other recorder is given, the window records it.

    Args:
        seats: seat specifications; without them no record can be written. requires_undo_consent: undo asks the other
        seat.
        seat_names: player names by seat; without, the one at home sits at the first seat of people.
        bots_wait: bots wait for people where all play at once.
    """
    match.player_names = names_by_seat(match, app.player.name) if seat_names is None else dict(seat_names)
    keeper: MatchRecorder | None = None
    if app.make_recorder is not None:
        app.player.record_start(match.game.name)
        keeper = app.make_recorder(match)
    elif seats:
        keeper = kept = GameSaver(match, seats)
        kept.on_close = lambda: record_results.record_abandoned(app.player, match)

    def again() -> None:
        start_match(
            app,
            restarted_match(match),
            seats,
            requires_undo_consent=requires_undo_consent,
            seat_names=seat_names,
            bots_wait=bots_wait,
        )

    app.replace_all(
        app.routes.match_screen(
            app,
            MatchSession(
                match,
                keeper,
                again,
                owns_recorder=keeper is not None,
                requires_undo_consent=requires_undo_consent,
                bots_wait=bots_wait,
            ),
        )
    )


def names_by_seat(match: Match, owner: str, other_names: Sequence[str] = (), own_seat: int = 0) -> dict[int, str]:
    """Names by seat: the player first, or at their own seat; partners who are both at this window are one person,
    unless others have said their names."""
    here, first = record_results.local_seats(match), record_results.owner_seats(match)
    if own_seat in here and own_seat not in first:
        first = [seat for seat in here if seat % 2 == own_seat % 2] if len(first) > 1 else [own_seat]
    if len(first) > 1 and len(other_names) < 2:  # two colours, or two people at four
        friend = other_names[0] if other_names else ""
        named = {seat: owner if seat in first else friend for seat in here}
    else:
        order = [*first[:1], *(seat for seat in here if seat not in first[:1])]
        named = dict(zip(order, [owner, *other_names], strict=False))
    return {seat: name for seat, name in named.items() if name}


def solo_names(match: Match, owner: str) -> dict[int, str]:
    """Names by seat with a lesson or a challenge: the seat to play is one's own; others one plays are told apart."""
    here, own = record_results.local_seats(match), owner or YOU
    if len(here) < len(match.players):
        return names_by_seat(match, owner)
    return {seat: own if seat == (match.to_play or 0) else f"{ALSO_YOU}{own}" for seat in here}


def resume_match(app: App, saved: ResumedGame) -> None:
    """Resume a saved game; a finished one opens in the replay screen."""
    if saved.match.is_over or saved.recorder is None:
        open_replay(app, saved)
        return

    match, found_keeper, patient = saved.match, saved.recorder, has_beginner_bot(saved.seats)
    match.player_names = dict(saved.people) or names_by_seat(match, app.player.name)
    found_keeper.on_close = lambda: record_results.record_abandoned(app.player, match)

    def again() -> None:
        start_match(app, restarted_match(match), saved.seats, seat_names=match.player_names, bots_wait=patient)

    app.replace_all(
        app.routes.match_screen(
            app, MatchSession(saved.match, saved.recorder, again, owns_recorder=True, bots_wait=patient)
        )
    )


def open_replay(app: App, saved: ResumedGame) -> None:
    """Open the replay screen of a game that was read."""
    app.push(app.routes.replay_screen(app, saved.match.game, list(saved.match.turns), None))


def restarted_match(match: Match) -> Match:
    """The same game, options and players with the next seed."""
    seeds = RandomStreams(seed=match.streams.seed + 1)
    return Match(
        match.game,
        match.options,
        seeds,
        match.simulator,
        match.seated_noise,
        match.players,
        match.custom_start,
        match.limits,
    )
