"""Signal handler that raises KeyboardInterrupt where it is not swallowed."""

import os
import signal
from threading import Timer
from types import FrameType

_SWALLOWING_CALLBACKS = ("_raw_object_cache_notify", "_raw_object_cache_getbuffer")
"""Callbacks of llvmlite, from C code that ignores exceptions."""
_RESEND_DELAY = 0.02
"""Delay after which the signal is sent again from such a callback [s]."""


def raise_interrupt(number: int, frame: FrameType | None) -> None:
    """Handle a signal like `signal.default_int_handler`, but send it again if it arrives within a callback of LLVM.

    The compiler spends its time in C code, so a signal is often handled in the next callback. An exception there is
    printed and ignored, and the compiled function is lost.

    Raises:
        KeyboardInterrupt: outside of such callbacks.
    """
    while frame is not None:
        if frame.f_code.co_name in _SWALLOWING_CALLBACKS:
            timer = Timer(_RESEND_DELAY, os.kill, (os.getpid(), number))
            timer.daemon = True
            timer.start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def install_interrupt_handlers() -> None:
    """Handle SIGINT, SIGTERM and SIGHUP by `raise_interrupt`, unless they are ignored, as under nohup."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, raise_interrupt)
