"""Clients: odd addresses and codes, tokens of seats, lost connections, and turns that cannot be made."""

import socketserver
import ssl
from pathlib import Path
from socket import gaierror
from threading import Event, Thread

import msgspec
import numpy as np
import pytest
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, InvalidMessage, InvalidStatus
from websockets.http11 import Response

from flicksim import net
from flicksim.core.errors import FlicksimError, InvalidOption
from flicksim.net import client as client_module
from flicksim.net import protocol
from tests.net.tables import address, hosted, joined, new_table, play_on, random_action
from tests.polling import TIMEOUT, wait_until


@pytest.mark.parametrize("text", ["192.168..1", "a" * 70, "a b", "a:", "a:99999", "::x", "[::1]]:70", "a\udcff"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidOption, match="must be HOST or HOST:PORT"):
        net.parse_address(text)


@pytest.mark.parametrize("code", ["\udcff", "K7QF–M2XD"])
def test_a_code_of_other_characters_is_refused(code: str) -> None:
    with pytest.raises(InvalidOption, match="has characters that no code has"):
        net.Client("127.0.0.1", code)


@pytest.mark.parametrize("error", [UnicodeError, KeyError])
def test_an_odd_failure_ends_the_connection_with_a_reason(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise error("odd")

    monkeypatch.setattr(client_module, "connect", fail)
    with net.Client("127.0.0.1", "CODE", name="\udcff") as client:
        assert not client.wait_joined(TIMEOUT)
        assert client.status == "ended"
        assert "there can be no connection to '127.0.0.1'" in client.reason


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "no flicksim host is at {} (HTTP status 404)"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "no flicksim host is at {} ("),
    ],
)
def test_what_is_no_host_ends_the_connection(answer: bytes, told: str) -> None:
    class Answer(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(4096)
            self.request.sendall(answer)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        where = f"127.0.0.1:{other.server_address[1]}"
        with net.Client(where, "CODE") as client:
            assert not client.wait_joined(TIMEOUT)
            assert told.format(where) in client.reason
        other.shutdown()


@pytest.mark.parametrize("has_tls", [False, True])
def test_a_host_with_other_encryption_is_told(has_tls: bool, tmp_path: Path) -> None:
    tls = net.server_context(*net.self_signed(tmp_path / "own")) if has_tls else None
    table = new_table(tmp_path, "dominoes")
    fingerprint = "" if has_tls else 64 * "0"
    with hosted(table, tls=tls) as host, net.Client(address(host), table.code, fingerprint=fingerprint) as client:
        wait_until(lambda: client.reason)
        assert "give a fingerprint just if the host prints one" in client.reason


def _failures() -> list[tuple[Exception, str]]:
    closed = InvalidMessage("did not receive a valid HTTP response")
    closed.__cause__ = EOFError()
    busy = InvalidStatus(Response(503, "", Headers()))
    return [
        (ConnectionRefusedError(), "nobody answers at box (connection refused)"),
        (TimeoutError(), "nobody answers at box (timed out)"),
        (gaierror(-2, "Name or service not known"), "no machine is called box"),
        (ConnectionResetError(), "box closes the connection"), (closed, "box closes the connection"),
        (ssl.SSLError(1, "wrong version number"), "no host with TLS is at box"),
        (busy, "the host at box has too many clients"), (OSError(101, "Network is unreachable"), "network is unreach"),
        (ConnectionClosedError(None, None), "the connection was lost"),
    ]  # fmt: skip


@pytest.mark.parametrize(("error", "told"), _failures())
def test_failures_are_told_in_plain_words(error: Exception, told: str) -> None:
    assert told in client_module.failure_text(error, "box")
    assert client_module.is_no_host(error) == isinstance(error, ssl.SSLError)


@pytest.mark.parametrize("is_back", [True, False])
def test_who_leaves_while_the_connection_is_lost_frees_the_seat_once_it_is_back(is_back: bool, tmp_path: Path) -> None:
    table, tokens = new_table(tmp_path, "dominoes"), net.TokenStore(tmp_path / "user")
    with hosted(table) as host, joined(host, tokens=tokens) as (client,):
        if is_back:
            client.cut()
        else:
            host.close()
        wait_until(lambda: client.status == "lost")
        client.leave()
        if is_back:
            wait_until(lambda: client.status == "ended")
            assert [chair.token_digest for chair in table.participants.chairs] == ["", ""]
    assert (tokens.get(table.code) == "") == is_back


def test_a_client_that_is_not_waited_for_gives_its_token_back_at_once(tmp_path: Path) -> None:
    table, tokens, hears, may_end = new_table(tmp_path, "dominoes"), net.TokenStore(None), Event(), Event()

    def hear(_: str) -> None:
        hears.set()
        may_end.wait(TIMEOUT)

    with hosted(table) as host, net.Client(address(host), table.code, tokens=tokens, on_text=hear) as client:
        assert hears.wait(TIMEOUT)
        assert tokens.get(table.code) == ""
        client.close(wait=False)
        assert client.status != "ended"
        assert tokens.get(table.code)
        tokens.take(table.code)
        may_end.set()
        wait_until(lambda: client.status == "ended")
        assert tokens.get(table.code) == "", "another connection uses it by now"


def test_a_turn_that_cannot_be_made_here_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise FlicksimError("no")

    table = new_table(tmp_path, "dominoes")
    with hosted(table) as host, joined(host, 2) as clients:
        on, off = clients if table.match.to_play in clients[0].seats else reversed(clients)
        match = off.match
        action = random_action(on.match, np.random.default_rng(1))
        monkeypatch.setattr(match, "_make_turn", fail)
        play_on([on], 1)
        wait_until(lambda: match.incoming)
        with pytest.raises(FlicksimError, match="cannot be made here"):
            match.play(action)
        wait_until(lambda: isinstance(match.incoming, protocol.GameSnapshot))


@pytest.mark.parametrize("kind", ["turn", "turn awaited", "game"])
def test_a_malformed_message_of_the_host_is_a_difference(kind: str, tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes")
    with hosted(table) as host, joined(host, 2) as clients:
        play_on(clients, 2)
        for match in (client.match for client in clients):
            wait_until(lambda match=match: match.turn_count == 2 or match.next_turn(0.0))
        match = next(client.match for client in clients if not client.match.is_own_turn)
        sent = list[protocol.ClientMessage]()
        match.send = sent.append
        view = {"no": "view"}
        if kind == "game":
            match.receive(
                protocol.GameSnapshot(game_number=1, header=match.header, turn=2, view=view, state="", hash="")
            )
        else:
            match.receive(protocol.TurnPlayed(state="", hash="", line=msgspec.Raw(b'{"line":"turn"}')))
        state = match.state
        if kind == "turn awaited":
            with pytest.raises(FlicksimError, match="the game is asked for anew"):
                match.ask_player()
        else:
            assert match.apply_incoming() is None
        assert match.incoming is None
        assert match.state is state
        assert match.turn_count == 2
        number = 2 if kind == "game" else 3
        assert match.differences == [number]
        assert sent == [protocol.Differs(turn=number), protocol.Resend()]


def test_an_own_turn_that_comes_with_the_whole_game_is_said_to_be_played(tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes", "human", "human")
    with hosted(table) as host, joined(host, 2) as clients:
        on = next(client for client in clients if table.match.to_play in client.seats)
        match = on.match
        action = random_action(match, np.random.default_rng(1))
        send = match.send

        def lose_the_turn(message: protocol.ClientMessage) -> None:
            send(message)
            wait_until(lambda: match.incoming)
            match.unread.clear()
            send(protocol.Resend())

        match.send = lose_the_turn
        with pytest.raises(FlicksimError, match="sent the game anew, with turn 1"):
            match.play(action)
        assert match.turn_count == 1


def test_the_lag_of_a_quick_connection_is_known(tmp_path: Path) -> None:
    class Quick:
        latency = 0.0

    with hosted(new_table(tmp_path, "dominoes")) as host, joined(host) as (client,):
        quick = Quick()
        client.socket = quick  # type: ignore[assignment]
        assert client.lag is None
        quick.latency = 0.0002
        assert client.lag == 0
        client.socket = None
