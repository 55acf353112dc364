"""Parallel map over workers: in this process, in a process pool, or on any executor.

After Ctrl-C no task is begun, and those begun have a grace period. Worker processes hold one end of a pipe whose other
end only this process holds: it closes with this process, however that ends, and a worker that sees it close exits. When
another such pipe is closed, they begin no task of those they were handed. Through a third they report compile progress.
"""

import os
import signal
import sys
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
from inspect import currentframe
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from traceback import walk_stack
from typing import TypeVar

from flicksim.core.errors import InvalidInput, WorkersLost
from flicksim.core.signals import block_interrupts, check_interrupt, defer_interrupts, interrupt_pending
from flicksim.match.compile_progress import CompileProgress, current_listener, report_compiling_always

R = TypeVar("R")

_POLL_INTERVAL = 0.2
"""Interval between checks for Ctrl-C [s]."""


def map_unordered(
    work: Callable[..., R], tasks: Iterable[tuple[object, ...]], *, jobs: int = 1, executor: Executor | None = None
) -> Iterator[R]:
    """Yield the results of `work(*task)` as they finish, in no fixed order when there are several workers.

    After a failed task none is handed out any more, and the results of those running are still yielded. After Ctrl-C
    none is begun, and those running have `core.signals.GRACE_PERIOD`, after a second one no time.

    Args:
        work, tasks: picklable, unless `jobs` is 1.
        jobs: number of workers: 1 runs in this process, more in as many processes.
        executor: to be used instead; it is not shut down.

    Raises:
        InvalidInput: see `check_main_guard`.
        WorkersLost: a worker process died, or the executor lost its workers.
        KeyboardInterrupt: Ctrl-C, SIGTERM or SIGHUP, after the results finished in time.
    """
    check_main_guard(jobs, executor)
    with defer_interrupts():
        if executor is not None:
            yield from _submit_and_collect(executor, work, tasks, jobs)
        elif jobs <= 1:
            for task in tasks:
                check_interrupt()
                yield work(*task)
            check_interrupt()
        else:
            with _process_pool(jobs) as (pool, gate):
                begun = ((work, *task) for task in tasks)
                yield from _submit_and_collect(pool, _begin_task, begun, jobs, gate=gate)


def check_main_guard(jobs: int, executor: Executor | None) -> None:
    """Check that worker processes can import the main script again without starting workers there.

    Raises:
        InvalidInput: it is no file, or nowhere compares its name with "__main__" or "__mp_main__".
    """
    main = sys.modules["__main__"]
    path, spec = getattr(main, "__file__", None), getattr(main, "__spec__", None)
    is_package = spec is not None and spec.name.endswith("__main__")  # which is not imported again
    if jobs <= 1 or executor is not None or path is None or is_package:
        return
    problem = f"jobs={jobs} starts processes that import the script again"
    if not Path(path).is_file():
        raise InvalidInput(f"{problem}, and {path!r} is no file; save it in one")
    running = {(frame.f_code.co_filename, frame.f_code.co_name) for frame, _ in walk_stack(currentframe())}
    if (path, "<module>") in running and b"_main__" not in Path(path).read_bytes():
        raise InvalidInput(
            f"{problem}, and {Path(path).name!r} would start more there; put what starts them under "
            '`if __name__ == "__main__":`'
        )


@contextmanager
def _process_pool(jobs: int) -> Iterator[tuple[Executor, Connection]]:
    """Pool of worker processes, and its gate (see `_submit_and_collect`); those still running on exit are ended."""
    context = get_context("spawn")
    worker_end, parent_end = context.Pipe(duplex=False)
    gate_in, gate_out = context.Pipe(duplex=False)
    progress_in, progress_out = context.Pipe(duplex=False)
    Thread(target=forward_progress, args=(progress_in,), daemon=True).start()
    pipes = (worker_end, gate_in, progress_out)
    with block_interrupts():  # starts the resource tracker of multiprocessing, which SIGHUP would end
        pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=init_worker, initargs=pipes)
    try:
        yield pool, gate_out
        pool.shutdown()
    finally:
        parent_end.close()
        with block_interrupts():  # the exit of the interpreter fails at times while the thread of the pool is ending
            pool.shutdown(cancel_futures=True)
        for pipe in (*pipes, gate_out):
            pipe.close()


def _submit_and_collect(
    pool: Executor,
    work: Callable[..., R],
    tasks: Iterable[tuple[object, ...]],
    jobs: int,
    *,
    gate: Connection | None = None,
) -> Iterator[R]:
    """Yield the results of tasks in a pool.

    Args:
        gate: of a process pool, closed so that no task is begun; without one, futures are cancelled. In a process pool
            a cancelled future stays in the list, and makes the thread of the pool fail when the workers are gone.
    """
    running: set[Future[R]] = set()
    pending = iter(tasks)
    stop: BaseException | None = None
    try:
        while True:
            if stop is None:
                try:
                    # worker processes inherit the signal mask, so that Ctrl-C and SIGHUP go to the parent alone
                    with block_interrupts():
                        for task in islice(pending, 2 * jobs - len(running)):
                            running.add(pool.submit(work, *task))
                except BrokenExecutor as broken:
                    stop = _to_worker_error(broken)
            if not running:
                break
            done, running = wait(running, timeout=_POLL_INTERVAL, return_when=FIRST_COMPLETED)
            for future in done:
                error = CancelledError() if future.cancelled() else future.exception()
                if error is None:
                    yield future.result()
                elif stop is None:
                    stop = _to_worker_error(error)
            if interrupt_pending():  # a signal to the process group may have ended workers too, which is no error
                stop = KeyboardInterrupt()
            if gate is not None:
                if isinstance(stop, KeyboardInterrupt):
                    gate.close()
            elif stop is not None:
                running = {future for future in running if not future.cancel()}
    finally:
        if gate is None:
            for future in running:
                future.cancel()
    if stop is not None:
        raise stop


def _to_worker_error(error: BaseException) -> BaseException:
    """Convert the error of lost workers; other errors are unchanged."""
    if isinstance(error, BrokenExecutor):
        return WorkersLost("a worker died before it was done (killed, or out of memory)")
    if isinstance(error, CancelledError):
        return WorkersLost("the work was called off where it ran: the scheduler or its workers are gone")
    return error


def forward_progress(connection: Connection) -> None:
    """Forward the compile progress of workers until all have ended; equal groups of two workers count once."""
    done: dict[str, int] = {}
    with suppress(EOFError, OSError):
        while True:
            progress: CompileProgress = connection.recv()
            on_progress = current_listener()
            if on_progress is not None and progress.done >= done.get(progress.label, 0):
                done[progress.label] = progress.done
                on_progress(progress)


_gates: list[Connection] = []
"""Of a worker process: the pipe that its parent closes so that no task is begun."""


def _begin_task(work: Callable[..., R], *task: object) -> R:
    if _gates[0].poll():
        raise CancelledError
    return work(*task)


def init_worker(parent_pipe: Connection, gate: Connection, progress_pipe: Connection) -> None:
    """Initialise a worker: ignore Ctrl-C and SIGHUP, exit with the parent, and report compile progress to it."""

    def send_progress(progress: CompileProgress) -> None:
        with suppress(OSError):
            progress_pipe.send(progress)  # short enough to be written atomically

    _gates.append(gate)
    report_compiling_always(send_progress)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGHUP})
    Thread(target=_exit_with_parent, args=(parent_pipe,), daemon=True).start()


def _exit_with_parent(parent_pipe: Connection) -> None:
    with suppress(EOFError, OSError):
        parent_pipe.recv_bytes()
    os._exit(1)
