"""A soak of the window: random hands at every game and every screen. Nothing is raised, and memory stays flat.

`python -m benchmarks.soak [--minutes M] [--seed S] [--only SESSION]`. A session opens the window, goes some way in,
does anything for a while, and ends with the window closed, most often while something moves; the next one finds the
files of the last. One way in leads to a game of hundreds of turns. After each the newest game it kept is played again
up to where it was left. What bots think is not waited for, so a session shown again by `--only` does the same things,
but not always at the same moment of a thought. Every way in is gone once before memory is looked at; then the last
quarter of the sessions may hold a tenth more than the second, however few they are.
"""

from __future__ import annotations

import ctypes
import gc
import os
import secrets
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
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

from benchmarks.hands import Hands
from benchmarks.spoiled import spoil
from benchmarks.tally import Hung, Tally, parser, resident, within
from flicksim import games, ui
from flicksim.base.errors import FlicksimError
from flicksim.base.places import HOME, assets
from flicksim.base.seeding import Seeds
from flicksim.play import Match, begun, open_match, parse_seat
from flicksim.play.warm import squidge
from flicksim.referee import Game, options_of, parse_options
from flicksim.ui import faces
from flicksim.ui.cards.course import closed
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.front.menu import MenuScreen
from flicksim.ui.front.new_game import NewGameScreen
from flicksim.ui.kit.preferences import PACES
from flicksim.ui.kit.surface_cache import ALBUM
from flicksim.ui.kit.widgets import Button
from flicksim.ui.match import kept_games
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.match.starting import begin, go_on
from flicksim.ui.opening import window

FRAMES = (120, 600)
"""Length of a session [frames]."""
_LIMIT = 20.0
"""No frame takes longer to compute [s]."""
_SHORT = {"ends": "1", "rounds": "2", "time_limit_s": "30", "max_turns": "40"}
"""Options that let a game come to its end."""
_ROUNDS = 5
"""Only after every way in was gone so often must every screen have been shown."""
_GROWTH = 1.1
"""Largest rise of what is held, from the second quarter of the sessions to the last, as a ratio."""
_LONG = 300
"""Turns of a long game: of more than any keeps what moved in them."""

Opened = tuple[Match, tuple[str, ...]]
_CUT = 3
"""So many turns before a game or a round ends it is taken up, at most."""

Way = Callable[[App, np.random.Generator], None]


def _quick(name: str) -> Way:
    def go(app: App, _rng: np.random.Generator) -> None:
        menu = app.top
        assert isinstance(menu, MenuScreen)
        menu.quick(games.load(name))

    return go


def _form(name: str) -> Way:
    def go(app: App, _rng: np.random.Generator) -> None:
        app.push(NewGameScreen(app, games.load(name)))

    return go


def _opened(game: Game, rng: np.random.Generator, kinds: Sequence[str], sitting: str | None = None) -> Opened:
    """A match of a short game, and who sits down as words: any of these kinds; `sitting`: who plays all the same."""
    seats = tuple(str(rng.choice(kinds)) for _ in range(int(rng.integers(game.seats[0], min(game.seats[1], 5) + 1))))
    there = {option.name for option in options_of(game)}
    options = [f"{option}={value}" for option, value in _SHORT.items() if option in there]
    players = [parse_seat(sitting or seat) for seat in seats]
    return open_match(game, parse_options(game, options), players, int(rng.integers(10**6))), seats


def _short(name: str) -> Way:
    """A short game from its beginning; mostly nobody sits at the window, and undo is asked for."""

    def go(app: App, rng: np.random.Generator) -> None:
        game = games.load(name)
        if faces.found().missing(game):
            return
        app.preferences.motion = "at once"
        match, seats = _opened(game, rng, ["random", "random", "bot:beginner", "human"])
        begin(app, match, seats, serious=bool(rng.random() < 0.5))

    return go


def _late(name: str) -> Way:
    """A short game taken up where it, or a round of it, is about to end, or has; people ask for a turn back."""

    def go(app: App, rng: np.random.Generator) -> None:
        game = games.load(name)
        if faces.found().missing(game):
            return
        people = bool(rng.random() < 0.4)
        match, seats = _opened(game, rng, ["human"] if people else ["random"], "random")
        turns = list(match.run())
        ends = [k for k, turn in enumerate(turns) if closed(turn) is not None] if rng.random() < 0.5 else []
        stop = int(rng.choice(ends or [len(turns)])) - int(rng.integers(_CUT + 1))
        keeper = kept_games.Kept(match, seats)
        for turn in turns[: max(1, stop)]:
            keeper.turn(turn)
        keeper.close()
        app.preferences.motion, app.preferences.pace = "at once", len(PACES) - 1
        go_on(app, kept_games.resumed(kept_games.kept()[0]))
        if isinstance(table := app.top, AtTable):
            table.course.serious = people
            table.undo() if people and rng.random() < 0.5 else None

    return go


