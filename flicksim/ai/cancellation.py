"""Cancellation and progress of long computations, by context variables."""

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


_on_progress: ContextVar[Callable[[int], None]] = ContextVar("on_progress", default=lambda _shots: None)


@contextmanager
def report_progress_to(on_progress: Callable[[int], None]) -> Iterator[None]:
    """Report simulated shots of this context to a callback."""
    before = _on_progress.set(on_progress)
    try:
        yield
    finally:
        _on_progress.reset(before)


def report_shots(shots: int) -> None:
    """Report that so many more shots were simulated."""
    _on_progress.get()(shots)
