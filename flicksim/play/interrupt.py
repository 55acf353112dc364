"""Ctrl-C heard between turns: an interrupt that falls inside a call-back of the physics engine would be swallowed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


class _Bell:
    rung = False


@contextmanager
def between_turns() -> Iterator[None]:
    """In here the first Ctrl-C waits for the turn to be finished (`safe_point`); the second does not wait."""
    if current_thread() is not main_thread():
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        if _Bell.rung:
            raise KeyboardInterrupt
        _Bell.rung = True

    before = signal.signal(signal.SIGINT, ring)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        _Bell.rung = False


def safe_point() -> None:
    """Nothing is half done here: stop, if Ctrl-C was pressed.

    Raises:
        KeyboardInterrupt: it was.
    """
    if _Bell.rung:
        _Bell.rung = False
        raise KeyboardInterrupt


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C is not heard in here; only a program's main thread may ask for that."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def heard_at_once() -> Iterator[None]:
    """Ctrl-C is heard at once in here: somebody is waited for, and nothing is under way."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
