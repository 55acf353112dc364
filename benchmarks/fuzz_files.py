"""Fuzz test of file reading: every corrupted file is read correctly or refused with a one-line error, and none hangs.

`python -m benchmarks.fuzz_files [--files N] [--seed S] [--jobs J] [--only NUMBER]`. Every file goes through the command
that reads its kind, in this process; one in forty also through a separate process.
"""

import io
import json
import os
import subprocess
import sys
import tomllib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from benchmarks import command_line
from benchmarks.corrupt_files import corrupt
from benchmarks.trial_report import TrialReport, time_limit
from flicksim.cli import main as flicksim_main
from flicksim.core.paths import HOME_VARIABLE, assets_dir
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, to_builtins, to_json
from flicksim.games import load, names
from flicksim.games.tiddlywinks.position import Position
from flicksim.gui.toolkit.preferences import FILE_NAME, Preferences, load_preferences
from flicksim.match import Recorder, match_header, open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.scene import Flick, Launch, PyramidScene, Scene, Squidge

_LIMIT = 20.0
"""Processor time limit per file [s]."""
_SUBPROCESS_EVERY = 40
"""One file in so many is also read in a separate process."""
_SHORT_OPTIONS = {"penny-white": ["ends=1"], "dominoes": ["rounds=1"]}
_TURNS = 8
"""Turns of a game in the records to corrupt."""
_MAX_ERROR_LENGTH = 900
"""Longest error message; quoted text is shortened [characters]."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file.

    Args:
        samples: valid files by name. command: command that reads a file; None: the window reads it as its preferences.
        value: type of the value in a file, from its JSON form; None: the file holds several values.
    """

    samples: Callable[[], dict[str, bytes]]
    command: Callable[[Path, str], list[str]] | None
    value: Callable[[Any], Any] | None = None


def _shipped(folder: str, ending: str = ".json") -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((assets_dir() / folder).glob(f"*{ending}"))}


@lru_cache(maxsize=1)
def _records() -> dict[str, bytes]:
    """Records of the first turns of every game, played by bots and random players."""
    records = {}
    with TemporaryDirectory() as folder:
        for name in names():
            game = load(name)
            seat_count = max(game.seats[0], 2)
            seats = tuple("bot:beginner" if seat % 2 else "random" for seat in range(seat_count))
            match = open_match(
                game, parse_options(game, _SHORT_OPTIONS.get(name, [])), [parse_seat(s) for s in seats], 4
            )
            with Recorder(Path(folder) / f"{name}.jsonl", match_header(match, seats), durable=False) as recorder:
                for turn in match.run():
                    recorder.write_turn(turn)
                    if turn.number >= _TURNS:
                        break
            records[f"{name}.jsonl"] = recorder.path.read_bytes()
    return records


def _settings_files() -> dict[str, bytes]:
    other = Preferences(palette="light", scale=1.3, volume=0.2, four_suit_colours=True, hand="world", card_pace=2)
    return {"usual.json": to_json(Preferences()), "other.json": json.dumps(to_builtins(other), indent=2).encode()}


def _experiments() -> dict[str, bytes]:
    """The shipped experiments, as TOML and as JSON."""
    files = _shipped("experiments", ".toml")
    plain = {name: tomllib.loads(text.decode()) for name, text in files.items()}
    return files | {name.replace(".toml", ".json"): json.dumps(one).encode() for name, one in plain.items()}


def _sibling_file(folder: str, name: str) -> str:
    return str(assets_dir() / folder / name)


KINDS = {
    "position": FileKind(
        partial(_shipped, "positions/tiddlywinks"), lambda file, _: ["position", str(file)],
        lambda _: Position,
    ),
    "scene": FileKind(
        partial(_shipped, "scenes"), lambda file, name: ["simulate", str(file), _sibling_file("flicks", name)],
        lambda plain: PyramidScene if plain.get("scene") == "pyramids" else Scene,
    ),
    "flick": FileKind(
        partial(_shipped, "flicks"), lambda file, name: ["simulate", _sibling_file("scenes", name), str(file)],
        lambda plain: {"squidge": Squidge, "launch": Launch}.get(plain.get("do"), Flick),
    ),
    "record": FileKind(_records, lambda file, _: ["replay", str(file), "--verify"]),
    "experiment": FileKind(
        _experiments,
        lambda file, _: ["experiment", str(file), "--out", str(file.parent / "results"), "--shots", "1"],
    ),
    "settings": FileKind(_settings_files, None, lambda _: Preferences),
}  # fmt: skip
"""Kinds of files that users may supply."""


def run_trials(seed: int, numbers: Sequence[int], *, shell: bool = True) -> TrialReport:
    """Try the files of these numbers, all kinds in turn; `shell`: some also in a separate process."""
    report = TrialReport()
    with TemporaryDirectory() as scratch:
        for number in numbers:
            _run_one(seed, number, Path(scratch), report, shell=shell)
    return report


