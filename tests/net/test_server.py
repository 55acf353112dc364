"""Admission, refusals, cuts and kills that are survived, and agreements."""

import asyncio
import json
import shlex
import shutil
import stat
import sys
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from flicksim import net
from flicksim.ai import stop_if_cancelled
from flicksim.core.errors import Cancelled, FlicksimError, Forfeited, InvalidFile, InvalidInput, InvalidOption
from flicksim.core.serialization import to_json
from flicksim.core.type_aliases import Action
from flicksim.match import Forfeit, Match, parse_seat, read_record
from flicksim.net import chair as chair_module
from flicksim.net import protocol, server
from tests.net.tables import (
    RawClient,
    address,
    event,
    hosted,
    joined,
    new_table,
    play_on,
    random_action,
    with_limits,
)
from tests.polling import TIMEOUT, wait_until

PASS = {"do": "pass"}


def _fail(*_: object) -> None:
    raise InvalidFile("cannot write: no space left on device")


def _note_closed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Match, bool]]:
    """Matches that are closed from now on, each with whether by force."""
    closed, close = list[tuple[Match, bool]](), Match.close

    def note(match: Match, *, force: bool = False) -> None:
        closed.append((match, force))
        close(match, force=force)

    monkeypatch.setattr(Match, "close", note)
    return closed


