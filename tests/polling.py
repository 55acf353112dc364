"""Poll a condition until it holds; the deadline is there to stop a hang, not to measure anything."""

from collections.abc import Callable
from itertools import count
from time import monotonic, sleep

TIMEOUT = 400.0
"""Longer than anything in the tests takes on a busy machine, as compiling the simulation among other work [s]."""


def wait_until(condition: Callable[[], object], interval: Callable[[], object] = lambda: None) -> None:
    """Return when `condition()` is true, calling `interval()` before each further try.

    Raises:
        TimeoutError: it was not met in `TIMEOUT`.
    """
    end = monotonic() + TIMEOUT
    for tries in count():
        if condition():
            return
        if monotonic() > end:
            raise TimeoutError(f"not so after {TIMEOUT:.0f} s")
        interval()
        sleep(0.002 if tries < 200 else 0.02)  # another process, which takes that long, needs the processor more
