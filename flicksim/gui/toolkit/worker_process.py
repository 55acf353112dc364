"""Background worker process that streams results to the user interface.

A thread would share the interpreter lock with the window, and a simulation without interruption would block frames. The
process starts with the first request, waits for more, and ends with this one.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import BinaryIO, Generic, NamedTuple, TypeVar
from weakref import finalize

from flicksim.ai import cancel_unless, report_progress_to
from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import FlicksimError

T = TypeVar("T")
_NICENESS = 5
"""Niceness of the worker process."""
_PROGRESS_INTERVAL = 0.1
"""Least interval between progress reports [s]."""


class _Request(NamedTuple):
    """A request: its number, an importable generator function, and its arguments."""

    request_id: int
    generator: Callable[..., Iterator[object]]
    args: tuple[object, ...]


class _Response(NamedTuple):
    """A result of a request; `is_last`: its end, with an error message or None."""

    request_id: int
    value: object
    is_last: bool = False


class _ShotProgress(NamedTuple):
    """Shots simulated since the last report."""

    shots: int


class WorkerProcess(Generic[T]):
    """Worker process, polled once a frame; a new request cancels the previous one.

    If the process ends or cannot start, the request fails with that error, and the next request starts another.

    Args:
        prepare: called on a thread of the window before the first request; may block.
    """

    def __init__(self, prepare: Callable[[], None] = lambda: None) -> None:
        self.results: list[T] = []
        """Results of the last request."""
        self.is_done, self.error = True, ""
        """True once the request is complete; and its error message."""
        self.shots_done = 0
        """Shots simulated for the last request."""
        self.is_starting = False
        """True until the process has sent its first response."""
        self._request_id = 0
        self._prepare = prepare
        self._responses: SimpleQueue[_Response] = SimpleQueue()
        self._requests: SimpleQueue[_Request | None] = SimpleQueue()
        self._started = False

    def submit(self, generator: Callable[..., Iterator[T]], *args: object) -> None:
        """Request all results of a generator function, one after another."""
        self._request_id += 1
        self.results, self.is_done, self.error, self.shots_done = [], False, "", 0
        if not self._started:
            # new queues: responses of an earlier process are dropped
            self._started, self._requests, self._responses = True, SimpleQueue(), SimpleQueue()
            self.is_starting = True
            Thread(target=_run_process, args=(self._requests, self._responses, self._prepare), daemon=True).start()
        self._requests.put(_Request(self._request_id, generator, args))

    def update(self) -> None:
        """Collect new results."""
        while not self._responses.empty():
            request_id, value, is_last = self._responses.get()
            self.is_starting = False
            if request_id == 0:
                # the process has ended: the next request starts another
                self._started = False
                self._requests.put(None)
            if self.is_done if request_id == 0 else request_id != self._request_id:
                continue
            if isinstance(value, _ShotProgress):
                self.shots_done += value.shots
            elif is_last:
                self.is_done, self.error = True, str(value or "")
            else:
                self.results.append(value)  # type: ignore[arg-type]

    def cancel(self) -> None:
        """Cancel the last request."""
        if not self.is_done:
            self._request_id += 1
            self.is_done = True
            self._requests.put(_Request(self._request_id, iter, ((),)))

    def shut_down(self) -> None:
        """End the process."""
        self.cancel()
        self._requests.put(None)


def _run_process(
    requests: SimpleQueue[_Request | None], responses: SimpleQueue[_Response], prepare: Callable[[], None]
) -> None:
    """Start the process, forward requests and read its responses; runs on a thread."""
    try:
        prepare()
        process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import serve; serve()"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, FlicksimError) as error:
        reason = os_error_message(error) if isinstance(error, OSError) else error
        responses.put(_Response(0, f"nothing can be worked out here: {reason}", is_last=True))
        return
    assert process.stdin is not None
    assert process.stdout is not None
    kill_process = finalize(responses, process.kill)  # also if the window ends without shutting down
    Thread(target=_read_responses, args=(process.stdout, responses), daemon=True).start()
    with suppress(OSError):
        while (request := requests.get()) is not None:
            pickle.dump(request, process.stdin)
            process.stdin.flush()
    kill_process()
    with suppress(OSError):
        process.stdin.close()
    process.wait()


def _read_responses(pipe: BinaryIO, responses: SimpleQueue[_Response]) -> None:
    with suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
        while True:
            responses.put(pickle.load(pipe))
    pipe.close()
    responses.put(_Response(0, "the process that works it out has ended", is_last=True))


def serve() -> None:
    """Main loop of the worker process: handle the newest request until the input closes."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # other output must not mix with the responses
    with suppress(AttributeError, OSError):
        os.nice(_NICENESS)
    requests: SimpleQueue[_Request] = SimpleQueue()
    newest = [0]
    Thread(target=_read_requests, args=(sys.stdin.buffer, requests, newest), daemon=True).start()

    def send(response: _Response) -> None:
        pickle.dump(response, output)
        output.flush()

    while True:
        request = requests.get()
        if request.request_id == newest[0]:
            _handle_request(request, lambda request=request: request.request_id == newest[0], send)  # type: ignore[misc]


def _handle_request(request: _Request, is_wanted: Callable[[], bool], send: Callable[[_Response], None]) -> None:
    """Send all results of a request while it is wanted, and its shot count from time to time."""
    shots, last = 0, monotonic()

    def on_shots(count: int) -> None:
        nonlocal shots, last
        shots += count
        if monotonic() - last > _PROGRESS_INTERVAL:
            send(_Response(request.request_id, _ShotProgress(shots)))
            shots, last = 0, monotonic()

    send(_Response(request.request_id, _ShotProgress(0)))  # started
    with cancel_unless(is_wanted), report_progress_to(on_shots):
        try:
            for value in request.generator(*request.args):
                send(_Response(request.request_id, value))
            send(_Response(request.request_id, _ShotProgress(shots)))
            send(_Response(request.request_id, None, is_last=True))
        except FlicksimError as error:
            send(_Response(request.request_id, str(error), is_last=True))


def _read_requests(pipe: BinaryIO, requests: SimpleQueue[_Request], newest: list[int]) -> None:
    """Read requests; when the input closes, end the process."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            request = pickle.load(pipe)
            newest[0] = request.request_id
            requests.put(request)
    os._exit(0)
