"""Fallback worker process without JIT, used while kernels compile: the same bits, slower, with a reduced search."""

import copyreg
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from io import BytesIO
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from types import ModuleType
from typing import Any, BinaryIO
from weakref import finalize

from flicksim.ai import LookaheadPlayer, RolloutPlayer, stop_if_cancelled
from flicksim.core.errors import FlicksimError
from flicksim.core.serialization import Value
from flicksim.core.signals import check_interrupt
from flicksim.core.type_aliases import Action, InitialState, SimulationResult
from flicksim.engine import Settings, simulate
from flicksim.engine.jit import NO_JIT_VARIABLE
from flicksim.match.background_task import BackgroundTask
from flicksim.match.match import Decision

SEARCHING_PLAYERS = (LookaheadPlayer, RolloutPlayer)
"""Players whose search runs compiled code."""
_POLL_INTERVAL = 0.05
"""Interval between checks for cancellation [s]."""


_Request = Callable[[], object]
"""Computation requested of the worker; must be picklable."""


def _choose_in_time(decision: Decision, deadline: float) -> Value:
    """Compute the best decision of a player by a deadline [s, `time.monotonic`]."""
    assert isinstance(decision.player, SEARCHING_PLAYERS)
    chosen: Value = decision.player.choose_fast(
        decision.view, decision.legal_actions, decision.rng, lambda: monotonic() < deadline
    )
    return chosen


class FallbackWorker:
    """Client of a worker process without JIT, which is started on first use and ends with this process."""

    def __init__(self) -> None:
        self._pipe_lock = Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self._terminate: Callable[[], object] = lambda: None
        self._closed = False

    def start(self) -> None:
        """Start the process, so that the first shot need not wait for it."""
        with self._pipe_lock, suppress(OSError):
            self._running_process()

    def simulate(self, before: InitialState, action: Action, settings: Settings) -> SimulationResult:
        """Simulate a shot in the worker.

        Raises:
            OSError: the process cannot be started, or has ended. FlicksimError: see `engine.simulate`.
        """
        return self._compute(partial(simulate, before, action, settings), check_interrupt)

    def choose(
        self, decision: Decision, time_limit: float | None = None, poll: Callable[[], None] = stop_if_cancelled
    ) -> Action:  # fmt: skip
        """Compute a bot's decision in the worker; cancelling it ends the process.

        Args:
            time_limit: approximate time of a search with the uncompiled budget [s]; None for the full search.
            poll: called repeatedly while waiting; may raise.

        Raises:
            OSError: the process cannot be started, has ended, or the decision cannot be pickled.
            FlicksimError: of the player. Cancelled: the result is no longer wanted.
        """
        if time_limit is None:
            return self._compute(decision.compute, poll)
        return self._compute(partial(_choose_in_time, decision, monotonic() + time_limit), poll)

    def _compute(self, request: _Request, poll: Callable[[], None]) -> Any:
        """Return the worker's result; `poll` is called repeatedly while waiting, and may raise."""
        packed = BytesIO()
        try:
            pickler = pickle.Pickler(packed)
            # players refer to the rules and the bot of their game, which are modules
            pickler.dispatch_table = copyreg.dispatch_table | {
                ModuleType: lambda module: (import_module, (module.__name__,))
            }
            pickler.dump(request)
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            raise OSError("this cannot be sent to another process") from error
        with self._pipe_lock:
            poll()
            process = self._running_process()
            task = BackgroundTask(lambda: _exchange(process, packed.getvalue()))
            try:
                while not task.wait(_POLL_INTERVAL):
                    poll()
                result = task.result()
            except (FlicksimError, KeyboardInterrupt):
                self._terminate()
                raise
            except Exception as error:
                self._terminate()
                raise OSError("the worker process has ended") from error
        if isinstance(result, FlicksimError):
            raise result
        return result

    def close(self) -> None:
        """End the process; pending calls raise OSError."""
        self._closed = True
        self._terminate()

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise OSError("the worker is closed")
        if self.process is None or self.process.poll() is not None:
            code = f"from {__name__} import serve; serve()"
            self.process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env={**os.environ, NO_JIT_VARIABLE: "1"}, start_new_session=True,
            )  # fmt: skip
            self._terminate = finalize(self, _kill, self.process)
        return self.process


def _exchange(process: subprocess.Popen[bytes], packed: bytes) -> Any:
    """Send a pickled request and wait for the response."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(packed)
    process.stdin.flush()
    return pickle.load(process.stdout)


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # a failed flush of unsent data does not matter
            assert pipe is not None
            pipe.close()
    process.wait()


def serve() -> None:
    """Run the worker: compute requests from stdin until it is closed."""
    # stdout is redirected to stderr, so that nothing else is written between the responses
    responses = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests: SimpleQueue[_Request] = SimpleQueue()
    Thread(target=_read_requests, args=(sys.stdin.buffer, requests), daemon=True).start()
    while True:
        request = requests.get()
        response: object
        try:
            response = request()
        except FlicksimError as error:
            response = error
        pickle.dump(response, responses)
        responses.flush()


def _read_requests(stream: BinaryIO, requests: SimpleQueue[_Request]) -> None:
    """Queue requests from the stream; exit when it ends, even in the middle of a request."""
    try:
        while True:
            requests.put(pickle.load(stream))
    finally:
        os._exit(0)  # also on a malformed request; the client sees the pipe close
