"""Command `flicksim join`: play in, or watch, a game that another machine hosts."""

import sys
from collections import deque
from collections.abc import Callable
from io import TextIOWrapper
from math import inf
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Annotated

import typer
from rich.console import Console

from flicksim import net, profiles
from flicksim.cli import formatting
from flicksim.cli.arguments import argument, option, switch
from flicksim.cli.console import err, out
from flicksim.cli.terminal_player import InputEnded, TerminalPlayer
from flicksim.core.errors import Cancelled, FlicksimError, InvalidOption
from flicksim.core.paths import user_dir
from flicksim.match import FALLBACK_TIME_LIMIT, Turn, immediate_interrupts, warm_up_match
from flicksim.net import protocol

_POLL_INTERVAL = 0.1
_MAX_ANSWER_TIME = 1.0
"""Time for which the last messages are sent, and answers awaited, after the end of stdin [s]."""
_HELP = """\
/undo         propose to take back your last decision; /undo N: until N turns are left
/rematch      propose another game
/yes, /no     answer a proposal
/say PHRASE   one of {phrases}
/who          who is there
/leave        give your seat up, or stop watching"""


class _Overtaken(Exception):
    """The game has gone on, or changed, while a person was choosing."""


def join_command(
    address: Annotated[str, argument("ADDRESS", "Of the host: HOST or HOST:PORT.")],
    code: Annotated[str, argument("CODE", "Code of the game, as the host prints it.")],
    seat: Annotated[int | None, option("--seat", "N", "Seat, from 0. [default: the first free]", min=0, max=63)] = None,
    watch: Annotated[bool, switch("--watch", "Look on, without a seat.")] = False,
    name: Annotated[str | None, option("--name", "NAME", "Name shown to the others. [default: of the profile]")] = None,
    fingerprint: Annotated[
        str, option("--fingerprint", "HEX", "Fingerprint of the host's certificate; implies TLS.")
    ] = "",
    tls: Annotated[bool, switch("--tls", "TLS, with a certificate that this machine trusts.")] = False,
    stdio: Annotated[bool, switch("--stdio", "Pass the JSON messages on, line by line, for a program.")] = False,
    wait: Annotated[
        bool, switch("--wait", "Wait for a host that is not there yet, instead of ending with an error.")
    ] = False,
) -> None:
    """Join a hosted game in the terminal, or watch it; reconnects after a lost connection (extra 'net').

    The end of the input ends the connection of a player, and keeps the seat; a spectator then looks on to the end.
    """
    if watch and seat is not None:
        raise InvalidOption("--watch looks on without a seat; leave --seat out")
    lines: SimpleQueue[str] = SimpleQueue()
    client = net.Client(
        address, code, name=profile_name() if name is None else name, seat=seat, watch=watch, fingerprint=fingerprint,
        tls=tls, tokens=net.user_tokens(), on_text=lines.put if stdio else None,
    )  # fmt: skip
    if client.is_in_the_clear:
        err.print_line(
            "flicksim: the connection is not encrypted, so the code and the seat can be read and used by others "
            "on the way; --fingerprint, as the host prints it, prevents that"
        )
    if stdio:
        _relay(client, lines, waits=wait)
        return
    again = "looks on again" if watch else "comes back to the seat"
    try:
        play_at_terminal(client, waits=wait, quit_help=f"stop; the same command {again}")
    except KeyboardInterrupt:
        is_over = client.match is not None and client.match.is_over
        out.print(f"Stopped; {'the game is over. The' if is_over else 'the'} same command {again}.")
        raise typer.Exit(0 if is_over else 1) from None


def profile_name() -> str:
    """Name in the player's profile; empty without one."""
    folder = user_dir("data")
    store = profiles.ProfileStore(None if folder is None else folder / "player")
    if warning := store.take_warning():
        err.print_line(f"flicksim: {warning}")
    return store.profile.name


def check_joining(client: net.Client, told: str, *, waits: bool) -> str:
    """Tell why a host cannot be joined yet, once for each reason; returns what was told last.

    Raises:
        InvalidOption: it cannot be joined, and nobody waits for it.
    """
    reason = client.reason if client.status in ("connecting", "ended") else ""
    if reason and (client.status == "ended" or not waits):
        raise InvalidOption(reason)
    if reason and reason != told:
        err.print_line(f"flicksim: {reason}; trying again ...")
    return reason or told


class ConnectionReport:
    """Tells once that a connection is lost, and that it is back."""

    def __init__(self, console: Console) -> None:
        self._console, self._is_lost = console, False

    def tell(self, event: net.ConnectionChanged) -> None:
        """Tell a change, unless it is told already."""
        was_lost, self._is_lost = self._is_lost, event.status == "lost"
        if self._is_lost and not was_lost:
            self._console.print("The connection is lost; trying again ...")
        elif was_lost and event.status == "joined":
            self._console.print("The connection is back.")


