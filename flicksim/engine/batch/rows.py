"""Rows of a batch: broadcast of single items, and work on chunks of rows in threads."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def item_at(items: Sequence[T], row: int) -> T:
    """Item of a row; a single item serves all rows."""
    return items[min(row, len(items) - 1)]


def map_in_threads(function: Callable[[int], T], parts: Sequence[int], threads: int) -> tuple[T, ...]:
    """Call a function for each part, in threads; the results in order."""
    if threads > 1 and len(parts) > 1:
        with ThreadPoolExecutor(threads) as pool:
            return tuple(pool.map(function, parts))
    return tuple(map(function, parts))
