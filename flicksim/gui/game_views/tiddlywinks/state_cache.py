"""Cache of what every frame computes from the states shown last."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from flicksim.core.type_aliases import JsonValue, State

P = ParamSpec("P")
T = TypeVar("T")
_CAPACITY = 4
_cache: list[tuple[State, dict[Hashable, JsonValue]]] = []


def cached(compute: Callable[Concatenate[State, P], T]) -> Callable[Concatenate[State, P], T]:
    """Decorator that keeps what a function computes from a state or trajectory, while that is shown."""

    @wraps(compute)
    def answer(state: State, /, *args: P.args, **kwargs: P.kwargs) -> T:
        answers = next((stored for known, stored in _cache if known is state), None)
        if answers is None:
            answers = {}
            _cache.insert(0, (state, answers))
            del _cache[_CAPACITY:]
        if (key := (compute, args, *kwargs.items())) not in answers:
            answers[key] = compute(state, *args, **kwargs)
        stored: T = answers[key]
        return stored

    return answer
