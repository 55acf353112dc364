"""Deferred handling of SIGINT, SIGTERM and SIGHUP: stop at the next safe point, or after a grace period.

An interrupt that falls inside a call-back of the physics engine would be swallowed, so it waits for a safe point. What
has none for long, a program that keeps silent, is interrupted all the same. SIGTERM and SIGHUP mean what Ctrl-C means.
"""

from __future__ import annotations

import signal
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread, current_thread, main_thread
from types import FrameType

GRACE_PERIOD = 1.5
"""Longest wait for a safe point, or for work that is nearly done [s]."""
_RETRY_INTERVAL = 0.5
"""So long after that it is tried once more, as one interrupt may be swallowed [s]."""

_TERMINATION_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class _Interrupt:
    pending = False


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """In here the first Ctrl-C waits for a safe point, but not for long; the second does not wait."""
    if current_thread() is not main_thread():
        yield
        return
    left, lock = Event(), Lock()

    def on_signal(number: int, _frame: FrameType | None) -> None:
        if left.is_set():
            return
        if _Interrupt.pending:
            raise KeyboardInterrupt
        _Interrupt.pending = True
        Thread(target=resend, args=(number,), daemon=True).start()

    def resend(number: int) -> None:
        wait = GRACE_PERIOD
        while not left.wait(wait):
            with lock:
                if not left.is_set():
                    _interrupt_main_thread(number)
            wait = _RETRY_INTERVAL

    with _handle_signals(on_signal):
        try:
            yield
        finally:
            left.set()
            with lock:  # nothing more is on its way
                _Interrupt.pending = False


@contextmanager
def _handle_signals(on_signal: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """In here that is done when this process is told to end."""
    # what is ignored stays so: a shell begins work in the background, and nohup anything, with some of them ignored
    heard = [number for number in _TERMINATION_SIGNALS if signal.getsignal(number) not in (signal.SIG_IGN, None)]
    before = {number: signal.signal(number, on_signal) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt_main_thread(number: int) -> None:
    """Have the main thread hear a signal, also where it only waits."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main_thread().ident or 0, number)
    else:
        interrupt_main(signal.Signals(number))


def interrupt_pending() -> bool:
    """True once Ctrl-C was pressed, or the like, and something is still to be finished."""
    return _Interrupt.pending


def check_interrupt() -> None:
    """Nothing is half done here: stop, if Ctrl-C was pressed.

    Raises:
        KeyboardInterrupt: it was.
    """
    if _Interrupt.pending:
        raise KeyboardInterrupt


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Processes that are begun in here do not hear Ctrl-C; it is heard here afterwards."""
    if current_thread() is not main_thread():
        yield
        return
    if hasattr(signal, "pthread_sigmask"):
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def immediate_interrupts() -> Iterator[None]:
    """Ctrl-C is heard at once in here: somebody is waited for, and nothing is under way."""
    if current_thread() is not main_thread():
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    with _handle_signals(ring):
        yield
