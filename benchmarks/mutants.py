"""Spoiled files: each is read rightly or refused in a sentence, and nothing hangs.

`python -m benchmarks.mutants [--files N] [--seed S] [--jobs J] [--only NUMBER]`. Every file goes through the command
line that reads such files, in this process; one in forty also through a process of its own.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tomllib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.spoiled import spoil
from benchmarks.tally import Tally, parser, shared, within
from flicksim.base.codec import from_json, to_json, to_plain
from flicksim.base.places import assets
from flicksim.base.seeding import Seeds
from flicksim.cli import main as command_line
from flicksim.games import load, names
from flicksim.play import Recorder, header_of, open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.table import Flick, Launch, PyramidScene, Scene, Squidge
from flicksim.ui.kit.preferences import FILE, Preferences, remembered

_LIMIT = 20.0
"""No file takes longer to compute [s]."""
_THROUGH_SHELL = 40
_SHORT = {"penny-white": ["ends=1"], "dominoes": ["rounds=1"]}
_TURNS = 8
"""Turns of a game in the records that are spoiled."""
_LONGEST = 900
"""A sentence is no longer [characters]; what it quotes is cut short."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file.

    Args:
        samples: good ones, by name. words: the command that reads one; None: the window does, as its settings.
        value: of what kind the value is that one holds, by its plain form; None: it holds more than one.
    """

    samples: Callable[[], dict[str, bytes]]
    words: Callable[[Path, str], list[str]] | None
    value: Callable[[Any], Any] | None = None


def _shipped(folder: str, ending: str = ".json") -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((assets() / folder).glob(f"*{ending}"))}


@lru_cache(maxsize=1)
def _records() -> dict[str, bytes]:
    """The first turns of a game of each kind, by bots and by chance."""
    found = {}
    with TemporaryDirectory() as folder:
        for name in names():
            game = load(name)
            many = max(game.seats[0], 2)
            seats = tuple("bot:beginner" if seat % 2 else "random" for seat in range(many))
            match = open_match(game, parse_options(game, _SHORT.get(name, [])), [parse_seat(s) for s in seats], 4)
            with Recorder(Path(folder) / f"{name}.jsonl", header_of(match, seats), durable=False) as recorder:
                for turn in match.run():
                    recorder.turn(turn)
                    if turn.number >= _TURNS:
                        break
            found[f"{name}.jsonl"] = recorder.path.read_bytes()
    return found


def _taste() -> dict[str, bytes]:
    other = Preferences(palette="light", scale=1.3, volume=0.2, four=True, hand="world", pace=2)
    return {"usual.json": to_json(Preferences()), "other.json": json.dumps(to_plain(other), indent=2).encode()}


def _experiments() -> dict[str, bytes]:
    """The ready ones, as they are and in JSON."""
    found = _shipped("experiments", ".toml")
    plain = {name: tomllib.loads(text.decode()) for name, text in found.items()}
    return found | {name.replace(".toml", ".json"): json.dumps(one).encode() for name, one in plain.items()}


def _beside(folder: str, name: str) -> str:
    return str(assets() / folder / name)


KINDS = {
    "position": Kind(
        partial(_shipped, "positions/tiddlywinks"), lambda file, _: ["position", str(file)],
        lambda _: load("tiddlywinks").positions.Position,
    ),
    "scene": Kind(
        partial(_shipped, "scenes"), lambda file, name: ["settle", str(file), _beside("flicks", name)],
        lambda plain: PyramidScene if plain.get("scene") == "pyramids" else Scene,
    ),
    "flick": Kind(
        partial(_shipped, "flicks"), lambda file, name: ["settle", _beside("scenes", name), str(file)],
        lambda plain: {"squidge": Squidge, "launch": Launch}.get(plain.get("do"), Flick),
    ),
    "record": Kind(_records, lambda file, _: ["replay", str(file), "--verify"]),
    "experiment": Kind(
        _experiments,
        lambda file, _: ["experiment", str(file), "--out", str(file.parent / "results"), "--shots", "1"],
    ),
    "settings": Kind(_taste, None, lambda _: Preferences),
}  # fmt: skip
"""Every kind of file that people may bring."""


def trial(files: int, seed: int, jobs: int = 1, *, shell: bool = True) -> Tally:
    """So many spoiled files, kind after kind in turn; `shell`: some of them also through a process of its own."""
    return shared(partial(tries_of, seed, shell), range(files), jobs)


def tries_of(seed: int, shell: bool, numbers: Sequence[int]) -> Tally:
    """The files of these numbers."""
    found = Tally()
    with TemporaryDirectory() as scratch:
        for number in numbers:
            _one(seed, number, Path(scratch), found, shell=shell)
    return found


def _one(seed: int, number: int, scratch: Path, found: Tally, *, shell: bool) -> None:
    kind = list(KINDS)[number % len(KINDS)]
    rng = Seeds(seed=seed).child("mutants", kind, number).generator()
    samples = KINDS[kind].samples()
    name = str(rng.choice(list(samples)))
    how, text = spoil(rng, samples[name])
    file = scratch / ("settings" if kind == "settings" else f"spoiled-{number}") / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text)
    again = f"python -m benchmarks.mutants --seed {seed} --only {number}"
    found.count(kind, "files")
    words = KINDS[kind].words
    if words is None:
        outcome, wrong = as_settings(file, text)
    else:
        said = said_of(words(file, name))
        outcome, wrong = said.outcome, list(said.wrong())
        if said.code == 0:
            wrong += _misread(text, KINDS[kind].value, file.suffix)
        if shell and number // len(KINDS) % _THROUGH_SHELL == 0:
            found.count(kind, "in a process")
            rmtree(file.parent / "results", ignore_errors=True)
            wrong += list(_through_shell(words(file, name), said.code))
    found.count(kind, outcome)
    for one in wrong:
        found.find(kind, f"{name} ({how}): {one}", again)
    rmtree(file.parent)


@dataclass(frozen=True, slots=True)
class Said:
    """Answer of a command: its exit code, or what it raised instead, and both streams."""

    code: int | None
    raised: str
    out: str
    err: str

    @property
    def outcome(self) -> str:
        """In a word."""
        return {0: "read", 1: "read: no", 2: "refused"}.get(self.code if self.code is not None else -1, "neither")

    def wrong(self) -> Iterator[str]:
        """Faults of the answer."""
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
            yield f"not one sentence: {self.err[:200]!r}"
        if self.code == 2 and max(map(len, lines), default=0) > _LONGEST:
            yield f"a sentence of {max(map(len, lines))} letters: {self.err[:200]!r}"
        if self.code != 2 and not (self.out or self.err):
            yield "nothing is said"


def said_of(words: Sequence[str]) -> Said:
    """Run a command here, and hear what it says."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    argv, code, raised = sys.argv, None, ""
    try:
        sys.argv = ["flicksim", *words]
        with redirect_stdout(out), redirect_stderr(err), within(_LIMIT):
            code = command_line()
    except BaseException as broken:
        raised = f"{type(broken).__name__}: {str(broken)[:200]}"
        if isinstance(broken, KeyboardInterrupt):
            raise
    finally:
        sys.argv = argv
    streams = [stream.buffer.getvalue().decode(errors="replace") for stream in (out, err)]
    return Said(code, raised, *streams)


