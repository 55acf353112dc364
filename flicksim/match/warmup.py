"""JIT warm-up: compile the kernels that shots and bots need in a background process.

A compiler in this process would hold it up, so another process does the work and leaves it on the disk, one part after
another, and first the part that somebody waits for. Shots meanwhile are made with the plain functions, and so are bots'
thoughts: either less deep ones, in a moment, or the very same, however long that takes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Condition, Event

from flicksim.ai import RolloutPlayer, stop_if_cancelled
from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Action, InitialState, SimulationResult
from flicksim.engine import jit
from flicksim.match.background_task import BackgroundTask
from flicksim.match.compile_progress import is_cached
from flicksim.match.fallback_worker import SEARCHING_PLAYERS, FallbackWorker
from flicksim.match.game_model import PhysicsSimulator
from flicksim.match.interrupts import check_interrupt
from flicksim.match.match import Match, Simulator
from flicksim.match.rollout_model import warmup
from flicksim.referee import Game

ChooseAction = Callable[[Match], Action]
"""Way to ask the player whose turn it is."""
FALLBACK_TIME_LIMIT = 1.2
"""Thoughts that somebody waits for, while they are made plainly, are cut short after so long [s]."""
_COMPILE_TIMEOUT = 300.0
_COMPILE_SCRIPT = """
import gc, os, sys
from threading import Thread
Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()  # nobody is there to play any more
gc.disable()  # a compiler makes much and lets go of little
from {module} import {name}
{name}({given})
"""
_ENGINE_FOLDER = Path(jit.__file__).parent
_JIT_DECORATOR = re.compile(r"^@njit(?:_inline|_no_refcount)?\b", re.MULTILINE)
"""Stands over each function that is compiled."""


class _CompileQueue:
    """One compiler at a time, for what is wanted soonest: it takes over from another, whose parts stay on the disk."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._waiting: list[Warmup] = []
        self._current: Warmup | None = None
        self._stop: Callable[[], None] = lambda: None

    def run(self, warmup: Warmup) -> None:
        """Compile it when its turn has come; again, where another was wanted sooner."""
        over = False
        while not over:
            with self._condition:
                self._waiting.append(warmup)
                self._preempt()
                self._condition.wait_for(lambda: self._current is None and self._next() is warmup)
                self._waiting.remove(warmup)
                self._current = warmup
            try:
                over = _run_script(warmup.code, self._set_stop)
            finally:
                with self._condition:
                    self._current, self._stop = None, lambda: None
                    self._condition.notify_all()

    def prioritise(self, warmup: Warmup) -> None:
        """Somebody waits for it now; one that does not stand here yet is seen to when it comes."""
        with self._condition:
            if warmup in self._waiting:
                self._preempt()

    def is_queued(self, warmup: Warmup) -> bool:
        """True while its turn is still to come."""
        with self._condition:
            return warmup in self._waiting

    def _preempt(self) -> None:
        """Stop the one at work where nobody waits for it, but for another."""
        if self._current is not None and not self._current.is_wanted and self._waiting and self._next().is_wanted:
            self._stop()

    def _next(self) -> Warmup:
        return next((one for one in self._waiting if one.is_wanted), self._waiting[0])

    def _set_stop(self, stop: Callable[[], None]) -> None:
        with self._condition:
            self._stop = stop
            self._preempt()


_QUEUE = _CompileQueue()