def _run_one(seed: int, number: int, scratch: Path, report: TrialReport, *, shell: bool) -> None:
    kind = list(KINDS)[number % len(KINDS)]
    rng = RandomStreams(seed=seed).spawn("mutants", kind, number).generator()
    samples = KINDS[kind].samples()
    name = str(rng.choice(list(samples)))
    corruptions, text = corrupt(rng, samples[name])
    file = scratch / ("settings" if kind == "settings" else f"corrupted-{number}") / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text)
    again = f"python -m benchmarks.fuzz_files --seed {seed} --only {number}"
    report.count(kind, "files")
    command = KINDS[kind].command
    if command is None:
        outcome, problems = read_as_preferences(file, text)
    else:
        output = run_command(command(file, name))
        outcome, problems = output.outcome, list(output.problems())
        if output.code == 0:
            problems += _wrong_values(text, KINDS[kind].value, file.suffix)
        if shell and number // len(KINDS) % _SUBPROCESS_EVERY == 0:
            report.count(kind, "in a process")
            rmtree(file.parent / "results", ignore_errors=True)
            problems += list(_run_in_process(command(file, name), output.code))
    report.count(kind, outcome)
    for problem in problems:
        report.find(kind, f"{name} ({corruptions}): {problem}", again)
    rmtree(file.parent)


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """Result of a command: exit code, or the exception it raised instead, and both streams."""

    code: int | None
    raised: str
    out: str
    err: str

    @property
    def outcome(self) -> str:
        """Outcome in one word."""
        return {0: "read", 1: "read: no", 2: "refused"}.get(self.code if self.code is not None else -1, "neither")

    def problems(self) -> Iterator[str]:
        """Problems with the result."""
        if self.code not in (0, 1, 2):
            yield self.raised or f"exit code {self.code}"
            return
        if "Traceback" in self.out + self.err:
            yield "a traceback"
        for stream in (self.out, self.err):
            if bad := [letter for letter in stream if not (letter.isprintable() or letter == "\n")]:
                yield f"{bad[0]!r} is sent to the terminal: {stream[:200]!r}"
        lines = self.err.splitlines()
        if self.code == 2 and not (lines and lines[-1].startswith("flicksim: ") and len(lines) <= 2):
            yield f"not a one-line error: {self.err[:200]!r}"
        if self.code == 2 and max(map(len, lines), default=0) > _MAX_ERROR_LENGTH:
            yield f"an error of {max(map(len, lines))} characters: {self.err[:200]!r}"
        if self.code != 2 and not (self.out or self.err):
            yield "no output"


def run_command(words: Sequence[str]) -> CommandOutput:
    """Run a command in this process and capture its output."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    code, raised = None, ""
    try:
        arguments = patch.object(sys, "argv", ["flicksim", *words])
        with arguments, redirect_stdout(out), redirect_stderr(err), time_limit(_LIMIT):
            code = flicksim_main()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raised = f"{type(error).__name__}: {str(error)[:200]}"
    streams = [stream.buffer.getvalue().decode(errors="replace") for stream in (out, err)]
    return CommandOutput(code, raised, *streams)


def _run_in_process(words: Sequence[str], code: int | None) -> Iterator[str]:
    try:
        completed = subprocess.run(
            [sys.executable, "-m", "flicksim", *words], capture_output=True, timeout=3 * _LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        yield "it hangs in a separate process"
        return
    output = CommandOutput(
        completed.returncode, "", completed.stdout.decode(errors="replace"), completed.stderr.decode(errors="replace")
    )
    yield from (f"in a separate process: {problem}" for problem in output.problems())
    if completed.returncode != code:
        yield f"exit code {completed.returncode} in a separate process, {code} here"


def _wrong_values(text: bytes, value_of: Callable[[Any], Any] | None, ending: str) -> list[str]:
    """Differences between the file and the value read from it, apart from a byte order mark."""
    text = text.removeprefix(BOM_UTF8)
    lines = text.split(b"\n")[:-1] if ending == ".jsonl" else [text]
    try:
        plain = [tomllib.loads(line.decode()) if ending == ".toml" else _strict_json(line) for line in lines]
    except ValueError as error:
        return [f"it is read, but no standard parser reads it: {error}"]
    if value_of is None:
        return []
    kind = value_of(plain[0])
    value = from_json(text, kind)
    if from_json(to_json(value), kind) != value:
        return ["the value changes when written and read again"]
    return [f"{where} has another value" for where in _differences(plain[0], to_builtins(value), "")]


def _strict_json(text: bytes) -> Any:
    def reject(word: str) -> float:
        raise ValueError(f"{word} is no number")

    return json.loads(text.decode("utf-8"), parse_constant=reject)


def _differences(file: Any, value: Any, where: str) -> Iterator[str]:
    """Paths at which a value differs from its file; fields missing in the file have their defaults."""
    if isinstance(file, dict) and isinstance(value, dict):
        for key in file.keys() & value.keys():
            yield from _differences(file[key], value[key], f"{where}.{key}")
    elif isinstance(file, list) and isinstance(value, list | tuple) and len(file) == len(value):
        for k, pair in enumerate(zip(file, value, strict=True)):
            yield from _differences(*pair, f"{where}[{k}]")
    elif (float(file) if isinstance(value, float) and isinstance(file, int) else file) != value:
        yield where


def read_as_preferences(file: Path, text: bytes) -> tuple[str, list[str]]:
    """Read the file as the window reads its preferences on opening; return the outcome and the problems."""
    path = file.parent / "config" / FILE_NAME
    path.parent.mkdir(exist_ok=True)
    file.replace(path)
    try:
        with patch.dict(os.environ, {HOME_VARIABLE: str(file.parent)}), time_limit(_LIMIT):
            preferences, message = load_preferences()
    except Exception as error:
        return "neither", [f"{type(error).__name__}: {error}"]
    if not message:
        return "read", _wrong_values(text, KINDS["settings"].value, path.suffix)
    backup = path.with_name("settings-broken.json")
    problems = [] if backup.read_bytes() == text else ["the old file is not kept"]
    if preferences != Preferences() or "\n" in message or not message.isprintable() or len(message) > _MAX_ERROR_LENGTH:
        problems.append(f"not the defaults and a one-line message: {message[:200]!r}")
    return "refused", problems


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    return command_line.run_trials("fuzz_files", __doc__, argv, "Corrupted files", run_trials, files=5_000)


if __name__ == "__main__":
    raise SystemExit(main())
