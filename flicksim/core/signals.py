"""Interrupts by SIGINT, SIGTERM and SIGHUP: raised where they are not swallowed, or deferred to the next safe point.

SIGTERM and SIGHUP are handled like Ctrl-C. An interrupt inside a callback of the compiler or of the engine would be
swallowed: there it is sent again. While a computation runs it waits for a safe point, or for a grace period where there
is none, as while a program does not answer.
"""

import os
import signal
from _thread import interrupt_main
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Lock, Thread, Timer, current_thread, main_thread
from types import FrameType
from typing import Any

_TERMINATION_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

_SWALLOWING_CALLBACKS = (
    "_raw_object_cache_notify", "_raw_object_cache_getbuffer", "ext_cp", "freebody", "shapefree", "constraintfree",
    "spacefree",
)  # fmt: skip
"""Callbacks of llvmlite and pymunk, by how their names begin, from C code that ignores exceptions."""
_RESEND_DELAY = 0.02
"""Delay after which the signal is sent again from such a callback [s]."""
GRACE_PERIOD = 1.5
"""Longest wait for a safe point, or for running tasks of workers [s]."""
_RETRY_INTERVAL = 0.5
"""Interval at which the interrupt is then repeated, as one may be swallowed [s]."""


def raise_interrupt(number: int, frame: FrameType | None) -> None:
    """Handle a signal like `signal.default_int_handler`, but send it again if it arrives within a callback.

    The compiler and the engine spend their time in C code, so a signal is often handled in the next callback. An
    exception there is printed and ignored, and the compiled function, or what moves, is lost.

    Raises:
        KeyboardInterrupt: outside of such callbacks.
    """
    while frame is not None:
        if frame.f_code.co_name.startswith(_SWALLOWING_CALLBACKS):
            timer = Timer(_RESEND_DELAY, os.kill, (os.getpid(), number))
            timer.daemon = True
            timer.start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def install_interrupt_handlers() -> None:
    """Handle SIGINT, SIGTERM and SIGHUP by `raise_interrupt`, unless they are ignored, as under nohup."""
    for number in _TERMINATION_SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, raise_interrupt)


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
    """Block Ctrl-C and SIGHUP, also in processes started meanwhile; they are delivered here afterwards.

    From another thread than the main one nothing is blocked; without signal masks Ctrl-C is ignored.
    """
    if current_thread() is not main_thread() or not hasattr(signal, "pthread_sigmask"):
        with _handle_signals(signal.SIG_IGN, (signal.SIGINT,)):
            yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def immediate_interrupts() -> AbstractContextManager[None]:
    """Raise Ctrl-C at once, while waiting for input."""
    return _handle_signals(raise_interrupt)