def _long(app: App, rng: np.random.Generator) -> None:
    """A game that has no end of its own, gone on with after more turns than are kept whole."""
    game = games.load("tiddlywinks")
    if faces.found().missing(game):
        return
    position, options = begun(game, "pot_out_uncovering", [])
    seats = ("random",) * game.seats[0]
    match = open_match(game, options, [parse_seat(seat) for seat in seats], int(rng.integers(10**6)), position=position)
    keeper = kept_games.Kept(match, seats)
    for turn in islice(match.run(), _LONG):
        keeper.turn(turn)
    keeper.close()
    app.preferences.motion, app.preferences.pace = "at once", len(PACES) - 1
    go_on(app, kept_games.resumed(kept_games.kept()[0]))


def _menu(label: str) -> Way:
    """From the front door by one of its own buttons."""

    def go(app: App, _rng: np.random.Generator) -> None:
        menu = app.top
        assert isinstance(menu, MenuScreen)
        for button in menu.form.widgets:
            if isinstance(button, Button) and button.label == label and button.enabled:
                button.action()

    return go


_WAYS = {"quick": _quick, "form": _form, "short": _short, "late": _late}


def ways_in() -> dict[str, Way]:
    """Every way to begin a session, for every game there is."""
    found: dict[str, Way] = {}
    for name in games.names():
        found |= {f"{name}, {how}": way(name) for how, way in _WAYS.items()}
    return {
        **found,
        "a long game": _long,
        **{label: _menu(label) for label in ("Continue", "Open ...", "Practise winks", "Settings")},
    }


_BASES = ("Screen", "Overlay", "AtTable", "AtBoard", "PlayScreen", "_Pages")
"""Classes that screens are made of; these themselves are never shown."""


def screens() -> list[type[Screen]]:
    """Every kind of screen that can be shown."""
    for module in walk_packages(ui.__path__, "flicksim.ui."):
        import_module(module.name)
    found, edge = list[type[Screen]](), [Screen]
    while edge:
        kind = edge.pop()
        edge += kind.__subclasses__()
        if kind.__module__.startswith("flicksim.") and kind.__name__ not in _BASES:
            found.append(kind)
    return sorted(set(found), key=_name)


def _name(kind: type) -> str:
    """Of a screen; of one that a game has for itself, with its game."""
    game = kind.__module__.partition(".faces.")[2].partition(".")[0]
    return f"{game}: {kind.__name__}" if game else kind.__name__


def trial(
    minutes: float, seed: int, *, only: Sequence[int] | None = None, frames: tuple[int, int] | None = None,
    trace: bool = False,
) -> Tally:  # fmt: skip
    """Sessions until the time is over, or those of these numbers; `frames`: how long each lasts, from and to."""
    found, memory = Tally(), list[tuple[float, float]]()
    squidge()  # compiled at once: that may take longer than a frame may
    with TemporaryDirectory() as home, _at_home(Path(home)), _patient():
        files = _files(Path(home), seed)
        first = 0 if only is not None else len(ways_in())
        for number in range(first):
            _session(seed, number, files, found, frames or FRAMES)
        number, since = first, monotonic()
        if trace:
            tracemalloc.start()
        while (monotonic() - since < 60.0 * minutes) if only is None else number < len(only):
            _session(seed, only[number] if only is not None else number, files, found, frames or FRAMES)
            number += 1
            gc.collect()
            memory.append((resident(), _held()))
        if trace:
            for line in tracemalloc.take_snapshot().statistics("lineno")[:15]:
                print(line)
    judged = number >= _ROUNDS * len(ways_in())
    for kind in screens():
        found.count(_name(kind), "frames", 0)
        if judged and not found.cells[_name(kind), "frames"]:
            found.find(_name(kind), "never shown", f"python -m benchmarks.soak --minutes {minutes:g} --seed {seed}")
    if only is None:
        look_at_memory(memory, found, seed)
    return found


def _session(seed: int, number: int, files: Sequence[Path], found: Tally, frames: tuple[int, int]) -> None:
    """One window, from opening to closing."""
    rng = Seeds(seed=seed).child("soak", number).generator()
    name = list(ways_in())[number % len(ways_in())]
    again = f"python -m benchmarks.soak --seed {seed} --only {number}"
    dice = np.random.default_rng(rng.integers(2**32))
    hands: Hands | None = None
    app: App | None = None
    found.count(name, "sessions")
    threads = list[str]()
    with (
        patch.object(secrets, "randbelow", lambda most: int(dice.integers(most))),
        patch.object(threading, "excepthook", lambda wrong: threads.append(f"in a thread: {_told(wrong.exc_value)}")),
    ):
        try:
            app = window(size=(int(rng.integers(640, 1600)), int(rng.integers(480, 1000))))
            pygame.key.set_repeat()
            app.home()
            hands = Hands(app, rng, files)
            with within(_LIMIT):
                app.frame(0.02)
                ways_in()[name](app, rng)
            _live(app, hands, rng, int(rng.integers(*frames)), found, again)
        except (Exception, Hung) as broken:
            did = " | ".join(hands.did) if hands is not None else ""
            found.find(name, f"{_told(broken)} after {did}", again)
        finally:
            if app is not None:
                app.close()
    for wrong in threads:
        found.find(name, wrong, again)
    _play_again(name, found, again)


