"""JIT warm-up: compile the kernels that shots and bots need in a background process.

A compiler would block this process, so another one compiles into the cache on the disk, one kernel group after another,
the one that is needed first. Meanwhile a fallback worker without JIT simulates shots and runs the bots: with a reduced
search in little time, or with the full search, however long that takes.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Condition, Event, Timer

from flicksim.ai import RolloutPlayer, stop_if_cancelled
from flicksim.core.errors import FlicksimError
from flicksim.core.signals import check_interrupt
from flicksim.core.type_aliases import Action, InitialState, SimulationResult, State
from flicksim.engine import jit
from flicksim.match.background_task import BackgroundTask
from flicksim.match.fallback_worker import SEARCHING_PLAYERS, FallbackWorker
from flicksim.match.game_model import PhysicsSimulator
from flicksim.match.match import Decision, Match, Player, Simulator
from flicksim.match.rollout_model import warmup
from flicksim.referee import Game

ChooseAction = Callable[[Match], Action]
"""Function that chooses the action of the player to move."""
FALLBACK_TIME_LIMIT = 1.2
"""Default time limit of a bot's decision in the fallback worker [s]."""
_COMPILE_TIMEOUT = 300.0
"""Time without progress after which the compiler process is stopped [s]."""
_ATTEMPTS = 2
"""Number of compiler processes, one after another, if the first one is killed."""
_COMPILE_SCRIPT = """
import gc, os
from threading import Thread
# it reads nothing until the parent has ended; sys.stdin is locked while it is read, and Python could not end then
Thread(target=lambda: (os.read(0, 1), os._exit(0)), daemon=True).start()
gc.disable()  # compilation allocates much and frees little
from flicksim.match.compile_progress import report_compiling_always
report_compiling_always(lambda progress: print(progress.done, flush=True))
from {module} import {name}
{name}({given})
"""


