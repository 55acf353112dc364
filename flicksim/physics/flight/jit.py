"""The one place that knows whether numba is here.

The solver's loops are plain functions of numbers and arrays. With numba they are compiled once and kept on disk;
without it
the same functions run as they stand, far slower, with the same results: no fast-math, no fused or reordered arithmetic.
"""

import importlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., object])

njit: Any = None
with suppress(ImportError):  # the extra `fast` may not be installed
    njit = importlib.import_module("numba").njit


def _forget_stale(folder: Path) -> None:
    """Remove compiled code older than any source here.

    numba stamps a cache with the caller's own file only; a changed callee in a neighbouring file would go unnoticed
    and old physics would run under new source.
    """
    sources = max(path.stat().st_mtime for path in folder.glob("*.py"))
    for cached in (folder / "__pycache__").glob("*.nb[ci]"):
        with suppress(OSError):
            if cached.stat().st_mtime < sources:
                cached.unlink()


if njit is not None:
    _forget_stale(Path(__file__).parent)


def compiled(function: F) -> F:
    """The same function, compiled when numba is installed."""
    if njit is None:
        return function
    # error_model: a division never needs Python's zero check here, and the check costs a branch each time;
    # nogil: whoever settles shots in a thread does not hold up the others
    quick: F = njit(cache=True, error_model="numpy", nogil=True)(function)
    return quick
