"""Cooperative cancellation of long computations by a context variable."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from flicksim.core.errors import Cancelled

_should_continue: ContextVar[Callable[[], bool]] = ContextVar("should_continue", default=lambda: True)


@contextmanager
def cancel_unless(should_continue: Callable[[], bool]) -> Iterator[None]:
    """Cancel computations in this context once `should_continue` returns False."""
    before = _should_continue.set(should_continue)
    try:
        yield
    finally:
        _should_continue.reset(before)


def stop_if_cancelled() -> None:
    """Raise `Cancelled` if the computation is cancelled; call between units of work.

    Raises:
        Cancelled: the result is no longer wanted.
    """
    if not _should_continue.get()():
        raise Cancelled("the result is no longer wanted")