def _through_shell(words: Sequence[str], code: int | None) -> Iterator[str]:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "flicksim", *words], capture_output=True, timeout=3 * _LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        yield "in a process of its own it hangs"
        return
    said = Said(done.returncode, "", done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
    yield from (f"in a process of its own: {one}" for one in said.wrong())
    if done.returncode != code:
        yield f"in a process of its own it ends with {done.returncode}, here with {code}"


def _misread(text: bytes, value_of: Callable[[Any], Any] | None, ending: str) -> list[str]:
    """Return True if what was accepted is not what is written; a mark of byte order is no part of it."""
    text = text.removeprefix(BOM_UTF8)
    lines = text.split(b"\n")[:-1] if ending == ".jsonl" else [text]
    try:
        plain = [tomllib.loads(line.decode()) if ending == ".toml" else _strict(line) for line in lines]
    except ValueError as wrong:
        return [f"it is read, but nobody else could: {wrong}"]
    if value_of is None:
        return []
    kind = value_of(plain[0])
    value = from_json(text, kind)
    if from_json(to_json(value), kind) != value:
        return ["what is read is not what is written down again"]
    return [f"{where} is read otherwise" for where in _apart(plain[0], to_plain(value), "")]


def _strict(text: bytes) -> Any:
    def no_number(word: str) -> float:
        raise ValueError(f"{word} is no number")

    return json.loads(text.decode("utf-8"), parse_constant=no_number)


def _apart(file: Any, value: Any, where: str) -> Iterator[str]:
    """Places at which a value differs from its file; what is left out of a value stands at its default."""
    if isinstance(file, dict) and isinstance(value, dict):
        for key in file.keys() & value.keys():
            yield from _apart(file[key], value[key], f"{where}.{key}")
    elif isinstance(file, list) and isinstance(value, list | tuple) and len(file) == len(value):
        for k, both in enumerate(zip(file, value, strict=True)):
            yield from _apart(*both, f"{where}[{k}]")
    elif (float(file) if isinstance(value, float) and isinstance(file, int) else file) != value:
        yield where


@contextmanager
def _home(folder: Path) -> Iterator[None]:
    """The player's own files lie there meanwhile."""
    before = os.environ.get("FLICKSIM_HOME")
    os.environ["FLICKSIM_HOME"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["FLICKSIM_HOME"]
        else:
            os.environ["FLICKSIM_HOME"] = before


def as_settings(file: Path, text: bytes) -> tuple[str, list[str]]:
    """As the window reads its settings when it opens."""
    path = file.parent / "config" / FILE
    path.parent.mkdir(exist_ok=True)
    file.replace(path)
    try:
        with _home(file.parent), within(_LIMIT):
            preferences, says = remembered()
    except Exception as broken:
        return "neither", [f"{type(broken).__name__}: {broken}"]
    if not says:
        return "read", _misread(text, KINDS["settings"].value, path.suffix)
    aside = path.with_name("settings-broken.json")
    wrong = [] if aside.read_bytes() == text else ["the old file is not kept"]
    if preferences != Preferences() or "\n" in says or not says.isprintable() or len(says) > _LONGEST:
        wrong.append(f"not the usual settings and a sentence: {says[:200]!r}")
    return "refused", wrong


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    given = parser("mutants", __doc__, files=5_000).parse_args(words)
    if given.only is None:
        found = trial(given.files, given.seed, given.jobs)
    else:
        found = tries_of(given.seed, True, [given.only])
    return found.show(f"Spoiled files, seed {given.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
