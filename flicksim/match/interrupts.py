"""Deferred handling of SIGINT, SIGTERM and SIGHUP: stop at the next safe point, or after a grace period.

An interrupt inside a callback of the physics engine would be swallowed, so it waits for a safe point, or for a grace
period where there is none, as while a program does not answer. SIGTERM and SIGHUP are handled like Ctrl-C.
"""

import signal
from _thread import interrupt_main
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Lock, Thread, current_thread, main_thread
from types import FrameType
from typing import Any

from flicksim.core.signals import raise_interrupt

GRACE_PERIOD = 1.5
"""Longest wait for a safe point, or for running tasks of workers [s]."""
_RETRY_INTERVAL = 0.5
"""Interval at which the interrupt is then repeated, as one may be swallowed [s]."""

_TERMINATION_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class _Interrupt:
    pending = False


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer the first Ctrl-C to a safe point, or for the grace period; a second one is raised at once."""
    if current_thread() is not main_thread():
        yield
        return
    finished, lock = Event(), Lock()

    def on_signal(number: int, frame: FrameType | None) -> None:
        if finished.is_set():
            return
        if _Interrupt.pending:
            raise_interrupt(number, frame)
            return
        _Interrupt.pending = True
        Thread(target=resend, args=(number,), daemon=True).start()

    def resend(number: int) -> None:
        delay = GRACE_PERIOD
        while not finished.wait(delay):
            with lock:
                if finished.is_set():
                    return
                if hasattr(signal, "pthread_kill"):  # also while the main thread is blocked
                    signal.pthread_kill(main_thread().ident or 0, number)
                else:
                    interrupt_main(signal.Signals(number))
            delay = _RETRY_INTERVAL

    with _handle_signals(on_signal):
        try:
            yield
        finally:
            finished.set()
            with lock:  # so that no signal is sent after this
                _Interrupt.pending = False


@contextmanager
def _handle_signals(handler: Any, numbers: Sequence[signal.Signals] = _TERMINATION_SIGNALS) -> Iterator[None]:
    """Install a handler for signals; does nothing outside the main thread."""
    # ignored signals stay ignored: shells and nohup start background jobs so
    handled = [number for number in numbers if signal.getsignal(number) not in (signal.SIG_IGN, None)]
    is_main = current_thread() is main_thread()
    previous = {number: signal.signal(number, handler) for number in handled if is_main}
    try:
        yield
    finally:
        for number, before in previous.items():
            signal.signal(number, before)


def interrupt_pending() -> bool:
    """Return True while a deferred interrupt is pending."""
    return _Interrupt.pending


def check_interrupt() -> None:
    """Raise a deferred interrupt; call at safe points.

    Raises:
        KeyboardInterrupt: one is pending.
    """
    if _Interrupt.pending:
        raise KeyboardInterrupt


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Block Ctrl-C, also in processes started meanwhile; it is delivered here afterwards."""
    if current_thread() is not main_thread() or not hasattr(signal, "pthread_sigmask"):
        with _handle_signals(signal.SIG_IGN, (signal.SIGINT,)):
            yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def immediate_interrupts() -> AbstractContextManager[None]:
    """Raise Ctrl-C at once, while waiting for input."""
    return _handle_signals(raise_interrupt)
