"""The repetition of a test by seed or by case: a few in the quick suite, the others by `pytest -m long`."""

from collections.abc import Iterable
from typing import Any

import pytest


def few_then_long(cases: Iterable[Any], quick: int) -> list[Any]:
    """Cases for `parametrize`, of which those behind the first few are marked long."""
    return [pytest.param(case, marks=[pytest.mark.long] if k >= quick else []) for k, case in enumerate(cases)]
