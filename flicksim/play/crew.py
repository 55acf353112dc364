"""Work shared out among workers: in this process, in many, or on any executor; Ctrl-C loses nothing that was begun."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

from flicksim.base.errors import WorkersLost
from flicksim.play.interrupt import between_turns, safe_point, uninterrupted

R = TypeVar("R")

_LISTEN = 0.2
"""How often Ctrl-C is listened for while workers work [s]."""


def share_out(
    work: Callable[..., R], tasks: Iterable[tuple[Any, ...]], *, jobs: int = 1, executor: Executor | None = None
) -> Iterator[R]:
    """The results of `work(*task)` as they come, in no fixed order when there are several workers.

    After Ctrl-C, or when a task fails, nothing new is begun; what is already running is waited for and still handed
    out. A second Ctrl-C does not wait.

    Args:
        work, tasks: both must be of the kind that can be sent to another process, unless `jobs` is 1.
        jobs: workers to keep busy: 1 works here, more begin as many processes.
        executor: where to work instead; it is left open.

    Raises:
        WorkersLost: a worker process died, or whoever was to answer is gone.
        KeyboardInterrupt: Ctrl-C, once everything running was handed out.
    """
    with between_turns():
        if executor is not None:
            yield from _keep_busy(executor, work, tasks, jobs)
        elif jobs <= 1:
            for task in tasks:
                safe_point()
                yield work(*task)
            safe_point()
        else:
            pool = ProcessPoolExecutor(
                jobs, mp_context=get_context("spawn"), initializer=_leave_interrupts_to_the_parent
            )
            try:
                yield from _keep_busy(pool, work, tasks, jobs)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def _keep_busy(pool: Executor, work: Callable[..., R], tasks: Iterable[tuple[Any, ...]], jobs: int) -> Iterator[R]:
    running: set[Future[R]] = set()
    due = iter(tasks)
    stop: BaseException | None = None
    try:
        while True:
            if stop is None:
                try:
                    # processes begun meanwhile take this over, so that Ctrl-C is the parent's from the first
                    with uninterrupted():
                        for task in islice(due, 2 * jobs - len(running)):
                            running.add(pool.submit(work, *task))
                except BrokenExecutor as wrong:
                    stop = _lost(wrong)
            if not running:
                break
            done, running = wait(running, timeout=_LISTEN, return_when=FIRST_COMPLETED)
            for future in done:
                failed = CancelledError() if future.cancelled() else future.exception()
                if failed is None:
                    yield future.result()
                elif stop is None:
                    stop = _lost(failed)
            try:
                safe_point()
            except KeyboardInterrupt as pressed:
                if stop is not None:
                    raise
                stop = pressed
            if stop is not None:
                running = {future for future in running if not future.cancel()}
    finally:
        for future in running:
            future.cancel()
    if stop is not None:
        raise stop


def _lost(wrong: BaseException) -> BaseException:
    """What a failed task means: a worker that is gone is told of in a sentence, all else is as it was raised."""
    if isinstance(wrong, BrokenExecutor):
        return WorkersLost("a worker died before it was done (killed, or out of memory)")
    if isinstance(wrong, CancelledError):
        return WorkersLost("the work was called off where it ran: the scheduler or its workers are gone")
    return wrong


def _leave_interrupts_to_the_parent() -> None:
    """A worker finishes its task; whoever began the work decides when to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
