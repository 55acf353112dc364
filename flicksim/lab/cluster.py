"""A Dask cluster as an executor: the same work, on other machines."""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from flicksim.base.errors import BadOption, MissingExtra

_ADDRESS = re.compile(r"(?:[a-z]+://)?\[?([^\[\]/]+)\]?:([0-9]{1,5})")

_PATIENCE = 10.0
"""How long a scheduler may take to answer [s]."""
_RETRIES = 5
"""How often a task is begun anew when workers die under it."""


class _Passed(Executor):
    """Hands tasks on; errors of the cluster itself come back as those of a broken executor."""

    def __init__(self, inner: Executor) -> None:
        self._inner = inner

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a task done."""
        outer: Future[Any] = Future()
        inner = self._inner.submit(fn, *args, **kwargs)

        def done(_: Future[Any]) -> None:
            if inner.cancelled():
                outer.cancel()
                outer.set_running_or_notify_cancel()
            elif (wrong := inner.exception()) is None:
                outer.set_result(inner.result())
            elif type(wrong).__module__.partition(".")[0] == "distributed":
                outer.set_exception(BrokenExecutor(str(wrong)))
            else:
                outer.set_exception(wrong)

        def given_up(_: Future[Any]) -> None:
            if outer.cancelled():
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
        yield _Passed(client.get_executor(retries=_RETRIES)), threads
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


def _first_line(wrong: Exception) -> str:
    return (str(wrong) or type(wrong).__name__).splitlines()[0]
