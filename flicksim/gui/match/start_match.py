"""Starting, resuming and replaying games in the window."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count

from flicksim.core.random_streams import RandomStreams
from flicksim.gui.app import ActivityCard, App, MatchSession
from flicksim.gui.match import record_results
from flicksim.gui.match.saved_games import GameSaver, ResumedGame
from flicksim.gui.match_recorder import MatchRecorder
from flicksim.gui.table_view import match_text
from flicksim.match import Match
from flicksim.profiles import MAX_NAME_LENGTH
from flicksim.referee import Game

YOU = "you"
"""Name of the only person at the window without a name."""
ALSO_YOU = "also "
"""Prefix of the name of the only person at their other seats."""
FIRST_OPPONENT = "beginner"
"""Grade of bots until the player has won a game, unless the settings say another."""
CARD_PLAYERS = 4
"""Number of seats of a quick game of cards, where possible."""


def usual_seats(game: Game) -> int:
    """Default number of seats: the fewest for the game, but at least two."""
    minimum, maximum = game.seats
    return min(max(minimum, 2), maximum) if game.uses_physics else max(minimum, min(maximum, CARD_PLAYERS))


def quick_seats(game: Game, grade: str) -> tuple[str, ...]:
    """Seats of a quick game: you first; in pairs also on your partner's seat, so that it is you against one."""
    count = usual_seats(game)
    pairs = game.uses_physics and count == 4
    return tuple("human" if seat == 0 or (pairs and seat == 2) else f"bot:{grade}" for seat in range(count))


def quick_grade(app: App, game: Game) -> str:
    """Grade of the bots in a quick game: that of the settings, or by what the player has won."""
    if (grade := app.preferences.bot_grade) != "adaptive":
        return grade
    return "club" if app.player.has_won(game.name) else FIRST_OPPONENT


def has_beginner_bot(seats: Sequence[str]) -> bool:
    """True if any seat is a beginner bot: bots wait for people then."""
    return f"bot:{FIRST_OPPONENT}" in seats


def start_match(
    app: App, match: Match, seats: Sequence[str] = (), *, requires_undo_consent: bool = False,
    seat_names: Mapping[int, str] | None = None, bots_wait: bool = False, saver: GameSaver | None = None,
) -> None:  # fmt: skip
    """Start a match in the window; where no other recorder is given, the window records it.

    Args:
        seats: seat specifications; without them no record can be written. requires_undo_consent: undo asks the other
        seat.
        seat_names: player names by seat; None: the window's owner at the first local seat.
        bots_wait: bots wait for people where all play at once. saver: of a game that is gone on with; None: a new one.
    """
    match.player_names = names_by_seat(match, app.player.name) if seat_names is None else dict(seat_names)
    recorder: MatchRecorder | None = None
    if saver is None and app.make_recorder is not None:
        app.player.record_start(match.game.name)
        recorder = app.make_recorder(match)
    elif seats:
        recorder = saver = saver or GameSaver(match, seats)
        saver.on_close = lambda: _record_at_close(app, match)

    def restart() -> None:
        start_match(
            app, restarted_match(match), seats, requires_undo_consent=requires_undo_consent, seat_names=seat_names,
            bots_wait=bots_wait,
        )  # fmt: skip

    session = MatchSession(
        match, recorder, restart, owns_recorder=recorder is not None, bots_wait=bots_wait,
        requires_undo_consent=requires_undo_consent,
    )  # fmt: skip
    app.replace_all(app.routes.match_screen(app, session))


def _record_at_close(app: App, match: Match) -> None:
    """Record that a match was played; after a first win, say which bots come next."""
    before = quick_grade(app, match.game)
    record_results.record_abandoned(app.player, match)
    if (grade := quick_grade(app, match.game)) != before:
        told = f"You have won: from now on, bots in quick games of {match.game.title} play at grade {grade}."
        app.show_notice(f"{told} The settings change it.")


def names_by_seat(
    match: Match, owner: str, other_names: Sequence[str] = (), own_seat: int = 0,
    typed_names: Mapping[int, str] | None = None,
) -> dict[int, str]:  # fmt: skip
    """Names by seat: the owner first, or at their own seat; local partners are one person unless other names are
    given, and names typed for single seats are in the place of these."""
    local, owner_local = record_results.local_seats(match), record_results.owner_seats(match)
    if own_seat in local and own_seat not in owner_local:
        owner_local = [seat for seat in local if seat % 2 == own_seat % 2] if len(owner_local) > 1 else [own_seat]
    if len(owner_local) > 1 and len(other_names) < 2:  # two colours, or two people at four seats
        other_names = [*other_names] * len(local)
    else:
        owner_local = owner_local[:1]
    order = [*owner_local, *(seat for seat in local if seat not in owner_local)]
    names = dict(zip(order, [*[owner] * len(owner_local), *other_names], strict=False))
    return _distinct(match, names | dict(typed_names or {}))


def _distinct(match: Match, names: Mapping[int, str]) -> dict[int, str]:
    """Names by seat, the second person of a name with a number; seats of one side and name are one person's.

    Names are compared as profiles do, by every letter: "ada" is not "Ada".
    """
    sides = {seat: side for side in match.game.sides(len(match.players)) for seat in side}
    people = {seat: (sides[seat], name) for seat, name in names.items() if name}
    made: dict[tuple[Sequence[int], str], str] = {}
    for person in people.values():
        if person not in made:
            made[person] = next(name for name in _numbered(person[1]) if name not in made.values())
    return {seat: made[person] for seat, person in people.items()}


def _numbered(name: str) -> Iterator[str]:
    """A name, then with numbers from 2 on, cut so that it stays as short as names have to be."""
    yield name
    for number in map(str, count(2)):
        yield f"{name[: MAX_NAME_LENGTH - len(number) - 1].rstrip()} {number}"


def solo_names(match: Match, owner: str) -> dict[int, str]:
    """Names by seat in a lesson or challenge: the owner at the seat to play, other local seats with a prefix."""
    local, owner_name = record_results.local_seats(match), owner or YOU
    if len(local) < len(match.players):
        return names_by_seat(match, owner)
    return {seat: owner_name if seat == (match.to_play or 0) else f"{ALSO_YOU}{owner_name}" for seat in local}


def open_activity(app: App, match: Match, card: ActivityCard, restart: Callable[[], None] | None = None) -> None:
    """Open a match of a lesson or challenge, in place of the last one of its card."""
    match.player_names = solo_names(match, app.player.name)
    if app.screens and app.top.activity_card is card:
        app.pop()
    app.push(app.routes.match_screen(app, MatchSession(match, None, restart, activity_card=card)))


def resume_match(app: App, saved: ResumedGame) -> None:
    """Resume a saved game; a finished one opens in the replay screen."""
    if saved.match.is_over or saved.recorder is None:
        open_replay(app, saved)
    else:
        names, bots_wait = saved.people or None, has_beginner_bot(saved.seats)
        start_match(app, saved.match, saved.seats, seat_names=names, bots_wait=bots_wait, saver=saved.recorder)


def open_replay(app: App, saved: ResumedGame) -> None:
    """Open the replay screen of a game that was read."""
    saved.match.player_names = dict(saved.people)
    app.push(app.routes.replay_screen(app, *match_text.named_replay(saved.match), None))


def restarted_match(match: Match) -> Match:
    """Match with the same game, options and players and the next seed."""
    streams = RandomStreams(seed=match.streams.seed + 1)
    setup = (match.simulator, match.seated_noise, match.players, match.custom_start, match.limits)
    return Match(match.game, match.options, streams, *setup)
