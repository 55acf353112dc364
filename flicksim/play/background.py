"""Work done beside the window, so that it never stands still."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Generic, TypeVar

from flicksim.players import while_wanted

T = TypeVar("T")


class Background(Generic[T]):
    """One piece of work in a thread of its own; the window looks in on it once a frame.

    The thread is a daemon: a window that closes does not wait for a thought nobody will see. Nor does that thought go
    on for long: players stop where nobody wants to know (`leave`).
    """

    def __init__(self, work: Callable[[], T]) -> None:
        self._left = False
        self._result: list[T] = []
        self._wrong: BaseException | None = None
        self._thread = Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[], T]) -> None:
        try:
            with while_wanted(lambda: not self._left):
                self._result.append(work())
        except Exception as wrong:
            self._wrong = wrong

    def leave(self) -> None:
        """Nobody waits for it any more; it ends soon, with `GivenUp` where it thinks."""
        self._left = True

    @property
    def done(self) -> bool:
        """True once it is finished."""
        return not self._thread.is_alive()

    def wait(self, longest: float) -> bool:
        """Wait so long at most [s]; True once it is finished."""
        self._thread.join(longest)
        return self.done

    def result(self) -> T:
        """Its result; raises what it raised."""
        self._thread.join()
        if self._wrong is not None:
            raise self._wrong
        return self._result[0]