def _live(app: App, hands: Hands, rng: np.random.Generator, lasts: int, found: Tally, again: str) -> None:
    """Frames and events, until the window closes."""
    stuck = set[str]()
    slow = float(rng.choice([1 / 60, 1 / 20, 0.1]))
    for frame in range(10 * lasts):
        if not app.running:
            return
        row = _name(type(app.top))
        stage = getattr(getattr(app.top, "course", None), "stage", "")
        # the end comes in mid-shot where there is one
        if frame >= lasts and (stage in ("show", "settle", "think") or frame > lasts + 60):
            found.count(f"closed in {stage or 'peace'}", "sessions")
            hands.quit()
        elif rng.random() < 0.5:
            found.count(row, "events")
            hands.act()
        with within(_LIMIT):
            app.frame(slow)
        found.count(row, "frames")
        if stage == "stuck" and (said := app.top.course.wrong) not in stuck:  # type: ignore[attr-defined]
            stuck.add(said)
            found.find(row, f"the game cannot go on: {said}", again)
        if stage in ("think", "settle"):
            sleep(0.002)  # a thought beside the window needs some of the time too


def _play_again(name: str, found: Tally, again: str) -> None:
    """The newest game that was kept plays again as it was written."""
    path = next(iter(kept_games.kept()), None)
    if path is not None:
        try:
            kept_games.resumed(path, writing=False)
        except FlicksimError as wrong:
            found.find(name, f"the record kept: {wrong}", again)


def _told(broken: BaseException | None) -> str:
    """An exception, and where it came from."""
    trail, trace = [], broken.__traceback__ if broken is not None else None
    while trace is not None:
        trail.append(f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return f"{type(broken).__name__}: {broken} at {' < '.join(trail[::-1][:5])}"


def _files(home: Path, seed: int) -> list[Path]:
    """Files that may be dropped on the window: good and spoiled positions, what is no position, and nothing."""
    rng = Seeds(seed=seed).child("soak", "files").generator()
    shipped = sorted((assets() / "positions").rglob("*.json"))
    found = [*shipped, home, home / "nowhere.json", home / "nowhere.jsonl"]
    for k, path in enumerate(shipped):
        spoiled = home / f"spoiled-{k}.json{'l' if k % 4 == 0 else ''}"
        spoiled.write_bytes(spoil(rng, path.read_bytes())[1])
        found.append(spoiled)
    return found


@contextmanager
def _at_home(home: Path) -> Iterator[None]:
    """The player's own files lie there meanwhile."""
    with patch.dict(os.environ, {HOME: str(home)}):
        yield


@contextmanager
def _patient() -> Iterator[None]:
    """Threads hand over as often as the window lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.001)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _held() -> float:
    """Memory that is held: not what was freed and only not given back yet, nor kept surfaces, which are bounded
    [MB]."""
    with suppress(AttributeError, OSError, TypeError):  # another library than GNU's: there what is freed counts too
        ctypes.CDLL(None).malloc_trim(0)
    return resident() - ALBUM.taken / 1e6


def look_at_memory(memory: Sequence[tuple[float, float]], found: Tally, seed: int) -> None:
    """The second quarter of the sessions beside the last: all that the process has, and what of it is held."""
    again = f"python -m benchmarks.soak --seed {seed} --trace"
    if len(memory) < 4:
        found.find("memory", f"{len(memory)} sessions are too few to judge it by", again)
        return
    quarter = len(memory) // 4
    parts = {"second": memory[quarter : 2 * quarter], "last": memory[-quarter:]}
    for row, part in parts.items():
        for k, what in enumerate(("memory", "memory held")):
            found.most(f"{what}, {row} quarter", "most MB", round(float(np.median([size[k] for size in part]))))
    early, late = (float(np.median([held for _, held in part])) for part in parts.values())
    if late > _GROWTH * early:
        found.find("memory", f"what is held grew from {early:.0f} to {late:.0f} MB", again)


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    arguments = parser("soak", __doc__, minutes=20)
    arguments.add_argument("--trace", action="store_true", help="say at the end what holds most memory")
    given: Any = arguments.parse_args(words)
    only = None if given.only is None else [given.only]
    found = trial(given.minutes, given.seed, only=only, trace=given.trace)
    return found.show(f"The window, seed {given.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
