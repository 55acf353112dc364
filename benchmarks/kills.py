"""Games killed at random moments and gone on with: no turn that was told is lost, and the game ends as it would have.

`python -m benchmarks.kills [--games N] [--seed S] [--jobs J] [--only NUMBER]`. Each game is played by the command line
in a process of its own, with a record. That process is ended by SIGKILL at a moment of chance; then `--resume` goes on,
and is maybe killed as well, until one comes to the end; now and then two go on with it at once, and one of them is told
so. Every fifth is a series instead (`flicksim match`), whose
records are then gone on with one by one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import numpy as np

from benchmarks.tally import Tally, parser, shared
from flicksim.base.seeding import Seeds
from flicksim.cli import main as command_line
from flicksim.games import load, names
from flicksim.play import Recorder, header_of, open_match, parse_seat, read_record
from flicksim.play.series import game_seed
from flicksim.referee import options_of, parse_options

_SHORT = {"ends": "1", "rounds": "1", "time_limit_s": "60", "max_turns": "40"}
"""Options that make a game short, where it has them."""
_LONGEST = 240.0
"""No game takes longer [s]."""
_SERIES = 2
"""Games in a series."""
_AGAIN = 0.4
"""How likely a game that was gone on with is killed once more."""
_RIVAL = 0.3
"""How likely two processes go on with it at once, where neither is killed."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game to be killed: which, by which options, who plays, from which seed."""

    name: str
    options: tuple[str, ...]
    seats: tuple[str, ...]
    seed: int

    def words(self, command: str) -> list[str]:
        """Its part of a command line."""
        seats = [word for seat in self.seats for word in ("--seat", seat)]
        options = [word for option in self.options for word in ("--option", option)]
        return [command, self.name, *seats, *options, "--seed", str(self.seed)]

    def whole(self, path: Path, seed: int) -> bytes:
        """The record of the same game played in peace."""
        card = load(self.name)
        seats = [parse_seat(word) for word in self.seats]
        match = open_match(card, parse_options(card, list(self.options)), seats, seed)
        with Recorder(path, header_of(match, self.seats), durable=False) as recorder:
            for turn in match.run():
                recorder.turn(turn)
        return path.read_bytes()


def drawn(seed: int, number: int) -> tuple[Game, np.random.Generator]:
    """The game of that number, and dice for when it is killed."""
    rng = Seeds(seed=seed).child("kills", number).generator()
    name = names()[number % len(names())]
    card = load(name)
    low, high = card.seats
    seats = tuple(str(rng.choice(["random", "bot:beginner"])) for _ in range(int(rng.integers(low, min(high, 4) + 1))))
    there = {option.name for option in options_of(card)}
    options = tuple(f"{option}={value}" for option, value in _SHORT.items() if option in there)
    return Game(name, options, seats, int(rng.integers(10**6))), rng


class Process:
    """The command line in a process of its own, what it says going to a file."""

    def __init__(self, words: Sequence[str], said: Path) -> None:
        self.said = said
        said.write_bytes(b"")
        # a server that has everything imported forks it: it is born in milliseconds, and holds no thread of ours
        context = get_context("forkserver")
        context.set_forkserver_preload([__name__])
        self._process = context.Process(target=_speak, args=(list(words), str(said)))
        self._process.start()

    def told(self) -> str:
        """What it has said by now."""
        return self.said.read_text(encoding="utf-8", errors="replace")

    def turns(self) -> int:
        """How many turns it has told of."""
        return sum(line[:3].strip().isdigit() and line[3:4] == " " for line in self.told().splitlines())

    def kill(self, turns: int, after: float) -> bool:
        """SIGKILL so long [s] after so many turns were told. Returns whether it was still alive."""
        begun = monotonic()
        while self._process.is_alive() and self.turns() < turns and monotonic() - begun < _LONGEST:
            sleep(0.002)
        self._process.join(after)
        alive = self._process.is_alive()
        self._process.kill()
        self._process.join()
        return alive

    def end(self) -> int | None:
        """Its exit code; None when it had to be ended."""
        self._process.join(_LONGEST)
        late = self._process.is_alive()
        self._process.kill()
        self._process.join()
        return None if late else self._process.exitcode


def _speak(words: list[str], said: str) -> None:
    """In the process: the command line, with both streams going to a file."""
    handle = os.open(said, os.O_WRONLY | os.O_APPEND)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    sys.argv = ["flicksim", *words]
    raise SystemExit(command_line())


def trial(games: int, seed: int, jobs: int = 1) -> Tally:
    """So many games, one of each kind in turn."""
    return shared(partial(tries_of, seed), range(games), jobs)