class Warmup:
    """Warm-up of one physics kernel group, compiled by a background process.

    Args:
        label: of what waits for it, for people.
        make_shot: makes a shot that needs all of it; a function by itself, which another process can import.
        file_patterns: the files of the physics that are compiled for it, as patterns.
        last_function: the function compiled last.
    """

    def __init__(
        self, label: str, make_shot: Callable[[], None], file_patterns: Sequence[str], last_function: str
    ) -> None:
        self._label, self._make_shot, self._file_patterns, self._last_function = (
            label,
            make_shot,
            tuple(file_patterns),
            last_function,
        )
        self.is_wanted = False
        """True once somebody has sat down to what needs it."""
        self._compile_task: BackgroundTask[None] | None = None
        self._load_task: BackgroundTask[None] | None = None
        self.fallback = FallbackWorker()
        """Process in which shots and thoughts are made until it is ready."""
        self._must_compile, self._use_fallback, self._cache_checked = False, False, Event()

    @property
    def is_queued(self) -> bool:
        """True while it is to be compiled after another."""
        return _QUEUE.is_queued(self)

    def compile(self) -> None:
        """Begin to compile, beside this process, unless that has begun or is done."""
        if self._compile_task is None:
            self._compile_task = BackgroundTask(self._compile)

    def start(self) -> None:
        """Begin to make ready for shots in this process, unless that has begun."""
        self.is_wanted = True
        self.compile()
        if self._load_task is None:
            self._load_task = BackgroundTask(self._load)
            _QUEUE.prioritise(self)

    @property
    def is_ready(self) -> bool:
        """Tell whether shots come at once now."""
        return self._load_task is not None and self._load_task.is_done

    def wait(self) -> None:
        """Until it is done; not for the window's own thread."""
        self.start()
        assert self._load_task is not None
        self._load_task.result()

    def wait_compiled(self) -> None:
        """Until another process can load it from the disk; not for the window's own thread."""
        self.is_wanted = True
        self.compile()
        assert self._compile_task is not None
        _QUEUE.prioritise(self)
        self._compile_task.result()

    @property
    def message(self) -> str:
        """The work of the compiler, in words, with how far it has come; empty when it has none."""
        brief = self.short_message
        return brief and f"{brief} That takes about a minute; you can play already, and bots think less far meanwhile."

    @property
    def short_message(self) -> str:
        """The same in few words, for those who wait."""
        if not self.is_compiling:
            return ""
        done, of = self.progress
        return f"Getting {self._label} ready, once: {done} of {of} parts."

    @property
    def is_compiling(self) -> bool:
        """True while the compiler is at work on it, or still to be."""
        return self._must_compile and self._compile_task is not None and not self._compile_task.is_done

    @property
    def progress(self) -> tuple[int, int]:
        """The number of functions that are compiled, and of all that have to be."""
        every = _count_functions(self._file_patterns)
        done = sum(
            len(list(Path(jit.cache_dir()).glob(f"{one.replace('/', '_*/')}.*.nbi"))) for one in self._file_patterns
        )
        return min(done, every - 1), every

    def with_fallback(self, simulator: Simulator) -> Simulator:
        """The same stage, but that shots while the compiler is at work are made beside it."""
        self._use_fallback = True
        return _FallbackSimulator(self, simulator) if isinstance(simulator, PhysicsSimulator) else simulator

    def simulate(self, before: InitialState, action: Action, simulator: PhysicsSimulator) -> SimulationResult:
        """Settle a shot with what is there."""
        if self.needs_fallback():
            with suppress(OSError):
                return self.fallback.simulate(before, action, simulator.settings)
        self.wait()
        return simulator.simulate(before, action)

    def action_chooser(self, time_limit: float | None = FALLBACK_TIME_LIMIT) -> ChooseAction:
        """The way to ask bots, who think with what is there: what they need meanwhile begins as one sits down.

        Args:
            time_limit: a thought has so long, and is less deep, until all is compiled [s]; without it is the very same
                whatever is compiled, however long it takes; one that would take minutes waits for the compiler.
        """
        self._use_fallback = True
        return lambda match: _choose_with_fallback(match, (self,), time_limit)

    def needs_fallback(self) -> bool:
        """Tell whether it has to go without the compiler just now."""
        self.start()
        self._cache_checked.wait()
        return self._must_compile and not self.is_ready

    @property
    def code(self) -> str:
        """The code that the other process runs."""
        return _COMPILE_SCRIPT.format(module=self._make_shot.__module__, name=self._make_shot.__name__, given="")

    @property
    def is_missing(self) -> bool:
        """Tell whether it can be kept on the disk, and was not there when it was begun."""
        self.compile()
        self._cache_checked.wait()
        return self._must_compile

    def is_cached_in(self, folder: Path) -> bool:
        """Tell whether all of it is on the disk, in the folder of compiled code."""
        package = self._file_patterns[-1].partition("/")[0]
        return any(folder.glob(f"{package}_*/{self._last_function}-*.nbi"))

    def _compile(self) -> None:
        try:
            folder = jit.cache_dir()
            self._must_compile = bool(folder) and not self.is_cached_in(Path(folder))
        finally:
            self._cache_checked.set()
        if self._must_compile:
            # where no other process can be had, this one compiles, and the window stutters meanwhile
            with suppress(OSError, subprocess.SubprocessError):
                _QUEUE.run(self)

    def _load(self) -> None:
        assert self._compile_task is not None
        if self.is_missing and self._use_fallback:
            self.fallback.start()
        self._compile_task.result()
        self._make_shot()
        self.fallback.close()


class BotWarmup(Warmup):
    """Warm-up of the compiled functions by which the bots of a game run rollouts.

    Args:
        game: whose. functions: that its bots have compiled.
    """

    def __init__(self, game: Game, functions: Sequence[Callable[..., object]]) -> None:
        super().__init__("the bots' thought", lambda: warmup(game.name), (), "")
        self._game, self._functions = game, tuple(functions)

    @property
    def short_message(self) -> str:
        """The work of the compiler, in few words."""
        brief = super().short_message
        return brief and f"{brief} They think less far meanwhile."

    @property
    def progress(self) -> tuple[int, int]:
        """The number of functions that are compiled, and of all that have to be."""
        folder, every = Path(jit.cache_dir()), len(self._functions)
        return min(sum(is_cached(one, folder) for one in self._functions), every - 1), every

    @property
    def message(self) -> str:
        """The same: there is no more to say."""
        return self.short_message

    @property
    def code(self) -> str:
        """The code that the other process runs."""
        return _COMPILE_SCRIPT.format(module=warmup.__module__, name=warmup.__name__, given=repr(self._game.name))

    def is_cached_in(self, folder: Path) -> bool:
        """Tell whether all of it is on the disk, compiled since its source was written."""
        return all(is_cached(one, folder) for one in self._functions)

    def is_needed_for(self, match: Match) -> bool:
        """Tell whether the player whose turn it is needs it: not where the game's bots only do as is natural."""
        seat, has_rollouts = match.to_play, getattr(self._game.bot, "has_rollouts", lambda _state: True)
        return seat is not None and isinstance(match.players[seat], RolloutPlayer) and bool(has_rollouts(match.state))

    def action_chooser_for(
        self, match: Match, *physics: Warmup, time_limit: float | None = FALLBACK_TIME_LIMIT
    ) -> ChooseAction:
        """The way to ask the bots of a match, who need it and all of the physics, or only the first of the physics."""
        usual = physics[0].action_chooser(time_limit) if physics else Match.ask_player
        if any(isinstance(player, RolloutPlayer) for player in match.players):
            self._use_fallback = not physics  # else plain thoughts are first made where plain shots are
            self.start()
        return lambda match: (
            _choose_with_fallback(match, (*physics, self), time_limit) if self.is_needed_for(match) else usual(match)
        )


