"""Thoughts nobody waits for any more: a player that thinks long asks now and then, and stops when none does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from flicksim.base.errors import GivenUp

_wanted: ContextVar[Callable[[], bool]] = ContextVar("wanted", default=lambda: True)


@contextmanager
def while_wanted(wanted: Callable[[], bool]) -> Iterator[None]:
    """Think in here, in this thread, only as long as that is true."""
    before = _wanted.set(wanted)
    try:
        yield
    finally:
        _wanted.reset(before)


def stop_if_cancelled() -> None:
    """Stop here, where nothing is half done, if nobody waits any more.

    Raises:
        GivenUp: nobody waits any more.
    """
    if not _wanted.get()():
        raise GivenUp("nobody waits for this thought any more")
