"""Progress callback of a long computation, by the number of shots simulated."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

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
