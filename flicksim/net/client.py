"""Client of a host: a connection in a thread of its own that reconnects, and the match it plays."""

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from http import HTTPStatus
from socket import gaierror
from threading import Condition, Thread
from typing import Literal, Self

from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import FlicksimError, InvalidInput, InvalidOption, MissingExtra
from flicksim.core.serialization import Value, from_json, to_json
from flicksim.match import ForfeitLine, UndoLine
from flicksim.net import protocol, security
from flicksim.net.remote_match import RemoteMatch
from flicksim.net.seat_tokens import TokenStore
from flicksim.net.setup import is_local, parse_address, with_port

try:
    from websockets.asyncio.client import ClientConnection, connect
    from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
except ImportError:
    raise MissingExtra("online play", "net") from None

Status = Literal["connecting", "joined", "lost", "ended"]
_HEARTBEAT = 5.0
_FIRST_RETRY, _MAX_RETRY = 0.25, 5.0
"""First and longest pause before a lost connection is tried again [s]."""


class ConnectionChanged(Value, frozen=True, kw_only=True):
    """Event of a client: its connection is up, lost or ended, with the reason."""

    status: Status
    reason: str = ""


Event = ConnectionChanged | protocol.HostMessage
"""News for the program that shows the match: changes of the connection, and the messages of the host."""


