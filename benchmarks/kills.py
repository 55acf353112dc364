"""Games and experiments ended from outside at random moments and gone on with: nothing told is lost, nothing is left.

`python -m benchmarks.kills [--games N] [--experiments N] [--seed S] [--jobs J] [--only NUMBER]`. Each is carried out by
the command line in a process of its own, some with programs at a seat that have helpers. That process, or one of its
workers, is ended at a moment of chance, by SIGKILL, SIGTERM, SIGHUP or SIGINT; all it started must end with it. Then
`--resume` goes on, and is maybe ended as well, until one comes to the end: it must end as if nothing had happened. Now
and then two go on at once: one does, the other is refused. Experiments are the numbers after the games.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from uuid import uuid4

import numpy as np

from benchmarks.left import MARK, left
from benchmarks.tally import Tally, parser, shared
from flicksim.base.seeding import Seeds
from flicksim.cli import main as command_line
from flicksim.games import load, names
from flicksim.lab import Run, read_experiment
from flicksim.lab.run import read_manifest
from flicksim.lab.stores import open_store
from flicksim.play import read_record
from flicksim.play.series import game_seed
from flicksim.referee import options_of

_SHORT = {"ends": "1", "rounds": "1", "time_limit_s": "60", "max_turns": "40"}
"""Options that make a game short, where it has them."""
_LONGEST = 240.0
"""No game takes longer [s]."""
_PATIENCE = 60.0
"""Whoever is told to end has ended by then, and all it started, however busy the machine is [s]."""
_SERIES = 2
"""Games in a series."""
_AGAIN = 0.4
"""Chance that what was gone on with is ended once more."""
_SHOTS = 300
"""Shots of an experiment."""

EXPERIMENTS = 1_000_000
"""From this number on tries are of experiments."""
_ENDINGS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)

_QUESTION = """
title = "a draw"
scene = "draw"
shots = 300
seed = 3
hand = { grid = ["club", "world"] }
measure = ["gap white", "off", "rest", "touched white"]
flick = { piece = "a", to = "white", beyond = { grid = [-0.02, 0.0, 0.03] }, offset = { normal = [0.0, 0.1] } }
"""

_PROGRAM = """
import json, random, subprocess, sys

subprocess.Popen(["sleep", "600"])
for line in sys.stdin:
    ask, dice = json.loads(line), random.Random(line)
    if ask["actions"]:
        answer = dice.choice(ask["actions"])
    else:
        may = dice.choice(ask["flicks"])
        answer = {name: may[name] for name in ("do", "piece", "size", "hold") if name in may}
        drawn = ("speed", "azimuth", "elevation", "tumble", "height", "slant")
        answer |= {name: dice.uniform(*may[name]) for name in drawn if name in may}
    print(json.dumps(answer), flush=True)
"""
"""Has a helper, and makes its chance from what it is asked."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game to be ended early: which, by which options, who plays, from which seed."""

    name: str
    options: tuple[str, ...]
    seats: tuple[str, ...]
    seed: int

    def words(self, command: str, seed: int | None = None) -> list[str]:
        """Its part of a command line."""
        options = [word for option in self.options for word in ("--option", option)]
        return [command, self.name, *self.seated(), *options, "--seed", str(self.seed if seed is None else seed)]

    def seated(self) -> list[str]:
        """Players who sit down, as words."""
        return [word for seat in self.seats for word in ("--seat", seat)]

    def again(self, record: Path) -> list[str]:
        """The command line that goes on with it; a program is started only if its seats are said."""
        programs = any(seat.startswith("cmd") for seat in self.seats)
        return ["play", "--resume", str(record), "--headless", *(self.seated() if programs else ())]

    def whole(self, path: Path, seed: int) -> bytes:
        """The record of the same game played in peace."""
        Process([*self.words("play", seed), "--headless", "--record", str(path)], path.with_suffix(".said")).end()
        return path.read_bytes()


