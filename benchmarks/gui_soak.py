"""Soak test of the window: random input (monkey testing) at every game and screen; no exception, no growing memory.

`python -m benchmarks.gui_soak [--minutes M] [--seed S] [--only SESSION]`. A session opens the window at an entry point,
sends random input for a while and closes the window, mostly while something moves; the next session finds the files of
the last one. One entry point resumes a game of hundreds of turns. After each session its newest saved game is replayed.
Bots are not waited for, so a session repeated by `--only` sends the same input, but not always at the same moment of a
bot's search. Every entry point is used once before memory is measured; then the last quarter of the sessions may use a
tenth more than the second.
"""

import ctypes
import gc
import os
import secrets
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any
from unittest.mock import patch

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

import numpy as np
import pygame

from benchmarks import command_line
from benchmarks.corrupt_files import corrupt
from benchmarks.random_input import RandomInput
from benchmarks.trial_report import TrialReport, TrialTimeout, resident_memory, time_limit
from flicksim import games, gui
from flicksim.core.errors import FlicksimError
from flicksim.core.paths import HOME_VARIABLE, assets_dir
from flicksim.core.random_streams import RandomStreams
from flicksim.gui import game_views
from flicksim.gui.app import App, Screen
from flicksim.gui.card_view.card_table import closed_round
from flicksim.gui.match import saved_games
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.match.start_match import resume_match, start_match
from flicksim.gui.menus.main_menu import MainMenuScreen
from flicksim.gui.menus.new_game import NewGameScreen
from flicksim.gui.startup import create_window
from flicksim.gui.toolkit import PACES, Button
from flicksim.gui.toolkit.surface_cache import CACHE
from flicksim.match import Match, Turn, load_start, open_match, parse_seat
from flicksim.match.warmup_targets import warm_up_squidge
from flicksim.referee import Game, options_of, parse_options

SESSION_FRAMES = (120, 600)
"""Length of a session [frames]."""
_FRAME_LIMIT = 20.0
"""Processor time limit per frame [s]."""
_SHORT_OPTIONS = {"ends": "1", "rounds": "2", "time_limit_s": "30", "max_turns": "40"}
"""Options that make games short, where they exist."""
_ROUNDS = 5
"""Every screen must have been shown after so many rounds of all entry points."""
_MAX_GROWTH = 1.1
"""Largest ratio of the memory used in the last quarter of the sessions to that in the second."""
_LONG_GAME_TURNS = 300
"""Turns of a long game: more than the number whose trajectories are kept."""

GuiSession = tuple[Match, tuple[str, ...]]
_TURNS_BEFORE_END = 3
"""A late game is resumed at most so many turns before a game or a round ends."""

EntryPoint = Callable[[App, np.random.Generator], None]


def _quick_game(name: str, app: App, _rng: np.random.Generator) -> None:
    menu = app.top
    assert isinstance(menu, MainMenuScreen)
    menu.start_quick_game(games.load(name))


def _new_game_form(name: str, app: App, _rng: np.random.Generator) -> None:
    app.push(NewGameScreen(app, games.load(name)))


def _open_short_match(
    game: Game, rng: np.random.Generator, kinds: Sequence[str], player: str | None = None
) -> GuiSession:
    """A short match and its seat specifications, drawn from `kinds`; `player`: plays at every seat instead."""
    seats = tuple(str(rng.choice(kinds)) for _ in range(int(rng.integers(game.seats[0], min(game.seats[1], 5) + 1))))
    available = {option.name for option in options_of(game)}
    options = [f"{option}={value}" for option, value in _SHORT_OPTIONS.items() if option in available]
    players = [parse_seat(player or seat) for seat in seats]
    return open_match(game, parse_options(game, options), players, int(rng.integers(10**6))), seats


