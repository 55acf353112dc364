"""Background task in a thread, to be polled."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import Generic, TypeVar

from flicksim.ai import cancel_unless

T = TypeVar("T")


class BackgroundTask(Generic[T]):
    """Task that runs in a thread of its own.

    The thread is a daemon, so that a window that closes does not wait for it, and the task can be cancelled where it
    calls `stop_if_cancelled`.
    """

    def __init__(self, work: Callable[[], T]) -> None:
        self._cancelled, self._future = False, Future[T]()
        Thread(target=self._run, args=(work,), daemon=True).start()

    def _run(self, work: Callable[[], T]) -> None:
        try:
            with cancel_unless(lambda: not self._cancelled):
                self._future.set_result(work())
        except BaseException as error:
            self._future.set_exception(error)

    def cancel(self) -> None:
        """Request cancellation: the task ends with `Cancelled` at its next `stop_if_cancelled`."""
        self._cancelled = True

    @property
    def is_done(self) -> bool:
        """True once it is finished."""
        return self._future.done()

    def wait(self, timeout: float) -> bool:
        """Wait for at most `timeout` [s]; returns True once it is finished."""
        return bool(wait([self._future], timeout).done)

    def result(self) -> T:
        """Wait for the result and return it, or raise the error of the task."""
        return self._future.result()