def _choose_with_fallback(match: Match, warmups: Sequence[Warmup], time_limit: float | None) -> Action:
    """Ask the player whose turn it is, who thinks with what is there: plainly, until all that is needed is ready.

    Args:
        time_limit: see `Warmup.action_chooser`.
    """
    player = None if match.to_play is None else match.players[match.to_play]
    if not isinstance(player, SEARCHING_PLAYERS):
        return match.ask_player()
    waits = time_limit is None and isinstance(player, RolloutPlayer) and player.needs_compilation

    def poll() -> None:
        check_interrupt()
        stop_if_cancelled()
        if all(one.is_ready for one in warmups):
            raise _CompileFinished

    for one in warmups:
        one.start()
    for one in warmups:
        if one.needs_fallback() and not waits:
            with suppress(OSError, _CompileFinished):  # its process ends when it is ready: then another's is asked
                return one.fallback.choose(match.decision(), time_limit, poll)
    for one in warmups:
        one.wait()
    stop_if_cancelled()
    return match.ask_player()


class _CompileFinished(FlicksimError):
    """All is compiled now: a plain thought need not be waited for."""


_BOT_WARMUPS: dict[str, BotWarmup | None] = {}


def bot_warmup(game: Game) -> BotWarmup | None:
    """The one warming up of a game's thoughts in this process; None where its bots have nothing compiled."""
    if game.name not in _BOT_WARMUPS:
        functions: Sequence[Callable[..., object]] = getattr(game.bot, "JIT_FUNCTIONS", ())
        _BOT_WARMUPS[game.name] = BotWarmup(game, functions) if functions else None
    return _BOT_WARMUPS[game.name]


def action_chooser(match: Match, *physics: Warmup, time_limit: float | None = FALLBACK_TIME_LIMIT) -> ChooseAction:
    """The way to ask the bots of a match, who think with what is there.

    Args:
        physics: that is compiled for it. time_limit: see `Warmup.action_chooser`.
    """
    thoughts = bot_warmup(match.game)
    if thoughts is not None:
        return thoughts.action_chooser_for(match, *physics, time_limit=time_limit)
    return physics[0].action_chooser(time_limit) if physics else Match.ask_player


def wait_for_warmups(*warmups: Warmup | None) -> tuple[Callable[[], None], Callable[[], str]]:
    """Ways to wait for what another process needs compiled, and to say that one waits; nothing to wait for of None."""
    every = [one for one in warmups if one is not None]

    def wait() -> None:
        for one in every:
            one.wait_compiled()

    return wait, lambda: next(filter(None, (one.short_message for one in every)), "")


@cache
def _count_functions(file_patterns: tuple[str, ...]) -> int:
    """The number of functions that are compiled of these files of the physics."""
    paths = (path for one in file_patterns for path in _ENGINE_FOLDER.glob(f"{one}.py"))
    return sum(len(_JIT_DECORATOR.findall(path.read_text(encoding="utf-8"))) for path in paths)


def _run_script(code: str, on_started: Callable[[Callable[[], None]], None]) -> bool:
    """Run code in a process of its own. It listens, and ends with this one, however that ends.

    Args:
        on_started: is handed a way to stop it before its end. Returns whether it was let come to its end.
    """
    nowhere, stopped = subprocess.DEVNULL, Event()
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere)
    assert process.stdin is not None

    def stop() -> None:
        stopped.set()
        process.kill()

    on_started(stop)
    with process.stdin:
        try:
            process.wait(_COMPILE_TIMEOUT)
        finally:
            process.kill()
            process.wait()
    return not stopped.is_set()


class _FallbackSimulator:
    """Simulator that uses the fallback worker until the kernels are compiled."""

    def __init__(self, warmup: Warmup, simulator: PhysicsSimulator) -> None:
        self._warmup, self._simulator, self.settings = warmup, simulator, simulator.settings

    def simulate(self, before: InitialState, action: Action) -> SimulationResult:
        """A finished, frozen account."""
        return self._warmup.simulate(before, action, self._simulator)
