"""Executor on a Dask cluster, with connection errors reported as `FlicksimError`."""

import logging
import re
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Event, Thread
from time import monotonic
from typing import Any, ParamSpec, TypeVar

from flicksim.core.errors import InvalidOption, MissingExtra, WorkersLost

_ADDRESS = re.compile(r"(?:[a-z]+://)?\[?([^\[\]/]+)\]?:([0-9]{1,5})")

_TIMEOUT = 10.0
"""Timeout of the connection to a scheduler [s]."""
_RETRIES = 5
"""Number of times a task is restarted after its worker died."""
_NO_WORKERS_TIMEOUT = 10.0
"""Longest time without any worker before tasks fail [s]: one that died may be restarted."""
_POLL_INTERVAL = 1.0
"""Time between two counts of the workers [s]."""

P = ParamSpec("P")
T = TypeVar("T")


class _ClusterExecutor(Executor):
    """Executor that forwards tasks to the cluster and translates its errors.

    Args:
        executor: of the cluster. workers: returns their current number.
    """

    def __init__(self, executor: Executor, workers: Callable[[], int]) -> None:
        self._executor, self._workers = executor, workers
        self._pending: set[Future[Any]] = set()
        self._stopped = Event()
        Thread(target=self._watch, daemon=True).start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Stop watching the workers."""
        self._stopped.set()

    def _watch(self) -> None:
        """Fail the pending tasks when there has been no worker for too long."""
        last_seen = monotonic()
        while not self._stopped.wait(_POLL_INTERVAL):
            with suppress(Exception):  # tasks report a lost scheduler
                if self._workers():
                    last_seen = monotonic()
            if monotonic() - last_seen > _NO_WORKERS_TIMEOUT:
                error = WorkersLost(f"the cluster has had no worker for {_NO_WORKERS_TIMEOUT:g} s")
                for outer in list(self._pending):
                    with suppress(InvalidStateError):
                        outer.set_exception(error)
                return

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a task."""
        outer: Future[T] = Future()
        self._pending.add(outer)
        outer.add_done_callback(self._pending.discard)
        inner = self._executor.submit(fn, *args, **kwargs)

        def on_done(_: Future[T]) -> None:
            if outer.done():
                return
            if inner.cancelled():
                outer.cancel()
                outer.set_running_or_notify_cancel()
            elif (error := inner.exception()) is None:
                outer.set_result(inner.result())
            elif type(error).__module__.partition(".")[0] == "distributed":
                outer.set_exception(WorkersLost(f"the cluster abandoned a task ({_first_line(error)})"))
            else:
                outer.set_exception(error)

        def on_cancel(_: Future[T]) -> None:
            if not inner.done():
                inner.cancel()

        inner.add_done_callback(on_done)
        outer.add_done_callback(on_cancel)
        return outer


@contextmanager
def dask_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """Yield the executor of a cluster and its number of threads.

    Raises:
        MissingExtra: Dask is not installed.
        InvalidOption: no scheduler answers at that address, or it has no workers.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingExtra("running on a Dask cluster", "cluster") from None
    # a lost scheduler is reported in a sentence; the log of the library would add pages
    for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _check_reachable(address)
    try:
        client = distributed.Client(address, timeout=_TIMEOUT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InvalidOption(f"no Dask scheduler answers at {address!r}: {_first_line(error)}") from None
    try:
        threads = sum(client.ncores().values())
        if not threads:
            raise InvalidOption(f"the Dask scheduler at {address!r} has no workers; start some with `dask worker`")
        with _ClusterExecutor(client.get_executor(retries=_RETRIES), lambda: len(client.ncores())) as executor:
            yield executor, threads
    finally:
        with suppress(OSError, TimeoutError):
            client.close(timeout=_TIMEOUT)


def _check_reachable(address: str) -> None:
    """Check that the address answers; the client of the library has a long timeout.

    Raises:
        InvalidOption: it is no address, or nothing listens there.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise InvalidOption(f"{address!r} is no address of a scheduler; it is written tcp://host:8786")
    try:
        socket.create_connection((match[1], int(match[2])), timeout=_TIMEOUT).close()
    except (OSError, OverflowError) as error:
        raise InvalidOption(f"no Dask scheduler answers at {address!r}: {_first_line(error).lower()}") from None


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
