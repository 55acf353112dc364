"""Cache of what every frame computes from the states shown last."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from flicksim.core.type_aliases import JsonValue, State

T = TypeVar("T")
_CAPACITY = 4
_cache: list[tuple[State, dict[Hashable, JsonValue]]] = []


def cached(state: State, key: Hashable, compute: Callable[[], T]) -> T:
    """Value computed from a state, cached while that state is shown."""
    answers = next((stored for known, stored in _cache if known is state), None)
    if answers is None:
        answers = {}
        _cache.insert(0, (state, answers))
        del _cache[_CAPACITY:]
    if key not in answers:
        answers[key] = compute()
    stored: T = answers[key]
    return stored