def _short_game(name: str, app: App, rng: np.random.Generator) -> None:
    """A short game from the start; mostly without people, and sometimes undo needs consent."""
    game = games.load(name)
    if game_views.discover_game_views().unavailable_reason(game):
        return
    app.preferences.playback_speed = "at once"
    match, seats = _open_short_match(game, rng, ["random", "random", "bot:beginner", "human"])
    start_match(app, match, seats, requires_undo_consent=bool(rng.random() < 0.5))


def _late_game(name: str, app: App, rng: np.random.Generator) -> None:
    """A short game resumed shortly before or at its end or that of a round; people ask to undo."""
    game = games.load(name)
    if game_views.discover_game_views().unavailable_reason(game):
        return
    with_people = bool(rng.random() < 0.4)
    match, seats = _open_short_match(game, rng, ["human"] if with_people else ["random"], "random")
    turns = list(match.run())
    ends = [k for k, turn in enumerate(turns) if closed_round(turn) is not None] if rng.random() < 0.5 else []
    stop = int(rng.choice(ends or [len(turns)])) - int(rng.integers(_TURNS_BEFORE_END + 1))
    _save_and_resume(app, match, seats, turns[: max(1, stop)])
    if isinstance(screen := app.top, MatchScreen):
        screen.session = replace(screen.session, requires_undo_consent=with_people)
        screen.undo() if with_people and rng.random() < 0.5 else None


def _save_and_resume(app: App, match: Match, seats: tuple[str, ...], turns: Iterable[Turn]) -> None:
    """Write turns to a saved game and resume it, with turns shown at once."""
    keeper = saved_games.GameSaver(match, seats)
    for turn in turns:
        keeper.write_turn(turn)
    keeper.close()
    app.preferences.playback_speed, app.preferences.card_pace = "at once", len(PACES) - 1
    resume_match(app, saved_games.resume(saved_games.saved_records()[0]))


def _long_game(app: App, rng: np.random.Generator) -> None:
    """A game without end, resumed after more turns than are kept with their trajectories."""
    game = games.load("tiddlywinks")
    if game_views.discover_game_views().unavailable_reason(game):
        return
    position, options = load_start(game, "pot_out_uncovering", [])
    seats = ("random",) * game.seats[0]
    match = open_match(game, options, [parse_seat(seat) for seat in seats], int(rng.integers(10**6)), position=position)
    _save_and_resume(app, match, seats, islice(match.run(), _LONG_GAME_TURNS))


def _menu_button(label: str, app: App, _rng: np.random.Generator) -> None:
    """A button of the main menu."""
    menu = app.top
    assert isinstance(menu, MainMenuScreen)
    for button in menu.form.widgets:
        if isinstance(button, Button) and button.label == label and button.enabled:
            button.action()


_GAME_ENTRY_POINTS = {"quick": _quick_game, "form": _new_game_form, "short": _short_game, "late": _late_game}


def entry_points() -> dict[str, EntryPoint]:
    """Every way to begin a session, for every game."""
    entries: dict[str, EntryPoint] = {}
    for name in games.names():
        entries |= {f"{name}, {kind}": partial(entry, name) for kind, entry in _GAME_ENTRY_POINTS.items()}
    return {
        **entries,
        "a long game": _long_game,
        **{label: partial(_menu_button, label) for label in ("Continue", "Open ...", "Practise winks", "Settings")},
    }


_BASE_CLASSES = ("Screen", "Overlay", "MatchScreen", "BoardScreenBase", "BoardScreen", "_PagedOverlay")
"""Base classes of screens, never shown themselves."""


def screens() -> list[type[Screen]]:
    """Every class of screen that can be shown."""
    for module in walk_packages(gui.__path__, "flicksim.gui."):
        import_module(module.name)
    found, stack = list[type[Screen]](), [Screen]
    while stack:
        kind = stack.pop()
        stack += kind.__subclasses__()
        if kind.__module__.startswith("flicksim.") and kind.__name__ not in _BASE_CLASSES:
            found.append(kind)
    return sorted(set(found), key=_screen_name)


