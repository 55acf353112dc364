"""Poll a condition until it holds; the deadline is there to stop a hang, not to measure anything."""

from collections.abc import Callable
from time import monotonic, sleep

TIMEOUT = 120.0
"""Longer than anything in the tests takes on a busy machine [s]."""


def wait_until(condition: Callable[[], object], interval: Callable[[], object] = lambda: None) -> None:
    """Return when `condition()` is true, calling `interval()` before each further try.

    Raises:
        TimeoutError: it was not met in `TIMEOUT`.
    """
    end = monotonic() + TIMEOUT
    while not condition():
        if monotonic() > end:
            raise TimeoutError(f"not so after {TIMEOUT:.0f} s")
        interval()
        sleep(0.002)
