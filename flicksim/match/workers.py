"""Parallel map over workers: in this process, in worker processes, or on any executor.

Each worker process has a pipe of its own to a thread here, and no other process holds an end of it: it closes with
either, in the middle of a message too, so that neither waits for the rest. After Ctrl-C no task is begun, and those
begun have a grace period. All workers report compile progress through one more pipe.
"""

import atexit
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from inspect import currentframe
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_readable
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from traceback import format_exception, format_exception_only, walk_stack
from typing import Any, TypeVar

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

    After a failed task or Ctrl-C none is begun, and the results of those running are still yielded; after Ctrl-C they
    have `core.signals.GRACE_PERIOD`, after a second one no time.

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
            tasks = iter(tasks)
            if first := list(islice(tasks, jobs)):
                with _process_pool(len(first)) as (pool, run):
                    runs = ((work, *task) for task in chain(first, tasks))
                    yield from _submit_and_collect(pool, run, runs, jobs)


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
def _process_pool(jobs: int) -> Iterator[tuple[Executor, Callable[..., Any]]]:
    """Pool of threads, and what runs a task there in a worker process; processes still running on exit are killed."""
    context = get_context("spawn")
    processes: list[SpawnProcess] = []
    connections: list[Connection] = []
    idle: SimpleQueue[tuple[Connection, SpawnProcess]] = SimpleQueue()

    def end_processes() -> None:
        for process in processes:
            process.kill()

    def run(work: Callable[..., object], *task: object) -> object:
        packed = bytes(ForkingPickler.dumps((work, task)))  # a view, kept by a traceback, warns when collected
        worker = connection, _ = idle.get()
        try:
            _receive(*worker)  # that it is ready
            connection.send_bytes(packed)
            error, result = _receive(*worker)
        except (EOFError, OSError) as lost:
            end_processes()  # nobody waits for the others
            raise BrokenExecutor from lost
        finally:
            idle.put(worker)
        if error is not None:
            raise error
        return result

    progress_in, progress_out = context.Pipe(duplex=False)
    Thread(target=forward_progress, args=(progress_in,), daemon=True).start()
    threads = ThreadPoolExecutor(jobs)
    atexit.register(end_processes)  # before multiprocessing waits for them, where a caller takes no further result
    try:
        # signals are blocked in workers, and in the resource tracker, which SIGHUP would end
        with block_interrupts(), progress_out:
            for _ in range(jobs):
                connection, far_end = context.Pipe()
                connections.append(connection)
                with far_end:
                    process = context.Process(target=run_tasks, args=(far_end, progress_out))
                    process.start()
                processes.append(process)
                idle.put((connection, process))
        yield threads, run
        for connection in connections:
            connection.close()
        for process in processes:
            process.join()
    finally:
        with block_interrupts():
            end_processes()
            threads.shutdown()
            for process in processes:
                process.join()
        for connection in connections:
            connection.close()
        atexit.unregister(end_processes)


def _receive(connection: Connection, process: SpawnProcess) -> Any:
    """Receive a message of a worker process.

    Raises:
        EOFError, OSError: it has ended.
    """
    # on Windows its end of the pipe is open here too until it has begun: the pipe alone would not tell that it ended
    if connection not in wait_readable([connection, process.sentinel]):
        raise EOFError
    return connection.recv()


def _submit_and_collect(
    pool: Executor, work: Callable[..., R], tasks: Iterable[tuple[object, ...]], jobs: int
) -> Iterator[R]:
    """Yield the results of tasks in a pool; after a failed one none is begun any more."""
    running: set[Future[R]] = set()
    pending = iter(tasks)
    stop: BaseException | None = None
    try:
        while True:
            if stop is None:
                try:
                    # threads and worker processes inherit the signal mask, so that signals go to the main thread alone
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
            if stop is not None:
                running = {future for future in running if not future.cancel()}
    finally:
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
    with suppress(EOFError, OSError), connection:
        while True:
            progress: CompileProgress = connection.recv()
            on_progress = current_listener()
            if on_progress is not None and progress.done >= done.get(progress.label, 0):
                done[progress.label] = progress.done
                on_progress(progress)


def run_tasks(connection: Connection, progress_pipe: Connection) -> None:
    """Run a worker process: say None when ready, answer each task with its error and its result, until the parent
    closes the connection."""
    _init_worker(progress_pipe)
    with suppress(EOFError, OSError):
        while True:
            connection.send(None)  # ready: one that ended before it holds its end would never read the task
            work, task = connection.recv()
            try:
                connection.send((None, work(*task)))
            except BaseException as error:
                connection.send((_picklable_error(error), None))


def _picklable_error(error: BaseException) -> BaseException:
    """Add its traceback to an error of a task; one that cannot be pickled is replaced by its text."""
    note = "".join(format_exception(error))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError("".join(format_exception_only(error)).strip())
    error.add_note(note)
    return error


def _init_worker(progress_pipe: Connection) -> None:
    """Ignore Ctrl-C and SIGHUP, exit with the parent, and report compile progress to it."""

    def send_progress(progress: CompileProgress) -> None:
        with suppress(OSError):
            progress_pipe.send(progress)  # short enough to be written atomically

    report_compiling_always(send_progress)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGHUP})
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "this is a worker process"
    parent.join()
    os._exit(1)