def _screen_name(kind: type) -> str:
    """Name of a screen class, with its game if it belongs to one."""
    game = kind.__module__.partition(".game_views.")[2].partition(".")[0]
    return f"{game}: {kind.__name__}" if game else kind.__name__


def run_trial(
    minutes: float, seed: int, *, only: Sequence[int] | None = None, frames: tuple[int, int] | None = None,
    trace: bool = False,
) -> TrialReport:  # fmt: skip
    """Run sessions until the time is over, or those of these numbers; `frames`: range of their lengths."""
    report, memory = TrialReport(), list[tuple[float, float]]()
    warm_up_squidge()  # compile first: it may take longer than the limit of a frame
    with TemporaryDirectory() as home, patch.dict(os.environ, {HOME_VARIABLE: home}), _frequent_thread_switches():
        files = _drop_files(Path(home), seed)
        first = 0 if only is not None else len(entry_points())
        for number in range(first):
            _session(seed, number, files, report, frames or SESSION_FRAMES)
        number, start = first, monotonic()
        if trace:
            tracemalloc.start()
        while (monotonic() - start < 60.0 * minutes) if only is None else number < len(only):
            _session(seed, only[number] if only is not None else number, files, report, frames or SESSION_FRAMES)
            number += 1
            if only is None:
                gc.collect()
                memory.append((resident_memory(), _memory_used()))
        if trace:
            for line in tracemalloc.take_snapshot().statistics("lineno")[:15]:
                print(line)
    is_complete = number >= _ROUNDS * len(entry_points())
    for kind in screens():
        report.count(_screen_name(kind), "frames", 0)
        if is_complete and not report.counts[_screen_name(kind), "frames"]:
            report.find(
                _screen_name(kind), "never shown", f"python -m benchmarks.gui_soak --minutes {minutes:g} --seed {seed}"
            )
    if only is None:
        check_memory(memory, report, seed)
    return report


def _session(seed: int, number: int, files: Sequence[Path], report: TrialReport, frames: tuple[int, int]) -> None:
    """One session, from opening the window to closing it."""
    rng = RandomStreams(seed=seed).spawn("soak", number).generator()
    name = list(entry_points())[number % len(entry_points())]
    again = f"python -m benchmarks.gui_soak --seed {seed} --only {number}"
    seed_rng = np.random.default_rng(rng.integers(2**32))
    user: RandomInput | None = None
    app: App | None = None
    report.count(name, "sessions")
    thread_errors = list[str]()
    with (
        patch.object(secrets, "randbelow", lambda most: int(seed_rng.integers(most))),
        patch.object(
            threading, "excepthook", lambda args: thread_errors.append(f"in a thread: {_describe(args.exc_value)}")
        ),
    ):
        try:
            app = create_window(size=(int(rng.integers(640, 1600)), int(rng.integers(480, 1000))))
            pygame.key.set_repeat()
            app.show_main_menu()
            user = RandomInput(app, rng, files)
            with time_limit(_FRAME_LIMIT):
                app.run_frame(0.02)
                entry_points()[name](app, rng)
            _run_frames(app, user, rng, int(rng.integers(*frames)), report, again)
        except (Exception, TrialTimeout) as error:
            events = " | ".join(user.recent_events) if user is not None else ""
            report.find(name, f"{_describe(error)} after {events}", again)
        finally:
            if app is not None:
                app.close()
    for error_text in thread_errors:
        report.find(name, error_text, again)
    _replay_saved_game(name, report, again)


