"""Poll a condition until it holds; the deadline is there to stop a hang, not to measure anything."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep

PATIENCE = 300.0
"""Longer than anything in the tests takes on a busy machine [s]."""


def until(met: Callable[[], object], between: Callable[[], object] = lambda: None) -> None:
    """Return when `met()` is true, calling `between()` before each further try.

    Raises:
        TimeoutError: it was not met in `PATIENCE`.
    """
    end = monotonic() + PATIENCE
    while not met():
        if monotonic() > end:
            raise TimeoutError(f"not so after {PATIENCE:.0f} s")
        between()
        sleep(0.002)
