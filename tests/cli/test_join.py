"""Hosting and joining in the terminal."""

import io
import signal
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from flicksim import net
from flicksim.cli import app, join
from flicksim.core.paths import user_dir
from flicksim.net import is_local, protocol
from flicksim.profiles import ProfileStore
from tests.cli_runner import begin, refused
from tests.net.tables import address, event, hosted, joined, match_of, new_table, play_on
from tests.polling import TIMEOUT


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLICKSIM_HOME", str(tmp_path / "home"))


def test_a_person_plays_a_whole_game_in_the_terminal(tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes", "human", "random")
    with hosted(table) as host:
        typed = "/who\n/help\n/say hello\n/undo\n/yes\nxyz\n" + 60 * "1\n"
        done = CliRunner().invoke(app, ["join", address(host), table.code, "--name", "Ada"], input=typed)
        assert done.exit_code == 0, done.output
    assert table.match.is_over
    for text in ("you are Ann", "Ann: Ada", "/rematch", "Ada: Hello!", "no proposal is open", "No: ", "wins"):
        assert text in done.output, text


def test_the_last_turns_are_shown_when_the_end_is_told_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = new_table(tmp_path, "dominoes")
    with hosted(table) as host, joined(host, 2) as clients, joined(host, watch=True) as (watcher,):
        play_on(clients, 1000)
        watcher._events.append(event(watcher, protocol.Over))
        monkeypatch.setattr("sys.stdin", io.StringIO())
        warmed: list[object] = []
        monkeypatch.setattr(join, "warm_up_match", lambda match, _limit: warmed.append(match))
        join._TerminalClient(watcher).run()
        assert warmed == [watcher.match]
    last = table.match.turns[-1]
    assert f"{last.number:3d} {table.match.game.seat_names[last.seat]}: " in capsys.readouterr().out


def test_the_name_is_that_of_the_profile() -> None:
    assert join._profile_name() == ""
    folder = user_dir("data")
    assert folder is not None
    ProfileStore(folder / "player").update_profile(lambda profile: replace(profile, name="Ada"))
    assert join._profile_name() == "Ada"


@pytest.mark.parametrize(
    ("where", "given", "told"),
    [("192.0.2.1", {}, True), ("192.0.2.1", {"tls": True}, False), ("wss://192.0.2.1", {}, False), ("::1", {}, False),
     ("192.0.2.1", {"fingerprint": 64 * "0"}, False)],
)  # fmt: skip
def test_a_line_in_the_clear_is_told(where: str, given: dict[str, Any], told: bool) -> None:
    assert net.Client(where, "CODE", **given).is_in_the_clear == told


def test_a_spectator_looks_on(tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes", "random", "random")
    with hosted(table) as host:
        done = CliRunner().invoke(app, ["join", address(host), table.code, "--watch"], input="")
        assert done.exit_code == 0, done.output
        assert "you look on" in done.output


def test_what_cannot_be_joined_is_told_in_a_sentence(tmp_path: Path) -> None:
    with hosted(new_table(tmp_path, "dominoes")) as host:
        assert refused("join", address(host), "WRONG") == "the code is of no table here"
    assert "must be HOST or HOST:PORT" in refused("join", "a b", "CODE")
    assert "leave --seat out" in refused("join", "a", "CODE", "--watch", "--seat", 1)
    assert "64 hex digits" in refused("join", "a", "CODE", "--fingerprint", "12")


def test_what_cannot_be_hosted_is_told_in_a_sentence(tmp_path: Path) -> None:
    assert "no game is named" in refused("host")
    record = tmp_path / "game.jsonl"
    assert "--cert FILE --key FILE" in refused("host", "dominoes", "--cert", "a", "--record", record)
    assert "was not hosted" in refused("host", "--continue", record)
    assert "has its own game" in refused("host", "dominoes", "--continue", record)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("example.org", ("example.org", net.DEFAULT_PORT)), ("10.0.0.1:99", ("10.0.0.1", 99)),
        ("wss://a:1/", ("a", 1)), ("[::1]:70", ("::1", 70)), ("::1", ("::1", net.DEFAULT_PORT)),
    ],
)  # fmt: skip
def test_addresses(text: str, parts: tuple[str, int]) -> None:
    assert net.parse_address(text) == parts


@pytest.mark.parametrize("host", ["::1", "10.0.0.1", "box"])
@pytest.mark.parametrize("port", [7421, net.DEFAULT_PORT])
def test_a_printed_address_is_read_again(host: str, port: int) -> None:
    assert net.parse_address(net.with_port(host, port)) == (host, port)
    assert net.with_port("::1", 7421) == "[::1]:7421"


def test_only_lines_that_stay_on_this_machine_go_without_tls() -> None:
    assert [is_local(name) for name in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "10.0.0.1", "box")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_a_killed_host_goes_on_from_its_record(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    words = ["host", "tinkle", "--seat", "human", "--seat", "human", "--seat", "random", "-o", "max_turns=5"]
    with begin(*words, "--port", 0, "--record", record) as first:
        assert first.stdout is not None
        code, where = "", ""
        for line in first.stdout:
            if line.startswith("flicksim join"):
                where, code = line.split()[2:4]
                break
        clients = [net.Client(where, code).start() for _ in range(2)]
        assert all(client.wait_joined(TIMEOUT) for client in clients)
        play_on(clients, 12)
        first.send_signal(signal.SIGKILL)
    with begin("host", "--continue", record) as second:
        play_on(clients, 24)
        assert [match_of(client).differences for client in clients] == [[], []]
        for client in clients:
            client.close()
        second.send_signal(signal.SIGINT)
        _, told = second.communicate(timeout=TIMEOUT)
    assert "go on with flicksim host --continue" in " ".join(told.split())
