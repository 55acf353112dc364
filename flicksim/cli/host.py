"""Command `flicksim host`: one online game, of which this one is the referee."""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from flicksim import net
from flicksim.cli.arguments import OptionWords, SeatWords, argument, check_suffix, option, switch
from flicksim.cli.console import err, out
from flicksim.cli.join import play_at_terminal
from flicksim.cli.match_limits import MaxMoves, MaxTurns, match_limits
from flicksim.cli.play import print_option_warnings, resolve_seats
from flicksim.core.errors import InvalidOption
from flicksim.core.shell import command_line
from flicksim.games import load
from flicksim.match import Match, Recorder, Seat, check_shell_seats, match_header, open_match, parse_seat
from flicksim.referee import parse_options


def host_command(
    game: Annotated[str | None, argument("GAME", "Name of the game; not needed with --continue.")] = None,
    seat: SeatWords = None,
    option: OptionWords = None,
    record: Annotated[
        Path | None, option("--record", "FILE", "Record of the game. [default: in the user's data]")
    ] = None,
    resume: Annotated[
        Path | None, option("--continue", "RECORD", "Go on with a hosted game, with its code and seats.")
    ] = None,
    listen: Annotated[
        str | None, option("--listen", "ADDR", "Address to listen on, 0.0.0.0 for all. [default: this machine alone]")
    ] = None,
    port: Annotated[int | None, option("--port", "N", f"Port. [default: {net.DEFAULT_PORT}]", min=0, max=65535)] = None,
    certificate: Annotated[Path | None, option("--cert", "FILE", "Certificate for TLS (PEM), with --key.")] = None,
    key: Annotated[Path | None, option("--key", "FILE", "Private key of the certificate.")] = None,
    without_tls: Annotated[
        bool, switch("--without-tls", "Send everything unencrypted, also beyond this machine.")
    ] = False,
    limit: Annotated[
        float | None, option("--limit", "S", "Seconds for a decision of a person.", min=1.0, max=86400.0)
    ] = None,
    pause_clock: Annotated[
        bool, switch("--pause-clock", "The clock of --limit stands still while a connection is lost.")
    ] = False,
    play: Annotated[str | None, option("--play", "NAME", "Take the first free seat too, in this terminal.")] = None,
    max_turns: MaxTurns = None,
    max_moves: MaxMoves = None,
) -> None:
    """Host a game for players and spectators on other machines (extra 'net').

    The host alone knows the seed and the hidden cards, and settles every turn. Give the printed command to the others.
    """
    saved, hashes, tls = None, None, _tls_choice(certificate, key, without_tls=without_tls)
    if resume is not None:
        if game is not None or option or record is not None or max_turns is not None or max_moves is not None:
            raise InvalidOption(f"--continue {str(resume)!r} has its own game, options, limits and file")
        saved = net.HostFile.read(resume)
        match, seats, recorder, hashes = net.resume_match(resume, [parse_seat(word) for word in seat or []])
        check_shell_seats(seats)
        listen, port = listen or saved.listen, saved.port if port is None else port
    else:
        match, seats, recorder = _new_match(game or "", seat, option, record, max_turns, max_moves)
    listen, port = listen or net.LOCAL_ADDRESS, net.DEFAULT_PORT if port is None else port
    host, fingerprint = net.open_host(
        match, seats, recorder, listen, (port,), tls=tls, saved=saved, hashes=hashes, limit=limit,
        pause_clock=pause_clock,
    )  # fmt: skip
    (table,) = host.tables
    with closing(host):
        try:
            print_invitation(table, host, fingerprint)
            with print_log():
                if play is not None:
                    here = listen if not net.is_any(listen) else "::1" if listen == "::" else net.LOCAL_ADDRESS
                    client = net.Client(
                        net.with_port(here, host.port), table.code, name=play, fingerprint=fingerprint,
                        tokens=net.user_tokens(),
                    )  # fmt: skip
                    play_at_terminal(client, quit_help="stop hosting; flicksim host --continue goes on")
                    err.print("The game is hosted on; Ctrl-C stops.")
                host.wait()
        except KeyboardInterrupt:
            print_stopped(table, play)
            raise typer.Exit(0 if table.match.is_over else 1) from None


