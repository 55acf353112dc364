"""Latency of a bot's first action with empty caches, by game and grade, on the command line and in the window.

    python -m benchmarks.first_action_latency [--game GAME ...] [--grade GRADE ...] [--way WAY ...] [--plain]

Each is measured in a process with its own home directory, from its start to the first turn printed (command line) or
the first aim or launch shown (window, with SDL's dummy driver), and for a few turns more, since a first move may need
no search. `--plain` disables compilation. Wall-clock and processor seconds are printed, the latter of the process and
its children: on a busy machine the wall clock also measures other programs.
"""

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

from benchmarks import command_line
from benchmarks.csv_results import write
from flicksim.ai import GRADES
from flicksim.core.paths import HOME_VARIABLE
from flicksim.core.serialization import Value
from flicksim.engine.jit import NO_JIT_VARIABLE
from flicksim.games import load, names

START_MODES = ("shell", "person", "window")
"""Bots only on the command line; there with a person at the last seat who leaves at once; bots in the window."""
_TURN = re.compile(r" *\d+ \S.*: ")
"""Line of a turn printed by the command line."""
_FRAME = 1.0 / 60.0
_TIMEOUT = 400.0
"""Longest measurement [s]."""
_CACHE_VARIABLES = (
    HOME_VARIABLE,
    "NUMBA_CACHE_DIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    NO_JIT_VARIABLE,
)
"""Environment variables that select caches or disable compilation."""


class Row(Value, frozen=True, kw_only=True):
    """Latency of one first action.

    Args:
        mode: one of `START_MODES`. compiled: False with `--plain`. clock: wall-clock time to the first action [s].
        processor: processor time until then [s]. opened_s: wall-clock time to the first frame [s].
        later_s: longest wait for a later action, of the first few turns [s].
    """

    game: str
    grade: str
    mode: str
    compiled: bool
    clock: float
    processor: float
    opened_s: float
    later_s: float


class _Times(NamedTuple):
    clock: float
    processor: float
    opened_s: float
    later_s: float


def seats_for(game: str, grade: str) -> list[str]:
    """Bots of a grade at the fewest seats of a game, but at least two."""
    return [f"bot:{grade}"] * max(2, load(game).seats[0])


def _environment(home: Path, plain: bool) -> dict[str, str]:
    """Environment of a first start."""
    env = {name: value for name, value in os.environ.items() if name not in _CACHE_VARIABLES}
    env |= {"HOME": str(home), "PYTHONUNBUFFERED": "1", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    env |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    return env | ({NO_JIT_VARIABLE: "1"} if plain else {})


def at_shell(game: str, grade: str, plain: bool, seed: int, turns: int, person: bool = False) -> _Times:
    """Time the first turns on the command line."""
    players = seats_for(game, grade)
    if person:
        players = [*players[:-1], "human"]
    seats = [word for seat in players for word in ("--seat", seat)]
    words = ["-m", "flicksim", "play", game, "--headless", "--seed", str(seed), *seats]
    return _time_process(words, plain, turns)


def in_window(game: str, grade: str, plain: bool, seed: int, turns: int) -> _Times:
    """Time the first aims, launches or turns in the window."""
    words = ["-m", "benchmarks.first_action_latency", "--watch", game, "--grade", grade, "--seed", str(seed)]
    return _time_process([*words, "--turns", str(turns)], plain, turns)


def _time_process(words: Sequence[str], plain: bool, turns: int) -> _Times:
    """Run Python with its own home directory until it has printed so many turns, one per line; then kill it.

    A line may state how long the turn took; otherwise it is the time since the line before.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        start = monotonic()
        process = subprocess.Popen(
            [sys.executable, *words], env=_environment(Path(home), plain), stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        opened, processor, waits, last = 0.0, 0.0, list[float](), start
        try:
            assert process.stdout is not None
            for line in process.stdout:
                match line.split():
                    case ["opened"]:
                        opened = monotonic() - start
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
                    processor = _processor_time(process.pid)
                if len(waits) >= turns or last - start > _TIMEOUT:
                    break
        finally:
            process.kill()
            process.communicate()
    return _Times(waits[0] if waits else nan, processor, opened, max(waits[1:], default=0.0))


def _processor_time(pid: int) -> float:
    """Processor time of a process and its children, ended or not; 0 where the system does not report it [s]."""
    total = 0.0
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        for task in Path(f"/proc/{pid}/task").iterdir():
            total += sum(_processor_time(int(child)) for child in (task / "children").read_text().split())
    return total


def time_window_turns(game: str, grade: str, seed: int, turns: int) -> None:
    """Open the window at a game of bots; print when it is open, and the waiting time of each of the first turns."""
    from flicksim.gui.match.match_screen import MatchScreen
    from flicksim.gui.startup import open_window
    from flicksim.match import open_match, parse_seat
    from flicksim.referee import parse_options

    loaded = load(game)
    match = open_match(loaded, parse_options(loaded, []), [*map(parse_seat, seats_for(game, grade))], seed)
    app = open_window(loaded, match, None, None)
    screen = app.top
    assert isinstance(screen, MatchScreen)
    app.preferences.playback_speed = "at once"
    app.run_frame(_FRAME)
    print("opened")
    shown, waited = 0, 0.0
    while shown < turns and not match.is_over:
        before = monotonic()
        app.run_frame(_FRAME)
        sleep(_FRAME)
        # in a game without turns the clock runs on while the launching bots decide
        controller = screen.controller
        is_thinking = controller.phase == "think" and controller.bot_action is None
        waits = is_thinking or controller.phase == "settle" or getattr(controller, "playing", None) is not None
        waited += (monotonic() - before) * waits
        if len(match.turns) > shown or (not shown and controller.bot_action is not None):
            shown += 1
            print("waited", waited)
            waited = 0.0


_TIMERS: dict[str, Callable[[str, str, bool, int, int], _Times]]
_TIMERS = {"shell": at_shell, "person": partial(at_shell, person=True), "window": in_window}


def main(argv: Sequence[str] | None = None) -> list[Row]:
    """Measure every game, grade and mode; print a table."""
    parser = command_line.parser("first_action_latency", __doc__, plain=False, seed=1, turns=6)
    parser.add_argument("--game", action="append", choices=names(), help="default: all")
    parser.add_argument("--grade", action="append", choices=tuple(GRADES), help="of the bots; default: all")
    parser.add_argument("--way", action="append", choices=START_MODES, help="how the game is started; default: all")
    parser.add_argument("--results", type=Path, help="folder of the results; default: none is written")
    parser.add_argument("--watch", choices=names(), help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.watch:
        time_window_turns(args.watch, (args.grade or ["club"])[0], args.seed, args.turns)
        return []
    rows = list[Row]()
    print("| game | grade | mode | clock [s] | processor [s] | window open [s] | later, at most [s] |")
    print("|---|---|---|---|---|---|---|")
    for game in args.game or names():
        for grade in args.grade or GRADES:
            for mode in args.way or START_MODES:
                times = _TIMERS[mode](game, grade, args.plain, args.seed, args.turns)
                rows.append(Row(game=game, grade=grade, mode=mode, compiled=not args.plain, **times._asdict()))
                opened = f"{times.opened_s:.1f}" if times.opened_s else ""
                figures = f"{times.clock:.1f} | {times.processor:.1f} | {opened} | {times.later_s:.1f}"
                print(f"| {game} | {grade} | {mode} | {figures} |", flush=True)
    if args.results is not None:
        write(args.results / "first-action.csv", rows)
    return rows


if __name__ == "__main__":
    main()