@pytest.fixture
def table(tmp_path: Path) -> net.Table:
    """Dominoes for two people."""
    return new_table(tmp_path, "dominoes")


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Time of the clock of decisions [s], which stands still."""
    time = [100.0]
    monkeypatch.setattr(chair_module, "monotonic", lambda: time[0])
    return time


class FailingBot:
    """Chooses for seat 1: it waits with its first answer to a turn of the other seat until it may fail, and forfeits.

    Other decisions are those of the player there.
    """

    def __init__(self) -> None:
        self.thinks, self.may_fail, self.cancelled = Event(), Event(), Event()
        self.match: Match | None = None
        """Match that it has forfeited."""

    def __call__(self, match: Match) -> Action:
        if self.thinks.is_set() or not match.turns or match.turns[-1].seat == 1:
            return match.ask_player()
        self.thinks.set()
        self.may_fail.wait(TIMEOUT)
        try:
            stop_if_cancelled()
        except Cancelled:
            self.cancelled.set()
        match.forfeit_by(Forfeit(seat=1, reason="broken"))
        self.match = match
        raise Forfeited("broken")


def to_play(table: net.Table, players: list[net.Client]) -> net.Client:
    return next(client for client in players if table.match.to_play in client.seats)


# -- who is let in -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hello", "reason"),
    [
        ({"code": "ABCD"}, "not the code of a table here"),
        ({"code": ""}, "not the code of a table here"),
        ({"version": 2, "news": True}, "this host speaks version 1 of the protocol, not 2"),
        ({"token": "stolen"}, "the token is of no seat here"),
        ({"seat": 7}, "seat 7 is taken, or not for people; theirs are 0 (Ann), 1 (Bob)"),
        ({"name": "x" * 41}, "length <= 40"),
    ],
)
def test_a_wrong_hello_is_refused_for_good(table: net.Table, hello: dict[str, object], reason: str) -> None:
    with hosted(table) as host, RawClient(host, **hello) as raw:
        refused = raw.read("error")
        assert reason in refused["message"]
        assert refused["final"]
        with pytest.raises(ConnectionClosed):
            raw.socket.recv(TIMEOUT)


def test_the_first_message_is_hello(table: net.Table) -> None:
    with hosted(table) as host, RawClient(host, says_hello=False) as raw:
        raw.send("say", phrase="hello")
        assert raw.read("error")["message"] == "the first message is hello, not say"


def test_a_client_that_says_nothing_is_not_waited_for(table: net.Table) -> None:
    with (
        hosted(table, limits=with_limits(hello_time=0.5)) as host,
        RawClient(host, says_hello=False) as raw,
    ):
        assert "no hello" in raw.read("error")["message"]


def test_after_wrong_tries_an_address_waits_even_with_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "TryLimiter", lambda: net.security.TryLimiter(lambda: 100.0))
    with hosted(new_table(tmp_path, "dominoes")) as host:
        for _ in range(4):
            with RawClient(host, code="WRONG") as raw:
                assert "not the code of a table" in raw.read("error")["message"]
        with RawClient(host) as raw:
            refused = raw.read("error")
            assert "too many wrong tries" in refused["message"]
            assert "final" not in refused
            with pytest.raises(ConnectionClosed, match="1013"):
                raw.socket.recv(TIMEOUT)


def test_wrong_tries_of_others_at_the_address_do_not_end_a_player_for_good(
    table: net.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(server, "TryLimiter", lambda: net.security.TryLimiter(lambda: now[0]))
    with hosted(table) as host, joined(host) as (client,):
        for _ in range(4):
            with RawClient(host, code="WRONG") as raw:
                raw.read("error")
        client.cut()
        wait_until(lambda: "too many wrong tries" in client.reason)
        now[0] += 60.0
        wait_until(lambda: client.status in ("joined", "ended"))
        assert client.status == "joined"


def test_no_more_clients_than_allowed_come_in(table: net.Table) -> None:
    with (
        hosted(table, limits=with_limits(connections=1)) as host,
        joined(host),
        pytest.raises(InvalidStatus, match="503"),
    ):
        RawClient(host)


def test_no_address_may_keep_all_others_waiting(table: net.Table) -> None:
    with hosted(table, limits=with_limits(waiting=16)) as host, RawClient(host, says_hello=False) as silent:
        with RawClient(host, says_hello=False), pytest.raises(InvalidStatus, match="503"):
            RawClient(host)
        silent.socket.close()
        wait_until(lambda: len(host.waiting) == 0)
        with RawClient(host) as raw, RawClient(host) as other, RawClient(host, watch=True) as watcher:
            for one in (raw, other, watcher):
                one.read("welcome")


def test_every_seat_is_given_once_and_watchers_come_and_go(table: net.Table) -> None:
    with hosted(table) as host, joined(host, 2, name="Ada\n") as players:
        assert sorted(client.seats for client in players) == [(0,), (1,)]
        with RawClient(host) as raw:
            assert "every seat is taken" in raw.read("error")["message"]
        with joined(host, watch=True, name="Eve") as (watcher,):
            assert watcher.seats == ()
            wait_until(lambda: players[0].presence and players[0].presence.watchers == ("Eve",))
            assert players[0].presence.seats[0].name == "Ada\\n"
        wait_until(lambda: players[0].presence and players[0].presence.watchers == ())


def test_tls_by_fingerprint(tmp_path: Path) -> None:
    certificate, key = net.self_signed(tmp_path / "own")
    right = net.certificate_fingerprint(certificate)
    table = new_table(tmp_path, "dominoes")
    with hosted(table, tls=net.server_context(certificate, key)) as host:
        with joined(host, fingerprint=right) as (client,):
            assert client.seats == (0,)
        for given, reason in (({"fingerprint": "0" * 64}, "another certificate"), ({"tls": True}, "is not trusted")):
            other = net.Client(address(host), table.code, **given).start()  # type: ignore[arg-type]
            assert not other.wait_joined(TIMEOUT)
            assert reason in other.reason
            other.close()


def test_an_address_that_is_taken_is_told(table: net.Table) -> None:
    with hosted(table) as host:
        other = net.Host([], port=host.port)
        with pytest.raises(
            InvalidOption, match=r"cannot listen on .127\.0\.0\.1., port \d+: something listens there already"
        ):
            other.start()


@pytest.mark.parametrize("name", ["a..b", "x" * 70 + ".org", "a\0b"])
def test_a_name_that_can_be_no_address_is_told(name: str) -> None:
    with pytest.raises(InvalidOption, match=r"cannot listen on .*: that is no address"):
        net.Host([], listen=name).start()


def test_an_address_that_cannot_be_kept_is_told(table: net.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net.HostFile, "write", _fail)
    with pytest.raises(InvalidOption, match="no space left"):
        net.Host([table], port=0).start()
    table.close()


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_what_is_malformed_or_out_of_turn_changes_nothing(table: net.Table, tmp_path: Path) -> None:
    with (
        hosted(table) as host,
        RawClient(host) as one,
        RawClient(host) as other,
        RawClient(host, watch=True) as watcher,
    ):
        for raw in (one, other, watcher):
            raw.read("game")
        on, off = (one, other) if table.match.to_play == 0 else (other, one)
        before = (tmp_path / "game.jsonl").read_bytes()
        legal = json.loads(to_json(random_action(table.match, np.random.default_rng(1))))
        for raw, kind, fields, reason in (
            (off, "act", {"turn": 1, "action": legal}, "it is the turn of"),
            (on, "act", {"turn": 2, "action": legal}, "turn 2 is not due; the next is turn 1"),
            (on, "act", {"turn": 1, "action": PASS}, "(DO-"),
            (on, "act", {"turn": 1, "action": {"do": "flick"}}, "the action: "),
            (on, "act", {"turn": 1}, "missing required field"),
            (on, "act", {"turn": 3, "action": "flick"}, "the message"),
            (on, "answer", {"agree": True}, "no proposal is open"),
            (on, "propose", {"what": "undo"}, "nothing to take back: you have played no turn yet"),
            (on, "propose", {"what": "rematch"}, "when this one is over"),
            (on, "say", {"phrase": "buy my car"}, "there is no phrase"),
            (on, "hello", {"version": 1, "code": table.code}, "hello is said once"),
            (on, "dance", {}, "the message"),
            (watcher, "act", {"turn": 1, "action": legal}, "a spectator looks on"),
        ):
            raw.send(kind, **fields)
            refused = raw.read("error")
            assert reason in refused["message"], refused
            assert "\n" not in refused["message"]
            assert refused.get("about", "") == kind
            assert refused.get("turn") == fields.get("turn")
        for text in (b"\xff\xfe", "{", '"kind"'):
            on.socket.send(text)
            assert on.read("error")["message"].startswith("the message")
        assert table.match.turns == []
        assert (tmp_path / "game.jsonl").read_bytes() == before
        on.send("act", turn=1, action=legal)
        assert on.read("turn")["line"]["number"] == 1


def test_too_many_messages_wait_and_far_too_many_are_the_last(
    table: net.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_MAX_WAIT", 0.01)
    limits = with_limits(rate=0.001, burst=2.0, excess=3)
    with hosted(table, limits=limits) as host, RawClient(host) as raw:
        for _ in range(8):
            raw.send("say", phrase="hello")
        refused = raw.read("error")
        assert refused["final"]
        assert refused["message"] == "far too many messages"
        assert [message["kind"] for message in raw.received].count("said") == 5


def test_a_message_that_is_too_long_ends_the_connection(table: net.Table) -> None:
    with hosted(table) as host, RawClient(host) as raw:
        raw.read("game")
        raw.send("say", phrase="x" * protocol.MAX_CLIENT_BYTES)
        with pytest.raises(ConnectionClosed, match="1009"):
            raw.read("error")


def test_a_client_that_reads_nothing_loses_its_connection_alone() -> None:
    class Silent:
        aborted = False

        class transport:
            @staticmethod
            def abort() -> None:
                Silent.aborted = True

    connection = server.Connection(Silent(), with_limits(queue=3))  # type: ignore[arg-type]
    for _ in range(4):
        connection.send(b"{}")
    assert Silent.aborted


def test_the_lag_of_a_quick_connection_is_known() -> None:
    class Quick:
        latency = 0.0

    quick = Quick()
    connection = server.Connection(quick, net.Limits())  # type: ignore[arg-type]
    assert connection.lag is None
    quick.latency = 0.0002
    assert connection.lag == 0


def test_a_turn_that_cannot_be_kept_is_not_played(
    table: net.Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with hosted(table) as host, joined(host, 2) as players:
        actor = to_play(table, players)
        action = random_action(actor.match, np.random.default_rng(1))
        monkeypatch.setattr(table.hosted.recorder, "write_turn", _fail)
        with pytest.raises(FlicksimError, match=r"^the host cannot write its record$"):
            actor.match.play(action)
        assert "no space left" in caplog.text
        assert table.match.turns == []
        monkeypatch.undo()
        actor.match.play(action)


def test_a_seat_that_cannot_be_kept_is_not_taken(
    table: net.Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with hosted(table) as host:
        monkeypatch.setattr(net.HostFile, "write", _fail)
        with RawClient(host, token="t" * 22) as raw:
            assert raw.read("error")["message"] == "the host cannot write its record"
        assert "no space left" in caplog.text
        assert not any(chair.token_digest or chair.peer for chair in table.participants.chairs)
        monkeypatch.undo()
        with joined(host, 2):
            pass


def test_a_client_that_cannot_be_told_the_game_is_not_at_the_table(
    table: net.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "_catch_up", _fail)
    with hosted(table) as host:
        for watch in (False, True):
            with RawClient(host, watch=watch) as raw:
                raw.read("error")
        assert table.participants.peers() == []


def test_another_game_that_cannot_be_kept_does_not_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table(tmp_path, "dominoes", "human", "random")
    with hosted(table) as host, joined(host) as (client,):
        play_on([client], 200)
        monkeypatch.setattr(net.HostFile, "write", _fail)
        closed = _note_closed(monkeypatch)
        first = table.match
        client.send(protocol.Propose(what="rematch"))
        assert not event(client, protocol.Settled).agreed
        assert table.match is first
        assert len(closed) == 1, "the match that did not begin"
        assert closed[0][0] is not first
        assert table.hosted.number == 1
        assert not (tmp_path / "game-2.jsonl").exists()
        monkeypatch.undo()
        client.send(protocol.Propose(what="rematch"))
        assert event(client, protocol.Settled).agreed
        assert table.hosted.number == 2


def test_another_game_ends_the_programs_of_the_former_and_does_not_need_the_next_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = _note_closed(monkeypatch)
    table = new_table(tmp_path, "dominoes", "human", "random")
    (tmp_path / "game-2.jsonl").touch()
    with hosted(table) as host, joined(host) as (client,):
        play_on([client], 200)
        first = table.match
        client.send(protocol.Propose(what="rematch"))
        assert event(client, protocol.Settled).agreed
        assert (first, True) in closed
        assert table.hosted.recorder.path.name == "game-3.jsonl"
        assert net.HostFile.read(table.hosted.recorder.path).game_number == table.hosted.number == 3


def test_a_forfeit_that_cannot_be_kept_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = new_table(tmp_path, "dominoes", "human", "cmd:false")
    monkeypatch.setattr(table.hosted.recorder, "write_forfeit", _fail)
    with hosted(table) as host, joined(host, watch=True) as (watcher,), joined(host) as (client,):
        while table.match.to_play == 0:
            play_on([client], len(table.match.turns) + 1)
        assert event(watcher, protocol.Refused).message == "the host cannot write its record"
        assert "no space left" in caplog.text
        assert table.match.forfeit is None


def test_a_fault_of_a_bot_is_told_and_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def choose(_: Match) -> Action:
        raise ValueError("broken")

    table = new_table(tmp_path, "dominoes", "random", "random", choose=choose)
    with hosted(table) as host, joined(host, watch=True) as (watcher,):
        assert event(watcher, protocol.Refused).message == "the host has failed (ValueError)"
        assert "the table has failed: ValueError: broken" in caplog.text
        watcher.send(protocol.Say(phrase="oops"))
        event(watcher, protocol.Said)


def test_a_fault_of_a_turn_is_told_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Action) -> None:
        raise ValueError("broken")

    table = new_table(tmp_path, "dominoes")
    with hosted(table) as host, joined(host, 2) as players:
        actor = to_play(table, players).match
        monkeypatch.setattr(table.match, "play", fail)
        with pytest.raises(FlicksimError, match=r"the host has failed \(ValueError\)"):
            actor.play(random_action(actor, np.random.default_rng(1)))
        assert "the table has failed: ValueError: broken" in caplog.text


def test_a_host_that_closes_does_not_wait_for_a_bot(tmp_path: Path) -> None:
    thinks, may_end, cancelled = Event(), Event(), Event()

    def choose(_: Match) -> Action:
        thinks.set()
        may_end.wait(TIMEOUT)
        try:
            stop_if_cancelled()
        except Cancelled:
            cancelled.set()
        raise FlicksimError("no action")

    table = new_table(tmp_path, "dominoes", "random", "random", choose=choose)
    with hosted(table) as host, joined(host, watch=True):
        assert thinks.wait(TIMEOUT)
        host.close()
        assert not cancelled.is_set()
        may_end.set()
        assert cancelled.wait(TIMEOUT)


def test_a_bot_that_fails_in_a_position_taken_back_does_not_forfeit(tmp_path: Path) -> None:
    bot = FailingBot()
    table = new_table(tmp_path, "dominoes", "human", "random", choose=bot)
    with hosted(table) as host, joined(host) as (client,):
        wait_until(lambda: table.match.to_play == 0)
        while table.match.to_play == 0:
            before = len(table.match.turns)
            play_on([client], before + 1)
        assert bot.thinks.wait(TIMEOUT)
        client.send(protocol.Propose(what="undo"))
        assert event(client, protocol.Settled).agreed
        bot.may_fail.set()
        wait_until(lambda: bot.match)
        assert bot.match is not table.match, "whoever comes now would be told that the game is over"
        play_on([client], before + 4)
        assert len(table.match.turns) >= before + 4
        assert table.match.forfeit is None


def test_a_program_asked_before_a_take_back_is_asked_again_afterwards(tmp_path: Path) -> None:
    """Its answer to the former question is dropped, and its time for the next one is whole."""
    asked, may_answer = tmp_path / "asked", tmp_path / "may-answer"
    program = (
        "import json, sys, time\n"
        "from pathlib import Path\n"
        "asked, may_answer = map(Path, sys.argv[1:])\n"
        "for line in sys.stdin:\n"
        "    with asked.open('a') as notes:\n"
        "        print(json.loads(line)['limit'], file=notes)\n"
        "    while not may_answer.exists():\n"
        "        time.sleep(0.01)\n"
        "    print(json.dumps(json.loads(line)['actions'][0]), flush=True)\n"
    )
    (tmp_path / "player.py").write_text(program)
    command = shlex.join([sys.executable, *(str(tmp_path / name) for name in ("player.py", "asked", "may-answer"))])
    table = new_table(tmp_path, "dominoes", "human", f"cmd@{TIMEOUT:g}:{command}")
    with hosted(table) as host, joined(host) as (client,):
        while not asked.exists():
            if table.match.to_play == 0:
                play_on([client], len(table.match.turns) + 1)
        before = len(table.match.turns)
        client.send(protocol.Propose(what="undo"))
        assert event(client, protocol.Settled).agreed
        play_on([client], before)
        may_answer.touch()
        play_on([client], before + 1)
        wait_until(lambda: table.match.to_play == 0)
        assert table.match.forfeit is None
        questions = asked.read_text().splitlines()
        assert len(questions) == 1 + sum(turn.seat == 1 for turn in table.match.turns)
        assert set(questions) == {f"{TIMEOUT:.1f}"}


def test_the_clock_is_kept_while_an_unwanted_bot_thinks(tmp_path: Path, now: list[float]) -> None:
    bot = FailingBot()
    table = new_table(tmp_path, "dominoes", "human", "random", choose=bot, limit=30.0)
    with hosted(table) as host, joined(host) as (client,):
        while not bot.thinks.is_set():
            if table.match.to_play == 0:
                play_on([client], len(table.match.turns) + 1)
            bot.thinks.wait(0.01)
        client.send(protocol.Propose(what="undo"))
        assert event(client, protocol.Settled).agreed
        now[0] += 30.0
        host.loop.call_soon_threadsafe(table.wake.set)
        assert event(client, protocol.Over).forfeit.reason == "did not answer within 30 s"
        bot.may_fail.set()
        assert bot.cancelled.wait(TIMEOUT)
        wait_until(lambda: table.bots.asked_game is None)
        assert table.match.forfeit.seat == 0


@pytest.mark.parametrize("kind", ["last", "next"])
def test_a_self_report_comes_from_the_seat_concerned_alone(kind: str, tmp_path: Path) -> None:
    table = new_table(tmp_path, "penny-white", jack_mode="beginner")
    with hosted(table) as host, joined(host, 2) as players:
        play_on(players, 3)
        report = table.match.self_reports[0 if kind == "last" else 1]
        assert report.seat == (table.match.turns[-1].seat if kind == "last" else table.match.to_play)
        for match in (client.match for client in players):
            wait_until(lambda match=match: match.next_turn(1.0) is None)
        other, own = sorted(players, key=lambda client: report.seat in client.seats)
        with pytest.raises(FlicksimError, match="seat concerned alone"):
            other.match.play(report.action)
        assert own.match.play(report.action).made == report.action


def test_another_result_is_told_once_and_of_seats_alone(table: net.Table) -> None:
    with hosted(table) as host, RawClient(host, name="Ada") as raw, RawClient(host, watch=True) as watcher:
        watcher.send("differs", turn=0)
        watcher.send("say", phrase="oops")
        raw.read("said")
        for _ in range(3):
            raw.send("differs", turn=0)
        raw.send("say", phrase="oops")
        raw.read("said")
        told = [message for message in raw.received if message["kind"] == "differs"]
        assert told == [{"kind": "differs", "turn": 0, "name": "Ada"}]


# -- what survives -----------------------------------------------------------------------------------------------------


def test_a_cut_connection_comes_back_and_misses_nothing(tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes", "human", "random")
    with hosted(table) as host, joined(host) as (client,):
        for turns in (4, 8, 12):
            play_on([client], turns)
            client.cut()
            wait_until(lambda: any(getattr(item, "status", "") == "lost" for item in client.poll()))
        play_on([client], 100)
        assert table.match.is_over
        assert [turn.number for turn in client.match.turns] == list(range(1, len(table.match.turns) + 1))
        assert client.match.differences == []


def test_a_killed_client_comes_back_to_its_seat_by_its_token(tmp_path: Path) -> None:
    table, tokens = new_table(tmp_path, "dominoes"), net.TokenStore(tmp_path / "user")
    with hosted(table) as host:
        with joined(host, seat=1, tokens=tokens):
            pass
        kept = tmp_path / "user" / "seat-tokens.json"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert net.security.normal_code(table.code) not in kept.read_text()
        with joined(host, tokens=net.TokenStore(tmp_path / "user")) as (again,):
            assert again.seats == (1,)
            other = shutil.copytree(tmp_path / "user", tmp_path / "copy")  # else a token is of one at a time
            with joined(host, tokens=net.TokenStore(other)) as (third,):  # the old may be half open: this counts
                assert third.seats == (1,)
                wait_until(lambda: again.status == "ended")
                assert "played over another connection" in again.reason
        with joined(host) as (other,):
            assert other.seats == (0,)
            with RawClient(host, seat=1) as raw:
                assert "seat 1 is taken" in raw.read("error")["message"]
        with joined(host, tokens=tokens) as (third,):
            third.leave()
            wait_until(lambda: third.status == "ended")
        with joined(host, seat=1) as (other,):
            assert other.seats == (1,)


def test_a_cut_before_the_answer_does_not_lose_the_seat(tmp_path: Path) -> None:
    table, tokens = new_table(tmp_path, "dominoes", "human", "random"), net.TokenStore(None)
    tokens.put(table.code, "t" * 22)
    with hosted(table) as host:
        with RawClient(host, token="t" * 22):
            wait_until(lambda: table.participants.chairs[0].peer)
        with joined(host, tokens=tokens) as (client,):
            assert client.seats == (0,)


def test_a_host_goes_on_with_its_record_code_and_seats(tmp_path: Path) -> None:
    table = new_table(tmp_path, "tinkle", "human", "human", "random")
    path = tmp_path / "game.jsonl"
    with hosted(table) as host, joined(host, 2) as players:
        play_on(players, 20)
        turns, code, port = len(table.match.turns), table.code, host.port
        assert stat.S_IMODE(net.HostFile.path(path).stat().st_mode) == 0o600
        host.close()
        saved = net.HostFile.read(path)
        assert (saved.code, saved.port) == (code, port)
        match, seats, recorder, hashes = net.resume_match(path)
        assert hashes == table.hosted.hashes
        again = net.Table(match, seats, recorder, saved=saved, hashes=hashes)
        with net.Host([again], port=port, limits=with_limits()):
            play_on(players, turns + 20)
            assert len(again.match.turns) >= turns + 20
            for client in players:
                assert client.match.turns_before == 0
                assert client.match.differences == []
    assert len(read_record(path).turns) >= turns + 20


def test_a_host_goes_on_with_its_limit_and_tls(tmp_path: Path) -> None:
    tls = net.TlsChoice(is_off=True)
    table = new_table(tmp_path, "dominoes", limit=30.0, pause_clock=True)
    net.Table(table.match, table.seats, table.hosted.recorder, limit=30.0, pause_clock=True, tls=tls)
    table.close()
    path = tmp_path / "game.jsonl"
    saved = net.HostFile.read(path)
    assert (saved.limit, saved.pause_clock, saved.tls) == (30.0, True, tls)
    for given, limit in ((None, 30.0), (10.0, 10.0)):
        match, seats, recorder, hashes = net.resume_match(path)
        net.Table(match, seats, recorder, saved=saved, hashes=hashes, limit=given)
        recorder.close()
        kept = net.HostFile.read(path)
        assert (kept.limit, kept.pause_clock, kept.tls) == (limit, True, tls)


def test_the_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    kept = b'{"code":"A","game_number":1,"chairs":[{"token_digest":"","name":""}],"listen":"::1","port":7}'
    net.HostFile.path(tmp_path / "game.jsonl").write_bytes(kept)
    saved = net.HostFile.read(tmp_path / "game.jsonl")
    assert (saved.port, saved.limit, saved.tls) == (7, None, net.TlsChoice())


def test_a_host_goes_on_with_the_seats_of_the_record_alone(tmp_path: Path) -> None:
    new_table(tmp_path, "dominoes", "human", "random").close()
    with pytest.raises(InvalidOption, match="has other seats; leave --seat out, or give: --seat human --seat random"):
        net.resume_match(tmp_path / "game.jsonl", [parse_seat("human"), parse_seat("human")])


def test_who_holds_two_seats_is_named_once_when_a_host_goes_on(tmp_path: Path) -> None:
    new_table(tmp_path, "tiddlywinks", "human", "human", seats=2).close()
    match, seats, recorder, _ = net.resume_match(tmp_path / "game.jsonl", [parse_seat("human")] * 2)
    recorder.close()
    match.close()
    assert list(map(str, seats)) == ["human"] * 4


def test_turns_before_a_take_back_are_not_sent_one_by_one(table: net.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(table) as host, joined(host, 2) as players:
        play_on(players, 2)
        with RawClient(host, watch=True) as raw:
            early = raw.read("game")
        play_on(players, 5)
        players[0].send(protocol.Propose(what="undo", turns=4))
        event(players[1], protocol.Proposal)
        players[1].send(protocol.Answer(agree=True))
        event(players[0], protocol.Undone)
        with RawClient(host, watch=True, turn=2, hash=early["hash"]) as raw:
            late = raw.read("game")
        assert late["turn"] == 4
        for match in (client.match for client in players):
            wait_until(lambda match=match: match.next_turn(1.0) is None and match.turn_count == 4)
        play_on(players, 6)
        with RawClient(host, watch=True, turn=4, hash=late["hash"]) as raw:
            assert [raw.read("turn")["line"]["number"] for _ in range(2)] == [5, 6]
        monkeypatch.setattr(net.hosted_game, "_MAX_MISSED", 1)
        with RawClient(host, watch=True, turn=4, hash=late["hash"]) as raw:
            assert raw.read("game")["turn"] == 6


def test_an_empty_record_has_no_hashes_and_was_not_hosted(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").touch()
    with pytest.raises(InvalidInput, match="line 1"):
        protocol.hashes_by_turn(tmp_path / "game.jsonl")
    with pytest.raises(InvalidFile, match="was not hosted"):
        net.HostFile.read(tmp_path / "game.jsonl")


def test_a_record_that_starts_programs_needs_consent(tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes", "human", "cmd:cat")
    table.close()
    with pytest.raises(InvalidOption, match=r"starts a program; .*--seat human --seat cmd:cat"):
        net.resume_match(tmp_path / "game.jsonl")
    match, _, recorder, _ = net.resume_match(tmp_path / "game.jsonl", table.seats)
    recorder.close()
    match.close()


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import sys; sys.exit('/home/ada holds 6-6')", "ended with exit code 1 without an answer"),
        ("while input(): print('/home/ada holds 6-6')", "gave no valid answer in 3 tries"),
    ],
)
def test_a_program_that_fails_forfeits_and_what_it_wrote_is_told_to_the_host_alone(
    program: str, reason: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = new_table(tmp_path, "dominoes", "human", "cmd:" + shlex.join([sys.executable, "-c", program]))
    path = tmp_path / "game.jsonl"
    with hosted(table) as host, joined(host) as (client,):
        play_on([client], 10)
        over = event(client, protocol.Over)
        assert (over.forfeit.seat, over.forfeit.reason) == (1, reason)
        assert over.winners == client.match.winners == (0,)
        assert protocol.hashes_by_turn(path)[-1] == over.hash == client.hash
        with RawClient(host, watch=True) as raw:
            assert raw.read("game")["forfeit"]["says"] == reason
    assert client.match.differences == []
    assert "/home/ada" not in path.read_text().split("\n", 1)[1], "after the line of the seats"
    assert "/home/ada" in caplog.text


@pytest.mark.parametrize("pause", [False, True])
def test_the_clock_of_a_decision_stands_still_for_a_lost_connection_if_asked(
    pause: bool, tmp_path: Path, now: list[float]
) -> None:
    table = new_table(tmp_path, "dominoes", "human", "random", limit=30.0, pause_clock=pause)
    tokens = net.TokenStore(None)
    with hosted(table) as host:
        with joined(host, tokens=tokens):
            wait_until(lambda: table.match.to_play == 0)
            now[0] += 10.0
            assert table.time_left() == 20.0
        wait_until(lambda: table.participants.chairs[0].peer is None)
        now[0] += 15.0
        assert table.time_left() == (20.0 if pause else 5.0)
        with joined(host, tokens=tokens) as (client,):
            assert table.time_left() == (20.0 if pause else 5.0)
            now[0] += 25.0
            with RawClient(host, watch=True) as raw:  # whoever comes wakes the table
                raw.read("game")
                host.loop.call_soon_threadsafe(table.wake.set)
                assert event(client, protocol.Over).forfeit.reason == "did not answer within 30 s"


def test_a_seat_left_as_its_time_ends_does_not_forfeit(tmp_path: Path, now: list[float]) -> None:
    table = new_table(tmp_path, "dominoes", limit=30.0)
    chair = next(chair for chair in table.participants.chairs if table.match.to_play in chair.seats)
    chair.token_digest = "owned"
    now[0] += 30.0

    async def leave_meanwhile() -> None:
        async with table.lock:
            step = asyncio.create_task(table.step())
            await asyncio.sleep(0)
            chair.token_digest = ""
        await step

    asyncio.run(leave_meanwhile())
    assert table.match.forfeit is None
    table.close()


def test_the_clock_of_a_new_owner_begins_when_it_comes(tmp_path: Path, now: list[float]) -> None:
    table = new_table(tmp_path, "dominoes", limit=30.0)
    with hosted(table) as host:
        now[0] += 100.0
        with joined(host, 2):
            assert table.time_left() == 30.0


# -- agreements --------------------------------------------------------------------------------------------------------


def test_turns_are_taken_back_when_all_agree(tmp_path: Path) -> None:
    table = new_table(tmp_path, "penny-white")
    with hosted(table) as host, joined(host, 2) as (one, other):
        play_on([one, other], 4)
        one.send(protocol.Propose(what="undo", turns=1))
        assert event(other, protocol.Proposal).waiting == other.seats
        other.send(protocol.Answer(agree=False))
        assert not event(one, protocol.Settled).agreed
        assert len(table.match.turns) == 4
        one.send(protocol.Propose(what="undo", turns=1))
        event(other, protocol.Proposal)
        other.send(protocol.Answer(agree=True))
        for client in (one, other):
            match = client.match
            wait_until(lambda match=match: match.next_turn(1.0) is None and match.turn_count == 1)
        play_on([one, other], 3)
        assert one.match.differences == other.match.differences == []
        assert len(read_record(tmp_path / "game.jsonl").turns) >= 3
        assert protocol.hashes_by_turn(tmp_path / "game.jsonl") == table.hosted.hashes


@pytest.mark.parametrize("proposer_leaves", [False, True])
def test_a_proposal_does_not_wait_for_a_seat_that_is_left(table: net.Table, proposer_leaves: bool) -> None:
    with hosted(table) as host, joined(host, 2) as (one, other):
        play_on([one, other], 3)
        one.send(protocol.Propose(what="undo", turns=1))
        event(other, protocol.Proposal)
        leaver, stayer = (one, other) if proposer_leaves else (other, one)
        leaver.leave()
        settled = event(stayer, protocol.Settled)
        assert (settled.agreed, settled.withdrawn) == (not proposer_leaves, proposer_leaves)
        assert len(table.match.turns) == (3 if proposer_leaves else 1)


def test_who_sits_down_while_a_proposal_is_open_is_asked_too(tmp_path: Path) -> None:
    table = new_table(tmp_path, "tinkle")
    with hosted(table) as host, joined(host, 2) as (one, other):
        play_on([one, other], 1)
        one.send(protocol.Propose(what="undo", turns=0))
        event(other, protocol.Proposal)
        with joined(host) as (third,):
            assert event(third, protocol.Proposal).waiting == (1, 2)
            other.send(protocol.Answer(agree=True))
            assert event(third, protocol.Proposal).waiting == (2,)
            assert len(table.match.turns) == 1
            third.send(protocol.Answer(agree=True))
            assert event(one, protocol.Settled).agreed
            assert table.match.turns == []


def test_a_turn_against_a_bot_is_taken_back_at_once(tmp_path: Path) -> None:
    table = new_table(tmp_path, "dominoes", "human", "random")
    with hosted(table) as host, joined(host) as (client,):
        play_on([client], 5)
        wait_until(lambda: table.match.to_play == 0)
        mine = max(turn.number for turn in table.match.turns if turn.seat == 0)
        client.send(protocol.Propose(what="undo"))
        assert event(client, protocol.Settled).agreed
        assert len(table.match.turns) == mine - 1


def test_another_game_begins_when_all_agree(table: net.Table, tmp_path: Path) -> None:
    with hosted(table) as host, joined(host, 2) as (one, other), joined(host, watch=True) as (watcher,):
        play_on([one, other], 200)
        first = [client.match for client in (one, other, watcher)]
        other.send(protocol.Propose(what="rematch"))
        event(one, protocol.Proposal)
        one.send(protocol.Answer(agree=True))
        for client, former in zip((one, other, watcher), first, strict=True):
            wait_until(lambda client=client, former=former: client.match is not former)
            assert client.match.game_number == 2
            assert client.match.turns == []
        play_on([one, other], 5)
        assert len(read_record(tmp_path / "game-2.jsonl").turns) >= 5
        seeds = {read_record(tmp_path / name).header.seed for name in ("game.jsonl", "game-2.jsonl")}
        assert len(seeds) == 2
        assert net.HostFile.read(tmp_path / "game-2.jsonl").game_number == 2


def test_people_who_propose_another_game_at_once_agree(table: net.Table) -> None:
    with hosted(table) as host, joined(host, 2) as players:
        play_on(players, 200)
        for client in (*players, players[0]):
            client.send(protocol.Propose(what="rematch"))
        for client in players:
            assert event(client, protocol.Settled).agreed
        assert table.hosted.number == 2


def test_phrases_go_to_everybody(table: net.Table) -> None:
    with hosted(table) as host, joined(host, 1, name="Ada") as (one,), joined(host, watch=True, name="Eve") as (eve,):
        one.send(protocol.Say(phrase="nice_shot"))
        assert event(eve, protocol.Said) == protocol.Said(seat=0, name="Ada", phrase="nice_shot")
        eve.send(protocol.Say(phrase="hello"))
        wait_until(lambda: protocol.Said(name="Eve", phrase="hello") in one.poll())