class _CompileQueue:
    """Queue of one compiler process: an urgent warm-up preempts another, whose compiled functions stay cached."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._waiting: list[Warmup] = []
        self._current: Warmup | None = None
        self._stop: Callable[[], None] = lambda: None

    def run(self, warmup: Warmup) -> None:
        """Compile a warm-up when it is first in the queue; again after being preempted."""
        finished = False
        while not finished:
            with self._condition:
                self._waiting.append(warmup)
                self._preempt()
                self._condition.wait_for(lambda: self._current is None and self._next() is warmup)
                self._waiting.remove(warmup)
                self._current = warmup
            try:
                finished = run_script(warmup.code, self._set_stop, warmup.on_progress)
            finally:
                with self._condition:
                    self._current, self._stop = None, lambda: None
                    self._condition.notify_all()

    def prioritise(self, warmup: Warmup) -> None:
        """Let a waiting warm-up preempt a less urgent one; one that is not queued yet does so when it is."""
        with self._condition:
            if warmup in self._waiting:
                self._preempt()

    def _preempt(self) -> None:
        """Stop the running compiler if its warm-up is not wanted and another is."""
        if self._current is not None and not self._current.is_wanted and self._waiting and self._next().is_wanted:
            self._stop()

    def _next(self) -> Warmup:
        return next((warmup for warmup in self._waiting if warmup.is_wanted), self._waiting[0])

    def _set_stop(self, stop: Callable[[], None]) -> None:
        with self._condition:
            self._stop = stop
            self._preempt()


_QUEUE = _CompileQueue()


class Warmup:
    """Warm-up of one physics kernel group, compiled by a background process.

    Args:
        label: for display.
        make_shot: top-level function that makes a shot which needs the whole group.
        functions: compiled functions that the shot calls.
    """

    _note, _short_note = " You can play; bots search less.", ""

    def __init__(self, label: str, make_shot: Callable[[], None], *functions: Callable[..., object]) -> None:
        self._label, self._make_shot, self._functions, self._done = label, make_shot, functions, 0
        self.code = _COMPILE_SCRIPT.format(module=make_shot.__module__, name=make_shot.__name__, given="")
        """Script of the compiler process."""
        self.is_wanted = False
        """True once a match needs it."""
        self._compile_task: BackgroundTask[None] | None = None
        self._load_task: BackgroundTask[None] | None = None
        self.fallback = FallbackWorker()
        """Process that simulates shots and runs bots until it is ready."""
        self.uses_fallback = False
        """True if shots or bots use that process, so that it is started with the compiler."""
        self.must_compile, self._cache_checked = False, Event()
        """True once it is known that the compile cache lacked this group at the start."""

    @property
    def is_queued(self) -> bool:
        """True while it waits for the compiler."""
        return self in _QUEUE._waiting

    def compile(self) -> None:
        """Start to compile in another process, unless that has been started."""
        if self._compile_task is None:
            self._compile_task = BackgroundTask(self._compile)

    def start(self) -> None:
        """Start to compile, and then to load the compiled code into this process."""
        self.is_wanted = True
        self.compile()
        if self._load_task is None:
            self._load_task = BackgroundTask(self._load)
            _QUEUE.prioritise(self)

    @property
    def is_ready(self) -> bool:
        """True once the compiled code is loaded."""
        return self._load_task is not None and self._load_task.is_done

    def wait(self) -> None:
        """Wait until it is ready; not to be called in the window's thread."""
        self.start()
        assert self._load_task is not None
        self._load_task.result()

    def wait_compiled(self) -> None:
        """Wait until it is in the cache on the disk; not to be called in the window's thread."""
        self.is_wanted = True
        self.compile()
        assert self._compile_task is not None
        _QUEUE.prioritise(self)
        self._compile_task.result()

    @property
    def message(self) -> str:
        """Message on the compiler's progress; empty when it does not run."""
        return (short := self.short_message) and f"{short}{self._note}"

    @property
    def short_message(self) -> str:
        """Short form of the message."""
        if not self.is_compiling:
            return ""
        done, total = self.progress
        return f"Getting {self._label} ready, once: {done} of {total} parts.{self._short_note}"

    @property
    def is_compiling(self) -> bool:
        """True while it is being compiled or then loaded, or waits for that."""
        task = self._load_task or self._compile_task  # to load it compiles what another process could not
        return self.must_compile and task is not None and not task.is_done

    @property
    def progress(self) -> tuple[int, int]:
        """Number of functions compiled, and of all."""
        kernels = {kernel for function in self._functions for kernel in jit.kernels_of(function)}
        return min(self._done, len(kernels) - 1), len(kernels)

    def on_progress(self, done: int) -> None:
        """Store the number of functions that the compiler process has done."""
        self._done = max(self._done, done)

    def with_fallback(self, simulator: Simulator) -> Simulator:
        """Wrap a simulator so that it uses the fallback worker until the kernels are compiled."""
        self.uses_fallback = True
        return _FallbackSimulator(self, simulator) if isinstance(simulator, PhysicsSimulator) else simulator

    def simulate(self, before: InitialState, action: Action, simulator: PhysicsSimulator) -> SimulationResult:
        """Simulate a shot, in the fallback worker until the kernels are compiled."""
        if self.needs_fallback():
            with suppress(OSError):
                return self.fallback.simulate(before, action, simulator.settings)
        self.wait()
        return simulator.simulate(before, action)

    def needs_fallback(self) -> bool:
        """Return True while the kernels have to be compiled first."""
        self.start()
        self._cache_checked.wait()
        return self.must_compile and not self.is_ready

    @property
    def is_missing(self) -> bool:
        """True if there is a cache folder, and it lacked this group at the start."""
        self.compile()
        self._cache_checked.wait()
        return self.must_compile

    @property
    def is_cached(self) -> bool:
        """True if the whole group is in the compile cache."""
        return all(map(jit.is_cached, self._functions))

    def _compile(self) -> None:
        try:
            self.must_compile = bool(jit.cache_dir()) and not self.is_cached
        finally:
            self._cache_checked.set()
        # killed, as where memory is short, another goes on: what has been compiled stays in the cache. Without other
        # processes this one compiles before the first shot, and draws fewer frames meanwhile
        for _ in range(_ATTEMPTS if self.must_compile else 0):
            with suppress(OSError, subprocess.SubprocessError):
                _QUEUE.run(self)
                break

    def _load(self) -> None:
        assert self._compile_task is not None
        if self.is_missing and self.uses_fallback:
            self.fallback.start()
        self._compile_task.result()
        self._make_shot()
        self.fallback.close()


class BotWarmup(Warmup):
    """Warm-up of the compiled functions by which the bots of a game run rollouts.

    Args:
        game: of the bots. functions: to be compiled.
    """

    _note, _short_note = "", " They search less meanwhile."

    def __init__(self, game: Game, functions: Sequence[Callable[..., object]]) -> None:
        super().__init__("the bots' search", lambda: warmup(game.name), *functions)
        self._game = game
        self.code = _COMPILE_SCRIPT.format(module=warmup.__module__, name=warmup.__name__, given=repr(game.name))

    def is_needed_by(self, player: Player | None, state: State) -> bool:
        """Return True if this player runs rollouts in this state."""
        has_rollouts = getattr(self._game.bot, "has_rollouts", lambda _state: True)
        return isinstance(player, RolloutPlayer) and bool(has_rollouts(state))


def compute_decision(
    game: Game, state: State, decision: Decision, *physics: Warmup, time_limit: float | None = FALLBACK_TIME_LIMIT
) -> Action:  # fmt: skip
    """Compute a bot's decision, in a fallback worker until all that it runs is compiled.

    Args:
        state: in which the bot is to play. physics, time_limit: see `action_chooser`, which asks other players, who
            may forfeit, itself.
    """
    player, bots = decision.player, bot_warmup(game)
    if not isinstance(player, SEARCHING_PLAYERS):
        return decision.compute()
    warmups = (*physics, bots) if bots is not None and bots.is_needed_by(player, state) else physics[:1]
    waits = time_limit is None and isinstance(player, RolloutPlayer) and player.needs_compilation(decision.view)

    def poll() -> None:
        check_interrupt()
        stop_if_cancelled()
        if all(item.is_ready for item in warmups):
            raise _CompileFinished

    for item in warmups:
        item.start()
    for item in warmups:
        if item.needs_fallback() and not waits:
            with suppress(OSError, _CompileFinished):  # a worker ends once its warm-up is ready: try the next
                return item.fallback.choose(decision, time_limit, poll)
    for item in warmups:
        item.wait()
    stop_if_cancelled()
    return decision.compute()


