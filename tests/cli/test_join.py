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
from flicksim.cli import host as host_module
from flicksim.cli.console import out
from flicksim.core.errors import InvalidOption
from flicksim.core.paths import user_dir
from flicksim.net import is_local, protocol
from flicksim.profiles import ProfileStore
from tests.cli_runner import begin, refused
from tests.net.tables import address, event, hosted, joined, new_table, play_on
from tests.polling import TIMEOUT, wait_until


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLICKSIM_HOME", str(tmp_path / "home"))


def test_a_person_plays_a_whole_game_in_the_terminal(tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes", "human", "random")
    with hosted(table) as host:
        typed = "/who\n/help\n/say hello\n/yes\nxyz\n1\n/undo\n" + 60 * "1\n"
        done = CliRunner().invoke(app, ["join", address(host), table.code, "--name", "Ada"], input=typed)
        assert done.exit_code == 0, done.output
    assert table.match.is_over
    assert "Agreed" not in done.output, "nobody else was asked"
    for text in (
        "you are Ann",
        "Ann: Ada",
        "Ann (Ada) > ",
        "/rematch",
        "Ann (Ada): Hello!",
        "The game is back at turn ",
        "no proposal is open",
        "No: ",
        "wins",
    ):
        assert text in done.output, text


def test_the_last_turns_are_shown_when_the_end_is_told_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = new_table(tmp_path, "dominoes")
    with hosted(table) as host, joined(host, 2) as clients, joined(host, watch=True) as (watcher,):
        play_on(clients, 1000)
        watcher.unread_events.append(event(watcher, protocol.Over))
        monkeypatch.setattr("sys.stdin", io.StringIO())
        warmed: list[object] = []
        monkeypatch.setattr(join, "warm_up_match", lambda match, _limit: warmed.append(match))
        join.TerminalClient(watcher).run()
        assert warmed == [watcher.match]
    last = table.match.turns[-1]
    assert f"{last.number:3d} {table.match.game.seat_names[last.seat]}: " in capsys.readouterr().out


def test_the_name_is_that_of_the_profile() -> None:
    assert join.profile_name() == ""
    folder = user_dir("data")
    ProfileStore(folder / "player").update_profile(lambda profile: replace(profile, name="Ada"))
    assert join.profile_name() == "Ada"


@pytest.mark.parametrize(
    ("where", "given", "told"),
    [("192.0.2.1", {}, True), ("192.0.2.1", {"tls": True}, False), ("wss://192.0.2.1", {}, False), ("::1", {}, False),
     ("192.0.2.1", {"fingerprint": 64 * "0"}, False)],
)  # fmt: skip
def test_a_connection_in_the_clear_is_told(where: str, given: dict[str, Any], told: bool) -> None:
    assert net.Client(where, "CODE", **given).is_in_the_clear == told


def test_rulings_read_as_in_a_game_on_this_machine(tmp_path: Path) -> None:
    """`play` prints the verdicts of its own match, which are those of the host's."""
    table = new_table(tmp_path, "penny-white", "random", "random")
    with hosted(table) as host:
        done = CliRunner().invoke(app, ["join", address(host), table.code, "--watch"], input="")
    assert (done.exit_code, "you look on" in done.output) == (0, True), done.output
    lines = done.output.splitlines()
    for turn in table.match.turns:
        assert f"{turn.number:3d} {table.match.game.seat_names[turn.seat]}: {turn.verdict}" in lines


def test_what_cannot_be_joined_is_told_in_a_sentence(tmp_path: Path) -> None:
    with hosted(new_table(tmp_path, "dominoes")) as host:
        assert "not the code of a table here" in refused("join", address(host), "WRONG")
    assert "must be HOST or HOST:PORT" in refused("join", "a b", "CODE")
    assert "leave --seat out" in refused("join", "a", "CODE", "--watch", "--seat", 1)
    assert "64 hex digits" in refused("join", "a", "CODE", "--fingerprint", "12")


@pytest.mark.parametrize("options", [[], ["--stdio"]])
def test_a_host_that_is_not_there_is_told_at_once(options: list[str]) -> None:
    assert refused("join", "127.0.0.1:1", "CODE", *options).startswith("nobody answers at 127.0.0.1:1 (")


def test_a_host_waited_for_and_a_lost_connection_are_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    client, told = net.Client("127.0.0.1", "CODE"), ""
    for client.reason in ("", "one", "one", "two"):
        told = join.check_joining(client, told, waits=True)
    assert capsys.readouterr().err == "flicksim: one; trying again ...\nflicksim: two; trying again ...\n"
    client.status = "ended"
    with pytest.raises(InvalidOption, match="two"):
        join.check_joining(client, told, waits=True)
    report = join.ConnectionReport(out)
    for status, reason in (("joined", ""), ("lost", "a"), ("lost", "b"), ("joined", ""), ("ended", "")):
        report.tell(net.ConnectionChanged(status=status, reason=reason))  # type: ignore[arg-type]
    assert capsys.readouterr().out == "The connection is lost; trying again ...\nThe connection is back.\n"


@pytest.mark.parametrize(
    ("options", "told"), [([], "you are Bob"), (["--watch"], "you look on"), (["--stdio"], '"seats":[1]')]
)
def test_who_leaves_ends_without_an_error(options: list[str], told: str, tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes")
    typed = '{"kind":"leave"}\n' if options == ["--stdio"] else "/leave\n"
    with hosted(table) as host, joined(host):
        done = CliRunner().invoke(app, ["join", address(host), table.code, *options], input=typed)
        assert done.exit_code == 0, done.output
        assert told in done.output
        assert [bool(chair.token_digest) for chair in table.participants.chairs] == [True, False], (
            "the seat of the other stays"
        )
        wait_until(lambda: not table.participants.watchers)
    assert ("your seat is free" in done.output) == (options == [])


@pytest.mark.parametrize(("seat", "typed"), [(0, "/say hello\nxyz\n"), (1, "/say hello\n")])
def test_the_end_of_the_input_ends_the_connection_and_keeps_the_seat(seat: int, typed: str, tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes")
    with hosted(table) as host, joined(host, watch=True) as (watcher,):
        assert table.match.to_play == 0
        done = CliRunner().invoke(app, ["join", address(host), table.code, "--seat", str(seat)], input=typed)
        event(watcher, protocol.Said)
        assert done.exit_code == 1
        assert "The input has ended, so nobody can act here." in done.output
        assert "Stopped; the same command comes back to the seat." in done.output
        assert table.participants.chairs[seat].token_digest


@pytest.mark.parametrize("typed", ["", "quit\n"])
def test_whoever_stops_after_the_end_of_the_game_ends_without_an_error(typed: str, tmp_path: Path) -> None:
    table, tokens = new_table(tmp_path, "dominoes"), net.user_tokens()
    with hosted(table) as host, joined(host) as (other,):
        with joined(host, tokens=tokens) as (client,):
            play_on([other, client], 1000)
        done = CliRunner().invoke(app, ["join", address(host), table.code], input=typed)
        assert done.exit_code == 0, done.output
        assert ("Stopped; the game is over. The same command comes back to the seat." in done.output) == bool(typed)


@pytest.mark.parametrize("options", [[], ["--stdio"]])
def test_bytes_that_are_no_text_do_not_end_the_input(options: list[str], tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes")
    leave = b'{"kind":"leave"}' if options else b"/leave"
    with hosted(table) as host:
        done = CliRunner().invoke(app, ["join", address(host), table.code, *options], input=b"\xff\n" + leave + b"\n")
        assert done.exit_code == 0, done.output
        assert [chair.token_digest for chair in table.participants.chairs] == ["", ""]


@pytest.mark.parametrize("seat", ["0", "1"])
def test_the_table_is_named_and_shown_in_every_turn(seat: str, tmp_path: Path) -> None:
    table = new_table(tmp_path, "penny-white", first="first")
    with hosted(table) as host:
        typed = ["join", address(host), table.code, "--seat", seat]
        done = CliRunner().invoke(app, typed, input="table\n")
    assert "     nothing lies there yet" in done.output
    assert ("table  show points and positions" in done.output) == (seat == "0"), "at the own prompt"


@pytest.mark.parametrize("seat", ["0", "1"])
def test_help_is_for_the_game_and_the_setting_in_every_turn(seat: str, tmp_path: Path) -> None:
    with hosted(new_table(tmp_path, "dominoes")) as host:
        done = CliRunner().invoke(app, ["join", address(host), host.tables[0].code, "--seat", seat], input="?\nquit\n")
    assert done.exit_code == 1
    assert "MOVE " in done.output
    assert "SPEED" not in done.output
    assert done.output.count("the same command comes back to the seat") == 2


def test_a_host_tells_who_comes_and_goes_and_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(host_module.err, "print", lambda text, **_: told.append(text))
    table = new_table(tmp_path, "dominoes")
    with (
        host_module.print_log(), hosted(table) as host, joined(host, 2, name="Ada") as clients,
        joined(host, watch=True, name="Eve"), joined(host, watch=True),
    ):  # fmt: skip
        play_on(clients, 1000)
        clients[0].cut()
        wait_until(lambda: "Ann (Ada) is back." in told)
        clients[1].leave()
        wait_until(lambda: clients[1].status == "ended")
    for text in (
        "Ann (Ada) joins.", "Eve looks on.", "A spectator looks on.", "The connection to Ann (Ada) is lost.",
        "Bob (Ada) leaves.", "Eve looks on no longer.",
    ):  # fmt: skip
        assert text in told, told
    assert any(text.startswith("The game is over after ") for text in told), told


@pytest.mark.parametrize(
    ("turns", "seats", "told"),
    [
        (3, ("human", "human"), "Stopped after turn 3; go on with: flicksim host --continue {record} --play Ada"),
        (1000, ("human", "human"), "is proposed by /rematch after: flicksim host --continue {record} --play Ada"),
        (1000, ("random", "random"), "Stopped; the game is over, and its record is {record}"),
    ],
)
def test_a_stopped_host_says_how_it_goes_on(
    turns: int, seats: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = new_table(tmp_path, "dominoes", *seats)
    with hosted(table) as host:
        if "human" in seats:
            with joined(host, 2) as clients:
                play_on(clients, turns)
        else:
            with joined(host, watch=True):
                wait_until(lambda: table.match.is_over)
        host_module.print_stopped(table, "Ada" if "human" in seats else None)
        text = capsys.readouterr().err
        assert told.format(record=table.hosted.recorder.path) in text
        host_module.print_invitation(table, host, "")
        text = capsys.readouterr().out
        assert ("The game is over after " in text) == (turns == 1000)
        assert ("No seat is for a person: everybody adds --watch." in text) == ("random" in seats)
        assert f"Seats: 0 (Ann) {seats[0]}, 1 (Bob) {seats[1]}." in text


def test_a_host_on_all_addresses_prints_one_that_can_be_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = new_table(tmp_path, "dominoes")
    with hosted(table, listen="0.0.0.0") as host:
        host_module.print_invitation(table, host, "")
        invitation = capsys.readouterr().out.splitlines()[1]
        assert invitation == f"flicksim join {net.with_port(net.own_address(), host.port)} {table.code}"


def test_what_cannot_be_hosted_is_told_in_a_sentence(tmp_path: Path) -> None:
    assert "no game is named" in refused("host")
    record = tmp_path / "game.jsonl"
    assert "--cert FILE --key FILE" in refused("host", "dominoes", "--cert", "a", "--record", record)
    new_table(tmp_path, "dominoes").close()
    net.HostFile.path(record).unlink()
    assert "was not hosted" in refused("host", "--continue", record)
    assert "there is no file 'none.jsonl'" in refused("host", "--continue", "none.jsonl")
    assert "has its own game" in refused("host", "dominoes", "--continue", record)


def test_a_host_that_cannot_open_leaves_no_new_record(tmp_path: Path) -> None:
    record, key = tmp_path / "new.jsonl", tmp_path / "key"
    with hosted(new_table(tmp_path, "dominoes")) as host:
        before = sorted(tmp_path.rglob("*.jsonl*"))
        assert "cannot listen" in refused("host", "dominoes", "--port", host.port, "--record", record)
        refused("host", "dominoes", "--cert", key, "--key", key, "--port", 0, "--record", record)
        assert sorted(tmp_path.rglob("*.jsonl*")) == before
        host.close()
    taken, other = tmp_path / "game.jsonl", tmp_path / "other"
    other.mkdir()
    with hosted(new_table(other, "dominoes")) as host:
        assert "cannot listen" in refused("host", "--continue", taken, "--port", host.port)
    assert net.HostFile.read(taken).code
    assert taken.exists()


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


def test_only_connections_that_stay_on_this_machine_go_without_tls() -> None:
    assert [is_local(name) for name in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "10.0.0.1", "box")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_a_killed_host_goes_on_from_its_record(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    words = ["host", "tinkle", "--seat", "human", "--seat", "human", "--seat", "random", "-o", "max_turns=5"]
    with begin(*words, "--port", 0, "--record", record) as first:
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
        assert [client.match.differences for client in clients] == [[], []]
        for client in clients:
            client.close()
        second.send_signal(signal.SIGINT)
        _, told = second.communicate(timeout=TIMEOUT)
        assert second.returncode == 1
    assert "go on with: flicksim host --continue" in " ".join(told.split())


def test_a_host_stopped_after_the_end_of_the_game_ends_without_an_error(tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes", "random", "random")
    with hosted(table) as host, joined(host, watch=True):
        wait_until(lambda: table.match.is_over)
        host.close()
    with begin("host", "--continue", tmp_path / "game.jsonl", "--port", 0) as again:
        next(line for line in again.stdout if line.startswith("flicksim join"))
        again.send_signal(signal.SIGTERM)
        _, told = again.communicate(timeout=TIMEOUT)
        assert again.returncode == 0, told
    assert "Stopped; the game is over" in told
