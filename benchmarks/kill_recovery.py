"""Crash recovery test: games and experiments killed at random moments and resumed, without lost data or processes.

`python -m benchmarks.kill_recovery [--games N] [--experiments N] [--seed S] [--jobs J] [--only NUMBER]`. Each run is a
command in its own process, some with subprocess players that have children. The process or one of its workers gets
SIGKILL, SIGTERM, SIGHUP or SIGINT at a random moment; all its children must end with it. Then `--resume` continues it,
and is sometimes killed too, until it completes: the result must equal that of an uninterrupted run. Sometimes two
processes resume at once: one of them must be refused. Experiments are numbered after the games.
"""

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

from benchmarks import command_line
from benchmarks.leftover_processes import MARK, running_processes
from benchmarks.trial_report import TrialReport, run_in_processes
from flicksim.cli import main as flicksim_main
from flicksim.core.random_streams import RandomStreams
from flicksim.experiments import Run, read_experiment
from flicksim.experiments.results_store import open_store
from flicksim.experiments.run import read_manifest
from flicksim.games import load, names
from flicksim.match import read_record
from flicksim.match.series import game_seed
from flicksim.referee import options_of

_SHORT_OPTIONS = {"ends": "1", "rounds": "1", "time_limit_s": "60", "max_turns": "40"}
"""Options that make games short, where they exist."""
_TIMEOUT = 240.0
"""Longest game [s]."""
_EXIT_TIMEOUT = 60.0
"""A killed process and its children must have ended by then, however busy the machine is [s]."""
_SERIES_GAMES = 2
"""Games in a series."""
_SECOND_KILL_CHANCE = 0.4
"""Probability that a resumed run is killed again."""
_SHOTS = 300
"""Shots of an experiment."""

EXPERIMENTS = 1_000_000
"""Trials from this number on are experiments."""
_SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)

_EXPERIMENT = """
title = "a draw"
scene = "draw"
shots = 300
seed = 3
hand = { values = ["club", "world"] }
measure = ["distance white", "off_surface", "rest_position", "touched white"]
flick = { piece = "a", target = "white", overshoot = { values = [-0.02, 0.0, 0.03] }, offset = { normal = [0.0, 0.1] } }
"""

_PROGRAM = """
import json, random, subprocess, sys

subprocess.Popen(["sleep", "600"])
for line in sys.stdin:
    request, rng = json.loads(line), random.Random(line)
    if request["actions"]:
        answer = rng.choice(request["actions"])
    else:
        ranges = rng.choice(request["flicks"])
        answer = {name: ranges[name] for name in ("do", "piece", "size", "hold") if name in ranges}
        drawn = ("speed", "azimuth", "elevation", "tumble", "height", "slant")
        answer |= {name: rng.uniform(*ranges[name]) for name in drawn if name in ranges}
    print(json.dumps(answer), flush=True)
"""
"""Subprocess player with a child process; a random player seeded by the request."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game to kill: name, options, seats and seed."""

    name: str
    options: tuple[str, ...]
    seats: tuple[str, ...]
    seed: int

    def command_args(self, command: str, seed: int | None = None) -> list[str]:
        """Arguments of a command for this game."""
        options = [word for option in self.options for word in ("--option", option)]
        return [command, self.name, *self.players(), *options, "--seed", str(self.seed if seed is None else seed)]

    def players(self) -> list[str]:
        """Arguments for the seats."""
        return [word for seat in self.seats for word in ("--seat", seat)]

    def resume_command(self, record: Path) -> list[str]:
        """Command that resumes a record; subprocess players are started only if the seats are args."""
        programs = any(seat.startswith("cmd") for seat in self.seats)
        return ["play", "--resume", str(record), "--headless", *(self.players() if programs else ())]

    def uninterrupted_record(self, path: Path, seed: int) -> bytes:
        """Record of the same game without interruption."""
        Process(
            [*self.command_args("play", seed), "--headless", "--record", str(path)], path.with_suffix(".output")
        ).end()
        return path.read_bytes()


