"""Trials of play between machines: messages at random, cuts and kills, many tables, slow and lossy lines.

Each prints its figures and exits with 1 if it found anything.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median
from threading import Thread
from time import monotonic, process_time, sleep
from typing import Any

import numpy as np
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from flicksim import net
from flicksim.ai import RandomPlayer
from flicksim.core.errors import FlicksimError
from flicksim.games import load
from flicksim.match import Match, Recorder, match_header, open_match, open_replay, parse_seat, read_record
from flicksim.net import protocol
from flicksim.referee import parse_options

LIMITS = net.Limits(
    connections=2000, waiting=2000, rate=1e6, burst=1e6, excess=10**9, queue=2000, heartbeat=60.0, hello_time=60.0
)
TIMEOUT = 120.0


def new_table(path: Path, game: str, seats: list[str], durable: bool = True, **options: Any) -> net.Table:
    """Table with a new record."""
    loaded, specs = load(game), [parse_seat(word) for word in seats]
    match = open_match(loaded, parse_options(loaded, options), specs, net.new_seed())
    return net.Table(match, specs, Recorder(path, match_header(match, tuple(seats)), durable=durable))


def random_action(match: Match, rng: np.random.Generator) -> Any:
    """Action of a random player."""
    seat = match.to_play or 0
    player = RandomPlayer(match.rules.check_action)
    return player.choose(match.rules.view(match.state, seat), match.legal_actions(), rng)


def verify(path: Path, hashes: list[str]) -> str:
    """Problem of a record: it must replay, and have the hashes that were told; empty if nothing is."""
    replay, _ = open_replay(read_record(path))
    list(replay.run())
    if replay.divergence is not None:
        return str(replay.divergence)
    return "" if protocol.hashes_by_turn(path) == hashes else "its hashes are others than those told"


# -- messages at random ------------------------------------------------------------------------------------------------


def fuzz(count: int, seed: int, folder: Path) -> list[str]:
    """Send messages at random, valid ones with errors among them, from a seat in turn, one out of turn and a watcher.

    Nothing may change but by legal actions of the seat in turn, of which none is sent; every message has an answer or
    ends its line.
    """
    rng, problems = random.Random(seed), list[str]()
    table = new_table(folder / "fuzz.jsonl", "dominoes", ["human", "human"])
    started, answers, lines_lost, sent = process_time(), 0, 0, 0
    with net.Host([table], port=0, limits=LIMITS) as host:
        before = (folder / "fuzz.jsonl").read_bytes()
        tokens = dict[int, str]()
        while sent < count:
            role = rng.randrange(3)
            hello = {"kind": "hello", "version": 1, "code": table.code, "watch": role == 2}
            if role in tokens:
                hello["token"] = tokens[role]
            with connect(f"ws://127.0.0.1:{host.port}") as line, suppress(ConnectionClosed):
                line.send(json.dumps(hello))
                welcome = json.loads(line.recv(TIMEOUT))
                if role < 2 and role not in tokens:
                    tokens[role] = welcome["token"]
                for _ in range(min(500, count - sent)):
                    message = random_message(rng, table.code)
                    sent += 1
                    lines_lost += 1
                    line.send(message)
                    while json.loads(line.recv(TIMEOUT))["kind"] not in ("error", "said", "game", "differs"):
                        pass
                    answers, lines_lost = answers + 1, lines_lost - 1
        if table.match.turns or (folder / "fuzz.jsonl").read_bytes() != before:
            problems.append("a message changed the game")
    print(f"{sent} messages at random: {answers} answered, {lines_lost} ended their line; "
          f"{1e3 * (process_time() - started) / count:.2f} ms of processor time each, both ends")  # fmt: skip
    return problems


def random_message(rng: random.Random, code: str) -> str | bytes:
    """Message that is malformed, illegal, out of turn, or has no effect on the game."""
    values: list[Any] = [
        0,
        -1,
        1,
        2**63,
        1e308,
        "",
        "x" * 300,
        None,
        True,
        [],
        {},
        [[]],
        {"do": "lay"},
        "\u202e\0",
        code,
    ]
    match rng.randrange(6):
        case 0:
            return rng.randbytes(rng.choice([0, 1, 20, 300, 5000]))
        case 1:
            return "[" * rng.randrange(8000) if rng.random() < 0.5 else '{"kind":' * rng.randrange(1500)
    kinds = ["act", "propose", "answer", "say", "differs", "resend", "hello", "turn", "welcome", "dance", 7, None]
    message: dict[str, Any] = {"kind": rng.choice(kinds)}
    fields = [
        "turn",
        "action",
        "what",
        "turns",
        "agree",
        "phrase",
        "version",
        "code",
        "seat",
        "watch",
        "token",
        "name",
        "q",
    ]
    for name in rng.sample(fields, rng.randrange(5)):
        message[name] = rng.choice(values)
    if rng.random() < 0.3:
        actions = [{"do": "lay", "tile": "6-6"}, {"do": "pass"}, {"do": "lay", "tile": "99-1"}, {"do": "flick"}]
        message = {"kind": "act", "turn": rng.choice([0, 2, 3, 10**6]), "action": rng.choice(actions)}
    text = json.dumps(message)
    if rng.random() < 0.3:
        start = rng.randrange(len(text))
        text = text[:start] + rng.choice(["", "\x00", '"', "}", "9"]) + text[start + rng.randrange(4) :]
    return text


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
    """Cut lines, kill clients and kill the host (SIGKILL) at random while a game is played by two clients."""
    rng, problems, record = random.Random(seed), list[str](), folder / "cuts.jsonl"
    done, seen, games = {"cut": 0, "client killed": 0, "host killed": 0}, 0, 0
    waits: list[float] = []
    while sum(done.values()) < count and not problems:
        games += 1
        record = folder / f"cuts-{games}.jsonl"
        words = ["tinkle", "--seat", "human", "--seat", "human", "--seat", "random", "-o", "max_turns=30", "--record"]
        with ExitStack() as stack:
            host, command = stack.enter_context(host_process([*words, str(record), "--port", "0"], folder))
            address, code = command.split()[2:4]
            stores = [net.TokenStore(folder / f"user-{games}-{k}") for k in range(2)]
            clients = [net.Client(address, code, tokens=store).start() for store in stores]
            generator = np.random.default_rng(seed + games)
            told = 0
            while sum(done.values()) < count and not problems:
                for client in clients:
                    if not client.wait_joined(TIMEOUT):
                        problems.append(f"a client did not come back: {client.reason}")
                started, turns = monotonic(), 0
                while turns < 3 and not problems and not clients[0].match.is_over:  # type: ignore[union-attr]
                    for client in clients:
                        match = client.match
                        assert match is not None
                        with suppress(FlicksimError):
                            if match.is_own_turn and match.incoming is None:
                                match.play(random_action(match, generator))
                                turns += 1
                            elif match.incoming is not None:
                                match.apply_incoming()
                            else:
                                match.next_turn(0.02)
                        if match.differences:
                            problems.append(f"turn {match.differences} differs")
                        told = max(told, match.turn_count)
                    if monotonic() - started > TIMEOUT:
                        problems.append(f"nobody could go on; {[c.status for c in clients]}")
                seen = max(seen, told)
                waits.append(monotonic() - started)
                if clients[0].match.is_over:  # type: ignore[union-attr]
                    break
                what = rng.choices(["cut", "client killed", "host killed"], [6, 3, 1])[0]
                done[what] += 1
                victim = rng.randrange(2)
                match what:
                    case "cut":
                        socket, loop = clients[victim]._socket, clients[victim]._loop
                        if socket is not None and loop is not None:
                            loop.call_soon_threadsafe(socket.transport.abort)
                    case "client killed":
                        clients[victim].close()
                        clients[victim] = net.Client(address, code, tokens=stores[victim]).start()
                    case _:
                        host.send_signal(signal.SIGKILL)
                        host.wait()
                        kept = len(read_record(record).turns)
                        if kept < told:
                            problems.append(f"turn {told} was told, but {kept} turns are in the record")
                        host, _ = stack.enter_context(host_process(["--continue", str(record)], folder))
            for client in clients:
                client.close()
            host.terminate()
            host.wait()
        replay, _ = open_replay(read_record(record))
        list(replay.run())
        if replay.divergence is not None:
            problems.append(str(replay.divergence))
    print(f"{sum(done.values())} interruptions {done} in {games} games: every told turn is in "
          f"the records, which replay; three turns took {median(waits):.2f} s in the median, "
          f"{max(waits):.1f} s at most")  # fmt: skip
    return problems


# -- many tables -------------------------------------------------------------------------------------------------------


def crowd(tables: int, watchers: int, turns: int, folder: Path) -> list[str]:
    """Many tables and spectators in one host process; the clients are in this one. Speaks the protocol directly."""
    code = (
        "import sys, json, time, resource; from pathlib import Path; from threading import Thread\n"
        "from benchmarks.network_trials import *\n"
        f"tables = [new_table(Path({str(folder)!r}) / f'crowd-{{k}}.jsonl', 'dominoes', ['human', 'human'], rounds=100)"
        f" for k in range({tables})]\n"
        "with net.Host(tables, port=0, limits=LIMITS) as host:\n"
        "    print(json.dumps([host.port, [table.code for table in tables]]), flush=True)\n"
        "    for line in sys.stdin:\n"
        "        usage = resource.getrusage(resource.RUSAGE_SELF)\n"
        "        played = sum(len(table.match.turns) for table in tables)\n"
        "        print(json.dumps([usage.ru_utime + usage.ru_stime, played, usage.ru_maxrss]), flush=True)\n"
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

    latencies, received, problems = list[float](), [0], list[str]()
    try:
        asyncio.run(_crowd(port, codes, watchers, turns, latencies, received, ask, problems))
    finally:
        process.kill()
        process.wait()
    return problems


async def _crowd(
    port: int, codes: list[str], watchers: int, turns: int, latencies: list[float], received: list[int], ask: Any,
    problems: list[str],
) -> None:  # fmt: skip
    url, rng = f"ws://127.0.0.1:{port}", random.Random(1)
    ready = asyncio.Event()

    async def play(code: str) -> None:
        async with connect_async(url, compression=None) as line:
            await line.send(json.dumps({"kind": "hello", "version": 1, "code": code}))
            sent_at, mine = 0.0, 0
            await ready.wait()
            async for text in line:
                received[0] += 1
                message = json.loads(text)
                if message["kind"] == "turn" and message["line"]["number"] == mine:
                    latencies.append(monotonic() - sent_at)
                if message["kind"] == "decide":
                    mine = message["turn"]
                    if mine > turns:
                        return
                    await asyncio.sleep(rng.uniform(0.5, 1.5))  # a person takes longer
                    sent_at = monotonic()
                    action = rng.choice(message["actions"])
                    await line.send(json.dumps({"kind": "act", "turn": mine, "action": action}))
                if message["kind"] == "turn" and message["line"]["number"] >= turns:
                    return

    async def watch(code: str) -> None:
        async with connect_async(url, compression=None) as line:
            await line.send(json.dumps({"kind": "hello", "version": 1, "code": code, "watch": True}))
            async for text in line:
                received[0] += 1
                if '"kind":"turn"' in text and f'"number":{turns},' in text:
                    return

    players = [asyncio.create_task(play(code)) for code in codes for _ in range(2)]
    lookers = [asyncio.create_task(watch(codes[k % len(codes)])) for k in range(watchers)]
    await asyncio.sleep(5.0)
    before, started = await asyncio.to_thread(ask), monotonic()
    ready.set()
    done = await asyncio.gather(*players, *lookers, return_exceptions=True)
    problems += [f"a line ended: {error!r}" for error in done if error is not None][:5]
    after, seconds = await asyncio.to_thread(ask), monotonic() - started
    cpu, played = after[0] - before[0], after[1] - before[1]
    latencies.sort()
    print(f"{len(codes)} tables, {watchers} spectators: {played:.0f} turns in {seconds:.0f} s, "
          f"{1e3 * cpu / played:.2f} ms of processor time a turn ({100.0 * cpu / seconds:.0f} % of one core), "
          f"{received[0]} messages; from action to turn {1e3 * median(latencies):.0f} ms in the median, "
          f"{1e3 * latencies[int(0.99 * len(latencies))]:.0f} ms in 99 %, "
          f"{1e3 * latencies[-1]:.0f} ms at most; {after[2] / 1024:.0f} MB")  # fmt: skip


# -- slow and lossy lines ----------------------------------------------------------------------------------------------


class Proxy:
    """Line with a delay, lost packets and cuts; TCP turns a lost packet into a wait of its retransmission time.

    Args:
        delay: of each direction [s]. loss: share of the packets. cut: share of the packets at which the line is cut.
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
    """Two clients over lines with 300 ms from end to end and back, 5 % of the packets lost, and cuts now and then."""
    table, problems = new_table(folder / "slow.jsonl", "penny-white", ["human/club", "human/club"]), list[str]()
    limits = net.Limits()
    with net.Host([table], port=0, limits=limits) as host:
        proxies = [Proxy(host.port, 0.15, 0.05, 0.01, seed + k) for k in range(2)]
        clients = [net.Client(f"127.0.0.1:{proxy.port}", table.code).start() for proxy in proxies]
        waits: list[float] = []

        def play(client: net.Client, number: int) -> None:
            rng = np.random.default_rng(seed + number)
            client.wait_joined(TIMEOUT)
            match = client.match
            assert match is not None
            while match.turn_count < turns and not match.is_over:
                with suppress(FlicksimError):
                    if match.is_own_turn and match.incoming is None:
                        started = monotonic()
                        match.play(random_action(match, rng))
                        waits.append(monotonic() - started)
                    else:
                        match.next_turn(1.0)

        threads = [Thread(target=play, args=(client, k), daemon=True) for k, client in enumerate(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20 * TIMEOUT)
            if thread.is_alive():
                problems.append("the game did not go on")
        for client in clients:
            if client.match is not None and client.match.differences:
                problems.append(f"turns {client.match.differences} differ")
            client.close()
        hashes = list(table.hashes)
    if wrong := verify(folder / "slow.jsonl", hashes):
        problems.append(wrong)
    waits.sort()
    packets, lost, cut = (sum(getattr(proxy, name) for proxy in proxies) for name in ("packets", "lost", "cuts"))
    print(f"300 ms and 5 %: {len(hashes) - 1} turns, {packets} packets, {lost} lost, {cut} cuts; from action to turn "
          f"{median(waits):.2f} s in the median, {waits[int(0.95 * len(waits))]:.1f} s in 95 %, "
          f"{waits[-1]:.1f} s at most; no turn lost or different")  # fmt: skip
    return problems


def main() -> int:
    """Run the trials that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=0, help="messages at random")
    parser.add_argument("--cuts", type=int, default=0, help="cuts and kills")
    parser.add_argument("--tables", type=int, default=0, help="tables at once")
    parser.add_argument("--watchers", type=int, default=200, help="spectators of all tables")
    parser.add_argument("--turns", type=int, default=40, help="turns at each of the tables")
    parser.add_argument("--slow", type=int, default=0, help="turns over slow and lossy lines")
    parser.add_argument("--seed", type=int, default=1)
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
