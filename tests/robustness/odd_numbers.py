"""Trial that finds odd numbers."""

from collections.abc import Sequence

from benchmarks.trial_report import TrialReport


def is_odd(numbers: Sequence[int]) -> TrialReport:
    """Find them."""
    found = TrialReport()
    for number in numbers:
        found.count("all", "tried")
        if number % 2:
            found.find("all", f"{number} is odd", "again")
    return found