def _relay(client: net.Client, lines: "SimpleQueue[str]", *, waits: bool) -> None:
    """Pass messages of the host to stdout and lines of stdin to the host, until one of them ends.

    After the end of stdin the host has a second for its answers.
    """
    typed = _read_stdin()
    is_open, end, told, report = True, inf, "", ConnectionReport(err)
    with client:
        while is_open or not lines.empty():
            for event in client.poll():
                if isinstance(event, net.ConnectionChanged):
                    report.tell(event)
            try:
                sys.stdout.write(f"{lines.get(timeout=_POLL_INTERVAL)}\n")
                sys.stdout.flush()
            except Empty:
                is_open = client.status != "ended"
                if is_open:
                    told = check_joining(client, told, waits=waits)
            if monotonic() > end or (end < inf and not is_open and lines.empty()):
                return
            while client.status == "joined" and not typed.empty():
                line = typed.get()
                if line is None:
                    client.wait_sent(_MAX_ANSWER_TIME)
                    end = monotonic() + _MAX_ANSWER_TIME
                else:
                    client.send_text(line)
    if client.reason and not client.has_left:
        raise InvalidOption(client.reason)


def _read_stdin() -> "SimpleQueue[str | None]":
    """Lines of stdin, read in a thread, with U+FFFD for what cannot be decoded; None after the last."""
    lines: SimpleQueue[str | None] = SimpleQueue()
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")

    def read() -> None:
        try:
            for line in sys.stdin:
                lines.put(line.rstrip("\n"))
        finally:
            lines.put(None)

    Thread(target=read, daemon=True).start()
    return lines


def play_at_terminal(client: net.Client, *, waits: bool = False, quit_help: str) -> None:
    """Play a match of a host in the terminal, or watch it, until it is over and nobody wants another.

    Args:
        client: not started. waits: whether to wait for a host that is not there yet. quit_help: what `quit` does.

    Raises:
        InvalidOption: the host cannot be joined, or ends the connection. KeyboardInterrupt: the person stops.
    """
    told = ""
    with client, immediate_interrupts():
        try:
            while not client.wait_joined(_POLL_INTERVAL):
                told = check_joining(client, told, waits=waits)
            TerminalClient(client, quit_help).run()
        except KeyboardInterrupt:
            out.print()
            raise


