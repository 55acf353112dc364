"""A Dask cluster as an executor: the same work, on other machines."""

from __future__ import annotations

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

from flicksim.base.errors import BadOption, MissingExtra, WorkersLost

_ADDRESS = re.compile(r"(?:[a-z]+://)?\[?([^\[\]/]+)\]?:([0-9]{1,5})")

_PATIENCE = 10.0
"""Longest wait for the answer of a scheduler [s]."""
_RETRIES = 5
"""Number of times a task is begun anew when workers die under it."""
_ALONE = 10.0
"""Longest time without any worker before that is told [s]: one that died may be begun anew."""
_LOOK = 1.0
"""Time between two counts of the workers [s]."""

P = ParamSpec("P")
T = TypeVar("T")


class _Passed(Executor):
    """Hands tasks on; what goes wrong with the cluster itself comes back as a sentence.

    Args:
        inner: of the cluster. workers: how many there are now.
    """

    def __init__(self, inner: Executor, workers: Callable[[], int]) -> None:
        self._inner, self._workers = inner, workers
        self._due: set[Future[Any]] = set()
        self._over = Event()
        Thread(target=self._watch, daemon=True).start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Nothing more is asked of it."""
        self._over.set()

    def _watch(self) -> None:
        """A scheduler without workers would keep tasks for ever, and say nothing."""
        seen = monotonic()
        while not self._over.wait(_LOOK):
            with suppress(Exception):  # a scheduler that is gone is told of by its tasks
                if self._workers():
                    seen = monotonic()
            if monotonic() - seen > _ALONE:
                gone = WorkersLost(f"the cluster has had no worker for {_ALONE:g} s")
                for outer in list(self._due):
                    with suppress(InvalidStateError):
                        outer.set_exception(gone)
                return

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a task done."""
        outer: Future[T] = Future()
        self._due.add(outer)
        outer.add_done_callback(self._due.discard)
        inner = self._inner.submit(fn, *args, **kwargs)

        def done(_: Future[T]) -> None:
            if outer.done():
                return
            if inner.cancelled():
                outer.cancel()
                outer.set_running_or_notify_cancel()
            elif (wrong := inner.exception()) is None:
                outer.set_result(inner.result())
            elif type(wrong).__module__.partition(".")[0] == "distributed":
                outer.set_exception(WorkersLost(f"the cluster gave a task up ({_first_line(wrong)})"))
            else:
                outer.set_exception(wrong)

        def given_up(_: Future[T]) -> None:
            if not inner.done():
                inner.cancel()

        inner.add_done_callback(done)
        outer.add_done_callback(given_up)
        return outer


@contextmanager
def dask_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """The executor of a cluster, and how many tasks it works on at a time.

    Raises:
        MissingExtra: Dask is not installed.
        BadOption: no scheduler answers there, or it has no workers.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingExtra("running on a Dask cluster", "cluster") from None
    # a scheduler that goes away is told of in a sentence; the library's own log would add pages
    for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _knock(address)
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as wrong:
        raise BadOption(f"no Dask scheduler answers at {address!r}: {_first_line(wrong)}") from None
    try:
        threads = sum(client.ncores().values())
        if not threads:
            raise BadOption(f"the Dask scheduler at {address!r} has no workers; start some with `dask worker`")
        with _Passed(client.get_executor(retries=_RETRIES), lambda: len(client.ncores())) as executor:
            yield executor, threads
    finally:
        with suppress(OSError, TimeoutError):
            client.close(timeout=_PATIENCE)


def _knock(address: str) -> None:
    """See that somebody is there at all: the client of the library takes long to give up.

    Raises:
        BadOption: it is no address, or nobody listens there.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise BadOption(f"--dask {address!r} is no address of a scheduler; it is written tcp://host:8786")
    try:
        socket.create_connection((found[1], int(found[2])), timeout=_PATIENCE).close()
    except (OSError, OverflowError) as wrong:
        raise BadOption(f"no Dask scheduler answers at {address!r}: {_first_line(wrong).lower()}") from None


def _first_line(wrong: BaseException) -> str:
    return (str(wrong) or type(wrong).__name__).splitlines()[0]
