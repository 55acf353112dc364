"""Table of an online game: the client of this window, and the host where that is here too."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from flicksim import net
from flicksim.core.errors import FlicksimError, InvalidOption
from flicksim.core.type_aliases import Options
from flicksim.gui.app import App, MatchSession
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.online.online_bar import OnlineBar
from flicksim.gui.toolkit import translate
from flicksim.match import Match, Recorder, Seat, match_header, open_match, parse_seat, read_record
from flicksim.referee import Game

PersonState = Literal["is there", "connection lost", "is awaited ..."]
"""State of a seat of people; a lost connection is known of those with a name."""


class OnlineTable:
    """Table at which this window sits.

    Args:
        client: of the window; started here. invitation: that brought it here. host: where the table is hosted here.
    """

    def __init__(self, client: net.Client, invitation: net.Invitation, host: net.Host | None = None) -> None:
        self.client, self.invitation, self.host = client.start(), invitation, host

    @property
    def people(self) -> list[tuple[str, PersonState]]:
        """Names of the seats of people, translated, and what there is to say of each."""
        presence, match = self.client.presence, self.client.match
        if presence is None or match is None:
            return []
        names = [translate(name) for name in match.game.seat_names]
        seats = [seat for seat in presence.seats if seat.player.startswith("human")]
        return [
            (f"{names[seat.seat]}: {seat.name}", "is there" if seat.here else "connection lost")
            if seat.name else (names[seat.seat], "is there" if seat.here else "is awaited ...")
            for seat in seats
        ]  # fmt: skip

    def add_earlier_turns(self) -> None:
        """Give the match the turns played before this window came, where they are at hand."""
        match = self.client.match
        if match is not None and match.turns_before and self.host is not None:
            seat = match.seats[0] if match.seats else net.protocol.WATCHER
            match.add_earlier(*self.host.tables[0].hosted.seen_turns(seat, match.turns_before))

    def close(self) -> None:
        """End the connection, and the host with those of the others; seats and record are kept."""
        self.client.close(wait=False)  # the window would stand still meanwhile
        if self.host is not None:
            self.host.close()


def host_game(
    game: Game, options: Options, seat_specs: Sequence[str], *, name: str, own_seat: int | None, beyond: bool
) -> OnlineTable:
    """Host a new game and sit down at it.

    Args:
        seat_specs: of all seats. name: of the player here. own_seat: theirs; None to look on.
        beyond: whether other machines may join, with TLS; else this one alone.

    Raises:
        FlicksimError: the game cannot be hosted.
    """
    seats = [parse_seat(spec) for spec in seat_specs]
    match = open_match(game, options, seats, net.new_seed())
    recorder = Recorder(net.default_record(game.name), match_header(match, tuple(map(str, seats))))
    listen = net.ANY_ADDRESS if beyond else net.LOCAL_ADDRESS
    return _open_host(match, seats, recorder, listen, name=name, own_seat=own_seat)


def resume_hosting(record: Path, name: str) -> OnlineTable:
    """Go on with a hosted game, with its code and seats.

    Raises:
        FlicksimError: it cannot be gone on with.
    """
    saved = net.HostFile.read(record)
    match, seats, recorder, hashes = net.resume_match(record)
    return _open_host(match, seats, recorder, saved.listen, saved=saved, hashes=hashes, name=name, own_seat=None)


def last_hosted() -> Path | None:
    """Record of the unfinished game hosted last; None without one."""
    folder = net.hosted_folder()
    records = [] if folder is None or not folder.is_dir() else folder.glob("*.jsonl")
    kept = [record for record in records if net.HostFile.path(record).exists()]
    for path in sorted(kept, key=lambda record: record.stat().st_mtime, reverse=True):
        with suppress(FlicksimError):  # one that cannot be read
            record = read_record(path)
            if not record.is_complete and record.forfeit is None:
                return path
    return None


def _open_host(
    match: Match, seats: Sequence[Seat], recorder: Recorder, listen: str, *, name: str, own_seat: int | None,
    saved: net.HostFile | None = None, hashes: Sequence[str] | None = None,
) -> OnlineTable:  # fmt: skip
    """Open a host for a match, on the usual port or, where that is taken, any."""
    port = saved.port if saved is not None and saved.port else net.DEFAULT_PORT
    host, fingerprint = net.open_host(match, seats, recorder, listen, (port, 0), saved=saved, hashes=hashes)
    here = net.with_port(net.LOCAL_ADDRESS if net.is_any(listen) else listen, host.port)
    tokens, code = net.user_tokens(), host.tables[0].code
    client = net.Client(
        here, code, name=name, seat=own_seat, fingerprint=fingerprint, tokens=tokens,
        watch=own_seat is None and not tokens.get(code),
    )  # fmt: skip
    address = net.with_port(net.own_address(), host.port) if net.is_any(listen) else here
    return OnlineTable(client, net.Invitation(address=address, code=code, fingerprint=fingerprint), host)


def open_table(app: App, table: OnlineTable) -> None:
    """Show the match of a table in place of all screens.

    Raises:
        FlicksimError: there is no match, or the window cannot show it.
    """
    match = table.client.match
    if match is None:
        raise InvalidOption("there is no game at the table yet")
    table.add_earlier_turns()
    bar = OnlineBar(
        app, table.client, on_rematch=lambda: open_table(app, table), on_close=table.close,
        is_host=table.host is not None,
    )  # fmt: skip
    restart = bar.proposals.propose_rematch if match.seats else None
    screen = app.routes.match_screen(app, MatchSession(match, restart=restart, bar=bar))
    assert isinstance(screen, MatchScreen), "a match is shown by its screen"
    bar.screen, screen.controller.remote_people = screen, bar.remote_people
    app.replace_all(screen)
