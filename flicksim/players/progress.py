"""The progress of a long thought: whoever settles many shots says so now and then, and whoever waits may listen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


def _unheard(_shots: int) -> None:
    """Nobody listens."""


_hear: ContextVar[Callable[[int], None]] = ContextVar("hear", default=_unheard)


@contextmanager
def while_heard(hear: Callable[[int], None]) -> Iterator[None]:
    """Think in here, in this thread, and have told how many more shots are settled."""
    before = _hear.set(hear)
    try:
        yield
    finally:
        _hear.reset(before)


def tell_settled(shots: int) -> None:
    """Tell whoever listens that so many more shots are settled."""
    _hear.get()(shots)
