"""Hosted games on ports of this machine, clients that play them at random, and connections without a client."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from websockets.sync.client import connect

from benchmarks import network_trials
from benchmarks.network_trials import random_action
from flicksim import net
from flicksim.core.type_aliases import Action
from flicksim.net import protocol
from tests.polling import TIMEOUT, wait_until

SHORT: dict[str, dict[str, Any]] = {
    "penny-white": {"ends": 1}, "dominoes": {"rounds": 1}, "tinkle": {"max_turns": 5}, "ice": {}, "tiddlywinks": {},
}  # fmt: skip
SEATS = {"penny-white": 2, "dominoes": 2, "tinkle": 3, "ice": 2, "tiddlywinks": 4}
LIMITS = net.Limits(rate=10_000.0, burst=10_000.0, heartbeat=60.0)
"""Limits that no test meets by being quick."""


def new_table(folder: Path, name: str, *words: str, seed: int = 1, **given: Any) -> net.Table:
    """A table with its record in a folder; for all people by default."""
    table_options = {key: given.pop(key) for key in ("limit", "pause_clock", "choose") if key in given}
    return network_trials.new_table(
        folder / "game.jsonl", name, words or ("human",) * SEATS[name], SHORT[name] | given, seed=seed, durable=False,
        **table_options,
    )  # fmt: skip


@contextmanager
def hosted(table: net.Table, **given: Any) -> Iterator[net.Host]:
    """Host of a table on a free port."""
    with net.Host([table], port=0, **({"limits": LIMITS} | given)) as host:
        yield host


def address(host: net.Host) -> str:
    return f"127.0.0.1:{host.port}"


@contextmanager
def joined(host: net.Host, count: int = 1, **given: Any) -> Iterator[list[net.Client]]:
    """Clients at the next free seats, in order."""
    clients = []
    try:
        for _ in range(count):
            clients.append(net.Client(address(host), host.tables[0].code, **given).start())
            assert clients[-1].wait_joined(TIMEOUT), clients[-1].reason
        yield clients
    finally:
        for client in clients:
            client.close()


def play_on(clients: list[net.Client], turns: int, choose: Callable[..., Action] = random_action) -> None:
    """Let clients play at random, each in a thread, until so many turns are played or the game is over."""

    def play(client: net.Client, seed: int) -> None:
        rng, match = np.random.default_rng(seed), client.match
        while not match.is_over and match.turn_count < turns:
            if match.is_own_turn and match.incoming is None:
                match.play(choose(match, rng))
            else:
                match.next_turn(TIMEOUT)

    with ThreadPoolExecutor(len(clients)) as pool:
        playing = [pool.submit(play, client, seed) for seed, client in enumerate(clients)]
        ended, waiting = wait(playing, TIMEOUT, FIRST_EXCEPTION)
        if waiting:
            for client in clients:
                client.match.close()  # whoever waits gets `Cancelled`
        for player in (*ended, *waiting):
            player.result()


class RawClient:
    """Connection to a host by which a test sends what it likes, and reads all that comes."""

    def __init__(self, host: net.Host, **hello: Any) -> None:
        self._stack = ExitStack()
        self.socket = self._stack.enter_context(connect(f"ws://{address(host)}"))
        self.received: list[dict[str, Any]] = []
        if hello.pop("says_hello", True):
            self.send("hello", **({"version": protocol.VERSION, "code": host.tables[0].code} | hello))

    def send(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"kind": kind, **fields}))

    def read(self, kind: str) -> dict[str, Any]:
        """Read up to the next message of a kind."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(TIMEOUT))
            self.received.append(message)
            if message["kind"] == kind:
                return message

    def __enter__(self) -> "RawClient":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def event(client: net.Client, kind: type[Any]) -> Any:
    """Wait for the next event of a kind, and leave out all before it."""
    found: list[Any] = []

    def look() -> bool:
        found.extend(item for item in client.poll() if isinstance(item, kind))
        return bool(found)

    wait_until(look)
    return found[0]


def with_limits(**given: Any) -> net.Limits:
    return replace(LIMITS, **given)