def tries_of(seed: int, numbers: Sequence[int]) -> Tally:
    """The games of these numbers."""
    found = Tally()
    for number in numbers:
        with TemporaryDirectory() as scratch:
            game, rng = drawn(seed, number)
            again = f"python -m benchmarks.kills --seed {seed} --only {number}"
            run = _series if number // len(names()) % 5 == 4 else _game
            found.count(game.name, "games")
            for wrong in run(game, rng, Path(scratch), found):
                found.find(game.name, wrong, again)
    return found


def _game(game: Game, rng: np.random.Generator, scratch: Path, found: Tally) -> list[str]:
    """One game, killed until chance lets it be."""
    begun = monotonic()
    whole = game.whole(scratch / "whole.jsonl", game.seed)
    turns = whole.count(b"\n") - 1
    pause = 2.0 * (monotonic() - begun) / max(turns, 1)
    record = scratch / "game.jsonl"
    start = [*game.words("play"), "--headless", "--record", str(record)]
    process = Process(start, scratch / "said")
    # now and then before there is anything, mostly after some turn and a while
    first = 0 if rng.random() < 0.15 else int(rng.integers(0, turns))
    return _killed(process, first, float(rng.uniform(0.0, pause)), record, whole, start, rng, pause, game.name, found)


def _killed(
    process: Process, turns: int, after: float, record: Path, whole: bytes, start: list[str],
    rng: np.random.Generator, pause: float, name: str, found: Tally,
) -> list[str]:  # fmt: skip
    """Kill it, look at its record, go on with it."""
    before = 0
    while True:
        found.count(name, "killed" if process.kill(turns, after) else "over before")
        told = before + process.turns()
        if wrong := lost(record, whole, told):
            return [wrong]
        if not record.exists() or b"\n" not in record.read_bytes():
            found.count(name, "begun anew")
            record.unlink(missing_ok=True)
            words, before = start, 0
        elif record.read_bytes() == whole:
            return []
        else:
            found.count(name, "resumed")
            words, before = ["play", "--resume", str(record), "--headless"], len(read_record(record).turns)
        process = Process(words, process.said)
        if rng.random() < _AGAIN:
            turns, after = int(rng.integers(0, max(1, whole.count(b"\n") - 1 - before))), float(rng.uniform(0.0, pause))
            continue
        both = [process]
        if rng.random() < _RIVAL:
            found.count(name, "by two at once")
            both.append(Process(words, process.said.with_name("rival")))
        codes = [one.end() for one in both]
        if sorted(-1 if code is None else code for code in codes) != [0, 2][: len(both)]:
            told = " and ".join(repr(one.told()[-200:]) for one in both)
            return [f"{' '.join(words[:2])} ended with {codes}: {told}"]
        if record.read_bytes() != whole:
            return ["the game that was gone on with is not the game that was never killed"]
        return []


def lost(record: Path, whole: bytes, told: int) -> str:
    """What is wrong with a record that was left, when so many turns had been told; empty when nothing is."""
    left = record.read_bytes() if record.exists() else b""
    kept = max(0, left.count(b"\n") - 1)
    if kept < told:
        return f"{told} turns were told, {kept} are kept"
    if not whole.startswith(left):
        return "what is kept is not how the game went"
    return ""


def _series(game: Game, rng: np.random.Generator, scratch: Path, found: Tally) -> list[str]:
    """Games of a series, killed once as a whole, gone on with one by one."""
    begun = monotonic()
    wholes = {
        f"game-{k:05d}.jsonl": game.whole(scratch / f"whole-{k}.jsonl", game_seed(game.seed, k))
        for k in range(1, _SERIES + 1)
    }
    took = monotonic() - begun
    folder = scratch / "series"
    words = [*game.words("match"), "--games", str(_SERIES), "--record", str(folder)]
    process = Process(words, scratch / "said")
    found.count(game.name, "killed" if process.kill(0, float(rng.uniform(0.0, 1.2 * took))) else "over before")
    wrong = []
    for path in sorted(folder.glob("*.jsonl")) if folder.exists() else ():
        whole = wholes[path.name]
        wrong += [one] if (one := lost(path, whole, 0)) else []
        if path.read_bytes() != whole and b"\n" in path.read_bytes():
            found.count(game.name, "resumed")
            again = Process(["play", "--resume", str(path), "--headless"], process.said)
            if again.end() != 0 or path.read_bytes() != whole:
                wrong.append(f"{path.name} could not be gone on with: {again.told()[-200:]!r}")
    return wrong


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    given = parser("kills", __doc__, games=200).parse_args(words)
    only = given.only is not None
    found = tries_of(given.seed, [given.only]) if only else trial(given.games, given.seed, given.jobs)
    return found.show(f"Killed games, seed {given.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
