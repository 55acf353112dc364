"""Host: tables behind a websocket server, in a thread of its own."""

import asyncio
import ssl
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from errno import EADDRINUSE
from threading import Event, Thread
from typing import Self

from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import FlicksimError, InvalidInput, InvalidOption, MissingExtra
from flicksim.core.serialization import to_json
from flicksim.net import protocol
from flicksim.net.chair import Chair
from flicksim.net.participants import WrongSecret, shown_name
from flicksim.net.protocol import DEFAULT_PORT
from flicksim.net.security import RateLimit, TryLimiter, normal_code, same_secret
from flicksim.net.table import Table, public_reason

try:
    from websockets.asyncio.server import ServerConnection, serve
    from websockets.exceptions import ConnectionClosed
    from websockets.frames import CloseCode
    from websockets.http11 import Request, Response
except ImportError:
    raise MissingExtra("online play", "net") from None

_FINAL_CODE = 4000
"""Close code of a connection that is not to be tried again."""
_MAX_WAIT = 1.0
"""Longest time that a message beyond the rate waits [s]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on clients.

    Args:
        connections: at once. waiting: of them before their code was heard, an eighth from one address.
        hello_time: for the first message [s].
        rate, burst: messages of a client per second, and at once; others wait. excess: messages in a row that had to
            wait before the connection is ended.
        queue: messages that wait for a slow client before its connection is ended.
        heartbeat: interval of pings; a connection is lost without an answer for twice that [s].
    """

    connections: int = 500
    waiting: int = 64
    hello_time: float = 10.0
    rate: float = 10.0
    burst: float = 40.0
    excess: int = 100
    queue: int = 256
    heartbeat: float = 5.0


class Connection:
    """Connection to a client: messages wait in a queue of limited length, so that a slow one holds nobody up."""

    def __init__(self, socket: ServerConnection, limits: Limits) -> None:
        self.socket, self.name = socket, ""
        self._queue: asyncio.Queue[bytes | int] = asyncio.Queue()
        self._max_queue = limits.queue

    @property
    def lag(self) -> int | None:
        """Round trip of the last heartbeat [ms]; None before the first."""
        return round(self.socket.latency * 1000.0) if self.socket.latency else None

    def send(self, message: protocol.Message | bytes) -> None:
        """Queue a message; the connection is ended when too many wait."""
        if self._queue.qsize() >= self._max_queue:
            self.socket.transport.abort()  # it comes back, and gets the game as it then stands
            return
        self._queue.put_nowait(message if isinstance(message, bytes) else to_json(message))

    def end(self, reason: str, about: str = "") -> None:
        """Send the reason, and the kind of message that led to it, and end the connection for good."""
        self.send(protocol.Refused(message=reason, about=about, final=True))
        self.finish()

    def finish(self, close_code: int = _FINAL_CODE) -> None:
        """End the connection once the queued messages are written."""
        self._queue.put_nowait(close_code)

    async def write(self) -> None:
        """Write queued messages until the connection ends."""
        with suppress(ConnectionClosed):
            while not isinstance(message := await self._queue.get(), int):
                await self.socket.send(message, text=True)
            await self.socket.close(message)


