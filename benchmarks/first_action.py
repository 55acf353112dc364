"""Seconds until a bot's first action, by game and grade, on caches that are empty: at the shell and in the window.

    python -m benchmarks.first_action [--game GAME ...] [--grade GRADE ...] [--way WAY ...] [--plain]

Each is measured in a process of its own with a home of its own, from its start to the first turn that is told (the
shell) or to the first aim or launch that is seen (the window, by SDL's dummy driver), and on through a few turns, for a
first move may need no thought. `--plain`: as if nothing could be compiled. Besides the clock's seconds the processor's
are told, of that process and of those it has begun: on a machine that others keep busy the clock tells of them too.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import NamedTuple

from benchmarks.sheet import write
from flicksim.base.codec import Value
from flicksim.base.places import HOME
from flicksim.games import load, names
from flicksim.physics.flight.jit import PLAIN
from flicksim.players import GRADES

WAYS = ("shell", "person", "window")
"""Bots among themselves at the shell, with a person at the last seat there who leaves at once, and in the window."""
_TURN = re.compile(r" *\d+ \S.*: ")
"""Turn as the shell tells it."""
_FRAME = 1.0 / 60.0
_LONGEST = 400.0
"""Nothing is waited for longer [s]."""
_KEPT = (HOME, "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", PLAIN)
"""Settings of this machine by which something might be kept, or not compiled."""


class Row(Value, frozen=True, kw_only=True):
    """One first action.

    Args:
        clock: seconds to it. processor: seconds of processor until then. opened: clock seconds to the first frame.
        later: the longest wait for a later action, of the first few turns [s].
    """

    game: str
    grade: str
    way: str
    compiled: bool
    clock: float
    processor: float
    opened: float
    later: float


class _Spent(NamedTuple):
    clock: float
    processor: float
    opened: float
    later: float


def seats_of(game: str, grade: str) -> list[str]:
    """Bots of that grade for the fewest seats of a game, two at least."""
    return [f"bot:{grade}"] * max(2, load(game).seats[0])


def _environment(home: Path, plain: bool) -> dict[str, str]:
    """The settings of somebody who starts it for the first time."""
    usual = {name: value for name, value in os.environ.items() if name not in _KEPT}
    usual |= {"HOME": str(home), "PYTHONUNBUFFERED": "1", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    usual |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    return usual | ({PLAIN: "1"} if plain else {})


def at_shell(game: str, grade: str, plain: bool, seed: int, turns: int, person: bool = False) -> _Spent:
    """The first turns that the shell tells."""
    sitting = seats_of(game, grade)
    if person:
        sitting = [*sitting[:-1], "human"]
    seats = [word for seat in sitting for word in ("--seat", seat)]
    words = ["-m", "flicksim", "play", game, "--headless", "--seed", str(seed), *seats]
    return _timed(words, plain, turns)


def in_window(game: str, grade: str, plain: bool, seed: int, turns: int) -> _Spent:
    """The first aims, launches or turns that the window shows."""
    words = ["-m", "benchmarks.first_action", "--watch", game, "--grade", grade, "--seed", str(seed)]
    return _timed([*words, "--turns", str(turns)], plain, turns)


def _timed(words: Sequence[str], plain: bool, turns: int) -> _Spent:
    """Run Python in a home of its own until it has told so many turns, a line each; then it is ended.

    A line may tell itself how long the turn was waited for; else it is the time since the line before.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        began = monotonic()
        process = subprocess.Popen(
            [sys.executable, *words], env=_environment(Path(home), plain), stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        opened, processor, waits, last = 0.0, 0.0, list[float](), began
        try:
            assert process.stdout is not None
            for line in process.stdout:
                match line.split():
                    case ["opened"]:
                        opened = monotonic() - began
                        continue
                    case ["waited", seconds] if waits:
                        waits.append(float(seconds))
                    case ["waited", _]:
                        waits.append(monotonic() - last)
                    case _ if _TURN.match(line):
                        waits.append(monotonic() - last)
                    case _:
                        continue
                last = monotonic()
                if len(waits) == 1:
                    processor = _spent_by(process.pid)
                if len(waits) >= turns or last - began > _LONGEST:
                    break
        finally:
            process.kill()
            process.communicate()
    return _Spent(waits[0] if waits else nan, processor, opened, max(waits[1:], default=0.0))


def _spent_by(pid: int) -> float:
    """Processor seconds of a process and of those it has begun, ended or not; 0 where the system does not tell."""
    found = 0.0
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += sum(_spent_by(int(child)) for child in (task / "children").read_text().split())
    return found


def watch(game: str, grade: str, seed: int, turns: int) -> None:
    """Open the window at a game of bots; say when it is open, and how long each of the first turns is waited for."""
    from flicksim.play import open_match, parse_seat
    from flicksim.referee import parse_options
    from flicksim.ui.match.at_table import AtTable
    from flicksim.ui.opening import opened

    card = load(game)
    match = open_match(card, parse_options(card, []), [*map(parse_seat, seats_of(game, grade))], seed)
    app = opened(card, match, None, None)
    screen = app.top
    assert isinstance(screen, AtTable)
    app.preferences.motion = "at once"
    app.frame(_FRAME)
    print("opened")
    told, waited = 0, 0.0
    while told < turns and not match.over:
        before = monotonic()
        app.frame(_FRAME)
        sleep(_FRAME)
        # at a table without turns the clock goes on while those who launch are asked
        course = screen.course
        thinks = course.stage == "think" and course.aimed is None
        waits = thinks or course.stage == "settle" or getattr(course, "playing", None) is not None
        waited += (monotonic() - before) * waits
        if len(match.turns) > told or (not told and course.aimed is not None):
            told += 1
            print("waited", waited)
            waited = 0.0


_WAYS: dict[str, Callable[[str, str, bool, int, int], _Spent]]
_WAYS = {"shell": at_shell, "person": partial(at_shell, person=True), "window": in_window}


def main(words: Sequence[str] | None = None) -> list[Row]:
    """Print a table; return its rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", choices=names())
    parser.add_argument("--grade", action="append", choices=tuple(GRADES))
    parser.add_argument("--way", action="append", choices=WAYS)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--watch", choices=names(), help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    if asked.watch:
        watch(asked.watch, (asked.grade or ["club"])[0], asked.seed, asked.turns)
        return []
    rows = list[Row]()
    print("| game | grade | where | clock [s] | processor [s] | window open [s] | later, at most [s] |")
    print("|---|---|---|---|---|---|---|")
    for game in asked.game or names():
        for grade in asked.grade or GRADES:
            for way in asked.way or WAYS:
                spent = _WAYS[way](game, grade, asked.plain, asked.seed, asked.turns)
                rows.append(Row(game=game, grade=grade, way=way, compiled=not asked.plain, **spent._asdict()))
                opened = f"{spent.opened:.1f}" if spent.opened else ""
                told = f"{spent.clock:.1f} | {spent.processor:.1f} | {opened} | {spent.later:.1f}"
                print(f"| {game} | {grade} | {way} | {told} |", flush=True)
    if asked.results is not None:
        write(asked.results / "first-action.csv", rows)
    return rows


if __name__ == "__main__":
    main()