def draw_game(seed: int, number: int, program: str = "random") -> tuple[Game, np.random.Generator]:
    """Game of a number, and the random generator for its kills."""
    rng = RandomStreams(seed=seed).spawn("kills", number).generator()
    name = names()[number % len(names())]
    loaded = load(name)
    low, high = loaded.seats
    kinds = ["random", "bot:beginner", "random", "bot:beginner", program]
    seats = tuple(str(rng.choice(kinds)) for _ in range(int(rng.integers(low, min(high, 4) + 1))))
    available = {option.name for option in options_of(loaded)}
    options = tuple(f"{option}={value}" for option, value in _SHORT_OPTIONS.items() if option in available)
    return Game(name, options, seats, int(rng.integers(10**6))), rng


class Process:
    """Command in its own process, with its output in a file."""

    def __init__(self, words: Sequence[str], output_path: Path) -> None:
        self.words, self.output_path, self._mark = list(words), output_path, uuid4().hex
        output_path.write_bytes(b"")
        # a fork server with all imports done starts it in milliseconds, without threads of this process
        context = get_context("forkserver")
        context.set_forkserver_preload([__name__])
        self._process = context.Process(target=_run_command, args=(self.words, str(output_path), self._mark))
        self._process.start()

    def alive(self) -> bool:
        """Return True while the process runs."""
        return self._process.is_alive()

    def output(self) -> str:
        """Output so far."""
        return self.output_path.read_text(encoding="utf-8", errors="replace")

    def turns(self) -> int:
        """Number of turns printed so far."""
        return sum(line[:3].strip().isdigit() and line[3:4] == " " for line in self.output().splitlines())

    def kill_at(self, rng: np.random.Generator, turns: int, after: float, row: str, report: TrialReport) -> list[str]:
        """Kill it, or one of its workers, so long [s] after so many turns were printed. Returns the problems."""
        start = monotonic()
        while self._process.is_alive() and self.turns() < turns and monotonic() - start < _TIMEOUT:
            sleep(0.002)
        self._process.join(after)
        pid, target = self._process.pid, "itself"
        assert pid is not None
        workers = [worker for worker, words in running_processes(self._mark).items() if "spawn_main" in words]
        signal_sent = _SIGNALS[int(rng.integers(len(_SIGNALS)))]
        if workers and rng.random() < 0.3:
            pid, target = workers[int(rng.integers(len(workers)))], "worker"
        if not self._process.is_alive():
            report.count(row, "over before")
            return self.wait_until_gone(row, report)
        report.count(row, f"by {signal_sent.name}" if target == "itself" else "a worker")
        try:
            os.kill(pid, signal_sent)
        except ProcessLookupError:
            return self.wait_until_gone(row, report)
        if target == "worker" and signal_sent == signal.SIGINT:  # workers ignore it
            self.end()
        return self.wait_until_gone(row, report)

    def wait_until_gone(self, row: str, report: TrialReport) -> list[str]:
        """Wait until the process and its children have ended. Returns the problems."""
        start = monotonic()
        while (
            remaining := running_processes(self._mark) or self._process.is_alive()
        ) and monotonic() - start < _EXIT_TIMEOUT:
            sleep(0.03)
        report.most(row, "most ms to end", round(1000.0 * (monotonic() - start)))
        for pid in running_processes(self._mark):
            os.kill(pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        problems = [f"{' '.join(self.words[:2])}: {remaining!r} is left running"] if remaining else []
        return problems + (["a traceback: " + self.output()[-300:]] if "Traceback" in self.output() else [])

    def end(self) -> int | None:
        """Wait for its exit code; None if it had to be killed."""
        self._process.join(_TIMEOUT)
        timed_out = self._process.is_alive()
        self._process.kill()
        self._process.join()
        return None if timed_out else self._process.exitcode


def _run_command(words: list[str], output_path: str, mark: str) -> None:
    """Run a command in the child process, with both streams in a file."""
    handle = os.open(output_path, os.O_WRONLY | os.O_APPEND)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    os.environ[MARK] = mark
    sys.argv = ["flicksim", *words]
    raise SystemExit(flicksim_main())


def run_trial(games: int, seed: int, jobs: int = 1, experiments: int = 0) -> TrialReport:
    """Run so many games, all kinds in turn, and then so many experiments."""
    numbers = [*range(games), *range(EXPERIMENTS, EXPERIMENTS + experiments)]
    return run_in_processes(partial(run_trials, seed), numbers, jobs)


def run_trials(seed: int, numbers: Sequence[int]) -> TrialReport:
    """Run the trials of these numbers."""
    report = TrialReport()
    for number in numbers:
        with TemporaryDirectory() as folder:
            scratch = Path(folder)
            again = f"python -m benchmarks.kill_recovery --seed {seed} --only {number}"
            if number >= EXPERIMENTS:
                row, problems = _experiment(seed, number, scratch, report)
            else:
                (scratch / "player.py").write_text(_PROGRAM)
                program = f"cmd:{quote(sys.executable)} {quote(str(scratch / 'player.py'))}"
                game, rng = draw_game(seed, number, program)
                row, run = game.name, _series if number // len(names()) % 5 == 4 else _game
                report.count(row, "tries")
                problems = run(game, rng, scratch, report)
            for problem in problems:
                report.find(row, problem, again)
    return report


def _game(game: Game, rng: np.random.Generator, scratch: Path, report: TrialReport) -> list[str]:
    """One game, killed and resumed at random until it completes."""
    start = monotonic()
    total = game.uninterrupted_record(scratch / "whole.jsonl", game.seed)
    turns = total.count(b"\n") - 1
    pause = 2.0 * (monotonic() - start) / max(turns, 1)
    record = scratch / "game.jsonl"
    words, before = [*game.command_args("play"), "--headless", "--record", str(record)], 0
    first_words = words
    # sometimes before there is a record, mostly after some turn and a pause
    after = 0 if rng.random() < 0.15 else int(rng.integers(0, turns))
    while True:
        process = Process(words, scratch / "output")
        if problems := process.kill_at(rng, after, float(rng.uniform(0.0, pause)), game.name, report):
            return problems
        if problems := record_problems(record, total, before + process.turns()):
            return problems
        if not record.exists() or b"\n" not in record.read_bytes():
            report.count(game.name, "restarted")
            record.unlink(missing_ok=True)
            words, before = first_words, 0
        elif record.read_bytes() == total:
            return []
        else:
            report.count(game.name, "resumed")
            words, before = game.resume_command(record), len(read_record(record).turns)
        if rng.random() >= _SECOND_KILL_CHANCE:
            return _run_to_end(words, record, total, rng, scratch, report, game.name)
        after = int(rng.integers(0, max(1, turns - before)))


def _run_to_end(
    words: list[str], record: Path, total: bytes, rng: np.random.Generator, scratch: Path, report: TrialReport, row: str
) -> list[str]:
    """Resume a game and let it complete; or resume it in two processes at once, one of which must be refused."""
    twice = "--resume" in words and rng.random() < 0.2
    processes = [Process(words, scratch / f"output-{k}") for k in range(1 + twice)]
    codes = [process.end() for process in processes]
    output = " | ".join(process.output()[-200:] for process in processes)
    if twice:
        report.count(row, "two at once")
    if sorted(codes, key=str) != ([0, 2] if twice else [0]):
        return [f"{' '.join(words[:2])} ended with {codes}: {output!r}"]
    if record.read_bytes() != total:
        return ["the resumed game differs from the uninterrupted one"]
    return []


def record_problems(record: Path, total: bytes, printed: int) -> list[str]:
    """Problems of the record of a killed game that had printed so many turns."""
    data = record.read_bytes() if record.exists() else b""
    recorded = max(0, data.count(b"\n") - 1)
    if recorded < printed:
        return [f"{printed} turns were printed, {recorded} are recorded"]
    if not total.startswith(data):
        return ["the record is not the beginning of the game"]
    return []


def _series(game: Game, rng: np.random.Generator, scratch: Path, report: TrialReport) -> list[str]:
    """A series of games, killed as a whole or in one worker; its games are resumed one by one."""
    start = monotonic()
    wholes = {
        f"game-{k:05d}.jsonl": game.uninterrupted_record(scratch / f"whole-{k}.jsonl", game_seed(game.seed, k))
        for k in range(1, _SERIES_GAMES + 1)
    }
    took = monotonic() - start
    folder, jobs = scratch / "series", int(rng.integers(1, 3))
    words = [*game.command_args("match"), "--games", str(_SERIES_GAMES), "--jobs", str(jobs), "--record", str(folder)]
    process = Process(words, scratch / "output")
    # workers take a while to start
    problems = process.kill_at(rng, 0, float(rng.uniform(0.0, 1.2 * took + 2.0 * (jobs - 1))), game.name, report)
    for path in sorted(folder.glob("*.jsonl")) if folder.exists() else ():
        total = wholes[path.name]
        problems += record_problems(path, total, 0)
        if path.read_bytes() != total and b"\n" in path.read_bytes():
            report.count(game.name, "resumed")
            problems += _run_to_end(game.resume_command(path), path, total, rng, scratch, report, game.name)
    return problems


def _experiment(seed: int, number: int, scratch: Path, report: TrialReport) -> tuple[str, list[str]]:
    """An experiment, killed and resumed at random; its hash must be that of an uninterrupted run."""
    rng = RandomStreams(seed=seed).spawn("kills", number).generator()
    store, jobs = str(rng.choice(["sqlite", "parquet"])), int(rng.integers(1, 3))
    row, shots, folder = f"experiment, {store}, {jobs} jobs", int(rng.integers(_SHOTS // 3, _SHOTS)), scratch / "out"
    report.count(row, "tries")
    file = scratch / "draw.toml"
    file.write_text(_EXPERIMENT)
    reference = Run(read_experiment(str(file)), scratch / "reference", shots=shots)
    start = monotonic()
    for _ in reference:
        pass
    took = monotonic() - start
    words = ["experiment", str(file), "--out", str(folder), "--shots", str(shots), "--jobs", str(jobs),
             "--batch-size", "10", "--format", store]  # fmt: skip
    before, resume = 0, list[str]()
    while True:
        process = Process([*words, *resume], scratch / "output")
        # sometimes before there are results
        early = rng.random() < 0.1
        while not early and process.alive() and not any(folder.glob("shots*")):
            sleep(0.01)
        problems = process.kill_at(rng, 0, float(rng.uniform(0.0, 1.5 * took)), row, report)
        if problems:
            return row, problems
        output = process.output()
        stored = _stored_shots(folder)
        if stored < before:
            return row, [f"{before} shots were stored, now {stored}"]
        before, resume = stored, ["--resume"] if (folder / "manifest.json").exists() else []
        if f"hash {reference.manifest.hash}" in output:
            return row, []
        report.count(row, "resumed" if resume else "restarted")
        if rng.random() >= _SECOND_KILL_CHANCE:
            break
    twice = bool(resume) and rng.random() < 0.3
    last = [Process([*words, *resume], scratch / f"output-{k}") for k in range(1 + twice)]
    codes = [process.end() for process in last]
    output = " | ".join(process.output()[-200:] for process in last)
    if twice:
        report.count(row, "two at once")
    right = sum(f"hash {reference.manifest.hash}" in process.output() for process in last)
    if right != 1 or sorted(codes, key=str) != ([0, 2] if twice else [0]):
        return row, [f"resumed, it ended with {codes} and {right} right hashes: {output!r}"]
    return row, []


def _stored_shots(folder: Path) -> int:
    """Number of shots in the results store."""
    manifest = read_manifest(folder)
    if manifest is None:
        return 0
    store = open_store(str(manifest.options["store"]), folder, manifest.columns)
    try:
        return sum(last - first for first, last in store.spans())
    finally:
        store.close()


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    arguments = command_line.trial_parser("kill_recovery", __doc__, games=200)
    arguments.add_argument("--experiments", type=int, default=50, help="number of experiments (50)")
    args = arguments.parse_args(argv)
    if args.only is not None:
        report = run_trials(args.seed, [args.only])
    else:
        report = run_trial(args.games, args.seed, args.jobs, args.experiments)
    return report.show(f"Killed and resumed, seed {args.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
