"""Background task in a thread, to be polled."""

from collections.abc import Callable
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
        self._cancelled = False
        self._result: list[T] = []
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[], T]) -> None:
        try:
            with cancel_unless(lambda: not self._cancelled):
                self._result.append(work())
        except Exception as error:
            self._error = error

    def cancel(self) -> None:
        """Request cancellation: the task ends with `Cancelled` at its next `stop_if_cancelled`."""
        self._cancelled = True

    @property
    def is_done(self) -> bool:
        """True once it is finished."""
        return not self._thread.is_alive()

    def wait(self, timeout: float) -> bool:
        """Wait for at most `timeout` [s]; returns True once it is finished."""
        self._thread.join(timeout)
        return self.is_done

    def result(self) -> T:
        """Wait for the result and return it, or raise the error of the task."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._result[0]
