"""Background task in a thread, polled by the window."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Generic, TypeVar

from flicksim.ai import cancel_unless

T = TypeVar("T")


class BackgroundTask(Generic[T]):
    """One piece of work in a thread of its own; the window looks in on it once a frame.

    The thread is a daemon: a window that closes does not wait for a thought nobody will see. Nor does that thought go
    on for long: players stop where nobody wants to know (`cancel`).
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
        except Exception as wrong:
            self._error = wrong

    def cancel(self) -> None:
        """Nobody waits for it any more; it ends soon, with `Cancelled` where it thinks."""
        self._cancelled = True

    @property
    def is_done(self) -> bool:
        """True once it is finished."""
        return not self._thread.is_alive()

    def wait(self, timeout: float) -> bool:
        """Wait so long at most [s]; True once it is finished."""
        self._thread.join(timeout)
        return self.is_done

    def result(self) -> T:
        """Its result; raises what it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._result[0]