class _CompileFinished(FlicksimError):
    """Everything is compiled: the decision of the fallback worker is no longer needed."""


_BOT_WARMUPS: dict[str, BotWarmup | None] = {}


def bot_warmup(game: Game) -> BotWarmup | None:
    """Warm-up of a game's bots, one per process; None where they have no compiled functions."""
    if game.name not in _BOT_WARMUPS:
        functions: Sequence[Callable[..., object]] = getattr(game.bot, "JIT_FUNCTIONS", ())
        _BOT_WARMUPS[game.name] = BotWarmup(game, functions) if functions else None
    return _BOT_WARMUPS[game.name]


def action_chooser(match: Match, *physics: Warmup, time_limit: float | None = FALLBACK_TIME_LIMIT) -> ChooseAction:
    """Return a function that chooses the actions of the bots of a match, in a fallback worker until all is compiled.

    Args:
        physics: warm-ups of its physics; players without rollouts need the first alone.
        time_limit: of a decision in the fallback worker, with a reduced search [s]; None for the full search with equal
            results, which waits for the compiler where it would take minutes.
    """
    bots = bot_warmup(match.game)
    for first in physics[:1]:
        first.uses_fallback = True
    if bots is not None and any(isinstance(player, RolloutPlayer) for player in match.players):
        bots.uses_fallback = not physics  # else the fallback worker of the physics is used first
        bots.start()

    def choose(match: Match) -> Action:
        player = None if match.to_play is None else match.players[match.to_play]
        if not isinstance(player, SEARCHING_PLAYERS):
            return match.ask_player()
        return compute_decision(match.game, match.state, match.decision(), *physics, time_limit=time_limit)

    return choose


def joint_message(warmups: Sequence[Warmup]) -> str:
    """Message on the progress of all warm-ups that had to be compiled; empty when none is."""
    missing = [item for item in warmups if item.must_compile]
    if len(missing) < 2 or not any(item.is_compiling for item in missing):
        return next((item.message for item in missing), "")
    counts = [item.progress for item in missing]
    total = sum(of for _, of in counts)
    done = sum(done if item.is_compiling else of for item, (done, of) in zip(missing, counts, strict=True))
    return f"Getting the physics and the bots ready, once: {done} of {total} parts.{Warmup._note}"


def wait_for_warmups(*warmups: Warmup | None) -> tuple[Callable[[], None], Callable[[], str]]:
    """Return a function that waits until the warm-ups are compiled, and one that returns their message."""
    present = [warmup for warmup in warmups if warmup is not None]

    def wait() -> None:
        for item in present:
            item.wait_compiled()

    return wait, lambda: next(filter(None, (item.short_message for item in present)), "")


def run_script(code: str, on_started: Callable[[Callable[[], None]], None], on_progress: Callable[[int], None]) -> bool:
    """Run a script in a process that ends with this one, as its stdin then closes.

    Args:
        on_started: receives a function that stops the process.
        on_progress: receives each number that the process prints.

    Returns:
        Whether it was not stopped: it ended, failed, or made no progress for too long.

    Raises:
        CalledProcessError: it was killed otherwise.
    """
    pipe, stopped, is_stuck = subprocess.PIPE, Event(), Event()
    process = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None

    def kill(reason: Event) -> None:
        reason.set()
        process.kill()

    time_limit = Timer(_COMPILE_TIMEOUT, kill, (is_stuck,))
    time_limit.start()
    on_started(lambda: kill(stopped))
    with process.stdin, process.stdout:
        try:
            for line in process.stdout:
                time_limit.cancel()
                time_limit = Timer(_COMPILE_TIMEOUT, kill, (is_stuck,))
                time_limit.start()
                on_progress(int(line))
            process.wait()
        finally:
            time_limit.cancel()
            process.kill()
            process.wait()
    if process.returncode < 0 and not stopped.is_set() and not is_stuck.is_set():
        raise subprocess.CalledProcessError(process.returncode, "the compiler")
    return not stopped.is_set()


class _FallbackSimulator:
    """Simulator that uses the fallback worker until the kernels are compiled."""

    def __init__(self, warmup: Warmup, simulator: PhysicsSimulator) -> None:
        self._warmup, self._simulator, self.settings = warmup, simulator, simulator.settings

    def simulate(self, before: InitialState, action: Action) -> SimulationResult:
        """Simulate a shot."""
        return self._warmup.simulate(before, action, self._simulator)
