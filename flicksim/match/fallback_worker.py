"""Fallback worker process without JIT, used while kernels compile: the same bits, slower, with a reduced search."""

from __future__ import annotations

import copyreg
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from types import ModuleType
from typing import BinaryIO, Protocol, cast
from weakref import finalize

from flicksim.ai import LookaheadPlayer, RolloutPlayer, stop_if_cancelled
from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Action, InitialState, SimulationResult
from flicksim.engine import Settings, simulate
from flicksim.engine.jit import NO_JIT_VARIABLE
from flicksim.games import load
from flicksim.match.background_task import BackgroundTask
from flicksim.match.interrupts import check_interrupt
from flicksim.match.match import Decision
from flicksim.referee import Game

SEARCHING_PLAYERS = (LookaheadPlayer, RolloutPlayer)
"""Players whose thoughts go by what is compiled."""
_POLL_INTERVAL = 0.05
"""So often it is seen to whether a thought is still wanted [s]."""


class _Request(Protocol):
    """Something to be worked out."""

    def compute(self) -> object:
        """The outcome."""


@dataclass(frozen=True, slots=True)
class _ShotRequest:
    """A shot to be settled."""

    before: InitialState
    action: Action
    settings: Settings

    def compute(self) -> SimulationResult:
        """The finished motion."""
        return simulate(self.before, self.action, self.settings)


@dataclass(frozen=True, slots=True)
class _TimedDecision:
    """A question to a player that answers as well as it can until then [s, `time.monotonic`]."""

    decision: Decision
    deadline: float

    def compute(self) -> Action:
        """The player's action."""
        asked = self.decision
        assert isinstance(asked.player, SEARCHING_PLAYERS)
        return asked.player.choose_fast(asked.view, asked.legal_actions, asked.rng, lambda: monotonic() < self.deadline)


class _GamePickler(pickle.Pickler):
    """Players know their game, its rules and its bot, which are modules: those go by their names."""

    dispatch_table = copyreg.dispatch_table | {
        ModuleType: lambda one: (import_module, (one.__name__,)),
        Game: lambda one: (load, (one.name,)),
    }


class FallbackWorker:
    """A process that works with plain functions. It begins when it is first wanted, and ends with this one."""

    def __init__(self) -> None:
        self._pipe_lock = Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self._terminate: Callable[[], object] = lambda: None
        self._closed = False

    def start(self) -> None:
        """Begin it, so that the first shot need not wait for it."""
        with self._pipe_lock, suppress(OSError):
            self._running_process()

    def simulate(self, before: InitialState, action: Action, settings: Settings) -> SimulationResult:
        """The finished motion.

        Raises:
            OSError: there is no such process. FlicksimError: as of `simulate`.
        """
        return cast(SimulationResult, self._compute(_ShotRequest(before, action, settings), check_interrupt))

    def choose(
        self, decision: Decision, time_limit: float | None = None, poll: Callable[[], None] = stop_if_cancelled
    ) -> Action:  # fmt: skip
        """The action that a bot chooses. Where it is given up, the process ends with it.

        Args:
            time_limit: about so long it has, and thinks as deep as bots do where nothing is compiled [s]; without it
                thinks as it always does. poll: is called again and again meanwhile, and may raise.

        Raises:
            OSError: there is no such process, or the question cannot be handed to it.
            FlicksimError: as of the player. Cancelled: nobody waits any more.
        """
        asked: _Request = decision if time_limit is None else _TimedDecision(decision, monotonic() + time_limit)
        return cast(Action, self._compute(asked, poll))

    def _compute(self, query: _Request, poll: Callable[[], None]) -> object:
        """The answer; `poll` is called again and again meanwhile, and may raise."""
        packed = BytesIO()
        try:
            _GamePickler(packed).dump(query)
        except (AttributeError, TypeError, pickle.PicklingError) as wrong:
            raise OSError("this cannot be handed to another process") from wrong
        with self._pipe_lock:
            poll()
            process = self._running_process()
            job = BackgroundTask(lambda: _exchange(process, packed.getvalue()))
            try:
                while not job.wait(_POLL_INTERVAL):
                    poll()
                came = job.result()
            except (FlicksimError, KeyboardInterrupt):
                self._terminate()
                raise
            except Exception as wrong:
                self._terminate()
                raise OSError("the process that makes shots has ended") from wrong
        if isinstance(came, FlicksimError):
            raise came
        return came

    def close(self) -> None:
        """End it; nobody asks for more, and whoever waits for a shot is told."""
        self._closed = True
        self._terminate()

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise OSError("no more shots are made here")
        if self.process is None or self.process.poll() is not None:
            code = f"from {__name__} import serve; serve()"
            self.process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env={**os.environ, NO_JIT_VARIABLE: "1"}, start_new_session=True,
            )  # fmt: skip
            self._terminate = finalize(self, _kill, self.process)
        return self.process


def _exchange(process: subprocess.Popen[bytes], packed: bytes) -> object:
    """Hand a question over, and wait for the answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(packed)
    process.stdin.flush()
    return cast(object, pickle.load(process.stdout))


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what was still to be written is of no use any more
            assert pipe is not None
            pipe.close()
    process.wait()


def serve() -> None:
    """In the process: work out what is asked for, until nobody can ask any more."""
    # what else is written must not come between the answers
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    asked: SimpleQueue[_Request] = SimpleQueue()
    Thread(target=_read_requests, args=(sys.stdin.buffer, asked), daemon=True).start()
    while True:
        one = asked.get()
        came: object
        try:
            came = one.compute()
        except FlicksimError as wrong:
            came = wrong
        pickle.dump(came, answers)
        answers.flush()


def _read_requests(stream: BinaryIO, requests: SimpleQueue[_Request]) -> None:
    """Hand on what is asked; who asks may end in the middle of it, and then nobody wants it."""
    try:
        while True:
            requests.put(pickle.load(stream))
    finally:
        os._exit(0)  # also where it cannot be read: who asks is told by that