class Host:
    """Server of tables.

    Args:
        tables: each with its code. listen: address to listen on. port: 0 for any free one.
        tls: certificate and key; None for connections that anybody on the way can read.
    """

    def __init__(
        self, tables: Sequence[Table], *, listen: str = "127.0.0.1", port: int = DEFAULT_PORT,
        tls: ssl.SSLContext | None = None, limits: Limits | None = None,
    ) -> None:  # fmt: skip
        self.tables, self.listen, self.port = tuple(tables), listen, port
        self._tls, self._limits = tls, limits or Limits()
        self._tries = TryLimiter()
        self._connections: dict[ServerConnection, asyncio.Task[None]] = {}
        self.waiting: dict[ServerConnection, str] = {}
        """Addresses of connections whose code was not heard yet."""
        self._started, self._error = Event(), ""
        self._thread = Thread(target=self._run, name="flicksim-host", daemon=True)
        self.loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()

    def start(self) -> Self:
        """Start to listen, in a thread.

        Raises:
            InvalidOption: the address cannot be listened on.
        """
        self._thread.start()
        self._started.wait()
        if self._error:
            raise InvalidOption(self._error)
        return self

    def close(self) -> None:
        """End all connections; records and seats are kept."""
        if self.loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self.loop.call_soon_threadsafe(self._stop.set)
        if self._thread.ident is not None:
            self._thread.join()
        for table in self.tables:
            table.close()

    def wait(self) -> None:
        """Wait until the host is closed, or for Ctrl-C."""
        while self._thread.is_alive():
            self._thread.join(1.0)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except (OSError, ValueError) as error:  # ValueError: of a name that can be none
            reason = os_error_message(error) if isinstance(error, OSError) else "that is no address"
            if isinstance(error, OSError) and error.errno == EADDRINUSE:  # asyncio's message names the address again
                reason = "something listens there already; choose another port (--port)"
            self._error = f"cannot listen on {self.listen[:80]!r}, port {self.port}: {reason}"
        except FlicksimError as error:
            self._error = str(error)
        finally:
            self._started.set()

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        beat = self._limits.heartbeat
        async with serve(
            self._handle, self.listen, self.port, ssl=self._tls, compression=None, origins=[None],
            process_request=self._admit, open_timeout=self._limits.hello_time, ping_interval=beat,
            ping_timeout=beat, close_timeout=1.0, max_size=protocol.MAX_CLIENT_BYTES, max_queue=4, server_header=None,
        ) as server:  # fmt: skip
            self.port = server.sockets[0].getsockname()[1]
            for table in self.tables:
                table.set_address(self.listen, self.port)
            tasks = [asyncio.create_task(work) for work in (*(table.run() for table in self.tables), self._beat())]
            self._started.set()
            await self._stop.wait()
            for task in tasks:
                task.cancel()

    async def _beat(self) -> None:
        """Tell from time to time who is there, with the lag of each connection."""
        while True:
            await asyncio.sleep(self._limits.heartbeat)
            for table in self.tables:
                table.tell_presence()

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse a connection beyond the limits, before anything is kept for it, or count it until it is closed."""
        del request
        address, limits = _address(connection), self._limits
        from_there = list(self.waiting.values()).count(address)
        if (
            len(self._connections) >= limits.connections
            or len(self.waiting) >= limits.waiting
            or from_there >= max(1, limits.waiting // 8)
        ):
            return connection.respond(503, "too many clients\n")
        self.waiting[connection] = address
        self._connections[connection] = asyncio.create_task(self._count_until_closed(connection))
        return None

    async def _count_until_closed(self, connection: ServerConnection) -> None:
        try:
            await connection.wait_closed()
        finally:
            self.waiting.pop(connection, None)
            self._connections.pop(connection, None)

    async def _handle(self, socket: ServerConnection) -> None:
        connection = Connection(socket, self._limits)
        writer = asyncio.create_task(connection.write())
        try:
            joined = await self._welcome(connection)
            if joined is not None:
                await self._converse(connection, *joined)
            connection.finish()
            await asyncio.wait([writer], timeout=1.0)
        except ConnectionClosed:
            pass
        finally:
            writer.cancel()

    async def _welcome(self, connection: Connection) -> tuple[Table, Chair | None] | None:
        """Hear the first message and seat the client; None if it is refused."""
        address = _address(connection.socket)
        try:
            async with asyncio.timeout(self._limits.hello_time):
                text = await connection.socket.recv()
            wait = self._tries.wait(address)
            if wait > 0.0:  # not for good: somebody else at that address may have tried
                reason = f"too many wrong tries; the next is heard in {wait:.0f} s"
                connection.send(protocol.Refused(message=reason, about="hello"))
                connection.finish(CloseCode.TRY_AGAIN_LATER)
                return None
            await asyncio.sleep(self._tries.delay())
            return await self._join(connection, _decode_hello(text), address)
        except TimeoutError:
            connection.end(f"no hello within {self._limits.hello_time:g} s")
        except FlicksimError as error:
            connection.end(public_reason(error))
        finally:
            self.waiting.pop(connection.socket, None)
        return None

    async def _join(self, connection: Connection, hello: protocol.Hello, address: str) -> tuple[Table, Chair | None]:
        code = normal_code(hello.code)
        found = [table for table in self.tables if same_secret(code, table.code_digest)]  # all are compared
        try:
            if not found:
                raise WrongSecret(
                    "that is not the code of a table here; compare it with the command that the host prints"
                )
            connection.name = shown_name(hello.name)
            return found[0], await found[0].join(connection, hello)
        except BaseException as error:
            if isinstance(error, WrongSecret):
                self._tries.fail(address)
            for table in found:
                table.leave(connection)
            raise

    async def _converse(self, connection: Connection, table: Table, chair: Chair | None) -> None:
        """Handle the messages of a client until its connection ends."""
        rate, excess = RateLimit(self._limits.rate, self._limits.burst), 0
        try:
            async for text in connection.socket:
                wait = rate.delay()
                excess = excess + 1 if wait > 0.0 else 0
                if excess > self._limits.excess:
                    connection.end("far too many messages")
                    return
                await asyncio.sleep(min(wait, _MAX_WAIT))  # a message dropped might be an action that somebody awaits
                try:
                    message = protocol.decode_client_message(text)
                except FlicksimError as error:
                    kind, _, turn = protocol.peek(text)
                    turn = turn if kind == "act" else None
                    connection.send(protocol.Refused(about=kind, turn=turn, message=str(error)))
                    continue
                await table.submit(connection, chair, message)
        finally:
            table.leave(connection)


def _address(connection: ServerConnection) -> str:
    return str(connection.remote_address[0])


def _decode_hello(text: str | bytes) -> protocol.Hello:
    """Decode the first message; another version is named before its fields are read."""
    _, version, _ = protocol.peek(text)
    if version is not None and version != protocol.VERSION:
        raise InvalidInput(
            f"this host speaks version {protocol.VERSION} of the protocol, not {version}; update flicksim"
        )
    message = protocol.decode_client_message(text)
    if not isinstance(message, protocol.Hello):
        raise InvalidInput(f"the first message is hello, not {message.__struct_config__.tag}")
    return message