def drawn(seed: int, number: int, program: str = "random") -> tuple[Game, np.random.Generator]:
    """The game of that number, and dice for when it is ended."""
    rng = Seeds(seed=seed).child("kills", number).generator()
    name = names()[number % len(names())]
    card = load(name)
    low, high = card.seats
    kinds = ["random", "bot:beginner", "random", "bot:beginner", program]
    seats = tuple(str(rng.choice(kinds)) for _ in range(int(rng.integers(low, min(high, 4) + 1))))
    there = {option.name for option in options_of(card)}
    options = tuple(f"{option}={value}" for option, value in _SHORT.items() if option in there)
    return Game(name, options, seats, int(rng.integers(10**6))), rng


class Process:
    """The command line in a process of its own, what it says going to a file."""

    def __init__(self, words: Sequence[str], said: Path) -> None:
        self.words, self.said, self._mark = list(words), said, uuid4().hex
        said.write_bytes(b"")
        # a server that has everything imported forks it: it is born in milliseconds, and holds no thread of ours
        context = get_context("forkserver")
        context.set_forkserver_preload([__name__])
        self._process = context.Process(target=_speak, args=(self.words, str(said), self._mark))
        self._process.start()

    def alive(self) -> bool:
        """Return True while it still runs."""
        return self._process.is_alive()

    def told(self) -> str:
        """Text that it has said by now."""
        return self.said.read_text(encoding="utf-8", errors="replace")

    def turns(self) -> int:
        """Number of turns it has told of."""
        return sum(line[:3].strip().isdigit() and line[3:4] == " " for line in self.told().splitlines())

    def ended(self, rng: np.random.Generator, turns: int, after: float, row: str, found: Tally) -> list[str]:
        """End it so long [s] after so many turns were told, or one of its workers. Returns what was wrong with that."""
        begun = monotonic()
        while self._process.is_alive() and self.turns() < turns and monotonic() - begun < _LONGEST:
            sleep(0.002)
        self._process.join(after)
        number, whom = self._process.pid, "itself"
        assert number is not None
        workers = [one for one, words in left(self._mark).items() if "spawn_main" in words]
        how = _ENDINGS[int(rng.integers(len(_ENDINGS)))]
        if workers and rng.random() < 0.3:
            number, whom = workers[int(rng.integers(len(workers)))], "worker"
        if not self._process.is_alive():
            found.count(row, "over before")
            return self.gone(row, found)
        found.count(row, f"by {how.name}" if whom == "itself" else "a worker")
        try:
            os.kill(number, how)
        except ProcessLookupError:
            return self.gone(row, found)
        if whom == "worker" and how == signal.SIGINT:  # which is not for workers
            self.end()
        return self.gone(row, found)

    def gone(self, row: str, found: Tally) -> list[str]:
        """See that it ends, with all it started. Returns what was wrong."""
        begun = monotonic()
        while (there := left(self._mark) or self._process.is_alive()) and monotonic() - begun < _PATIENCE:
            sleep(0.03)
        found.most(row, "most ms to end", round(1000.0 * (monotonic() - begun)))
        for number in left(self._mark):
            os.kill(number, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        wrong = [f"{' '.join(self.words[:2])}: {there!r} is left behind"] if there else []
        return wrong + (["a traceback: " + self.told()[-300:]] if "Traceback" in self.told() else [])

    def end(self) -> int | None:
        """Its exit code; None when it had to be ended."""
        self._process.join(_LONGEST)
        late = self._process.is_alive()
        self._process.kill()
        self._process.join()
        return None if late else self._process.exitcode


def _speak(words: list[str], said: str, mark: str) -> None:
    """In the process: the command line, with both streams going to a file."""
    handle = os.open(said, os.O_WRONLY | os.O_APPEND)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    os.environ[MARK] = mark
    sys.argv = ["flicksim", *words]
    raise SystemExit(command_line())


def trial(games: int, seed: int, jobs: int = 1, experiments: int = 0) -> Tally:
    """So many games, one of each kind in turn, and then so many experiments."""
    numbers = [*range(games), *range(EXPERIMENTS, EXPERIMENTS + experiments)]
    return shared(partial(tries_of, seed), numbers, jobs)


def tries_of(seed: int, numbers: Sequence[int]) -> Tally:
    """The tries of these numbers."""
    found = Tally()
    for number in numbers:
        with TemporaryDirectory() as folder:
            scratch = Path(folder)
            again = f"python -m benchmarks.kills --seed {seed} --only {number}"
            if number >= EXPERIMENTS:
                row, wrongs = _experiment(seed, number, scratch, found)
            else:
                (scratch / "player.py").write_text(_PROGRAM)
                program = f"cmd:{quote(sys.executable)} {quote(str(scratch / 'player.py'))}"
                game, rng = drawn(seed, number, program)
                row, run = game.name, _series if number // len(names()) % 5 == 4 else _game
                found.count(row, "tries")
                wrongs = run(game, rng, scratch, found)
            for wrong in wrongs:
                found.find(row, wrong, again)
    return found


def _game(game: Game, rng: np.random.Generator, scratch: Path, found: Tally) -> list[str]:
    """One game, ended early until chance lets it be."""
    begun = monotonic()
    whole = game.whole(scratch / "whole.jsonl", game.seed)
    turns = whole.count(b"\n") - 1
    pause = 2.0 * (monotonic() - begun) / max(turns, 1)
    record = scratch / "game.jsonl"
    words, before = [*game.words("play"), "--headless", "--record", str(record)], 0
    start = words
    # now and then before there is anything, mostly after some turn and a while
    after = 0 if rng.random() < 0.15 else int(rng.integers(0, turns))
    while True:
        process = Process(words, scratch / "said")
        if wrong := process.ended(rng, after, float(rng.uniform(0.0, pause)), game.name, found):
            return wrong
        if wrong := lost(record, whole, before + process.turns()):
            return wrong
        if not record.exists() or b"\n" not in record.read_bytes():
            found.count(game.name, "begun anew")
            record.unlink(missing_ok=True)
            words, before = start, 0
        elif record.read_bytes() == whole:
            return []
        else:
            found.count(game.name, "resumed")
            words, before = game.again(record), len(read_record(record).turns)
        if rng.random() >= _AGAIN:
            return _to_the_end(words, record, whole, rng, scratch, found, game.name)
        after = int(rng.integers(0, max(1, turns - before)))


def _to_the_end(
    words: list[str], record: Path, whole: bytes, rng: np.random.Generator, scratch: Path, found: Tally, row: str
) -> list[str]:
    """Go on with a game and let it be; or have two go on with it at once, of whom one is refused."""
    twice = "--resume" in words and rng.random() < 0.2
    all_of_them = [Process(words, scratch / f"said-{k}") for k in range(1 + twice)]
    codes = [process.end() for process in all_of_them]
    said = " | ".join(process.told()[-200:] for process in all_of_them)
    if twice:
        found.count(row, "two at once")
    if sorted(codes, key=str) != ([0, 2] if twice else [0]):
        return [f"{' '.join(words[:2])} ended with {codes}: {said!r}"]
    if record.read_bytes() != whole:
        return ["the game that was gone on with is not the game that was never ended"]
    return []


def lost(record: Path, whole: bytes, told: int) -> list[str]:
    """Faults of a record that was left, when so many turns had been told."""
    there = record.read_bytes() if record.exists() else b""
    kept = max(0, there.count(b"\n") - 1)
    if kept < told:
        return [f"{told} turns were told, {kept} are kept"]
    if not whole.startswith(there):
        return ["what is kept is not how the game went"]
    return []


def _series(game: Game, rng: np.random.Generator, scratch: Path, found: Tally) -> list[str]:
    """Games of a series, ended as a whole or a worker of it, gone on with one by one."""
    begun = monotonic()
    wholes = {
        f"game-{k:05d}.jsonl": game.whole(scratch / f"whole-{k}.jsonl", game_seed(game.seed, k))
        for k in range(1, _SERIES + 1)
    }
    took = monotonic() - begun
    folder, jobs = scratch / "series", int(rng.integers(1, 3))
    words = [*game.words("match"), "--games", str(_SERIES), "--jobs", str(jobs), "--record", str(folder)]
    process = Process(words, scratch / "said")
    # workers take a while to begin
    wrong = process.ended(rng, 0, float(rng.uniform(0.0, 1.2 * took + 2.0 * (jobs - 1))), game.name, found)
    for path in sorted(folder.glob("*.jsonl")) if folder.exists() else ():
        whole = wholes[path.name]
        wrong += lost(path, whole, 0)
        if path.read_bytes() != whole and b"\n" in path.read_bytes():
            found.count(game.name, "resumed")
            wrong += _to_the_end(game.again(path), path, whole, rng, scratch, found, game.name)
    return wrong


def _experiment(seed: int, number: int, scratch: Path, found: Tally) -> tuple[str, list[str]]:
    """An experiment, ended early until chance lets it be; its hash must be that of one carried out in peace."""
    rng = Seeds(seed=seed).child("kills", number).generator()
    store, jobs = str(rng.choice(["sqlite", "parquet"])), int(rng.integers(1, 3))
    row, shots, folder = f"experiment, {store}, {jobs} at work", int(rng.integers(_SHOTS // 3, _SHOTS)), scratch / "out"
    found.count(row, "tries")
    file = scratch / "draw.toml"
    file.write_text(_QUESTION)
    alone = Run(read_experiment(str(file)), scratch / "alone", shots=shots)
    begun = monotonic()
    for _ in alone:
        pass
    took = monotonic() - begun
    words = ["experiment", str(file), "--out", str(folder), "--shots", str(shots), "--jobs", str(jobs), "--chunk", "10",
             "--store", store]  # fmt: skip
    kept, resume = 0, list[str]()
    while True:
        process = Process([*words, *resume], scratch / "said")
        # now and then before there is anything
        early = rng.random() < 0.1
        while not early and process.alive() and not any(folder.glob("shots*")):
            sleep(0.01)
        wrong = process.ended(rng, 0, float(rng.uniform(0.0, 1.5 * took)), row, found)
        if wrong:
            return row, wrong
        told = process.told()
        there = _done(folder)
        if there < kept:
            return row, [f"{kept} shots were kept, {there} are"]
        kept, resume = there, ["--resume"] if (folder / "manifest.json").exists() else []
        if f"hash {alone.manifest.hash}" in told:
            return row, []
        found.count(row, "resumed" if resume else "begun anew")
        if rng.random() >= _AGAIN:
            break
    twice = bool(resume) and rng.random() < 0.3
    last = [Process([*words, *resume], scratch / f"said-{k}") for k in range(1 + twice)]
    codes = [process.end() for process in last]
    said = " | ".join(process.told()[-200:] for process in last)
    if twice:
        found.count(row, "two at once")
    right = sum(f"hash {alone.manifest.hash}" in process.told() for process in last)
    if right != 1 or sorted(codes, key=str) != ([0, 2] if twice else [0]):
        return row, [f"gone on with, it ended with {codes} and {right} right hashes: {said!r}"]
    return row, []


def _done(folder: Path) -> int:
    """Number of shots that are there."""
    manifest = read_manifest(folder)
    if manifest is None:
        return 0
    store = open_store(str(manifest.options["store"]), folder, manifest.columns)
    try:
        return sum(last - first for first, last in store.spans())
    finally:
        store.close()


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    arguments = parser("kills", __doc__, games=200)
    arguments.add_argument("--experiments", type=int, default=50, help="how many of those (50)")
    given = arguments.parse_args(words)
    if given.only is not None:
        found = tries_of(given.seed, [given.only])
    else:
        found = trial(given.games, given.seed, given.jobs, given.experiments)
    return found.show(f"Ended from outside, seed {given.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
