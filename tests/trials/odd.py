"""A trial of numbers, which finds the odd ones."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.tally import Tally


def odd(numbers: Sequence[int]) -> Tally:
    """Find them."""
    found = Tally()
    for number in numbers:
        found.count("all", "tried")
        if number % 2:
            found.find("all", f"{number} is odd", "again")
    return found