class Client:
    """Client of a table.

    Its methods may be called from any thread. `match` is there once `wait_joined` has returned True; messages that
    change it wait in `match` until they are applied there, all others come by `poll`.

    Args:
        address: of the host. code: of the table. name: of the person.
        seat: wanted; None for any free one. watch: look on as a spectator.
        fingerprint: SHA-256 of the host's certificate, checked instead of its name; implies TLS. tls: whether to use
            it at all; with neither, the connection can be read by anybody on the way.
        tokens: where the token of the seat is kept.
        on_text: called with the text of every message, in the client's thread; there is no match then.

    Raises:
        InvalidOption: the address, the code or the fingerprint cannot be read.
    """

    def __init__(
        self, address: str, code: str, *, name: str = "", seat: int | None = None, watch: bool = False,
        fingerprint: str = "", tls: bool = False, tokens: TokenStore | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        self._host, self._port = parse_address(address)
        self._fingerprint = security.normal_fingerprint(fingerprint) if fingerprint else ""
        self._uses_tls = tls or bool(fingerprint) or address.strip().startswith("wss://")
        if not code.isascii():
            raise InvalidOption(f"the code {code[:40]!r} has characters that no code has; one is K7QF-M2XD-9RTA-3PWE")
        self._code, self._seat, self._watch = code, seat, watch
        self._name = name.encode(errors="ignore").decode()[:40]
        self._tokens, self._on_text = tokens or TokenStore(None), on_text
        self.status: Status = "connecting"
        self.reason = ""
        """Reason why the connection is lost, or has ended."""
        self.has_left = False
        """True once the host has taken the seat back."""
        self.match: RemoteMatch | None = None
        self.seats: tuple[int, ...] = ()
        self.presence: protocol.Presence | None = None
        """People and spectators, as told last."""
        self.proposal: protocol.Proposal | None = None
        """Proposal that is open."""
        self._turn, self.hash = -1, ""
        self.unread_events: deque[Event] = deque(maxlen=1000)
        self._sending: set[asyncio.Task[None]] = set()
        self._condition = Condition()
        self.socket: ClientConnection | None = None
        """Connection to the host; None while there is none."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._main: asyncio.Task[None] | None = None
        self._is_closing = self._is_leaving = False
        self._token = ""
        self._is_token_released = False
        self._thread = Thread(target=self._run, name="flicksim-client", daemon=True)

    # -- for the program that shows the match --------------------------------------------------------------------------

    def start(self) -> Self:
        """Start to connect, in a thread."""
        self._thread.start()
        return self

    def wait_joined(self, timeout: float | None = None) -> bool:
        """Wait until match and presence are there; False if it has ended, with `reason`, and after a timeout."""
        with self._condition:
            self._condition.wait_for(lambda: self._is_joined or self.status == "ended", timeout)
            return self._is_joined

    @property
    def _is_joined(self) -> bool:
        return self.match is not None and self.presence is not None

    def poll(self) -> list[Event]:
        """Take the events since the last call."""
        with self._condition:
            events = list(self.unread_events)
            self.unread_events.clear()
        return events

    def send(self, message: protocol.ClientMessage) -> None:
        """Send a message; it is dropped while the connection is lost.

        The action that `match` waits for (`RemoteMatch.pending`) is sent again once the connection is back.
        """
        self._call_soon(self._send_soon, to_json(message))

    def send_text(self, text: str) -> None:
        """Send the text of a message as it is."""
        self._call_soon(self._send_soon, text.encode(errors="replace"))

    def _call_soon(self, function: Callable[..., object], *args: object) -> None:
        """Call a function in the thread of the connection, unless that has not begun, or has ended."""
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(function, *args)

    def wait_sent(self, timeout: float) -> None:
        """Wait until what was sent so far is on its way, at most for `timeout` [s]."""
        if self._loop is not None and self.status != "ended":
            with suppress(RuntimeError, TimeoutError, CancelledError):
                asyncio.run_coroutine_threadsafe(self._wait_sent(), self._loop).result(timeout)

    async def _wait_sent(self) -> None:
        await asyncio.gather(*self._sending)

    @property
    def is_in_the_clear(self) -> bool:
        """True if the connection leaves this machine without TLS: code and token can be read on the way."""
        return not self._uses_tls and not is_local(self._host)

    @property
    def lag(self) -> int | None:
        """Round trip of the last heartbeat [ms]; None before the first, and without a connection."""
        socket = self.socket
        return None if socket is None or not socket.latency else round(socket.latency * 1000.0)

    def leave(self) -> None:
        """Give the seat up, and end the connection; while it is lost, as soon as it is back."""
        self._is_leaving = not self._watch
        self.send(protocol.Leave())

    def cut(self) -> None:
        """Cut the connection as a failing network does; the client comes back by itself."""
        if self.socket is not None:
            self._call_soon(self.socket.transport.abort)

    def close(self, *, wait: bool = True) -> None:
        """End the connection; the seat stays, and `Client` with the same tokens comes back to it.

        Args:
            wait: for the end of its thread, which a name server that does not answer delays for seconds.
        """
        self._is_closing = True
        if self.match is not None:
            self.match.close()
        if self._main is not None:
            self._call_soon(self._main.cancel)
        if not wait:
            self._release_token()  # whoever joins again now comes back to the seat
        elif self._thread.ident is not None:
            self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- in the thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            asyncio.run(self._keep_connected())
        except asyncio.CancelledError:
            pass
        except Exception as error:  # of a library, for an odd host: a sentence, and no thread that has died unseen
            self._end(f"there can be no connection to {self._host!r} ({type(error).__name__}: {error})")
        finally:
            self._release_token()
            self._change("ended", self.reason)

    def _release_token(self) -> None:
        """Let another connection use the token; once, as afterwards it may be another's."""
        with self._condition:
            was_released, self._is_token_released = self._is_token_released, True
        if not was_released:
            self._tokens.release(self._token)

    async def _keep_connected(self) -> None:
        """Connect, and again after every cut, with growing pauses (exponential backoff)."""
        self._loop, self._main = asyncio.get_running_loop(), asyncio.current_task()
        pause, host = _FIRST_RETRY, f"[{self._host}]" if ":" in self._host else self._host
        while not self._is_closing:  # it may be closed before the thread has come here
            try:
                tls = security.client_context(self._fingerprint) if self._uses_tls else None
                async with connect(
                    f"{'wss' if tls else 'ws'}://{host}:{self._port}", ssl=tls, compression=None,
                    max_size=protocol.MAX_HOST_BYTES, ping_interval=_HEARTBEAT, ping_timeout=_HEARTBEAT,
                    close_timeout=1.0, open_timeout=10.0, proxy=None, user_agent_header=None,
                ) as socket:  # fmt: skip
                    self._check_certificate(socket)
                    await socket.send(to_json(self._hello()), text=True)
                    self.socket = socket
                    async for text in socket:
                        self._receive(text)
                        pause = _FIRST_RETRY
                reason = "the connection was lost"
            except _NotHeardYet as refused:
                reason = str(refused)
            except ssl.SSLCertVerificationError as error:
                trust = f"the host's certificate is not trusted ({error.verify_message})"
                return self._end(f"{trust}; give the fingerprint that the host prints")
            except FlicksimError as error:
                return self._end(str(error))
            except (OSError, ConnectionClosed, InvalidHandshake) as error:
                reason = failure_text(error, with_port(self._host, self._port))
                if self._turn < 0 and is_no_host(error):
                    return self._end(reason)
            finally:
                if self.socket is not None:
                    self.socket.transport.abort()  # if cancelled while it closes, nothing else does
                self.socket = None
            self._change("lost" if self._turn >= 0 else "connecting", reason)
            await asyncio.sleep(pause)
            pause = min(_MAX_RETRY, 2.0 * pause)
        return None

    def _check_certificate(self, socket: ClientConnection) -> None:
        """Check the certificate before the code, the name and the token are sent.

        Raises:
            InvalidInput: it is another than that of the fingerprint.
        """
        if self._fingerprint:
            tls = socket.transport.get_extra_info("ssl_object")
            if not security.is_certificate(tls.getpeercert(binary_form=True), self._fingerprint):
                raise InvalidInput(
                    "the host has another certificate than that of the fingerprint; no code was sent; compare the "
                    "fingerprint with the command that the host prints"
                )

    def _hello(self) -> protocol.Hello:
        if not self._watch and not self._token:
            self._token = self._tokens.take(self._code, self._seat)
        return protocol.Hello(
            version=protocol.VERSION, code=self._code, name=self._name, seat=self._seat, watch=self._watch,
            token=self._token, turn=self._turn, hash=self.hash,
        )  # fmt: skip

    def _send_soon(self, message: bytes) -> None:
        socket = self.socket
        if socket is not None and self._loop is not None:
            task = self._loop.create_task(_send(socket, message))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    def _receive(self, text: str | bytes) -> None:
        """Handle a message of the host."""
        message: protocol.HostMessage = from_json(text, protocol.HostMessage, name="the host's message")  # type: ignore[arg-type]
        if self._on_text is not None:
            self._on_text(text if isinstance(text, str) else text.decode())
        match message:
            case protocol.Welcome():
                self.seats = message.seats
                if message.token:
                    self._tokens.put(self._code, message.token, message.seats)
                self._change("joined", "")
                if self._is_leaving:
                    self.send(protocol.Leave())
                pending = None if self.match is None else self.match.pending  # once: another thread clears it
                if pending is not None:  # it may have been lost with the connection
                    self.send(pending)
            case protocol.GameSnapshot():
                self._turn, self.hash = message.turn, message.hash
                self._start(message)
            case protocol.TurnPlayed(line=line, hash=told):
                self._turn += 1
                self._check_hash(protocol.line_hash(self.hash, bytes(line)), told)
                self.hash = told
                self._queue(message)
            case protocol.Undone(turns=turns, hash=told):
                self._check_hash(protocol.line_hash(self.hash, UndoLine(turns=turns)), told)
                self._turn, self.hash = turns, told
                self._queue(message)
            case protocol.Over(hash=told, forfeit=forfeit):
                if forfeit is not None and told != self.hash:
                    ended = ForfeitLine(seat=forfeit.seat, reason=forfeit.reason)
                    self._check_hash(protocol.line_hash(self.hash, ended), told)
                self.hash = told
                self._queue(message)
            case protocol.Presence():
                self.presence = message
            case protocol.Proposal():
                self.proposal = message
            case protocol.Settled():
                self.proposal = None
            case protocol.Refused(final=True):
                self.has_left = message.about == "leave"
                if self.has_left:
                    self._tokens.remove(self._token)
                raise FlicksimError(message.message)
            case protocol.Refused(about="hello") if self.status != "joined":
                raise _NotHeardYet(message.message)
            case protocol.Refused(about="act"):
                self._queue(message)
        with self._condition:
            self.unread_events.append(message)
            self._condition.notify_all()

    def _check_hash(self, computed: str, told: str) -> None:
        """Report a line whose hash is not what the host tells."""
        if computed != told:
            self.send(protocol.Differs(turn=self._turn))
            self.send(protocol.Resend())

    def _start(self, snapshot: protocol.GameSnapshot) -> None:
        """Begin the match, or give it a new state; another game is another match."""
        if self._on_text is not None:
            return
        if self.match is not None and self.match.game_number == snapshot.game_number:
            self.match.receive(snapshot)
            return
        former, self.match = self.match, RemoteMatch(snapshot, self.seats, self.send)
        if former is not None:
            former.close()

    def _queue(self, message: protocol.TurnPlayed | protocol.Undone | protocol.Over | protocol.Refused) -> None:
        if self.match is not None:
            self.match.receive(message)

    def _change(self, status: Status, reason: str) -> None:
        with self._condition:
            if status != self.status or reason != self.reason:
                self.unread_events.append(ConnectionChanged(status=status, reason=reason))
            self.status, self.reason = status, reason
            self._condition.notify_all()

    def _end(self, reason: str) -> None:
        self.reason = reason
        if self.match is not None:
            self.match.close()


class _NotHeardYet(Exception):
    """The host refuses this connection, but may be tried again."""


def is_no_host(error: Exception) -> bool:
    """Return True for an answer that no host gives, or only one with TLS to a client without it, or the reverse."""
    if isinstance(error, InvalidStatus):
        return error.response.status_code != HTTPStatus.SERVICE_UNAVAILABLE
    is_cut = isinstance(error.__cause__, EOFError)
    return isinstance(error, ssl.SSLError) or (isinstance(error, InvalidHandshake) and not is_cut)


def failure_text(error: Exception, address: str) -> str:
    """Reason why there is no connection to an address, and what to do."""
    is_closed = isinstance(error, ConnectionResetError) or isinstance(error.__cause__, EOFError)
    match error:
        case ConnectionClosed():
            return "the connection was lost"
        case _ if is_closed:
            return f"{address} closes the connection; check it, and give a fingerprint just if the host prints one"
        case InvalidStatus() if not is_no_host(error):
            return f"the host at {address} has too many clients; try again later"
        case InvalidStatus():
            return f"no flicksim host is at {address} (HTTP status {error.response.status_code}); check the address"
        case InvalidHandshake():
            return f"no flicksim host is at {address} ({error}); check the address"
        case ssl.SSLError():
            return f"no host with TLS is at {address}; check it, and give a fingerprint just if the host prints one"
        case gaierror():
            return f"no machine is called {address}; check the address"
        case ConnectionRefusedError():
            why = "connection refused"  # the message of asyncio names the call
        case TimeoutError():
            why = "timed out"
        case OSError():
            why = os_error_message(error)
        case _:
            why = type(error).__name__
    return f"nobody answers at {address} ({why}); check that the game is hosted, and its address"


async def _send(socket: ClientConnection, message: bytes) -> None:
    with suppress(ConnectionClosed):
        await socket.send(message, text=True)
