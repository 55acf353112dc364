"""Trials of online play: messages at random, cuts and kills, many tables, slow and lossy connections.

Each prints its figures and exits with 1 if it found anything.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median
from threading import Thread, Timer
from time import monotonic, process_time, sleep
from typing import Any

import numpy as np
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from benchmarks import command_line
from flicksim import net
from flicksim.ai import RandomPlayer
from flicksim.core.errors import Cancelled, FlicksimError
from flicksim.core.serialization import to_builtins
from flicksim.core.type_aliases import Action
from flicksim.games import load
from flicksim.match import Match, Recorder, match_header, open_match, open_replay, parse_seat, read_record
from flicksim.net import protocol
from flicksim.referee import assign_seats, parse_options

LIMITS = net.Limits(
    connections=2000, waiting=8000, rate=1e6, burst=1e6, excess=10**9, queue=2000, heartbeat=60.0, hello_time=60.0
)
TIMEOUT = 120.0
TURN_TIMEOUT = 10.0
"""Time that a turn of many tables takes at most, over all [s]."""
Told = dict[int, str]
"""Hash of the record by number of turns, as clients were told."""


def new_table(
    path: Path, name: str, words: Sequence[str], options: Mapping[str, Any], *, seed: int | None = None,
    durable: bool = True, **given: Any,
) -> net.Table:  # fmt: skip
    """Table with a new record, of a seed that nobody knows by default; `given`: arguments of `Table`."""
    game = load(name)
    parsed = parse_options(game, options)
    seats = assign_seats(game, parsed, [parse_seat(word) for word in words])
    match = open_match(game, parsed, seats, net.new_seed() if seed is None else seed)
    header = match_header(match, tuple(map(str, seats)))
    return net.Table(match, seats, Recorder(path, header, durable=durable), **given)


def random_action(match: Match, rng: np.random.Generator) -> Action:
    """Action of a random player."""
    player = RandomPlayer(match.rules.check_action)
    return player.choose(match.rules.view(match.state, match.to_play or 0), match.legal_actions(), rng)


def note_told(client: net.Client, told: Told) -> list[str]:
    """Add the hashes that a client was told since the last call; returns turns that were told in two ways."""
    problems = list[str]()
    for event in client.poll():
        match event:
            case protocol.TurnPlayed(hash=hashed, line=line):
                turn = json.loads(bytes(line))["number"]
            case protocol.GameSnapshot(turn=turn, hash=hashed):
                pass
            case protocol.Differs(turn=turn):
                problems.append(f"a client has another result of turn {turn}")
                continue
            case _:
                continue
        if told.setdefault(turn, hashed) != hashed:
            problems.append(f"turn {turn} was told with two hashes")
    return problems


def verify(path: Path, told: Told) -> list[str]:
    """Problems of a record: it must replay, and have every turn that was told, with its hash."""
    record = read_record(path)
    replay, _ = open_replay(record)
    list(replay.run())
    problems = [] if replay.divergence is None else [str(replay.divergence)]
    hashes = protocol.hashes_by_turn(path)
    if len(hashes) != len(record.turns) + 1:
        problems.append(f"{len(record.turns)} turns are in the record, {len(hashes) - 1} have hashes")
    if not told or max(told) >= len(hashes):
        problems.append(f"turn {max(told, default=None)} was told, but {len(hashes) - 1} turns are in the record")
    others = [turn for turn, hashed in told.items() if turn < len(hashes) and hashes[turn] != hashed]
    return problems + [f"turns {others} have other hashes than were told"] * bool(others)


def spread(seconds: Sequence[float], share: float) -> str:
    """Median, quantile and maximum of times, as text."""
    if not seconds:
        return "nothing timed"
    ordered = sorted(seconds)
    at = ordered[int(share * len(ordered))]
    return f"{median(ordered):.3f} s in the median, {at:.3f} s in {share:.0%}, {ordered[-1]:.2f} s at most"


# -- messages at random ------------------------------------------------------------------------------------------------


def fuzz(count: int, seed: int, folder: Path) -> list[str]:
    """Send messages at random, valid ones with errors among them, from a seat in turn, one out of turn and a watcher.

    None may change the game, and each has an answer or ends its connection. After each 100 the seat in turn, if it
    has the connection, plays a legal turn, so that what is illegal varies.
    """
    rng, problems, path = random.Random(seed), list[str](), folder / "fuzz.jsonl"
    table = new_table(path, "dominoes", ["human", "human"], {"rounds": 100})
    started, sent, answers, connections_lost, due, turns = process_time(), 0, 0, 0, 0, 0
    with net.Host([table], port=0, limits=LIMITS) as host:
        tokens = dict[int, str]()
        while sent < count and not problems:
            role = rng.randrange(3)
            hello = {"kind": "hello", "version": 1, "code": table.code, "watch": role == 2}
            if role in tokens:
                hello["token"] = tokens[role]
            before, legal = path.read_bytes(), to_builtins(table.match.legal_actions().actions)
            with connect(f"ws://127.0.0.1:{host.port}") as client:
                client.send(json.dumps(hello))
                welcome = json.loads(client.recv(TIMEOUT))
                if role < 2:
                    tokens[role] = welcome["token"]
                read_kind(client, "presence")  # the last before answers
                is_to_play = table.match.to_play in welcome.get("seats", [])
                for _ in range(min(100, count - sent)):
                    message, is_due = random_message(rng, table.code, turns + 1, legal, is_to_play)
                    sent, due = sent + 1, due + is_due
                    kinds: tuple[str, ...] = ("error", "said", "game", "turn")
                    try:
                        client.send(message)
                        if "differs" in str(message):  # told once, and to others: what follows it is answered
                            client.send(json.dumps({"kind": "say", "phrase": "oops"}))
                            kinds = ("said", "turn")
                        kind = read_kind(client, *kinds)
                    except ConnectionClosed:
                        connections_lost += 1
                        break
                    except TimeoutError:
                        problems.append(f"no answer to {message!r}")
                        break
                    answers += 1
                    if kind == "turn":
                        problems.append(f"a turn was played by {message!r}")
                        break
                if len(table.match.turns) != turns or path.read_bytes() != before:
                    problems.append(f"turn {turns + 1}: a message changed the game")
                elif is_to_play and client.close_code is None:
                    client.send(json.dumps({"kind": "act", "turn": turns + 1, "action": rng.choice(legal)}))
                    if read_kind(client, "error", "turn") != "turn":
                        problems.append(f"turn {turns + 1}: a legal action was refused")
                    turns += 1
    problems += verify(path, dict(enumerate(table.hosted.hashes)))
    print(f"{sent} messages at random, {due} of them illegal actions as the turn that is due: {answers} answered, "
          f"{connections_lost} ended their connection; {turns} legal turns between them; "
          f"{1e3 * (process_time() - started) / max(1, sent):.2f} ms of processor time each, both ends")  # fmt: skip
    return problems


def read_kind(client: ClientConnection, *kinds: str) -> str:
    """Read up to the next message of these kinds; returns its kind."""
    while (kind := str(json.loads(client.recv(TIMEOUT))["kind"])) not in kinds:
        pass
    return kind


def random_message(
    rng: random.Random, code: str, due: int, legal: Sequence[Any], is_to_play: bool
) -> tuple[str | bytes, bool]:
    """Message that may not change the game, and whether it is an illegal action of the seat in turn, as turn `due`.

    Args:
        legal: actions of the seat in turn, sent only as another turn or by others.
    """
    values: list[Any] = [
        0, -1, 1, 2**63, 1e308, "", "x" * 300, None, True, [], {}, [[]], {"do": "lay"}, "\u202e\0", code, due,
    ]  # fmt: skip
    match rng.randrange(6):
        case 0:
            return rng.randbytes(rng.choice([0, 1, 20, 300, 5000])), False
        case 1:
            return "[" * rng.randrange(8000) if rng.random() < 0.5 else '{"kind":' * rng.randrange(1500), False
    kinds = ["act", "propose", "answer", "say", "differs", "resend", "hello", "turn", "welcome", "dance", 7, None]
    fields = [
        "turn", "action", "what", "turns", "agree", "phrase", "version", "code", "seat", "watch", "token", "name", "q",
    ]  # fmt: skip
    message: dict[str, Any] = {"kind": rng.choice(kinds)}
    message |= {name: rng.choice(values) for name in rng.sample(fields, rng.randrange(5))}
    is_due = False
    if rng.random() < 0.5:
        is_illegal = rng.random() < 0.7
        action = illegal_action(rng, legal) if is_illegal else rng.choice(legal)
        if is_illegal or not is_to_play:
            turn = rng.choice([due, due, due, 0, due - 1, due + 1, 10**6])
        else:
            turn = rng.choice([0, due - 1, due + 1, 10**6])
        message, is_due = {"kind": "act", "turn": turn, "action": action}, is_to_play and turn == due
        if not is_illegal:
            return json.dumps(message), False  # an error might make it the turn that is due
    text = json.dumps(message)
    if rng.random() < 0.3:
        start, is_due = rng.randrange(len(text)), False
        text = text[:start] + rng.choice(["", "\x00", '"', "}", "9"]) + text[start + rng.randrange(4) :]
    return text, is_due


def illegal_action(rng: random.Random, legal: Sequence[Any]) -> Any:
    """Action that is none of the legal ones: a tile or end that does not fit, or another kind of action."""
    while True:
        tile, end = f"{rng.randrange(8)}-{rng.randrange(8)}", rng.choice(["left", "right", "up", None])
        lay = {"do": "lay", "tile": tile} | ({} if end is None else {"end": end})
        others = [{"do": "pass"}, {"do": "turn_up"}, {"do": "draw"}, {"do": "lay", "tile": "99-1"}, {"do": "flick"}]
        action = rng.choice([lay, lay, lay, *others])
        same = [item for item in legal if item["do"] == action["do"]]
        if action["do"] == "lay":  # without an end a tile may be laid at any that it fits
            same = [
                item for item in same
                if {*item["tile"]} == {*action["tile"]}
                and (item.get("end") is None or action.get("end") in (None, item["end"]))
            ]  # fmt: skip
        if not same:
            return action


# -- cuts and kills ----------------------------------------------------------------------------------------------------


@contextmanager
def host_process(words: list[str], folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Host in a process of its own, and the command that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "flicksim", "host", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"FLICKSIM_HOME": str(folder / "home"), "COLUMNS": "1000"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        command = next((line for line in process.stdout if line.startswith("flicksim join")), "")
        yield process, command
    finally:
        process.kill()
        process.wait()


def cuts(count: int, seed: int, folder: Path) -> list[str]:
    """Cut connections, end clients and kill the host (SIGKILL) at random while games are played by two clients."""
    rng, problems = random.Random(seed), list[str]()
    done, games, turns_told, refusals = {"cut": 0, "client ended": 0, "host killed": 0}, 0, 0, list[str]()
    waits: list[float] = []
    while sum(done.values()) < count and not problems:
        games += 1
        record, told = folder / f"cuts-{games}.jsonl", Told()
        words = ["tinkle", "--seat", "human", "--seat", "human", "--seat", "random", "-o", "max_turns=5", "--record"]
        with ExitStack() as stack:
            host, command = stack.enter_context(host_process([*words, str(record), "--port", "0"], folder))
            address, code = command.split()[2:4]
            stores = [net.TokenStore(folder / f"user-{games}-{k}") for k in range(2)]
            clients = [net.Client(address, code, tokens=store).start() for store in stores]
            stack.callback(close_all, clients)
            generator = np.random.default_rng(seed + games)
            while sum(done.values()) < count and not problems:
                started = monotonic()
                problems += play_turns(clients, 5, generator, refusals)
                waits.append(monotonic() - started)
                if problems or all(client.match is not None and client.match.is_over for client in clients):
                    break
                what = rng.choices(list(done), [6, 3, 1])[0]
                done[what] += 1
                victim = rng.randrange(2)
                match what:
                    case "cut":
                        clients[victim].cut()
                    case "client ended":
                        clients[victim].cut()  # it ends without a word, as if it were killed
                        clients[victim].close()
                        problems += note_told(clients[victim], told)
                        clients[victim] = net.Client(address, code, tokens=stores[victim]).start()
                    case _:
                        host.send_signal(signal.SIGKILL)
                        host.wait()
                        problems += [wrong for client in clients for wrong in note_told(client, told)]
                        problems += verify(record, told)
                        host, _ = stack.enter_context(host_process(["--continue", str(record)], folder))
                problems += [wrong for client in clients for wrong in note_told(client, told)]
            for client in clients:
                client.close()
                problems += note_told(client, told)
            host.terminate()
            host.wait()
        problems += verify(record, told)
        turns_told += max(told, default=0)
    print(f"{sum(done.values())} interruptions {done} in {games} games of {turns_told} turns; five turns took "
          f"{spread(waits, 0.95)}; {len(refusals)} actions were refused {sorted(set(refusals))}")  # fmt: skip
    if not problems:
        print("every told turn is in the records with its hash, and they replay")
    return problems


def close_all(items: Sequence[net.Client] | Sequence[net.RemoteMatch]) -> None:
    """Close clients or matches."""
    for item in items:
        item.close()


def play_or_follow(match: net.RemoteMatch, rng: np.random.Generator, timeout: float, refusals: list[str]) -> bool:
    """Play an own turn at random, or apply the next message of the host; returns True once an own turn is played.

    Args:
        timeout: for the message [s]. refusals: gets the reason why an action was refused.
    """
    try:
        if match.is_own_turn and match.incoming is None:
            match.play(random_action(match, rng))
            return True
        match.next_turn(timeout)
    except Cancelled:
        raise
    except FlicksimError as error:
        refusals.append(str(error))
    return False


def play_turns(clients: list[net.Client], turns: int, rng: np.random.Generator, refusals: list[str]) -> list[str]:
    """Play until clients have played so many own turns or the game is over for all; returns problems."""
    for client in clients:
        if not client.wait_joined(TIMEOUT):
            return [f"a client did not join: {client.status}, {client.reason}"]
    matches, played, started = [client.match for client in clients if client.match is not None], 0, monotonic()
    watchdog = Timer(TIMEOUT, close_all, [matches])  # whoever waits gets `Cancelled`
    watchdog.start()
    try:
        while played < turns and not all(match.is_over for match in matches):
            for match in matches:
                with suppress(Cancelled):
                    played += play_or_follow(match, rng, 0.02, refusals)
                if match.differences:
                    return [f"turns {match.differences} differ"]
            if monotonic() - started > TIMEOUT:
                states = [
                    f"{client.status} at turn {match.turn_count}"
                    for client, match in zip(clients, matches, strict=True)
                ]
                return [f"nobody could go on: {states}, {refusals[-1:]}"]
    finally:
        watchdog.cancel()
    return []


# -- many tables -------------------------------------------------------------------------------------------------------


def crowd(tables: int, watchers: int, turns: int, folder: Path) -> list[str]:
    """Many tables and spectators in one host process; the clients are in this one. Speaks the protocol directly."""
    code = (
        "import sys, json, resource; from pathlib import Path\n"
        "from benchmarks.network_trials import LIMITS, net, new_table\n"
        f"paths = [Path({str(folder)!r}) / f'crowd-{{k}}.jsonl' for k in range({tables})]\n"
        "tables = [new_table(path, 'dominoes', ['human', 'human'], {'rounds': 100}) for path in paths]\n"
        "with net.Host(tables, port=0, limits=LIMITS) as host:\n"
        "    print(json.dumps([host.port, [table.code for table in tables]]), flush=True)\n"
        "    for line in sys.stdin:\n"
        "        usage = resource.getrusage(resource.RUSAGE_SELF)\n"
        "        played = [len(table.match.turns) for table in tables]\n"
        f"        done = [table.match.is_over or turns >= {turns} for table, turns in zip(tables, played)]\n"
        "        seconds = usage.ru_utime + usage.ru_stime\n"
        "        print(json.dumps([seconds, sum(played), usage.ru_maxrss, sum(done)]), flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    port, codes = json.loads(process.stdout.readline())

    def ask() -> list[float]:
        assert process.stdin is not None
        assert process.stdout is not None
        print(flush=True, file=process.stdin)
        answer: list[float] = json.loads(process.stdout.readline())
        return answer

    try:
        return asyncio.run(_crowd(port, codes, watchers, turns, ask))
    finally:
        process.kill()
        process.wait()


async def _crowd(port: int, codes: list[str], watchers: int, turns: int, ask: Callable[[], list[float]]) -> list[str]:
    url, rng = f"ws://127.0.0.1:{port}", random.Random(1)
    ready, latencies, received = asyncio.Event(), list[float](), 0

    def is_last(message: dict[str, Any]) -> bool:
        return message["kind"] == "over" or (message["kind"] == "turn" and int(message["line"]["number"]) >= turns)

    async def play(code: str) -> None:
        nonlocal received
        async with connect_async(url, compression=None) as client:
            await client.send(json.dumps({"kind": "hello", "version": 1, "code": code}))
            sent_at, mine = 0.0, 0
            await ready.wait()
            async for text in client:
                received += 1
                message = json.loads(text)
                if message["kind"] == "turn" and message["line"]["number"] == mine:
                    latencies.append(monotonic() - sent_at)
                if is_last(message):
                    return
                if message["kind"] == "decide":
                    mine = message["turn"]
                    await asyncio.sleep(rng.uniform(0.5, 1.5))  # a person takes longer
                    sent_at = monotonic()
                    action = rng.choice(message["actions"])
                    await client.send(json.dumps({"kind": "act", "turn": mine, "action": action}))
        raise EOFError("the connection of a player was closed before the last turn")

    async def watch(code: str) -> None:
        nonlocal received
        async with connect_async(url, compression=None) as client:
            await client.send(json.dumps({"kind": "hello", "version": 1, "code": code, "watch": True}))
            async for text in client:
                received += 1
                if is_last(json.loads(text)):
                    return
        raise EOFError("the connection of a spectator was closed before the last turn")

    players = [asyncio.create_task(play(code)) for code in codes for _ in range(2)]
    lookers = [asyncio.create_task(watch(codes[k % len(codes)])) for k in range(watchers)]
    await asyncio.sleep(5.0)
    before, started = await asyncio.to_thread(ask), monotonic()
    ready.set()
    done, late = await asyncio.wait([*players, *lookers], timeout=TIMEOUT + TURN_TIMEOUT * turns)
    after, seconds = await asyncio.to_thread(ask), monotonic() - started
    errors = [repr(error) for task in done if (error := task.exception()) is not None]
    problems = [f"{len(errors)} connections ended: {errors[0]}"] if errors else []
    if late:
        problems.append(f"{len(late)} connections had not come to turn {turns} after {seconds:.0f} s")
        for task in late:
            task.cancel()
    if after[3] != len(codes):
        problems.append(f"{len(codes) - after[3]:.0f} tables did not come to turn {turns}")
    cpu, played = after[0] - before[0], after[1] - before[1]
    print(f"{len(codes)} tables, {watchers} spectators: {played:.0f} turns in {seconds:.0f} s, "
          f"{1e3 * cpu / max(1.0, played):.2f} ms of processor time a turn ({cpu / seconds:.0%} of one core), "
          f"{received} messages; from action to turn {spread(latencies, 0.99)}; {after[2] / 1024:.0f} MB")  # fmt: skip
    return problems


# -- slow and lossy connections ----------------------------------------------------------------------------------------


class Proxy:
    """Connection with a delay, lost packets and cuts; TCP turns a lost packet into a wait of its retransmission time.

    Args:
        delay: of each direction [s]. loss: share of the packets. cut: share of the packets at which it is cut.
    """

    def __init__(self, port: int, delay: float, loss: float, cut: float, seed: int) -> None:
        self._target, self._delay, self._loss, self._cut = port, delay, loss, cut
        self._rng = random.Random(seed)
        self.packets = self.lost = self.cuts = self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()
        while not self.port:
            sleep(0.01)

    def _run(self) -> None:
        async def serve() -> None:
            server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            await server.serve_forever()

        with suppress(RuntimeError):
            self._loop.run_until_complete(serve())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        await asyncio.gather(
            self._pass(reader, far_writer, writer), self._pass(far_reader, writer, far_writer), return_exceptions=True
        )

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, back: asyncio.StreamWriter
    ) -> None:
        due = 0.0
        while data := await reader.read(1400):
            self.packets += 1
            wait = self._delay
            while self._rng.random() < self._loss:
                self.lost += 1
                wait += max(0.2, 2.0 * self._delay)
            if self._rng.random() < self._cut:
                self.cuts += 1
                writer.transport.abort()
                back.transport.abort()
                return
            due = max(due, monotonic() + wait)
            self._loop.call_later(due - monotonic(), _write, writer, data)
        self._loop.call_later(max(0.0, due - monotonic()), writer.close)


def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    if not writer.transport.is_closing():
        writer.write(data)


def slow(turns: int, seed: int, folder: Path) -> list[str]:
    """Two clients over connections of 300 ms there and back, with 5 % of the packets lost, and cuts now and then."""
    table = new_table(folder / "slow.jsonl", "penny-white", ["human/club", "human/club"], {})
    problems, waits, refusals = list[str](), list[float](), list[str]()

    def play(client: net.Client, number: int) -> None:
        rng = np.random.default_rng(seed + number)
        if not client.wait_joined(TIMEOUT):
            raise TimeoutError(f"{client.status}, {client.reason}")
        match = client.match
        assert match is not None
        while match.turn_count < turns and not match.is_over:
            started = monotonic()
            if play_or_follow(match, rng, 1.0, refusals):
                waits.append(monotonic() - started)

    with net.Host([table], port=0, limits=net.Limits()) as host, ThreadPoolExecutor(2) as pool:
        proxies = [Proxy(host.port, 0.15, 0.05, 0.01, seed + k) for k in range(2)]
        clients = [net.Client(f"127.0.0.1:{proxy.port}", table.code).start() for proxy in proxies]
        games = [pool.submit(play, client, k) for k, client in enumerate(clients)]
        if wait(games, TIMEOUT + 60.0 * turns).not_done:
            problems.append("the game did not go on")
        told = dict(enumerate(table.hosted.hashes))
        for client, game in zip(clients, games, strict=True):
            client.close()  # if it still waits, it gets `Cancelled`
            problems += note_told(client, told)
            if (error := game.exception()) is not None:
                problems.append(f"a client ended: {error!r}")
            if (match := client.match) is None or not (match.is_over or match.turn_count >= turns):
                problems.append(f"a client is at turn {match and match.turn_count} of {turns}")
            elif match.differences:
                problems.append(f"turns {match.differences} differ")
    problems += verify(folder / "slow.jsonl", told)
    packets, lost, cut = (sum(getattr(proxy, name) for proxy in proxies) for name in ("packets", "lost", "cuts"))
    print(f"300 ms and 5 %: {len(told) - 1} turns, {packets} packets, {lost} lost, {cut} cuts; from action to "
          f"turn {spread(waits, 0.95)}; {len(refusals)} actions were refused {sorted(set(refusals))}")  # fmt: skip
    if not problems:
        print("no turn lost or different")
    return problems


def main() -> int:
    """Run the trials that are asked for."""
    parser = command_line.parser("network_trials", __doc__, messages=0, cuts=0, tables=0, seed=1)
    parser.add_argument("--slow", type=int, default=0, help="turns over slow and lossy connections (0)")
    parser.add_argument("--watchers", type=int, default=200, help="spectators of all tables")
    parser.add_argument("--turns", type=int, default=40, help="turns at each of the tables")
    given = parser.parse_args()
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if given.messages:
            problems += fuzz(given.messages, given.seed, folder)
        if given.cuts:
            problems += cuts(given.cuts, given.seed, folder)
        if given.tables:
            problems += crowd(given.tables, given.watchers, given.turns, folder)
        if given.slow:
            problems += slow(given.slow, given.seed, folder)
    for problem in problems:
        print(f"FOUND: {problem} (--seed {given.seed})")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