def _run_frames(
    app: App, user: RandomInput, rng: np.random.Generator, length: int, report: TrialReport, again: str
) -> None:
    """Run frames with random input until the window closes."""
    stuck = set[str]()
    frame_time = float(rng.choice([1 / 60, 1 / 20, 0.1]))
    for frame in range(10 * length):
        if not app.running:
            return
        row = _screen_name(type(app.top))
        phase = getattr(getattr(app.top, "controller", None), "phase", "")
        # close during a shot if there is one
        if frame >= length and (phase in ("show", "settle", "think") or frame > length + 60):
            report.count(f"closed in {phase or 'no phase'}", "sessions")
            user.quit()
        elif rng.random() < 0.5:
            report.count(row, "events")
            user.act()
        with time_limit(_FRAME_LIMIT):
            app.run_frame(frame_time)
        report.count(row, "frames")
        if phase == "stuck" and (message := app.top.controller.error) not in stuck:  # type: ignore[attr-defined]
            stuck.add(message)
            report.find(row, f"the game cannot go on: {message}", again)
        if phase in ("think", "settle"):
            sleep(0.002)  # leave some time to the background search


def _replay_saved_game(name: str, report: TrialReport, again: str) -> None:
    """Replay the newest saved game and compare it with its record."""
    path = next(iter(saved_games.saved_records()), None)
    if path is not None:
        try:
            saved_games.resume(path, is_recording=False)
        except FlicksimError as error:
            report.find(name, f"the saved record: {error}", again)


def _describe(error: BaseException | None) -> str:
    """An exception and the innermost lines of its traceback."""
    trail, trace = [], error.__traceback__ if error is not None else None
    while trace is not None:
        trail.append(f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return f"{type(error).__name__}: {error} at {' < '.join(trail[::-1][:5])}"


def _drop_files(home: Path, seed: int) -> list[Path]:
    """Paths to drop on the window: valid and corrupted positions, a folder, and missing files."""
    rng = RandomStreams(seed=seed).spawn("soak", "files").generator()
    shipped = sorted((assets_dir() / "positions").rglob("*.json"))
    found = [*shipped, home, home / "nowhere.json", home / "nowhere.jsonl"]
    for k, path in enumerate(shipped):
        corrupted = home / f"corrupted-{k}.json{'l' if k % 4 == 0 else ''}"
        corrupted.write_bytes(corrupt(rng, path.read_bytes())[1])
        found.append(corrupted)
    return found


@contextmanager
def _frequent_thread_switches() -> Iterator[None]:
    """Switch threads as often as the window does."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.001)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _memory_used() -> float:
    """Memory in use, without freed memory that was not returned yet and without the bounded surface cache [MB]."""
    with suppress(AttributeError, OSError, TypeError):  # not the GNU C library: there freed memory counts too
        ctypes.CDLL(None).malloc_trim(0)
    return resident_memory() - CACHE.size / 1e6


def check_memory(memory: Sequence[tuple[float, float]], report: TrialReport, seed: int) -> None:
    """Compare the memory of the second quarter of the sessions with that of the last; report growth."""
    again = f"python -m benchmarks.gui_soak --seed {seed} --trace"
    if len(memory) < 4:
        report.find("memory", f"{len(memory)} sessions are too few to judge it by", again)
        return
    quarter = len(memory) // 4
    quarters = {"second": memory[quarter : 2 * quarter], "last": memory[-quarter:]}
    for row, part in quarters.items():
        for k, label in enumerate(("memory", "memory in use")):
            report.most(f"{label}, {row} quarter", "most MB", round(float(np.median([size[k] for size in part]))))
    early, late = (float(np.median([used for _, used in part])) for part in quarters.values())
    if late > _MAX_GROWTH * early:
        report.find("memory", f"memory in use grew from {early:.0f} to {late:.0f} MB", again)


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    arguments = command_line.trial_parser("gui_soak", __doc__, minutes=20)
    arguments.add_argument("--trace", action="store_true", help="print the largest memory allocations at the end")
    args: Any = arguments.parse_args(argv)
    only = None if args.only is None else [args.only]
    report = run_trial(args.minutes, args.seed, only=only, trace=args.trace)
    return report.show(f"The window, seed {args.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
