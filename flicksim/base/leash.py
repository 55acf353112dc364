"""A pipe that a process holds open for those it begins: it closes with the process, whatever ends that.

This file needs nothing that takes long to load, so that a worker is held before it does anything.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Thread


def held(leash: Connection) -> None:
    """In a worker: Ctrl-C is for whoever began it, and with him it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    Thread(target=_end_with, args=(leash,), daemon=True).start()


def _end_with(leash: Connection) -> None:
    with suppress(EOFError, OSError):
        leash.recv_bytes()
    os._exit(1)