def _new_match(
    name: str, seat_words: list[str] | None, option: list[str] | None, record: Path | None, max_turns: int | None,
    max_moves: int | None,
) -> tuple[Match, list[Seat], Recorder]:  # fmt: skip
    check_suffix(record, ".jsonl", "a record")
    game = load(name)
    options = parse_options(game, option or [])
    print_option_warnings(game, options)
    fewest = 2 if getattr(options, "seats", None) == 2 else game.seats[0]
    seats = resolve_seats(game, options, seat_words or ["human"] * max(fewest, min(2, game.seats[1])), "human")
    match = open_match(game, options, seats, net.new_seed(), bounds=match_limits(max_turns, max_moves))
    path = net.default_record(name) if record is None else record
    return match, seats, Recorder(path, match_header(match, tuple(map(str, seats))))


def _tls_choice(certificate: Path | None, key: Path | None, *, without_tls: bool) -> net.TlsChoice | None:
    """Choice of TLS by the options; None where they make none."""
    if (certificate is None) != (key is None):
        raise InvalidOption("a certificate needs its key, and a key its certificate: --cert FILE --key FILE")
    if certificate is not None and key is not None:
        if without_tls:
            raise InvalidOption("--without-tls has no use for a certificate; leave one of the two out")
        return net.TlsChoice(certificate=str(certificate.absolute()), key=str(key.absolute()))
    return net.TlsChoice(is_off=True) if without_tls else None


class _LogPrinter(logging.Handler):
    """Prints what happens at a table: who joins and leaves, and the result."""

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        err.print_line(f"{text[:1].upper()}{text[1:]}.")


@contextmanager
def print_log() -> Iterator[None]:
    """Print the log of flicksim, from INFO on, on stderr."""
    logger, printer = logging.getLogger("flicksim"), _LogPrinter()
    former, propagates = logger.level, logger.propagate
    logger.addHandler(printer)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(printer)
        logger.setLevel(former)
        logger.propagate = propagates


def print_stopped(table: net.Table, play: str | None) -> None:
    """Tell how a stopped host goes on: with the seats of programs, and the own seat."""
    words = ["flicksim", "host", "--continue", str(table.hosted.recorder.path)]
    if any(seat.kind == "cmd" for seat in table.seats):
        words += [word for seat in table.seats for word in ("--seat", str(seat))]
    if play is not None:
        words += ["--play", play]
    command = command_line(*words)
    if table.match.is_over and not table.participants.chairs:
        text = f"Stopped; the game is over, and its record is {table.hosted.recorder.path}"
    elif table.match.is_over:
        text = f"Stopped; the game is over. Another of the same seats is proposed by /rematch after: {command}"
    else:
        text = f"Stopped after turn {len(table.match.turns)}; go on with: {command}"
    err.print_line(text)


def print_invitation(table: net.Table, host: net.Host, fingerprint: str) -> None:
    """Print where a game is hosted, how others join it, and who plays which seat."""
    out.print_line(
        f"{table.match.game.title} is hosted on {host.listen}, port {host.port}; its record is "
        f"{table.hosted.recorder.path}"
    )
    own = net.own_address() if net.is_any(host.listen) else host.listen
    invitation = net.Invitation(address=net.with_port(own, host.port), code=table.code, fingerprint=fingerprint)
    out.print_line(str(invitation))
    if net.is_any(host.listen):
        out.print_line(
            f"{own} is the address of this machine in its network; from elsewhere, put in the one at which it is "
            "reached."
        )
    occupants = enumerate(zip(table.match.game.seat_names, table.seats, strict=False))
    out.print_line(f"Seats: {', '.join(f'{seat} ({name}) {who}' for seat, (name, who) in occupants)}.")
    has_people = bool(table.participants.chairs)
    out.print("Spectators add --watch." if has_people else "No seat is for a person: everybody adds --watch.")
    if table.match.is_over:
        text = table.result_text()
        out.print_line(f"{text[:1].upper()}{text[1:]}; /rematch proposes another.")
