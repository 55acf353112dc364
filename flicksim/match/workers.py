"""Parallel map over workers: in this process, in a process pool, or on any executor.

Ctrl-C begins nothing new and waits a moment for what is nearly done. Worker processes hold one end of a pipe whose
other end is held here alone: it closes with this process, whatever ends that, and a worker that sees it close ends.
By another they tell what they compile, to whoever listens here.
"""

from __future__ import annotations

import os
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
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import active_children, get_context
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as gone
from threading import Thread
from typing import TypeVar

from flicksim.core.errors import WorkersLost
from flicksim.match.compile_progress import CompileProgress, current_listener, report_compiling_always
from flicksim.match.interrupts import block_interrupts, check_interrupt, defer_interrupts, interrupt_pending

R = TypeVar("R")

_POLL_INTERVAL = 0.2
"""Time between two looks for Ctrl-C while workers work [s]."""


def map_unordered(
    work: Callable[..., R], tasks: Iterable[tuple[object, ...]], *, jobs: int = 1, executor: Executor | None = None
) -> Iterator[R]:
    """The results of `work(*task)` as they come, in no fixed order when there are several workers.

    When a task fails, nothing new is begun; what is already running is waited for and still handed out. After Ctrl-C
    that is waited for no longer than a moment (`interrupt.GRACE`), after a second one not at all.

    Args:
        work, tasks: both must be of the kind that can be sent to another process, unless `jobs` is 1.
        jobs: workers to keep busy: 1 works here, more begin as many processes.
        executor: where to work instead; it is left open.

    Raises:
        WorkersLost: a worker process died, or whoever was to answer is gone.
        KeyboardInterrupt: Ctrl-C, SIGTERM or SIGHUP, once what was done in time was handed out.
    """
    with defer_interrupts():
        if executor is not None:
            yield from _submit_and_collect(executor, work, tasks, jobs, _cancel)
        elif jobs <= 1:
            for task in tasks:
                check_interrupt()
                yield work(*task)
            check_interrupt()
        else:
            with _process_pool(jobs) as pool:
                yield from _submit_and_collect(pool, work, tasks, jobs, lambda _: _shut_down(pool))


@contextmanager
def _process_pool(jobs: int) -> Iterator[Executor]:
    """So many worker processes. Whatever still works when this is left ends there and then."""
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    heard, tells = context.Pipe(duplex=False)
    Thread(target=forward_progress, args=(heard,), daemon=True).start()
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=init_worker, initargs=(theirs, tells))
    try:
        yield pool
        pool.shutdown()
    finally:
        workers = set(active_children()) - others
        _shut_down(pool)
        ours.close()
        for worker in workers:
            gone([worker.sentinel])
        theirs.close()
        tells.close()


def _shut_down(pool: Executor) -> None:
    """Has the pool itself cancel what is not begun.

    A future cancelled from outside stays in the pool's list, and trips its thread when the workers are gone.
    """
    pool.shutdown(wait=False, cancel_futures=True)


def _cancel(running: Iterable[Future[R]]) -> None:
    for future in running:
        future.cancel()


def _submit_and_collect(
    pool: Executor,
    work: Callable[..., R],
    tasks: Iterable[tuple[object, ...]],
    jobs: int,
    cancel: Callable[[Iterable[Future[R]]], None],
) -> Iterator[R]:
    running: set[Future[R]] = set()
    due = iter(tasks)
    stop: BaseException | None = None
    try:
        while True:
            if stop is None:
                try:
                    # processes begun meanwhile take this over, so that Ctrl-C is the parent's from the first
                    with block_interrupts():
                        for task in islice(due, 2 * jobs - len(running)):
                            running.add(pool.submit(work, *task))
                except BrokenExecutor as wrong:
                    stop = _to_worker_error(wrong)
            if not running:
                break
            done, running = wait(running, timeout=_POLL_INTERVAL, return_when=FIRST_COMPLETED)
            for future in done:
                failed = CancelledError() if future.cancelled() else future.exception()
                if failed is None:
                    yield future.result()
                elif stop is None:
                    stop = _to_worker_error(failed)
            if interrupt_pending():  # who is told to end may find workers that were told so too: that is no loss
                stop = KeyboardInterrupt()
            if stop is not None:
                cancel(running)
                running = {future for future in running if not future.cancelled()}
    finally:
        if running:
            cancel(running)
    if stop is not None:
        raise stop


def _to_worker_error(error: BaseException) -> BaseException:
    """The meaning of a failed task: a worker that is gone is told of in a sentence, all else is as it was raised."""
    if isinstance(error, BrokenExecutor):
        return WorkersLost("a worker died before it was done (killed, or out of memory)")
    if isinstance(error, CancelledError):
        return WorkersLost("the work was called off where it ran: the scheduler or its workers are gone")
    return error


def forward_progress(connection: Connection) -> None:
    """Pass on what workers compile, until all are gone; two that compile the same are told of as one."""
    done: dict[str, int] = {}
    with suppress(EOFError, OSError):
        while True:
            now: CompileProgress = connection.recv()
            tell = current_listener()
            if tell is not None and now.done >= done.get(now.label, 0):
                done[now.label] = now.done
                tell(now)


def init_worker(parent_pipe: Connection, progress_pipe: Connection) -> None:
    """In a worker: Ctrl-C is for whoever began it, and with him it ends; what it compiles he is told."""

    def send_progress(progress: CompileProgress) -> None:
        with suppress(OSError):
            progress_pipe.send(progress)  # so short that two who write at once do not mix

    report_compiling_always(send_progress)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    Thread(target=_exit_with_parent, args=(parent_pipe,), daemon=True).start()


def _exit_with_parent(parent_pipe: Connection) -> None:
    with suppress(EOFError, OSError):
        parent_pipe.recv_bytes()
    os._exit(1)