class TerminalClient:
    """Person or spectator at the terminal: typed actions, and commands that begin with a slash."""

    def __init__(self, client: net.Client, quit_help: str = "stop") -> None:
        self._client, self._lines = client, _read_stdin()
        self._quit_help = quit_help
        self._typed_ahead: deque[str] = deque()
        self._is_reading, self._is_leaving, self._report = True, False, ConnectionReport(out)

    def run(self) -> None:
        """Play until the connection ends, or the input after the end of the game."""
        shown: object = None
        while self._client.status != "ended" and not self._stops_watching:
            match = self._match()
            if match is not shown:
                shown = match
                quit_help = f"{self._quit_help}\n/help                     commands for the table"
                terminal = TerminalPlayer(match, self._read_line, seat_label=self._seat_label, quit_help=quit_help)
                warm_up_match(match, FALLBACK_TIME_LIMIT)  # says that it compiles; shots are made elsewhere meanwhile
                mine = ", ".join(match.game.seat_names[seat] for seat in match.seats)
                out.print(f"{match.game.title}: {f'you are {mine}' if mine else 'you look on'}; /help lists commands")
            self._show_events()
            try:
                self._step(match, terminal)
            except (_Overtaken, Cancelled):
                continue
            except InputEnded:
                if match.is_over:
                    return
                out.print("The input has ended, so nobody can act here.")
                self._client.wait_sent(_MAX_ANSWER_TIME)
                raise
            except FlicksimError as error:
                out.print_line(f"No: {error}")
        self._show_events()
        if self._client.has_left:
            out.print("You have left the table; your seat is free.")
        elif self._client.reason and not self._stops_watching:
            raise InvalidOption(self._client.reason)

    @property
    def _stops_watching(self) -> bool:
        return self._is_leaving and not self._client.seats

    @property
    def _has_ended(self) -> bool:
        """True once all that was typed up to the end of the input is taken."""
        return not self._is_reading and not self._typed_ahead

    def _match(self) -> net.RemoteMatch:
        match = self._client.match
        assert match is not None
        return match

    def _step(self, match: net.RemoteMatch, terminal: TerminalPlayer) -> None:
        """Take one own action, or the next message of the host, or typed commands meanwhile."""
        turn: Turn | None
        if self._is_leaving:  # until the host has answered
            turn = match.next_turn(_POLL_INTERVAL)
        elif match.incoming is None and (not self._is_reading if match.is_over else match.seats and self._has_ended):
            raise InputEnded  # without a seat one can look on to the end of the game
        elif match.incoming is None and match.is_own_turn:
            turn = match.play(terminal.choose())
        else:
            self._take_commands(terminal)
            turn = match.next_turn(_POLL_INTERVAL)
        self._show_turn(match, turn)

    def _show_turn(self, match: net.RemoteMatch, turn: Turn | None) -> None:
        if turn is not None:
            out.print_line(f"{turn.number:3d} {self._seat_label(turn.seat)}: {turn.verdict}")
        if match.differences:
            out.print(f"Turn {match.differences.pop()} has another result here; the host's is shown.")

    def _read_line(self, prompt: str) -> str:
        """Read a line for the terminal player.

        Raises:
            _Overtaken: the game changes meanwhile. InputEnded: there is none.
        """
        out.print(prompt, end="")
        while not self._has_ended:
            try:
                line = self._typed_ahead.popleft() if self._typed_ahead else self._lines.get(timeout=_POLL_INTERVAL)
            except Empty:
                self._show_events()
                match = self._match()
                if match.incoming is not None or not match.is_own_turn or self._client.status == "ended":
                    out.print()
                    raise _Overtaken from None
                continue
            if line is None:
                self._is_reading = False
                break
            if not line.startswith("/"):
                return line
            self._command(line)
            if self._is_leaving:
                raise _Overtaken
            out.print(prompt, end="")
        out.print()
        raise InputEnded

    def _take_commands(self, terminal: TerminalPlayer) -> None:
        """Carry out commands typed while others play; other words wait for the own turn."""
        while not self._lines.empty():
            line = self._lines.get()
            if line is None:
                self._is_reading = False
            elif line.startswith("/"):
                self._command(line)
            elif line.strip().lower() in ("?", "help"):
                terminal.show_help()
            elif line.strip().lower() == "table" and self._client.seats:
                terminal.show_table(self._client.seats[0])
            elif line.strip().lower() == "quit":
                raise KeyboardInterrupt
            else:
                self._typed_ahead.append(line)

    def _command(self, line: str) -> None:
        send: Callable[[protocol.ClientMessage], None] = self._client.send
        match line[1:].split():
            case ["undo"]:
                send(protocol.Propose(what="undo"))
            case ["undo", number] if number.isascii() and number.isdigit() and len(number) < 8:
                send(protocol.Propose(what="undo", turns=int(number)))
            case ["rematch"]:
                send(protocol.Propose(what="rematch"))
            case ["yes" | "no" as answer]:
                send(protocol.Answer(agree=answer == "yes"))
            case ["say", phrase]:
                send(protocol.Say(phrase=phrase[:40]))
            case ["who"]:
                self._show_presence()
            case ["leave"]:
                self._is_leaving = True
                if self._client.seats:
                    self._client.leave()
            case _:
                out.print_line(_HELP.format(phrases=", ".join(protocol.PHRASES)))

    def _seat_label(self, seat: int) -> str:
        """Name of a seat, with that of the person who has it."""
        presence = self._client.presence
        name = next((held.name for held in presence.seats if held.seat == seat), "") if presence else ""
        return net.seat_label(self._match().game, seat, name)

    def _show_events(self) -> None:
        for event in self._client.poll():
            match event:
                case net.ConnectionChanged():
                    self._report.tell(event)
                case protocol.Said():
                    who = (event.name or "a spectator") if event.seat is None else self._seat_label(event.seat)
                    out.print_line(f"{who}: {protocol.PHRASES.get(event.phrase, event.phrase)}")
                case protocol.Proposal():
                    what = "another game" if event.what == "rematch" else f"to go back to turn {event.turns}"
                    answer = "" if event.seat in self._client.seats or not self._client.seats else ": /yes or /no"
                    out.print_line(f"{self._seat_label(event.seat)} proposes {what}{answer}")
                case protocol.Settled(agreed=False):  # what was agreed is told when it is done
                    out.print("Withdrawn." if event.withdrawn else "Not agreed.")
                case protocol.Undone():
                    out.print(f"The game is back at turn {event.turns}.")
                case protocol.Over():
                    self._show_result()
                case protocol.Differs():
                    out.print_line(f"{event.name or 'A client'} has another result of turn {event.turn}.")
                case protocol.Refused(about=about) if about != "act":
                    out.print_line(f"No: {event.message}")

    def _show_result(self) -> None:
        """Print the last turns of a game that is over, and its score."""
        match, presence = self._match(), self._client.presence
        names = {seat.seat: seat.name for seat in presence.seats} if presence else {}
        seats = [names.get(seat) or word for seat, word in enumerate(match.header.seats)]
        while match.incoming is not None:
            self._show_turn(match, match.next_turn(0.0))
        formatting.show_score(match, seats)

    def _show_presence(self) -> None:
        presence = self._client.presence
        names = self._match().game.seat_names
        for seat in presence.seats if presence else ():
            lag = "" if seat.lag is None else f", {seat.lag} ms"
            away = "" if seat.here else ", connection lost" if seat.name else ", free"
            turn = ", to play" if presence and presence.to_play == seat.seat else ""
            out.print_line(f"{names[seat.seat]}: {seat.name or seat.player}{lag}{away}{turn}")
        if presence and presence.watchers:
            out.print_line(f"Spectators: {', '.join(name or 'a spectator' for name in presence.watchers)}")
